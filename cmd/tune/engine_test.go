package main

import (
	"strings"
	"testing"

	"quintune/internal/engine"
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
			r.weigh()
			text := r.text("p.yaml", &engine.File{})
			if last := text[strings.Index(text, "Next:"):]; !strings.Contains(last, test.want) {
				t.Errorf("at %g games a minute: %q, want %s", test.perMinute, last, test.want)
			}
		})
	}
}
