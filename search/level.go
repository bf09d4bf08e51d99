package search

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// Level is a strength for games with people, from 1 to MaxLevel. Each should score at least 60 % against
// the level below.
type Level int

// MaxLevel is the full strength that the limits allow.
const MaxLevel Level = 10

// handicap weakens a level: fewer nodes, and a random choice among nearly equal moves. Even a weak level makes a
// five or an open four and answers a four.
type handicap struct {
	nodes   int64 // of the search for the best move
	width   int32 // scores that count as equal to the best, in percent of the distance from the best to the median candidate
	choices int   // candidates that are compared with the best
}

// handicaps is indexed by level; [0] is unused. What each level is worth is in docs/results/play.md#levels.
var handicaps = [MaxLevel]handicap{
	1: {40, 100, 12},
	2: {80, 80, 10},
	3: {160, 65, 8},
	4: {400, 50, 8},
	5: {1000, 40, 6},
	6: {2800, 30, 6},
	7: {8000, 20, 5},
	8: {22000, 10, 4},
	9: {70000, 0, 0},
}

// SearchLevel is Search with the strength of the level. Its choice among nearly equal moves depends only on the
// seed and the position. The limits apply too; that of nodes, and the nodes of the result, are those of the search
// for the best move, without the comparison with others. An unknown level is an error.
func (e *Engine) SearchLevel(ctx context.Context, position *board.Board, level Level, limits Limits, seed uint64) (Result, error) {
	if level < 1 || level > MaxLevel {
		return Result{Best: board.NoCell}, fmt.Errorf("search: level is %d, outside [1, %d]", level, MaxLevel)
	}
	if level == MaxLevel {
		return e.Search(ctx, position, limits, nil), nil
	}
	if limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limits.Time)
		defer cancel()
	}
	h := &handicaps[level]
	if limits.Nodes <= 0 || limits.Nodes > h.nodes {
		limits.Nodes = h.nodes
	}
	best := e.Search(ctx, position, limits, nil)
	if best.Depth == 0 || PliesToWin(best.Score) != 0 || position.Counts(position.SideToMove().Other())[pattern.CellFive] > 0 {
		return best, nil
	}
	others := e.compare(ctx, position, best, h)
	equal := others[:nearlyEqual(others, best.Score, h.width)]
	rng := rand.New(rand.NewPCG(seed, position.Hash()))
	if choice := rng.IntN(len(equal) + 1); choice > 0 {
		equal[choice-1].Nodes = best.Nodes
		return equal[choice-1], nil
	}
	return best, nil
}

// compare searches the other candidates to the depth of the best move, and returns those whose search proves neither a win nor a
// loss, best first. One that the limits cut short counts from depth 2 on.
func (e *Engine) compare(ctx context.Context, position *board.Board, best Result, h *handicap) []Result {
	child := position.Clone()
	limits := Limits{Depth: max(best.Depth-1, 1), Nodes: h.nodes}
	var others []Result
	for _, c := range e.candidates(position, best.Best, h.choices) {
		child.Play(c)
		if child.Outcome() == board.Ongoing {
			r := e.Search(ctx, child, limits, nil)
			if r.Depth >= min(limits.Depth, forcedDepth) && PliesToWin(r.Score) == 0 {
				others = append(others, Result{Best: c, Score: -r.Score, Depth: r.Depth + 1, PV: append([]board.Cell{c}, r.PV...)})
			}
		}
		child.Undo()
	}
	slices.SortStableFunc(others, func(a, b Result) int { return cmp.Compare(b.Score, a.Score) })
	return others
}

// candidates returns at most n moves near the stones: those with the best move scores, without the best move
// itself.
func (e *Engine) candidates(position *board.Board, best board.Cell, n int) []board.Cell {
	e.loadPosition(position)
	cells := slices.DeleteFunc(e.allowed(position.Near(nil)), func(c board.Cell) bool { return c == best })
	slices.SortStableFunc(cells, func(a, b board.Cell) int {
		return cmp.Compare(e.state.MoveScore(b), e.state.MoveScore(a))
	})
	return cells[:min(n, len(cells))]
}

// nearlyEqual counts the results within width percent of the distance from the best score to the median. results
// are sorted, best first. Measuring against this distance makes the count independent of the scale of the
// weights.
func nearlyEqual(results []Result, best int32, width int32) int {
	if len(results) == 0 {
		return 0
	}
	distance := int64(best - results[len(results)/2].Score)
	least := int64(best) - max(distance, 0)*int64(width)/100
	n := 0
	for n < len(results) && int64(results[n].Score) >= least {
		n++
	}
	return n
}
