package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
)

// The advice of a refused run that tunes an engine names the engine file too: values are a start with it alone.
func TestAdviceOfARefusedRunOfAnEngine(t *testing.T) {
	inFolder(t)
	err := errors.Join(os.Mkdir("my engine", 0o700),
		os.WriteFile("my engine/brain", []byte("#!/bin/sh\nexit 3\n"), 0o700), //nolint:gosec // one has to run
		os.WriteFile("my engine/p.yaml", []byte("command: ./brain\npass: info\nparameters:\n  - {name: a, kind: int, start: 1, min: 0, max: 2}\n"), 0o600),
		os.WriteFile("best.json", []byte(`{"format":"quintune.values/1","name":"b","engine":"brain","values":{"a":2}}`), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	_, log, status := tune(t, quick("run", "--engine", "my engine/p.yaml", "--budget", "100games", "--out", "best.json")...)
	if status != config.ExitUsage || !strings.Contains(log, "go on from them with `tune run --start best.json --engine 'my engine/p.yaml'`") {
		t.Errorf("status %d: %s", status, log)
	}
}

// Without --start a run begins at the embedded weights of its board.
func TestTheStartIsTheEmbeddedWeightsOfTheBoard(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "default"},
		{[]string{"--size", "20"}, "freestyle20"},
		{[]string{"--rule", "standard"}, "standard15"},
		{[]string{"--rule", "renju"}, "renju15"},
		{[]string{"--rule", "renju", "--start", "huang"}, "huang"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			if got := setting(t, "start", test.args...); got != test.want {
				t.Errorf("%q: the start is %v, want %s", test.args, got, test.want)
			}
		})
	}
	if o := object(t, done(t, quick("run", "--budget", "100games", "--json")...)); o["validation"].(map[string]any)["b"] != "default" {
		t.Errorf("validated against %v", o["validation"])
	}
}

// A run reports at its end how its result compares with the embedded weights: which are stronger, and what to do.
func TestARunIsComparedWithTheEmbeddedWeights(t *testing.T) {
	inFolder(t)
	for _, start := range []string{"flat", "default"} {
		if text := done(t, quick("run", "--budget", "200games", "--start", start)...); !strings.Contains(text, "the embedded `default`") {
			t.Errorf("from %s the run is not compared: %s", start, text)
		}
	}
	out := "weights.json"
	for _, test := range []struct {
		name           string
		out            *string
		elo, low, high float64
		pairs          int64
		want           string
	}{
		{"weaker", &out, -54, -90, -20, 100, "weights.json is 54 Elo [20, 90] weaker than the embedded `default`: play with --weights default, and begin the next run without --start, with another --out.\n"},
		{"stronger", &out, 54, 20, 90, 100, "weights.json is 54 Elo [20, 90] stronger than the embedded `default`: play with --weights weights.json.\n"},
		{"much weaker", &out, -1200, -1200, -535, 100, "weights.json is more than 535 Elo weaker than the embedded `default`: play with --weights default, and"},
		{"much stronger", &out, 1200, 535, 1200, 100, "weights.json is more than 535 Elo stronger than the embedded `default`: play with --weights weights.json.\n"},
		{"not told apart in a long validation", nil, 5, -3, 13, 1000, "c.json and the embedded `default` are not told apart, +5.0 Elo [-3.0, +13.0] in 2000 games, an interval that holds 0.\n"},
		{"not told apart", nil, 5, -20, 30, 100, "c.json and the embedded `default` are not told apart, +5.0 Elo [-20.0, +30.0] in 200 games, an interval that holds 0: `tune match c.json default --pairs 1000` asks"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := runResult{Out: test.out, Candidate: "c.json", embedded: "default", record: run.Record{Spec: run.Spec{Rule: "freestyle", Size: 15}}}
			r.shipped = &match.Report{B: "default", Elo: test.elo, EloLow: test.low, EloHigh: test.high, Pairs: test.pairs, Games: 2 * test.pairs}
			if got := r.comparison(); !strings.HasPrefix(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A gain over the embedded weights that more nodes do not show is told as that.
func TestAGainThatIsNotShownAtMoreNodes(t *testing.T) {
	for _, test := range []struct {
		elo, low, high float64
		pairs          int64
		b, want        string
	}{
		{2, -11, 15, 1000, "default", "At 4,000 nodes a move no gain is shown: +2.0 Elo [-11.0, +15.0].\n"},
		{-16, -30, -2, 1000, "default", "At 4,000 nodes a move it is weaker: -16.0 Elo [-30.0, -2.0].\n"},
		{16, 2, 30, 1000, "default", ""},
		{-16, -30, -2, 1000, "huang", ""},
		{0, 0, 0, 0, "default", ""},
	} {
		t.Run(fmt.Sprintf("%v against %s", test.elo, test.b), func(t *testing.T) {
			r := runResult{Candidate: "c.json", record: run.Record{Spec: run.Spec{Rule: "freestyle", Size: 15}}}
			r.shipped = &match.Report{B: "default", Nodes: 1000, Elo: 20, EloLow: 10, EloHigh: 30, Pairs: 2000, Games: 4000}
			r.Further = []match.Report{*r.shipped, {B: test.b, Nodes: 4000, Elo: test.elo, EloLow: test.low, EloHigh: test.high, Pairs: test.pairs, Games: 2 * test.pairs}}
			want := "c.json is 20 Elo [10, 30] stronger than the embedded `default`: play with --weights c.json.\n" + test.want
			if got := r.comparison(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// A run whose candidate is its start says that nothing better was found, not that more games would tell.
func TestARunThatEndsAtItsStart(t *testing.T) {
	r := runResult{Candidate: "c.json", runs: &runsOption{Runs: defaultRuns}, record: run.Record{Spec: run.Spec{StartName: "default", Rule: "freestyle", Size: 15}}}
	r.shipped = &match.Report{B: "default"}
	r.Gate = judged(&match.GateReport{Verdict: stats.AcceptH0.String()})
	if got, want := r.comparison(), "c.json holds the weights of the embedded `default`, with which the run began: nothing better was found.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := r.text(); !strings.Contains(got, "gate: not passed without a game: the values are the same\n") {
		t.Errorf("got %q", got)
	}
	r.Validation, r.Further = &match.Report{B: "default", Nodes: 1000}, []match.Report{{B: "default", Nodes: 4000}}
	if got := r.text(); !strings.Contains(got, "validation: none against default at 1,000 nodes a move, the values are the same\n"+
		"further: none against default at 4,000 nodes a move, the values are the same\n") {
		t.Errorf("got %q", got)
	}
	r.record.Spec.StartName = "copy.json"
	if got, want := r.comparison(), "c.json holds the weights of the embedded `default`.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
