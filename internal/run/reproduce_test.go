package run

import (
	"fmt"
	"strings"
	"testing"

	"quintune/pattern"
	"quintune/weights"
)

func TestReproductionOfAnEarlyEnd(t *testing.T) {
	extended := []Extension{{Generation: 5, Budget: 1000, Ended: true}}
	ended := []Extension{{Generation: 5, Budget: 1000, Ended: true, Evolution: 600}, {Generation: 9, Budget: 3000, Ended: true, Evolution: 1700}}
	tests := []struct {
		name      string
		evolution int
		extended  []Extension
		outcome   Outcome
		flag      string // "": none
		note      string
	}{
		{"none", 0, nil, Outcome{}, "", ""},
		{"asked for and not reached", 3000, nil, Outcome{}, "--evolution 3000", ""},
		{"asked for", 2000, nil, Outcome{Ended: 2016}, "--evolution 2016", ""},
		{"by a deadline before that", 2000, nil, Outcome{Ended: 1200}, "--evolution 1200", ""},
		{"by a deadline after more budget", 0, extended, Outcome{Ended: 1200}, "", "Under the budget of 4000 games the evolution was ended after 1200 of its games: no option"},
		{"by a deadline before more budget", 0, ended[:1], Outcome{}, "--evolution 600", ""},
		{"by a second deadline between more budgets", 0, ended, Outcome{}, "--evolution 600", "Under the budget of 3000 games the evolution was ended after 1700 of its games: no option"},
		{"settled", 0, nil, Outcome{Ended: 1200, Settled: true}, "", ""},
		{"settled before what was asked for", 2000, nil, Outcome{Ended: 1200, Settled: true}, "--evolution 2000", ""},
		{"settled after more budget", 0, extended, Outcome{Ended: 1200, Settled: true}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			record := Record{Spec: Spec{Rule: "freestyle", Size: 15, Optimizer: "ga", Budget: 4000, Evolution: test.evolution, Extended: test.extended}}
			commands, notes := record.Reproduction(&State{Outcome: test.outcome})
			if has := strings.Contains(commands[0], "--evolution"); has != (test.flag != "") || !strings.Contains(commands[0], test.flag) {
				t.Errorf("the command is %q, want %q in it", commands[0], test.flag)
			}
			all := strings.Join(notes, "\n")
			if has := strings.Contains(all, "was ended after"); has != (test.note != "") || !strings.Contains(all, test.note) {
				t.Errorf("the notes are %q, want %q", notes, test.note)
			}
		})
	}
}

func TestEarlyEnd(t *testing.T) {
	for name, test := range map[string]struct {
		extended []Extension
		outcome  Outcome
		want     string
	}{
		"none":             {nil, Outcome{}, ""},
		"settled":          {nil, Outcome{Ended: 1200, Settled: true}, ""},
		"by a deadline":    {nil, Outcome{Ended: 1200}, "the evolution was ended after 1200 of its games: --budget 4000games --evolution 1200 repeats that"},
		"with more budget": {[]Extension{{Budget: 1000}}, Outcome{Ended: 1200}, "the evolution was ended after 1200 of its games: no option of tune resume repeats that"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Spec{Budget: 4000, Extended: test.extended}
			if got := s.EarlyEnd(&test.outcome); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestLimit(t *testing.T) {
	for want, s := range map[string]Spec{
		"1 node": {Nodes: 1}, "1000 nodes": {Nodes: 1000}, "10 to 160 nodes": {Nodes: 160, FirstNodes: 10},
		"2 ms": {Nodes: 1000, Outside: &EngineSpec{TimeMS: 2}}, "500 nodes": {Nodes: 500, Outside: &EngineSpec{}},
	} {
		t.Run(want, func(t *testing.T) {
			if got := s.Limit(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestReproductionNamesWhatResumeAsksFor(t *testing.T) {
	command := []Anchor{{Name: "x", Player: "gomocup:./x"}}
	for name, test := range map[string]struct {
		outside *EngineSpec
		anchors []Anchor
		want    string
	}{
		"weights":                  {nil, nil, "tune resume RUN --budget 4000games"},
		"a baseline":               {nil, []Anchor{{Name: "y", Player: "baseline:y"}}, "tune resume RUN --budget 4000games"},
		"an engine":                {&EngineSpec{Name: "e"}, nil, "tune resume RUN --budget 4000games --engine 'my e.yaml'"},
		"an engine with a command": {&EngineSpec{Name: "e"}, command, "tune resume RUN --budget 4000games --engine 'my e.yaml' --allow-commands"},
	} {
		t.Run(name, func(t *testing.T) {
			record := Record{Engine: "my e.yaml", Spec: Spec{
				Rule: "freestyle", Size: 15, Optimizer: "ga", Budget: 4000, Outside: test.outside, Anchors: test.anchors, Extended: []Extension{{Budget: 1000}},
			}}
			if commands, _ := record.Reproduction(&State{}); commands[1] != test.want {
				t.Errorf("%q, want %q", commands[1], test.want)
			}
		})
	}
}

// What is kept without --freeze is not named by it.
func TestReproductionOfKeptWeights(t *testing.T) {
	s := Spec{Rule: "freestyle", Size: 15, Optimizer: "ga", Budget: 4000, Nodes: 1000, Groups: weights.DefaultGroups(pattern.Freestyle)}
	s.Frozen = append(s.Kept(), "line.four.self")
	commands, _ := (&Record{Spec: s}).Reproduction(&State{})
	if !strings.Contains(commands[0], "--freeze line.four.self") || strings.Contains(commands[0], "search") || strings.Contains(commands[0], "--only") {
		t.Errorf("the command is %q", commands[0])
	}
}

func TestReproductionOfOutsideTime(t *testing.T) {
	for ms, want := range map[int64]string{0: "", DefaultOutsideTime.Milliseconds(): "", 500: "--outside-time 500ms"} {
		t.Run(fmt.Sprintf("%d ms", ms), func(t *testing.T) {
			record := Record{Spec: Spec{Rule: "freestyle", Size: 15, Optimizer: "ga", Budget: 4000, OutsideMS: ms}}
			commands, _ := record.Reproduction(&State{})
			if has := strings.Contains(commands[0], "--outside-time"); has != (want != "") || !strings.Contains(commands[0], want) {
				t.Errorf("the command is %q, want %q in it", commands[0], want)
			}
		})
	}
}
