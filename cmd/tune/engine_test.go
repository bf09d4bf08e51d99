package main

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/engine"
	"quintune/pattern"
)

// The command that follows a check has a budget that suffices for a run.
func TestCheckNamesABudgetThatSuffices(t *testing.T) {
	for _, test := range []struct {
		name      string
		perMinute float64
		want      string
	}{
		{"quick", 100, "--budget 1h"},
		{"slow", 1, "--budget 8h"},
		{"very slow", .1, "--budget 100games"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &engineCheckResult{CheckReport: &engine.CheckReport{GamesPerMinute: test.perMinute}}
			r.weigh(false)
			text := r.text("p.yaml", &engine.File{}, on(pattern.Standard.String(), 20))
			if last := text[strings.Index(text, "Next:"):]; !strings.Contains(last, test.want+" --rule standard --size 20") {
				t.Errorf("at %g games a minute: %q, want %s", test.perMinute, last, test.want)
			}
		})
	}
}

// Where nothing has an effect no run is recommended, and the engine's answer is quoted.
func TestCheckOfDeafEngineRecommendsNoRun(t *testing.T) {
	r := &engineCheckResult{CheckReport: &engine.CheckReport{GamesPerMinute: 100, Parameters: 2, Unseen: []string{"a", "b"}, Unknown: "UNKNOWN b"}}
	r.weigh(false)
	if text := r.text("p.yaml", &engine.File{}, nil); !r.deaf() || strings.Contains(text, "Next:") || !strings.Contains(text, `the engine does not know them, it answered "UNKNOWN b"`) {
		t.Error(text)
	}
	r.Unseen = []string{"a"}
	if text := r.text("p.yaml", &engine.File{}, nil); !strings.Contains(text, "no effect seen at the bounds of a: perhaps the engine does not know it, ") {
		t.Error(text)
	}
}

// The run that a check recommends plays as the check did.
func TestCheckRecommendsItsConditions(t *testing.T) {
	for _, test := range []struct {
		args, file, want string
	}{
		{"", "limit: nodes", ""},
		{"--nodes 50 --workers 1 --rule renju", "limit: nodes", "--rule renju --size 15 --nodes 50 --workers 1"},
		{"--nodes 50 --size 20", "limit: 50ms", "--rule freestyle --size 20"},
	} {
		t.Run(test.args+", "+test.file, func(t *testing.T) {
			f := &engine.File{}
			if test.file == "limit: 50ms" {
				f.Time = 50 * time.Millisecond
			}
			o := new(engineCheckOptions)
			cmd := config.Bind(&cobra.Command{Use: "check"}, o, func(*cobra.Command, *engineCheckOptions, []string) error { return nil })
			cmd.SetArgs(strings.Fields(test.args))
			if err := cmd.Execute(); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(o.conditions(f), " "); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
