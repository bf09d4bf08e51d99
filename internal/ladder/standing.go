package ladder

import (
	"cmp"
	"fmt"
	"slices"

	"quintune/internal/journal"
	"quintune/internal/stats"
)

// AnchorElo is the rating at which the anchor is held.
const AnchorElo = 1000

// priorSD is the standard deviation of the prior of a rating, in Elo. It is so wide that it matters only for
// players who have won, or lost, all of their games.
const priorSD = 2000

// Standing is the result of a ladder, as `tune ladder --json` prints it.
type Standing struct {
	Rungs []Rung `json:"players"` // the highest rating first
	// Lead is by how much the first is above the second. The intervals of the two hold the error of the anchor, too.
	Lead      stats.Estimate `json:"lead"`
	Meetings  []Meeting      `json:"pairings"` // in the order in which they were asked for
	Anchor    string         `json:"anchor"`
	AnchorElo int            `json:"anchor_elo"`
	Gauntlet  string         `json:"gauntlet"` // "" in a round robin
	Rule      string         `json:"rule"`
	Size      int            `json:"size"`
	Nodes     int64          `json:"nodes"` // limit a move, 0: none
	journal.Limits
	Pairs    int    `json:"pairs"`    // of every pairing
	Finished int    `json:"finished"` // pairs, of all
	Seed     uint64 `json:"seed"`
	Openings string `json:"openings"` // hash of the book that they were drawn from
	Engine   string `json:"engine"`   // signature
}

// Rung is a player with its rating.
type Rung struct {
	Rank    int              `json:"rank"`   // from 1
	Player  string           `json:"player"` // argument
	Name    string           `json:"name"`   // for people
	Unit    string           `json:"unit"`   // what a limit of nodes counts, "" for a player that ignores it
	Elo     float64          `json:"elo"`
	EloLow  float64          `json:"elo_low"` // 95 % interval; of no width for the anchor
	EloHigh float64          `json:"elo_high"`
	Games   int64            `json:"games"` // those of void pairs not counted
	Wins    int64            `json:"wins"`
	Draws   int64            `json:"draws"`
	Losses  int64            `json:"losses"`
	Score   float64          `json:"score"`  // 0 to 1; 0 without games
	Faults  map[string]int64 `json:"faults"` // by kind, those of replayed pairs too
	Void    int64            `json:"void"`   // pairs in which a player failed twice
}

// Meeting is a pairing with its result, seen from A.
type Meeting struct {
	A           string            `json:"a"` // argument
	B           string            `json:"b"`
	Pairs       int64             `json:"pairs"` // void ones not counted
	Games       int64             `json:"games"`
	Wins        int64             `json:"wins"`
	Draws       int64             `json:"draws"`
	Losses      int64             `json:"losses"`
	Pentanomial stats.Pentanomial `json:"pentanomial"` // [points × 2], 0: A lost both games
	Score       float64           `json:"score"`       // 0 to 1; 0 without games
	Void        int64             `json:"void"`
}

// Standing rates the players by their finished pairs (Bradley–Terry), with the player at index anchor held at AnchorElo.
func (l *Ladder) Standing(anchor int) (*Standing, error) {
	c := &l.config
	if anchor < 0 || anchor >= len(c.Players) {
		return nil, fmt.Errorf("ladder: the anchor is player %d, outside [0, %d)", anchor, len(c.Players))
	}
	spec := c.Spec()
	s := &Standing{
		Anchor: c.Players[anchor].Argument, AnchorElo: AnchorElo, Gauntlet: spec.Gauntlet, Rule: spec.Rule, Size: c.Size,
		Nodes: c.Nodes, Limits: spec.Limits, Pairs: c.Pairs, Seed: c.Seed, Openings: spec.Openings, Engine: c.Engine,
	}
	s.Finished, _ = l.Pairs()
	for _, p := range c.Players {
		s.Rungs = append(s.Rungs, Rung{Player: p.Argument, Name: p.Name, Unit: p.Unit, Faults: map[string]int64{}})
	}
	results := s.count(l)
	ratings, err := l.rate(anchor, results)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(s.Rungs)) // of the players, the highest rating first
	for i := range s.Rungs {
		e, err := ratings.Interval(i)
		if err != nil {
			return nil, err
		}
		order[i] = i
		r := &s.Rungs[i]
		r.Elo, r.EloLow, r.EloHigh = e.Elo, e.Low, e.High
		if r.Games > 0 {
			r.Score = (float64(r.Wins) + float64(float64(r.Draws)/2)) / float64(r.Games)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Rungs[b].Elo, s.Rungs[a].Elo) })
	if ratings, err = l.rate(order[1], results); err != nil { // a ladder has two players or more
		return nil, err
	}
	if s.Lead, err = ratings.Interval(order[0]); err != nil {
		return nil, err
	}
	s.Lead.Elo, s.Lead.Low, s.Lead.High = s.Lead.Elo-AnchorElo, s.Lead.Low-AnchorElo, s.Lead.High-AnchorElo
	ranked := make([]Rung, len(order))
	for i, player := range order {
		ranked[i] = s.Rungs[player]
		ranked[i].Rank = i + 1
	}
	s.Rungs = ranked
	return s, nil
}

// rate fits the ratings with one player held at AnchorElo.
func (l *Ladder) rate(anchor int, results []stats.Pairing) (*stats.Ratings, error) {
	return stats.Model{
		Players: len(l.config.Players), PriorMean: AnchorElo, PriorSD: priorSD, Anchors: []stats.Anchor{{Player: anchor, Elo: AnchorElo}},
	}.Fit(results)
}

// count adds the finished pairs to the players and meetings, and returns them for the ratings.
func (s *Standing) count(l *Ladder) []stats.Pairing {
	var results []stats.Pairing
	for i, p := range l.pairings {
		t := l.tally(i)
		results = append(results, stats.Pairing{A: p.A, B: p.B, Result: t.Pairs})
		a, b := &s.Rungs[p.A], &s.Rungs[p.B]
		m := Meeting{
			A: a.Player, B: b.Player, Pairs: t.Pairs.Pairs(), Games: t.Pairs.Games(),
			Wins: t.Wins, Draws: t.Draws, Losses: t.Losses, Pentanomial: t.Pairs, Void: t.Void,
		}
		if m.Pairs > 0 {
			m.Score = t.Pairs.Score()
		}
		s.Meetings = append(s.Meetings, m)
		a.add(t.Wins, t.Draws, t.Losses, t.Void, t.FaultsA)
		b.add(t.Losses, t.Draws, t.Wins, t.Void, t.FaultsB)
	}
	return results
}

// add counts the games of one pairing.
func (r *Rung) add(wins, draws, losses, void int64, faults map[string]int64) {
	r.Wins, r.Draws, r.Losses, r.Void = r.Wins+wins, r.Draws+draws, r.Losses+losses, r.Void+void
	r.Games += wins + draws + losses
	for kind, n := range faults {
		r.Faults[kind] += n
	}
}
