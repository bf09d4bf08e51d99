package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/weights"
)

func TestUnprovenCandidateReplacesOutOnlyWithoutAGate(t *testing.T) {
	inFolder(t)
	done(t, "export", "zhang", "-o", "weights.json")
	before := read(t, "weights.json")
	o := object(t, done(t, quick("--budget", "100games", "--start", "weights.json", "--json")...))
	if o["verdict"] != verdictNone {
		t.Fatalf("100 games gave %v", o["verdict"])
	}
	if !bytes.Equal(read(t, "weights.json"), before) {
		t.Error("a candidate without proof replaced the file")
	}
	o = object(t, done(t, quick("--budget", "100games", "--start", "weights.json", "--no-gate", "--json")...))
	if o["out"] != "weights.json" || o["verdict"] != verdictUnproven || o["gate"] != nil || o["validation"] != nil {
		t.Errorf("%v", o)
	}
	set, err := weights.Load("weights.json")
	if err != nil || set.Provenance == nil || set.Provenance.Proven {
		t.Errorf("%+v, error %v", set, err)
	}
	if !bytes.Equal(read(t, "weights.json.bak"), before) {
		t.Error("the old file is not in .bak")
	}
}

func TestProvenGainReplacesOut(t *testing.T) {
	inFolder(t)
	done(t, "export", "flat", "-o", "w.json")
	before := read(t, "w.json")
	o := object(t, done(t, quick("run", "--start", "flat", "--budget", "1500games", "--seed", "2", "--out", "w.json", "--json")...))
	if o["verdict"] != verdictProven || o["out"] != "w.json" || o["elo_low"].(float64) <= 0 {
		t.Fatalf("%v", o)
	}
	if !bytes.Equal(read(t, "w.json.bak"), before) {
		t.Error("the old file is not in .bak")
	}
	set, err := weights.Load("w.json")
	if err != nil || !set.Provenance.Proven || set.Provenance.Validation == nil {
		t.Errorf("%+v, error %v", set, err)
	}
	if !bytes.Equal(read(t, "w.json"), read(t, o["candidate"].(string))) {
		t.Error("the file is not the candidate")
	}
}

// Weights that play would not take on the board are measured there, with a warning.
func TestMatchWarnsOfAnotherBoard(t *testing.T) {
	inFolder(t)
	done(t, "export", "freestyle20", "-o", "large.json")
	for player, warned := range map[string]bool{"large.json": true, "freestyle20": false} {
		if _, log, status := tune(t, quick("match", player, "huang", "--pairs", "1")...); status != config.ExitDone || strings.Contains(log, "`play` takes default") != warned {
			t.Errorf("%s: status %d: %s", player, status, log)
		}
	}
}

func TestMatchJSON(t *testing.T) {
	inFolder(t)
	o := object(t, done(t, quick("match", "huang", "flat", "--pairs", "10", "--json")...))
	keys := []string{
		"a", "b", "rule", "size", "pairs", "games", "wins", "draws", "losses", "pentanomial",
		"score", "elo", "elo_low", "elo_high", "nelo", "los", "faults", "seed", "openings",
	}
	for _, key := range keys {
		t.Run(key, func(t *testing.T) {
			if _, ok := o[key]; !ok {
				t.Errorf("no %q", key)
			}
		})
	}
	if o["games"] != 20.0 || o["a"] != "huang" || o["b"] != "flat" || o["size"] != 9.0 {
		t.Errorf("%v", o)
	}
	o = object(t, done(t, quick("match", "huang", "huang", "--pairs", "10", "--json")...))
	if !slices.Equal(o["pentanomial"].([]any), []any{0.0, 0.0, 10.0, 0.0, 0.0}) {
		t.Errorf("equal players: %v", o["pentanomial"])
	}
	o = object(t, done(t, "match", "huang", "flat", "--pairs", "1", "--time", "2ms", "--size", "9", "--openings", "openings.txt", "--json"))
	if o["time_ms"] != 2.0 || o["nodes"] != 0.0 || o["games"] != 2.0 {
		t.Errorf("under a clock: %v", o)
	}
}

// Equal weights need no game: they pass the test of a simplification, and no other. Nothing of it is kept.
func TestGateOfEqualWeights(t *testing.T) {
	inFolder(t)
	for bounds, passed := range map[string]bool{"0,10": false, "-10,0": true, "-5,5": false} {
		if o := object(t, done(t, quick("gate", "huang", "huang", "--sprt", bounds, "--json")...)); o["passed"] != passed || o["games"] != 0. {
			t.Errorf("bounds %s: %v", bounds, o)
		}
	}
	if list := done(t, "list"); strings.Contains(list, "match-") {
		t.Errorf("tests without a game are kept:\n%s", list)
	}
}

func TestGateAndValidate(t *testing.T) {
	inFolder(t)
	o := object(t, done(t, quick("gate", "huang", "flat", "--json")...))
	if o["passed"] != true || o["verdict"] != "accept H1" || o["result"] != "passed" {
		t.Errorf("%v", o)
	}
	o = object(t, done(t, quick("gate", "flat", "huang", "--json")...))
	if o["passed"] != false || o["result"] != "not passed" {
		t.Errorf("%v", o)
	}
	text := done(t, quick("match", "huang", "flat", "--pairs", "100", "--sprt", "0,20")...)
	if !strings.Contains(text, "\npassed: LLR ") {
		t.Errorf("%s", text)
	}
	done(t, quick("run", "--budget", "100games", "--start", "huang", "--no-gate", "--quiet")...)
	o = object(t, done(t, "validate", "weights.json", "--pairs", "4", "--size", "9", "--nodes", "20", "--openings", "openings.txt", "--json"))
	if o["b"] != "huang" || o["pairs"] != 4.0 {
		t.Errorf("%v", o)
	}
}
