package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
)

// The list has headings, verdicts and Elo. It includes ladders and stored matches, and so does prune.
func TestListShowsVerdictsAndWhatIsKept(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "1500games", "--start", "flat", "--seed", "2", "--name", "gain", "--out", "w.json", "--quiet")...)
	done(t, quick("match", "huang", "flat", "--pairs", "4")...)
	done(t, quick("gate", "huang", "flat")...)
	done(t, quick("gate", "huang", "flat", "--pairs", "2")...)
	done(t, quick("ladder", "huang", "flat", "zhang", "--pairs", "2")...)
	text := done(t, "list")
	for _, want := range []string{
		`(?m)^begun +run +games +state +verdict +Elo$`,
		`(?m)^20\S+ \d\d:\d\d \S+  gain +\d+ of 1500  done +passed +\+\d+ \[\+\d+, \+\d+\] against flat$`,
		`(?m)^begun +ladder or match +pairs +state +verdict +Elo +players$`,
		`(?m)  match-[0-9a-f]{12} +4 of 4  done +- +\+\d+ \[\S+, \+\d+\] +match huang, flat$`,
		`(?m)  match-[0-9a-f]{12} +\d+ of 400  done +passed +\+\d+ \[\+\d+, \+\d+\] +test huang, flat$`,
		`(?m)  match-[0-9a-f]{12} +2 of 2  done +undecided +\S+ \[\S+, \S+\] +test huang, flat$`,
		`(?m)  ladder-[0-9a-f]{12} +6 of 6  done +- +- +huang, flat, zhang$`,
		"(?m)^Next: `tune show gain` shows the latest run.$",
	} {
		t.Run(want, func(t *testing.T) {
			if !regexp.MustCompile(want).MatchString(text) {
				t.Errorf("no %s in\n%s", want, text)
			}
		})
	}
	o := object(t, done(t, "list", "--json"))
	kept := o["kept"].([]any)
	if run := o["runs"].([]any)[0].(map[string]any); len(kept) != 4 || run["verdict"] != "passed" || run["against"] != "flat" || run["measured"].(map[string]any)["low"].(float64) <= 0 {
		t.Errorf("%v", o)
	}
	name := kept[0].(map[string]any)["name"].(string)
	if text := done(t, "__complete", "prune", "match-"); !strings.Contains(text, name+"\n") {
		t.Errorf("prune does not complete %s: %s", name, text)
	}
	if text := done(t, "prune", name); !strings.Contains(text, name+": would be deleted") || !strings.Contains(text, "Next: `tune prune "+name+" --yes`") {
		t.Errorf("%s", text)
	}
	done(t, "prune", name, "--yes")
	if text := done(t, "list"); strings.Contains(text, name) {
		t.Errorf("%s is listed still:\n%s", name, text)
	}
	if o := object(t, done(t, "prune", "--keep", "1", "--yes", "--json")); len(o["runs"].([]any)) != 0 || len(o["kept"].([]any)) != 2 {
		t.Errorf("prune --keep 1: %v", o)
	}
	done(t, "prune", "--keep", "0", "--yes")
	locks, err := os.ReadDir("runs")
	if err != nil || slices.ContainsFunc(locks, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".lock") || e.IsDir() }) {
		t.Errorf("left are %v (%v)", locks, err)
	}
	if text := done(t, "list"); text != "" {
		t.Errorf("left are\n%s", text)
	}
	if _, log, status := tune(t, "prune", "match-absent"); status != 1 || !strings.Contains(log, "no run match-absent") {
		t.Errorf("status %d: %s", status, log)
	}
}

// An interrupted match is listed as open, and can be continued after prune --keep.
func TestUnfinishedMatchesAreKept(t *testing.T) {
	inFolder(t)
	args := []string{"match", "huang", "flat", "--pairs", "60", "--size", "9", "--nodes", "200", "--openings", "openings.txt", "--workers", "1"}
	_, _, status := runUntil(t, "m.jsonl", args)
	if text := done(t, "list"); status != 130 || !regexp.MustCompile(`\d+ of 60  open  `).MatchString(text) {
		t.Fatalf("status %d\n%s", status, text)
	}
	if o := object(t, done(t, "prune", "--keep", "0", "--yes", "--json")); len(o["kept"].([]any)) != 0 {
		t.Errorf("prune deleted %v", o)
	}
}

// The intervals of short check matches are doubted as those of gates and validations are.
func TestShortChecksAreDoubted(t *testing.T) {
	for _, test := range []struct {
		pairs   int64
		doubted bool
	}{{stats.FewestPairs - 1, true}, {stats.FewestPairs, false}} {
		t.Run(fmt.Sprint(test.pairs), func(t *testing.T) {
			s := shown{Reproducible: true, runs: new(runsOption)}
			s.Checks = []run.Check{{Games: 1, Pairs: stats.Pentanomial{0, 0, 0, 0, 50}}, {Games: 2, Pairs: stats.Pentanomial{0, 0, 0, 0, test.pairs}}}
			if text := s.text(); strings.Contains(text, "an interval says nothing below 20 pairs\n") != test.doubted {
				t.Errorf("want a doubt: %v, got\n%s", test.doubted, text)
			}
		})
	}
}

// What a player says of its failure cannot reach the terminal as anything but text.
func TestFaultLines(t *testing.T) {
	got := faultLines([]run.Fault{{Player: "engine", Kind: "crash\x1b]0;x\a", Count: 2, First: "\x1b[2J\nno memory"}, {Player: "b", Kind: "timeout", Count: 1, First: "late"}})
	want := "faults of engine: 2 × crash?]0;x?, first ?[2J?no memory\nfaults of b: 1 × timeout, first late\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A match counts its faults in the same words.
func TestMatchTextCountsFaults(t *testing.T) {
	got := matchText(&match.Report{A: "a", B: "b", Faults: match.Faults{A: map[string]int64{"timeout": 1, "crash": 12}, B: map[string]int64{"illegal": 2}}})
	if want := "faults of a: 12 × crash\nfaults of a: 1 × timeout\nfaults of b: 2 × illegal\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at its end", got, want)
	}
}

// What a run or a checkpoint from elsewhere holds, such as its commit or its optimizer, cannot move the cursor or colour the terminal.
func TestShownTextIsPrintable(t *testing.T) {
	var out strings.Builder
	cmd := &cobra.Command{}
	cmd.SetOut(&out)
	if err := show(cmd, &config.Common{}, "commit \x1b]0;x\a, +3 ± 1 on 15×15\n\r\u202ewon\n", nil); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "commit ?]0;x?, +3 ± 1 on 15×15\n??won\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
