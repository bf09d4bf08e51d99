package stats

import (
	"math/rand/v2"

	"quintune/internal/stats/statstest"
)

// games describes the correlation between the two games of a pair. All kinds have the same expected score of a
// pair; only its variance differs.
type games struct {
	name  string
	bias  float64 // 0..1: advantage that the opening gives to one colour
	twins float64 // probability that the same player gets the same result in both games
	draws float64 // 0..1: share of the possible draws
}

var gameKinds = []games{
	{name: "independent"},
	{name: "split", bias: 0.9},
	{name: "twins", twins: 0.6},
	{name: "draws", draws: 0.7},
	{name: "mixed", bias: 0.5, twins: 0.1, draws: 0.3},
}

// pair simulates one pair in which A's expected score is the given one, and returns its index in a Pentanomial.
func (g games) pair(rng *rand.Rand, expected float64) int {
	shift := g.bias * min(expected, 1-expected)
	first := g.game(rng, expected+shift)
	if rng.Float64() < g.twins {
		// When the second game copies the first, the bias does not cancel out. So it favours each side equally often.
		if rng.Float64() < 0.5 {
			return 2 * first
		}
		return 2 * g.game(rng, expected-shift)
	}
	return first + g.game(rng, expected-shift)
}

// game simulates one game and returns its points times two.
func (g games) game(rng *rand.Rand, expected float64) int {
	draw := 2 * g.draws * min(expected, 1-expected)
	switch x := rng.Float64(); {
	case x < expected-draw/2:
		return 2
	case x < expected+draw/2:
		return 1
	}
	return 0
}

// match simulates a number of pairs.
func (g games) match(rng *rand.Rand, expected float64, pairs int) Pentanomial {
	var p Pentanomial
	for range pairs {
		p[g.pair(rng, expected)]++
	}
	return p
}

// tournament holds the true ratings of a synthetic tournament, and its pairings.
type tournament struct {
	elo      []float64
	pairings []Pairing
}

// newTournament draws true ratings with the given standard deviation. Every player meets a number of random
// opponents, for a number of pairs each.
func newTournament(rng *rand.Rand, kind games, players, opponents, pairs int, sd float64) tournament {
	t := tournament{elo: make([]float64, players)}
	for i := range t.elo {
		t.elo[i] = sd * rng.NormFloat64()
	}
	for range opponents / 2 {
		order := rng.Perm(players)
		for i, a := range order {
			b := order[(i+1)%players]
			result := kind.match(rng, statstest.ScoreOf(t.elo[a]-t.elo[b]), pairs)
			t.pairings = append(t.pairings, Pairing{A: a, B: b, Result: result})
		}
	}
	return t
}
