package tuner

import (
	"context"
	"fmt"
	"time"

	"quintune/internal/book"
	"quintune/internal/engine"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights"
)

// anchorSide returns an anchor as one side of a match under a time control; zero: nodes limit all players.
// Nothing is started before the first game. An engine from outside has a time limit besides the nodes, since
// many engines ignore a node limit.
func anchorSide(a *run.Anchor, tc player.TimeControl, outside time.Duration) (match.Side, error) {
	if a.Player == "" {
		set, err := weights.Unmarshal(a.Weights)
		if err != nil {
			return match.Side{}, fmt.Errorf("tuner: anchor %s: %w", a.Name, err)
		}
		return match.Side{Name: a.Name, Player: player.Of(a.Name, set).Contestant(tc)}, nil
	}
	p, err := player.Parse(a.Player)
	if err != nil {
		return match.Side{}, fmt.Errorf("tuner: anchor %s: %w", a.Name, err)
	}
	if !p.External() || tc != (player.TimeControl{}) {
		return match.Side{Name: a.Name, Player: p.Contestant(tc)}, nil
	}
	return match.Side{Name: a.Name, Player: selfplay.Contestant{Open: func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
		return p.Open(size, rule, search.Limits{Nodes: nodes, Time: outside})
	}}}, nil
}

// External returns the player arguments of the anchors that are external engines. They are commands that a run
// against them starts, and their games cannot be repeated.
func External(anchors []run.Anchor) []string {
	var list []string
	for i := range anchors {
		if anchors[i].External() {
			list = append(list, anchors[i].Player)
		}
	}
	return list
}

// Try starts the tuned engine, and every opponent that is not weights, to see whether they work.
func (c *Config) Try() error {
	sides, err := c.opponents()
	if err != nil {
		return err
	}
	conditions := &selfplay.Batch{Rule: c.rule, Size: c.Size, Nodes: c.Nodes}
	for i := range sides {
		if err := match.Try(&sides[i].Player, conditions); err != nil {
			return fmt.Errorf("%s does not start: %w", sides[i].Name, err)
		}
	}
	return nil
}

// MeasureReproducible has an engine from outside play a pair at the start values. It is an error when it cannot. Where equal values may
// give equal games, since no time limits the engine and nothing else from outside plays, it then plays some games twice. If they are
// equal, the run is described as one that can be repeated.
func (c *Config) MeasureReproducible(ctx context.Context, workers int) (err error) {
	if c.Tuned == nil {
		return nil
	}
	check := engine.CheckConfig{Size: c.Size, Rule: c.rule, Nodes: c.Nodes, Workers: workers}
	train := c.part(book.Train).Openings
	for i := range engine.LeastOpenings {
		check.Openings = append(check.Openings, train[i%len(train)].Moves)
	}
	if c.Tuned.File.Time > 0 || len(External(c.Anchors)) > 0 {
		return engine.Plays(ctx, c.Tuned.File, check)
	}
	c.Reproducible, err = engine.Repeats(ctx, c.Tuned.File, check)
	return err
}

// opponents returns the start weights and the anchors as opponents.
func (c *Config) opponents() ([]match.Side, error) {
	list := []match.Side{c.start()}
	for i := range c.Anchors {
		side, err := anchorSide(&c.Anchors[i], c.control(), time.Duration(c.OutsideMS)*time.Millisecond)
		if err != nil {
			return nil, err
		}
		list = append(list, side)
	}
	return list, nil
}
