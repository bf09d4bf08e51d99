package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// brainEntries is the size of the TT under a manager: 16 MiB, far below any limit of memory in use.
const brainEntries = 1 << 20

// brain is our engine as a gomocup.Engine.
type brain struct {
	set    *weights.Set
	broken error // why there is no set
	engine *search.Engine
	size   int
	rule   pattern.Rule
}

// NewGame makes an engine for the size and rule, or empties the one there is.
func (b *brain) NewGame(size int, rule pattern.Rule) error {
	if b.broken != nil {
		return b.broken
	}
	if b.engine != nil && b.size == size && b.rule == rule {
		b.engine.NewGame()
		return nil
	}
	engine, err := search.NewEngine(b.set, size, rule, search.Options{TableEntries: brainEntries})
	if err != nil {
		return err
	}
	b.engine, b.size, b.rule = engine, size, rule
	return nil
}

// ClearHash forgets everything, for YXHASHCLEAR.
func (b *brain) ClearHash() {
	if b.engine != nil {
		b.engine.NewGame()
	}
}

// Think searches until the limits; ctx ends at the deadline. One message tells each finished depth,
// and a last one the whole search, in the form of Rapfi.
func (b *brain) Think(ctx context.Context, p gomocup.Position, l gomocup.Limits, report func(string)) (board.Cell, error) {
	position, err := p.Board()
	if err != nil {
		return board.NoCell, err
	}
	start := time.Now()
	limits := search.Limits{Depth: l.MaxDepth, Nodes: l.MaxNodes}
	result := b.engine.Search(ctx, position, limits, func(r search.Result) {
		report(fmt.Sprintf("Depth %d | Eval %s | Time %dms | %s", r.Depth, eval(r.Score), time.Since(start).Milliseconds(), spaced(r.PV)))
	})
	elapsed := time.Since(start)
	report(fmt.Sprintf("Speed %s | Depth %d | Eval %s | Node %s | Time %dms", thousands(speed(result.Nodes, elapsed)),
		result.Depth, eval(result.Score), thousands(result.Nodes), elapsed.Milliseconds()))
	return result.Best, nil
}

// eval returns a score in points, or +M9 and -M8 for a win and a loss in plies.
func eval(score int32) string {
	switch plies := search.PliesToWin(score); {
	case plies > 0:
		return fmt.Sprintf("+M%d", plies)
	case plies < 0:
		return fmt.Sprintf("-M%d", -plies)
	}
	return fmt.Sprint(score)
}

// thousands shortens large numbers: 764K.
func thousands(n int64) string {
	if n < 10_000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%dK", n/1000)
}

// speed returns nodes a second.
func speed(nodes int64, elapsed time.Duration) int64 {
	return int64(float64(nodes) / max(elapsed.Seconds(), 1e-6))
}

// spaced returns cells with blanks between.
func spaced(cells []board.Cell) string {
	return strings.Join(names(cells), " ")
}

// names returns the cells in pos notation, never nil.
func names(cells []board.Cell) []string {
	list := make([]string, len(cells))
	for i, c := range cells {
		list[i] = c.String()
	}
	return list
}
