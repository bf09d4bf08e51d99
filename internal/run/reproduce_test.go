package run

import (
	"fmt"
	"slices"
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

// The command freezes the same weights in the same order, on which the id of the run depends, and does not name what a run keeps anyway.
func TestReproductionOfFrozenWeights(t *testing.T) {
	groups := weights.DefaultGroups(pattern.Freestyle)
	kept := (&Spec{Groups: groups, Nodes: 1000}).Kept()
	last := kept[len(kept)-1]
	const gone = "only the program of commit"
	for _, test := range []struct {
		name    string
		outside *EngineSpec
		named   []string // by --freeze
		older   bool     // begun before weights were kept
	}{
		{name: "nothing"},
		{name: "another", named: []string{"line.four.self"}},
		{name: "the last of the kept", named: []string{last}},
		{name: "all of the kept", named: kept},
		{name: "one of the kept before another", named: []string{last, "line.four.self"}},
		{name: "a run of an older program", older: true},
		{name: "a frozen weight of an older program", named: []string{last}, older: true},
		{name: "an engine", outside: &EngineSpec{Name: "e"}, named: []string{last}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Spec{Rule: "freestyle", Size: 15, Optimizer: "ga", Budget: 4000, Nodes: 1000, Groups: groups, Outside: test.outside, Reproducible: true}
			s.Frozen, s.Settings = test.named, DefaultSettings(s.Optimizer, s.Groups, false)
			s.Adopt("engine")
			if !test.older {
				s.FreezeKept()
			}
			commands, notes := (&Record{Spec: s}).Reproduction(&State{})
			var named []string
			for _, part := range strings.Split(commands[0], " --")[1:] {
				if name, frozen := strings.CutPrefix(part, "freeze "); frozen {
					named = append(named, name)
				}
			}
			again := s
			again.Frozen = named
			again.FreezeKept()
			if same := slices.Equal(again.Frozen, s.Frozen); same == test.older || strings.Contains(strings.Join(notes, " "), gone) != test.older {
				t.Errorf("%q freezes %v, want %v; the notes are %q", commands[0], again.Frozen, s.Frozen, notes)
			}
			if len(named) > len(test.named) {
				t.Errorf("%q names %v, want %v", commands[0], named, test.named)
			}
		})
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
