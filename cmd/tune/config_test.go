package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/run"
	"quintune/internal/tuner"
)

// The configuration that is shown is the one that a run takes.
func TestConfigShowsWhatFollows(t *testing.T) {
	inFolder(t)
	if err := os.WriteFile("warm.yaml", []byte("tune:\n  warm-start: \"0.30\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--optimizer", "fit"}, "warm-start 0 default"},
		{[]string{"--engine", "params.yaml"}, "out best.json default"},
		{[]string{"--deadline", "07:00"}, "budget until the deadline default"},
		{[]string{"--deadline", "07:00", "--budget", "10m"}, "budget 10m flag"},
		{[]string{"--config", "warm.yaml", "--only", "search"}, "warm-start 0 default"},
		{[]string{"--config", "warm.yaml"}, "warm-start 0.30 file warm.yaml"},
	} {
		if text := strings.Join(strings.Fields(done(t, append([]string{"config"}, test.args...)...)), " "); !strings.Contains(text, test.want) {
			t.Errorf("%v: no %q in %s", test.args, test.want, text)
		}
	}
}

func TestConfigNamesOrigins(t *testing.T) {
	inFolder(t)
	t.Setenv("QUINTUNE_SEED", "7")
	text := done(t, "config", "--nodes", "2000")
	for _, want := range []string{"QUINTUNE_SEED", "--nodes", "2000", "default"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		})
	}
}

func TestDefaultsAreThoseOfThePackages(t *testing.T) {
	inFolder(t)
	for _, method := range tuner.Methods() {
		t.Run(method, func(t *testing.T) {
			for name, want := range map[string]any{
				"optimizer": method, "warm-start": run.DefaultWarmStart(method, nil, false), "outside-time": run.DefaultOutsideTime,
			} {
				if got := setting(t, name, "--optimizer", method); got != fmt.Sprint(want) {
					t.Errorf("--%s is %v by default, %v in its package", name, got, want)
				}
			}
		})
	}
}

// setting returns the value of a setting that a run with the options has.
func setting(t *testing.T, name string, options ...string) any {
	t.Helper()
	list := object(t, done(t, append([]string{"config", "--json"}, options...)...))["config"].([]any)
	i := slices.IndexFunc(list, func(e any) bool { return e.(map[string]any)["name"] == name })
	if i < 0 {
		t.Fatalf("there is no setting %s", name)
	}
	return list[i].(map[string]any)["value"]
}

// A warm start of the settings file is for runs that can have one: only one that is typed is refused.
func TestWarmStartOfTheSettings(t *testing.T) {
	inFolder(t)
	t.Setenv("QUINTUNE_WARM_START", "0.2")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "0.2"},
		{[]string{"--only", "search"}, "0"},
		{[]string{"--optimizer", "fit"}, "0"},
		{[]string{"--only", "search", "--warm-start", "0.1"}, "0.1"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			if got := setting(t, "warm-start", test.args...); got != test.want {
				t.Errorf("the warm start is %v, want %s", got, test.want)
			}
		})
	}
	args := quick("run", "--budget", "100games", "--no-gate", "--only", "search")
	if _, log, status := tune(t, append(args, "--warm-start", "0.1")...); status != config.ExitUsage || !strings.Contains(log, "leave out warm-start") {
		t.Errorf("typed: status %d: %s", status, log)
	}
	done(t, args...)
}
