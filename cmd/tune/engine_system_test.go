//go:build system

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/weights"
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
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %s", want, text)
			}
		})
	}
}

// An engine that cannot play at all is an error with the engine's message. Faults only at the bounds of its
// parameters are reported.
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
	if !strings.Contains(text, "highest values: a fault, crash") || !strings.Contains(text, "too much") || !strings.Contains(text, "lowest values: games of") ||
		!strings.Contains(text, "× lost by crash") {
		t.Errorf("%s", text)
	}
	_, log, status = tune(t, "engine", "check", "brain.c")
	if status != config.ExitFailed || !strings.Contains(log, "brain.c") {
		t.Errorf("status %d: %s", status, log)
	}
}

// The search weights of our own engine are tuned from outside, through a template of a weights file. Games,
// ratings and values equal those of tuning them directly. Genes from outside are 0 at the start and those of our
// own weights at the references, so the start is a shipped set whose search is the references.
func TestTuningOurEngineFromOutsideIsTheSame(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-pgo=off", "-o", filepath.Join(dir, "play"), "../play").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Chdir(dir)
	evolved := writeSearchTemplate(t)
	shared := []string{"--budget", "120games", "--seed", "1", "--nodes", "60", "--warm-start", "0", "--anchor", "huang", "--rule", "renju", "--size", "20", "--workers", "2", "--json"}
	inside := append([]string{"run", "--start", "renju20", "--only", "search", "--name", "inner", "--out", "inner.json"}, shared...)
	for _, name := range evolved {
		inside = append(inside, "--freeze", name)
	}
	inner := object(t, done(t, inside...))
	outer := object(t, done(t, append([]string{"run", "--engine", "params.yaml", "--name", "outer", "--out", "outer.json"}, shared...)...))
	for _, key := range []string{"games", "generations", "evolution", "checks", "elo", "elo_low", "elo_high", "verdict"} {
		t.Run(key, func(t *testing.T) {
			if !reflect.DeepEqual(inner[key], outer[key]) {
				t.Errorf("%s is %v outside, %v inside", key, outer[key], inner[key])
			}
		})
	}
	for _, result := range []string{"gate", "validation"} {
		t.Run(result, func(t *testing.T) {
			in, out := inner[result].(map[string]any), outer[result].(map[string]any)
			if !reflect.DeepEqual(in["pentanomial"], out["pentanomial"]) {
				t.Errorf("%s is %v outside, %v inside", result, out["pentanomial"], in["pentanomial"])
			}
		})
	}
	compareValues(t, "runs/inner/candidate.json", outer["values"].(map[string]any), evolved)
	if in, out := gamesOf(t, "inner"), gamesOf(t, "outer"); len(in) != 120 || !reflect.DeepEqual(in, out) {
		t.Errorf("%d games inside and %d outside, which differ", len(in), len(out))
	}
}

// writeSearchTemplate writes a template of the preset renju20 and an engine file for the program play. Its parameters are the search
// weights at their references, where genes from outside and ours begin alike. It returns the names of the others.
func writeSearchTemplate(t *testing.T) (evolved []string) {
	t.Helper()
	set, err := weights.Preset("renju20")
	if err != nil {
		t.Fatal(err)
	}
	set.Provenance = nil
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("command: ./play gomocup --weights {file}\npass: template\ntemplate: weights.json.in\nreload: INFO weights {file}\n" +
		"wins: announced\nmemory: 34078720\nparameters:\n")
	for i, d := range weights.Declarations() {
		if d.Group != "search" {
			continue
		}
		if set.Values[i] != d.Ref {
			evolved = append(evolved, d.Name)
			continue
		}
		data = regexp.MustCompile(`("`+regexp.QuoteMeta(d.Name)+`"): -?\d+`).ReplaceAll(data, []byte("$1: {{"+d.Name+"}}"))
		reach := 8 * max(d.Ref, -d.Ref, 1) // of a linear gene, on both sides of the reference
		scale, lowest, highest := "linear", max(d.Min, d.Ref-reach), min(d.Max, d.Ref+reach)
		if d.Scale == weights.Log { // its genes reach from an eighth of the reference to eight times the reference
			scale, lowest, highest = "log", max(d.Min, d.Ref/8, 1), min(d.Max, 8*d.Ref)
		}
		fmt.Fprintf(&b, "  - {name: %s, kind: int, start: %d, min: %d, max: %d, scale: %s, group: search}\n", d.Name, set.Values[i], lowest, highest, scale)
	}
	for name, text := range map[string]string{"weights.json.in": string(data), "params.yaml": b.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return evolved
}

// compareValues compares values with those of a weights file, but for the weights that neither run tuned.
func compareValues(t *testing.T, path string, values map[string]any, frozen []string) {
	t.Helper()
	set, err := weights.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range weights.Declarations() {
		if d.Group == "search" && !slices.Contains(frozen, d.Name) && values[d.Name] != float64(set.Values[i]) {
			t.Errorf("%s is %v outside, %d inside", d.Name, values[d.Name], set.Values[i])
		}
	}
}

// gamesOf returns the games of a run without the names of their players.
func gamesOf(t *testing.T, run string) []map[string]any {
	t.Helper()
	done(t, "export", run, "--games", "jsonl", "-o", run+".jsonl")
	var games []map[string]any
	for line := range strings.Lines(string(read(t, run+".jsonl"))) {
		var g map[string]any
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			t.Fatal(err)
		}
		delete(g, "black")
		delete(g, "white")
		games = append(games, g)
	}
	return games
}
