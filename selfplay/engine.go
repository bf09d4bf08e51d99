package selfplay

import (
	"context"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// Engine is a Player: our search with one set of weights at fixed nodes a move.
type Engine struct {
	engine *search.Engine
	limits search.Limits
}

// NewEngine returns a player for the size and rule with a node limit for each move; 0 or less sets none. off names the switched-off
// features. The errors are those of search.NewEngine.
func NewEngine(set *weights.Set, size int, rule pattern.Rule, nodes int64, off search.Feature) (*Engine, error) {
	e, err := search.NewEngine(set, size, rule, search.Options{Off: off})
	if err != nil {
		return nil, err
	}
	return &Engine{e, search.Limits{Nodes: nodes}}, nil
}

// SetWeights changes the weights. Memory stays allocated.
func (e *Engine) SetWeights(set *weights.Set) { e.engine.SetWeights(set) }

// NewGame clears the memory of the search. The engine does not use the seed.
func (e *Engine) NewGame(uint64) error {
	e.engine.NewGame()
	return nil
}

// Move searches the position.
func (e *Engine) Move(ctx context.Context, position *board.Board) (Reply, error) {
	r := e.engine.Search(ctx, position, e.limits, nil)
	return Reply{Move: r.Best, Claim: search.PliesToWin(r.Score), Nodes: r.Nodes}, ctx.Err()
}
