package tuner

import (
	"fmt"
	"math"

	"quintune/internal/match"
	"quintune/internal/record"
	"quintune/internal/store"
	"quintune/pattern"
)

// StoredGame is a game of a stored run as it is written down.
type StoredGame struct {
	record.Game
	Key store.Key // where it stands in the run
}

// Games hands the stored games of a run to do, in the order in which they were asked for. It stops at do's error
// and returns it.
func (r *Runs) Games(name string, do func(*StoredGame) error) error {
	row, err := r.Row(name)
	if err != nil {
		return err
	}
	rule, err := pattern.ParseRule(row.Rule)
	if err != nil {
		return fmt.Errorf("tuner: run %s: %w", name, err)
	}
	return r.db.Games(row, nil, math.MaxInt, func(g *store.Game) error {
		game := match.Record(&g.Game, rule, row.Size, g.Players, g.Opening)
		game.Event = g.Purpose + ", " + g.Key.String()
		return do(&StoredGame{game, g.Key})
	})
}
