package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Pairing holds the results of two players, given by index, against each other, seen from A.
type Pairing struct {
	A, B   int
	Result Pentanomial
}

// Anchor fixes a player's rating at an exact value.
type Anchor struct {
	Player int
	Elo    float64
}

// Model is the Bradley–Terry model of a set of players: A's expected score against B is 1/(1+10^((B−A)/400)),
// where A and B are their ratings. The prior of every rating that is not anchored is a normal distribution
// around PriorMean. It keeps the ratings of players without a loss, without a win or without a common opponent
// finite.
//
// Sources: R. Bradley and M. Terry, "Rank Analysis of Incomplete Block Designs"; R. Coulom, "Bayesian Elo
// Rating" for the prior.
type Model struct {
	Players   int     // players have the indices 0..Players−1
	PriorMean float64 // Elo
	PriorSD   float64 // Elo, in (0, MaxPriorSD]
	Anchors   []Anchor
}

const (
	// MaxPriorSD is the widest prior, in Elo.
	MaxPriorSD = 10000
	// maxRating bounds the prior mean and the anchors, in Elo.
	maxRating = 100000
	// nat is the difference in Elo that multiplies the odds by e. A rating in nats is its Elo divided by nat.
	nat = 400 / math.Ln10
)

// validate returns an error that names the first value out of its bounds.
func (m Model) validate() error {
	// Each condition is written so that it is false for NaN.
	if m.Players < 1 {
		return fmt.Errorf("ratings: %d players, fewer than 1", m.Players)
	}
	if !(m.PriorSD > 0 && m.PriorSD <= MaxPriorSD) {
		return fmt.Errorf("ratings: prior sd is %g Elo, outside (0, %d]", m.PriorSD, MaxPriorSD)
	}
	if !(math.Abs(m.PriorMean) <= maxRating) {
		return fmt.Errorf("ratings: prior mean is %g Elo, outside [%d, %d]", m.PriorMean, -maxRating, maxRating)
	}
	for i, a := range m.Anchors {
		if a.Player < 0 || a.Player >= m.Players {
			return fmt.Errorf("ratings: anchor %d is player %d, outside [0, %d)", i, a.Player, m.Players)
		}
		if !(math.Abs(a.Elo) <= maxRating) {
			return fmt.Errorf("ratings: anchor of player %d is %g Elo, outside [%d, %d]", a.Player, a.Elo, -maxRating, maxRating)
		}
		for _, earlier := range m.Anchors[:i] {
			if earlier.Player == a.Player {
				return fmt.Errorf("ratings: player %d is anchored twice", a.Player)
			}
		}
	}
	return nil
}

// edge sums all pairings of two players, a < b, seen from a.
type edge struct {
	a, b   int
	result Pentanomial
	pairs  float64 // number of pairs in result
	score  float64 // sum of the pair scores in result
}

// edges joins the pairings of the same two players and leaves out those without pairs. The edges are sorted by
// (a, b). Counts are whole numbers, so the sums are exact. The result has the same bits for any order of the
// list, and for pairings seen from either side.
func (m Model) edges(pairings []Pairing) ([]edge, error) {
	list := make([]edge, 0, len(pairings))
	for i, p := range pairings {
		e := edge{a: p.A, b: p.B, result: p.Result}
		if e.a > e.b {
			e.a, e.b, e.result = e.b, e.a, e.result.Mirror()
		}
		if e.a < 0 || e.b >= m.Players {
			return nil, fmt.Errorf("ratings: pairing %d is of players %d and %d, outside [0, %d)", i, p.A, p.B, m.Players)
		}
		if e.a == e.b {
			return nil, fmt.Errorf("ratings: pairing %d has player %d on both sides", i, p.A)
		}
		for score, count := range p.Result {
			if count < 0 {
				return nil, fmt.Errorf("ratings: pairing %d has %d pairs of score %d, below 0", i, count, score)
			}
		}
		if e.result != (Pentanomial{}) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(x, y edge) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	joined := list[:0]
	for _, e := range list {
		if last := len(joined) - 1; last >= 0 && joined[last].a == e.a && joined[last].b == e.b {
			joined[last].result = joined[last].result.Add(e.result)
		} else {
			joined = append(joined, e)
		}
	}
	for i := range joined {
		e := &joined[i]
		e.pairs = float64(e.result.Pairs())
		e.score = float64(e.result.quarters()) / 4
	}
	return joined, nil
}
