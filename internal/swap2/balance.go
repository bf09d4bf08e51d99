package swap2

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"quintune/board"
	"quintune/search"
)

var (
	errSettled = errors.New("swap2: the opening is settled")
	errNothing = errors.New("swap2: there was no time for a choice")
)

// judge searches a position by itself.
func (c *Chooser) judge(ctx context.Context, position *board.Board, limits search.Limits) search.Result {
	c.engine.NewGame()
	return c.engine.SearchBalance(ctx, position, limits)
}

// candidate is stones that may be put, with the score of the position after them.
type candidate struct {
	moves []board.Cell
	score int32
}

// Rounds of the comparison: all candidates get half of the limits together, the best of them the other half.
const (
	finalists  = 4
	leastNodes = 200                  // of a search
	leastTime  = 2 * time.Millisecond // of a search
)

// balanced returns the most balanced candidate, with its score for the side that moves next.
func (c *Chooser) balanced(ctx context.Context, o *Opening, list [][]board.Cell, limits search.Limits) ([]board.Cell, int32, error) {
	half := part(limits, 1, 2)
	var field []candidate
	for _, moves := range list[:min(len(list), affordable(half))] {
		field = append(field, candidate{moves: moves})
	}
	for _, size := range []int{len(field), finalists} {
		field = field[:min(size, len(field))]
		field = c.compare(ctx, o, field, part(half, 1, max(1, len(field))))
	}
	if len(field) == 0 {
		return nil, 0, errNothing
	}
	return field[0].moves, field[0].score, nil
}

// compare searches each candidate within the limits and returns those that can be put, most balanced first.
func (c *Chooser) compare(ctx context.Context, o *Opening, field []candidate, limits search.Limits) (judged []candidate) {
	before := o.board.Ply()
	for i, candidate := range field {
		if i > 0 && ctx.Err() != nil || o.put(candidate.moves) != nil {
			continue
		}
		candidate.score = c.judge(ctx, o.board, limits).Score
		judged = append(judged, candidate)
		for o.board.Ply() > before {
			o.board.Undo()
		}
	}
	slices.SortStableFunc(judged, func(a, b candidate) int {
		return cmp.Compare(max(a.score, -a.score), max(b.score, -b.score))
	})
	return judged
}

// affordable returns how many searches fit into the limits.
func affordable(limits search.Limits) int {
	n := max(proposals, pairs)
	if limits.Nodes > 0 {
		n = min(n, int(limits.Nodes/leastNodes))
	}
	if limits.Time > 0 {
		n = min(n, int(limits.Time/leastTime))
	}
	return max(n, 1)
}

// part returns a share of the limits. Managers write "no limit" as the greatest number of nodes, so the product is bounded.
func part(limits search.Limits, share, of int) search.Limits {
	if limits.Nodes > 0 {
		limits.Nodes = max(1, min(limits.Nodes, math.MaxInt64/int64(share))*int64(share)/int64(of))
	}
	if limits.Time > 0 {
		limits.Time = max(1, limits.Time*time.Duration(share)/time.Duration(of))
	}
	return limits
}
