package run

import (
	"strings"
	"testing"
)

func TestReproductionOfAnEarlyEnd(t *testing.T) {
	extended := []Extension{{Generation: 5, Budget: 1000, Ended: true}}
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
		{"by a deadline after more budget", 0, extended, Outcome{Ended: 1200}, "", "A deadline ended the evolution after 1200 games"},
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
			if has := strings.Contains(all, "A deadline ended"); has != (test.note != "") || !strings.Contains(all, test.note) {
				t.Errorf("the notes are %q, want %q", notes, test.note)
			}
		})
	}
}

func TestReproductionOfOutsideTime(t *testing.T) {
	for ms, want := range map[int64]string{0: "", UsualOutsideTime.Milliseconds(): "", 500: "--outside-time 500ms"} {
		record := Record{Spec: Spec{Rule: "freestyle", Size: 15, Optimizer: "ga", Budget: 4000, OutsideMS: ms}}
		commands, _ := record.Reproduction(&State{})
		if has := strings.Contains(commands[0], "--outside-time"); has != (want != "") || !strings.Contains(commands[0], want) {
			t.Errorf("%d ms: the command is %q, want %q in it", ms, commands[0], want)
		}
	}
}
