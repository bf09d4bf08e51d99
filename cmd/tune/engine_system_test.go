//go:build system

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quintune/internal/config"
)

// brainFolder returns a folder with the compiled brain and its engine files.
func brainFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "internal", "engine", "testdata", "brain"))); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command("cc", "-O2", "-o", "brain", "brain.c", "-lm")
	compile.Dir = dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

func TestEngineCheck(t *testing.T) {
	t.Chdir(brainFolder(t))
	o := object(t, done(t, "engine", "check", "template.yaml", "--for", "1s", "--nodes", "300", "--json"))
	unseen := o["no_effect_seen"].([]any)
	if o["engine"] != "brain" || o["repeatable"] != true || o["honours_max_node"] != true || len(unseen) != 3 || o["games_per_minute"].(float64) < 60 {
		t.Errorf("%v", o)
	}
	if corners := o["corners"].([]any); len(corners) != 3 || corners[1].(map[string]any)["values"].(map[string]any)["attack"] != 5.0 {
		t.Errorf("corners %v", corners)
	}
	if budgets := o["budgets"].([]any); len(budgets) != 3 || budgets[1].(map[string]any)["games"].(float64) < 3600 {
		t.Errorf("budgets %v", budgets)
	}
	text := done(t, "engine", "check", "params.yaml", "--for", "1s", "--nodes", "300")
	for _, want := range []string{"brain starts: 6 parameters, passed by info", "equal values give equal games", "no effect seen at the bounds of tempo, polish, style", "--budget 1h"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// An engine file whose engine cannot play is an error with the engine's message; faults at the bounds alone are told.
func TestEngineCheckOfFailingEngines(t *testing.T) {
	t.Chdir(brainFolder(t))
	file := string(read(t, "argument.yaml"))
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("wrong.yaml", strings.Replace(file, "command: ./brain", "command: 'true'", 1))
	write("picky.sh", "#!/bin/sh\nfor a; do case $a in --attack=320) echo too much >&2; exit 2;; esac; done\nexec ./brain \"$@\"\n")
	write("picky.yaml", strings.Replace(file, "command: ./brain", "command: ./picky.sh", 1))
	_, log, status := tune(t, "engine", "check", "wrong.yaml", "--for", "1s")
	if status != config.ExitFailed || !strings.Contains(log, "cannot play at the start values") {
		t.Errorf("status %d: %s", status, log)
	}
	text := done(t, "engine", "check", "picky.yaml", "--for", "1s")
	if !strings.Contains(text, "highest values: a fault, crash") || !strings.Contains(text, "too much") || !strings.Contains(text, "lowest values: games of") {
		t.Errorf("%s", text)
	}
	_, log, status = tune(t, "engine", "check", "brain.c")
	if status != config.ExitFailed || !strings.Contains(log, "brain.c") {
		t.Errorf("status %d: %s", status, log)
	}
}
