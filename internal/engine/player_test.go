package engine

import "testing"

// fresh is a source of processes that are not started. It drops what it is given.
type fresh struct{}

func (fresh) take() (*process, error) { return &process{}, nil }
func (fresh) give(*process)           {}

// What an engine writes while it leaves does not count for the next one.
func TestLateLinesCountForNobody(t *testing.T) {
	p, err := newPlayer(&player{source: fresh{}, conditions: Conditions{Wins: Announced}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.hold(); err != nil {
		t.Fatal(err)
	}
	leaving := p.process
	p.giveBack()
	if err := p.hold(); err != nil {
		t.Fatal(err)
	}
	leaving.hear("MESSAGE Depth 9 | Eval +M5")
	if got := p.referee.claim(t.Context(), nil); got != 0 {
		t.Errorf("a process that was given back claims a win in %d plies", got)
	}
	p.process.hear("MESSAGE Depth 9 | Eval +M7")
	if got := p.referee.claim(t.Context(), nil); got != 7 {
		t.Errorf("the process that is held claims a win in %d plies, want 7", got)
	}
}
