package gomocup

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"quintune/board"
	"quintune/pattern"
)

// fakeEngine moves to the first empty cell from the centre on, in reading order, and reports what
// it was asked for.
type fakeEngine struct {
	slow    bool // think until ctx ends
	quiet   bool // report nothing
	newGame func(size int, rule pattern.Rule) error
	move    func(Position) (board.Cell, error)

	mu       sync.Mutex
	games    []string // "size rule" of each NewGame
	asked    []Position
	limits   []Limits
	thinking chan struct{} // gets a value when a slow Think begins, if not nil
	cleared  int
}

func (e *fakeEngine) NewGame(size int, rule pattern.Rule) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.games = append(e.games, fmt.Sprintf("%d %v", size, rule))
	if e.newGame != nil {
		return e.newGame(size, rule)
	}
	return nil
}

func (e *fakeEngine) ClearHash() { e.cleared++ }

func (e *fakeEngine) Think(ctx context.Context, p Position, l Limits, report func(string)) (board.Cell, error) {
	e.mu.Lock()
	e.asked = append(e.asked, p)
	e.limits = append(e.limits, l)
	e.mu.Unlock()
	if !e.quiet {
		report(describe(p, l))
	}
	if e.slow {
		if e.thinking != nil {
			e.thinking <- struct{}{}
		}
		<-ctx.Done()
		if !e.quiet {
			report("stopped")
		}
	}
	if e.move != nil {
		return e.move(p)
	}
	return firstEmpty(p), nil
}

func (e *fakeEngine) lastAsked() Position {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.asked[len(e.asked)-1]
}

func (e *fakeEngine) lastLimits() Limits {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.limits[len(e.limits)-1]
}

// firstEmpty returns the first empty cell from the centre on.
func firstEmpty(p Position) board.Cell {
	centre := p.Size/2*p.Size + p.Size/2
	for i := range p.Size * p.Size {
		at := (centre + i) % (p.Size * p.Size)
		c := board.At(at%p.Size, at/p.Size)
		if !slices.ContainsFunc(p.Stones, func(s Stone) bool { return s.Cell == c }) {
			return c
		}
	}
	return board.NoCell
}

// describe puts a request into one line for transcripts.
func describe(p Position, l Limits) string {
	stones := ""
	for _, s := range p.Stones {
		stones += fmt.Sprintf(" %.1v%v", s.Colour, s.Cell)
	}
	text := fmt.Sprintf("%d %v, %v to move, stones%s", p.Size, p.Rule, p.SideToMove, stones)
	if l.MoveTime != NoLimit {
		text += fmt.Sprintf(", time %v", l.MoveTime)
	}
	if l.GameTimeLeft != NoLimit {
		text += fmt.Sprintf(", left %v", l.GameTimeLeft)
	}
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"nodes", l.MaxNodes},
		{"depth", int64(l.MaxDepth)},
		{"threads", int64(l.Threads)},
		{"memory", l.MemoryBytes},
		{"hash", l.HashBytes},
	} {
		if n.value != 0 {
			text += fmt.Sprintf(", %s %d", n.name, n.value)
		}
	}
	return text
}
