package main

import (
	"context"

	"quintune/board"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/search"
	"quintune/selfplay"
)

// opponent is our engine as a person's opponent.
type opponent struct {
	engine *search.Engine
	level  search.Level
	limits search.Limits
	seed   uint64 // of all games
	game   uint64 // of this game
}

// openOpponent returns the engine that plays for p on the board. Baselines and engines from outside have no
// levels, which is a wrong usage.
func openOpponent(v *config.Values, p *player.Player, b *board.Board) (selfplay.Player, error) {
	level, limits := search.Level(v.Int("level")), limitsOf(v)
	if p.Weights == nil {
		if level != search.MaxLevel {
			return nil, config.Usagef("%s has no levels: level goes with our own engine", p.Name)
		}
		return p.Open(b.Size(), b.Rule(), limits)
	}
	engine, err := search.NewEngine(p.Weights, b.Size(), b.Rule(), homeOptions(v))
	if err != nil {
		return nil, err
	}
	return &opponent{engine: engine, level: level, limits: limits, seed: v.Uint64("seed")}, nil
}

// homeOptions are those of engines for games and analysis of people.
func homeOptions(v *config.Values) search.Options {
	return search.Options{TableEntries: homeEntries, Threads: v.Int("threads")}
}

// NewGame forgets the last game; each game of a session has another seed.
func (o *opponent) NewGame(game uint64) error {
	o.engine.NewGame()
	o.game = game
	return nil
}

// Move searches the position as the level does.
func (o *opponent) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	r, err := o.engine.SearchLevel(ctx, position, o.level, o.limits, o.seed+o.game<<32)
	if err != nil {
		return selfplay.Reply{Move: board.NoCell}, err
	}
	return selfplay.Reply{Move: r.Best, Claim: search.PliesToWin(r.Score), Nodes: r.Nodes}, ctx.Err()
}
