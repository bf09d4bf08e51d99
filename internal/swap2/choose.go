package swap2

import (
	"context"
	"slices"

	"quintune/board"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// DefaultNodes is the limit of one choice where there is none.
const DefaultNodes = 200_000

const (
	proposals = 16 // openings of three stones that are compared
	pairs     = 32 // pairs of a fourth and a fifth stone that are compared
	// doubt is a share of the weight of an open three, percent: a smaller score favours neither side.
	doubt = 25
)

// Chooser chooses under swap2 by searched balance. It is not safe for concurrent use.
type Chooser struct {
	engine *search.Engine
	doubt  int32 // points below which the sides count as equal
	seed   uint64
}

// NewChooser returns a chooser for openings of the size under the rule, which searches with the set. What is drawn
// by lot depends on the seed and the position. The error is that of search.NewEngine.
func NewChooser(set *weights.Set, size int, rule pattern.Rule, seed uint64) (*Chooser, error) {
	// An engine of its own, since it forgets everything between two positions: that is slow with a large table.
	engine, err := search.NewEngine(set, size, rule, search.Options{})
	if err != nil {
		return nil, err
	}
	three := int64(set.Line()[pattern.OpenThree2][weights.Self])
	return &Chooser{engine: engine, doubt: int32(max(1, three*doubt/100)), seed: seed}, nil
}

// Choose returns a choice for the party whose turn it is, which Opening.Apply accepts. It proposes a balanced
// opening and takes the side that the search prefers. Where the search prefers neither, it puts the most balanced
// two stones. The limits are those of the whole choice. It is an error when the opening is settled, or when ctx
// ends before there is a choice.
func (c *Chooser) Choose(ctx context.Context, o *Opening, limits search.Limits) (Choice, error) {
	if limits.Nodes == 0 && limits.Time == 0 {
		limits.Nodes = DefaultNodes
	}
	if limits.Optimum > 0 {
		limits.Time, limits.Optimum = min(limits.Time, limits.Optimum), 0
	}
	switch o.phase {
	case Propose:
		return c.propose(ctx, o, limits)
	case Respond:
		return c.respond(ctx, o, limits)
	case Pick:
		return c.side(c.judge(ctx, o.board, limits)), nil
	}
	return Choice{}, errSettled
}

// respond chooses with three stones on the board.
func (c *Chooser) respond(ctx context.Context, o *Opening, limits search.Limits) (Choice, error) {
	r := c.judge(ctx, o.board, part(limits, 1, 4))
	if max(r.Score, -r.Score) > c.doubt {
		return c.side(r), nil
	}
	moves, score, err := c.balanced(ctx, o, c.pairs(o), part(limits, 3, 4))
	if err != nil || max(score, -score) > c.doubt {
		return c.side(r), nil
	}
	return Choice{Moves: moves}, nil
}

// side takes the better side: White is to move.
func (c *Chooser) side(r search.Result) Choice {
	if r.Score < 0 {
		return Choice{Swap: true}
	}
	return Choice{Moves: []board.Cell{r.Best}}
}

// propose draws one of the listed openings or, where there are none for the size and rule, the most balanced of
// some in the middle of the board.
func (c *Chooser) propose(ctx context.Context, o *Opening, limits search.Limits) (Choice, error) {
	rng := stream.New(c.seed, "swap2 openings")
	if list := listed(o.board.Rule(), o.board.Size()); len(list) > 0 {
		return Choice{Moves: list[rng.IntN(len(list))]}, nil
	}
	var list [][]board.Cell
	box := min(o.board.Size(), 7)
	first := (o.board.Size() - box) / 2
	for range proposals {
		var moves []board.Cell
		for _, at := range rng.Perm(box * box)[:stones[Respond]] {
			moves = append(moves, board.At(first+at%box, first+at/box))
		}
		list = append(list, moves)
	}
	moves, _, err := c.balanced(ctx, o, list, limits)
	return Choice{Moves: moves}, err
}

// pairs draws pairs of a white and a black stone near the stones of the opening.
func (c *Chooser) pairs(o *Opening) (list [][]board.Cell) {
	rng := stream.New(c.seed, "swap2 pairs %x", o.board.Hash())
	near := o.board.Near(nil)
	for range pairs {
		white := near[rng.IntN(len(near))]
		o.board.Play(white)
		black := slices.DeleteFunc(o.board.Near(nil), func(c board.Cell) bool { return o.board.Legal(c) != nil })
		o.board.Undo()
		list = append(list, []board.Cell{white, black[rng.IntN(len(black))]})
	}
	return list
}
