package config

import (
	"slices"
	"strings"
	"testing"
)

// A name may be a setting of one command and a flag without a setting of another.
func TestFlagsAloneIgnoreFileAndVariables(t *testing.T) {
	t.Setenv("QUINTUNE_OUT", "variable.json")
	files := map[string]string{DefaultFile: "out: file.json\n"}
	for _, test := range []struct {
		command string
		args    []string
		want    Entry
	}{
		{"tune run", nil, Entry{"out", "variable.json", "variable QUINTUNE_OUT"}},
		{"tune openings", nil, Entry{"out", "", "default"}},
		{"tune openings", []string{"--out", "x"}, Entry{"out", "x", "flag --out"}},
	} {
		t.Run(test.command, func(t *testing.T) {
			v, err := loadWith(t, test.command, files, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			if got := v.entry(t, "out"); got != test.want {
				t.Errorf("%s %v: %v, want %v", test.command, test.args, got, test.want)
			}
		})
	}
}

// Each program has its own section, so that one key does not set the options of both.
func TestSections(t *testing.T) {
	files := map[string]string{DefaultFile: "tune:\n  nodes: 2000\n  seed: 7\nplay:\n"}
	tune, err := loadWith(t, "tune run", files)
	if err != nil || tune.run.Nodes != 2000 || tune.log != "" {
		t.Errorf("tune: %d nodes, log %q (%v), want 2000", tune.run.Nodes, tune.log, err)
	}
	if want := (Entry{"seed", "7", "file quintune.yaml"}); tune.entry(t, "seed") != want {
		t.Errorf("tune: %v, want %v", tune.entry(t, "seed"), want)
	}
	play, err := loadWith(t, "play", files)
	if err != nil || play.play.Nodes != 0 || play.log != "" {
		t.Errorf("play: %d nodes, log %q (%v), want 0", play.play.Nodes, play.log, err)
	}
	files[DefaultFile] = "play:\n  nodes: 300\n  color: white\n"
	play, err = loadWith(t, "play", files)
	if err != nil || play.play.Nodes != 300 || play.play.Color != "white" {
		t.Errorf("play: %d nodes, %s (%v), want 300, white", play.play.Nodes, play.play.Color, err)
	}
	if tune, err = loadWith(t, "tune run", files); err != nil || tune.run.Nodes != 1000 || len(tune.Unused()) > 0 {
		t.Errorf("tune: %d nodes, unused %v (%v), want 1000", tune.run.Nodes, tune.Unused(), err)
	}
}

// A file without sections applies to both programs, as in earlier versions, with a warning.
func TestFileWithoutSections(t *testing.T) {
	files := map[string]string{DefaultFile: "nodes: 2000\ncolor: white\ncount: 5\n"}
	tune, err := loadWith(t, "tune run", files)
	if err != nil || tune.run.Nodes != 2000 || !strings.Contains(tune.log, "level=WARN") || !strings.Contains(tune.log, "quintune.yaml") {
		t.Errorf("tune: %d nodes, log %q (%v)", tune.run.Nodes, tune.log, err)
	}
	want := []Entry{{"color", "white", "file quintune.yaml"}, {"count", "5", "file quintune.yaml"}}
	if got := tune.Unused(); !slices.Equal(got, want) {
		t.Errorf("tune does not use %v, want %v", got, want)
	}
	play, err := loadWith(t, "play", files)
	if err != nil || play.play.Nodes != 2000 || play.play.Color != "white" || !strings.Contains(play.log, "level=WARN") {
		t.Errorf("play: %d nodes, %s, log %q (%v)", play.play.Nodes, play.play.Color, play.log, err)
	}
}

// A variable for the other program is accepted; that program checks its value.
func TestVariableOfTheOtherProgram(t *testing.T) {
	t.Setenv("QUINTUNE_COLOR", "red")
	if _, err := loadWith(t, "tune run", nil); err != nil {
		t.Error(err)
	}
	_, err := loadWith(t, "play", nil)
	checkRefused(t, "QUINTUNE_COLOR=red", err, "QUINTUNE_COLOR", "color", "black, white")
}

// A command that has a flag with the name of the other program's setting refuses the variable, which it would pass over; the file's
// section is for that program alone.
func TestFlagOfTheOtherProgramsName(t *testing.T) {
	file := map[string]string{DefaultFile: "play:\n  weights: huang\n"}
	for _, command := range []string{"tune run", "tune openings"} {
		if _, err := loadWith(t, command, file); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
	t.Setenv("QUINTUNE_WEIGHTS", "huang")
	if _, err := loadWith(t, "tune run", nil); err != nil {
		t.Error(err)
	}
	_, err := loadWith(t, "tune openings", nil, "--weights", "zhang")
	checkRefused(t, "QUINTUNE_WEIGHTS=huang", err, "QUINTUNE_WEIGHTS is a setting of play", "--weights")
}
