package main

import (
	"strings"
	"testing"

	"quintune/internal/config"
)

func TestSPRT(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		name   string
		args   []string
		result string
		a      string
	}{
		{"a gain", quick("sprt", "huang", "flat", "--pairs", "40", "--nelo", "0,150"), "passed", "huang"},
		{"a loss", quick("sprt", "flat", "huang", "--pairs", "40", "--nelo", "-150,0"), "not passed", "flat"},
		{"too few pairs", quick("sprt", "huang", "flat", "--pairs", "2", "--nelo", "0,10"), "undecided", "huang"},
		{"a feature off", quick("sprt", "huang", "huang", "--pairs", "2", "--feature", "futility=off", "--feature", "MoveCount=off"), "undecided", "huang without Futility+MoveCount"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := object(t, done(t, append(test.args, "--json")...))
			if o["result"] != test.result || o["a"] != test.a {
				t.Errorf("%v of %v, want %s of %s", o["result"], o["a"], test.result, test.a)
			}
			if text := done(t, test.args...); !strings.Contains(text, "\n"+test.result+": LLR ") {
				t.Errorf("no result %q in\n%s", test.result, text)
			}
		})
	}
}

// The result does not depend on the number of workers. The LLR in progress is written to stderr.
func TestSPRTIsRepeatable(t *testing.T) {
	inFolder(t)
	args := quick("sprt", "huang", "flat", "--pairs", "20", "--feature", "Killers=off", "--json")
	one, log, status := tune(t, append(args, "--workers", "1", "--runs", "one")...)
	if status != config.ExitDone || !strings.Contains(log, "llr=") {
		t.Fatalf("status %d: %s", status, log)
	}
	if four := done(t, append(args, "--workers", "4", "--runs", "four")...); four != one {
		t.Errorf("one worker:\n%s\nfour:\n%s", one, four)
	}
}

func TestSPRTUsage(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"equal sides", []string{"sprt", "huang", "huang"}, "the same weights"},
		{"unknown feature", []string{"sprt", "huang", "flat", "--feature", "Hope=off"}, `"Hope" is unknown, want one of Aspiration`},
		{"not off", []string{"sprt", "huang", "flat", "--feature", "Futility=on"}, "not NAME=off"},
		{"feature of a build", []string{"sprt", "gomocup:true", "flat", "--feature", "Futility=off"}, "is not weights"},
		{"bounds that fall", []string{"sprt", "huang", "flat", "--nelo", "5,0"}, "not rising"},
		{"more pairs than openings", []string{"sprt", "huang", "flat", "--pairs", "401", "--size", "9", "--openings", "openings.txt"}, "only 400"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("status %d, want %q in %s", status, test.want, log)
			}
		})
	}
}
