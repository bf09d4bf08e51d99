package tuner

import (
	"fmt"
	"time"

	"quintune/ga"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights"
)

// Anchor is a fixed opponent: weights, a system of the literature, or an engine from outside.
type Anchor struct {
	Name   string
	Set    *weights.Set // nil for players of another kind
	Player string       // player argument of one of another kind, "" where there is a set
}

// DefaultOutsideTime is the time a move of engines from outside in a run that names none.
const DefaultOutsideTime = 250 * time.Millisecond

// Shares says how a candidate's pairs are spread over the kinds of opponents, in any unit: what counts is
// the proportion. The share of a kind that has no players goes to the others.
type Shares struct {
	Peers     float64 `json:"peers"`     // other candidates of the generation
	Champions float64 `json:"champions"` // candidates that passed a gate
	Anchors   float64 `json:"anchors"`   // the start and the fixed opponents
}

// DefaultShares returns the shares of a run that names none.
func DefaultShares() Shares { return Shares{Peers: .60, Champions: .25, Anchors: .15} }

// check returns an error that names the first share out of bounds.
func (s Shares) check() error {
	for _, v := range []struct {
		name  string
		value float64
	}{{"peers", s.Peers}, {"champions", s.Champions}, {"anchors", s.Anchors}} {
		if !(v.value >= 0 && v.value <= 1) {
			return fmt.Errorf("tuner: the share of %s is %v, outside [0, 1]", v.name, v.value)
		}
	}
	if s.Peers == 0 {
		return fmt.Errorf("tuner: the share of peers is 0: candidates must be compared with each other")
	}
	return nil
}

// apply gives the shares to the configuration of an optimiser.
func (s Shares) apply(c *ga.Config) {
	sum := s.Peers + s.Champions + s.Anchors
	c.PeerShare, c.ChampionShare, c.AnchorShare = s.Peers/sum, s.Champions/sum, s.Anchors/sum
}

// side returns the anchor as one side of a match. Nothing is started before its first game. An engine from
// outside has a time a move beside the nodes, which many do not know.
func (a *Anchor) side(outside time.Duration) (match.Side, error) {
	if a.Set != nil {
		return match.Side{Name: a.Name, Player: selfplay.Contestant{Weights: a.Set}}, nil
	}
	p, err := player.Parse(a.Player)
	if err != nil {
		return match.Side{}, fmt.Errorf("tuner: anchor %s: %w", a.Name, err)
	}
	if !p.External() {
		return match.Side{Name: a.Name, Player: p.Contestant(player.TimeControl{})}, nil
	}
	return match.Side{Name: a.Name, Player: selfplay.Contestant{Open: func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
		return p.Open(size, rule, search.Limits{Nodes: nodes, Time: outside})
	}}}, nil
}

// outsider returns the command line of an engine from outside, "" for other players.
func (a *Anchor) outsider() string {
	if a.Set != nil {
		return ""
	}
	if p, err := player.Parse(a.Player); err == nil && p.External() {
		return a.Player
	}
	return ""
}

// Outsiders returns the player arguments of the anchors that are engines from outside: commands that a run
// with this configuration starts, and whose games nobody can repeat.
func (c *Config) Outsiders() []string {
	var list []string
	for i := range c.Anchors {
		if command := c.Anchors[i].outsider(); command != "" {
			list = append(list, command)
		}
	}
	return list
}

// start returns the start as a player of the run's rule and size.
func (c *Config) start() match.Side {
	return match.Side{Name: c.StartName, Player: selfplay.Contestant{Weights: c.Start}}
}

// opponents returns the start and the anchors.
func (c *Config) opponents() ([]match.Side, error) {
	list := []match.Side{c.start()}
	for i := range c.Anchors {
		side, err := c.Anchors[i].side(c.OutsideTime)
		if err != nil {
			return nil, err
		}
		list = append(list, side)
	}
	return list, nil
}
