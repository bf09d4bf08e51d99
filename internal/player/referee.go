package player

import (
	"context"
	"strings"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// Most nodes that the referee spends on an announced win: about one move of a test.
const (
	refereeFours   = 1000
	refereeThreats = 4000
)

// referee confirms wins that an external engine announces, so that they need not be played out.
type referee struct {
	engine    *search.Engine
	announced bool // by the engine's last message
}

func newReferee(size int, rule pattern.Rule) (*referee, error) {
	set, err := weights.Preset("default")
	if err != nil {
		return nil, err
	}
	e, err := search.NewEngine(set, size, rule, search.Options{TableEntries: 1})
	return &referee{engine: e}, err
}

// hear takes a line of the engine that is not an answer, such as "MESSAGE Depth 7 | Eval +M5 | Time 12ms".
func (r *referee) hear(line string) {
	if _, eval, found := strings.Cut(line, "Eval "); found {
		r.announced = strings.HasPrefix(eval, "+M")
	}
}

// claim returns the plies in which the side to move wins, by our solvers, where the engine has announced a win;
// 0 where it has not, or the solvers do not find it.
func (r *referee) claim(ctx context.Context, position *board.Board) int {
	if !r.announced {
		return 0
	}
	if s := r.engine.SolveVCF(ctx, position, refereeFours); s.Win {
		return s.Plies
	}
	return r.engine.SolveVCT(ctx, position, refereeThreats).Plies
}
