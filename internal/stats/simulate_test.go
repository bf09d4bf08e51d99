package stats

import (
	"hash/fnv"
	"math/rand/v2"
)

// stream returns the random stream of a test's purpose.
func stream(purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(1, h.Sum64()))
}

// games is how the two games of a pair are correlated. The expected score of the pair is the same for all kinds; only
// its variance differs.
type games struct {
	name  string
	bias  float64 // 0..1: how far the opening favours one colour
	twins float64 // probability that the second game ends like the first for the same player
	draws float64 // 0..1: share of the possible draws
}

var gameKinds = []games{
	{name: "independent"},
	{name: "split", bias: 0.9},
	{name: "twins", twins: 0.6},
	{name: "draws", draws: 0.7},
	{name: "mixed", bias: 0.5, twins: 0.1, draws: 0.3},
}

// pair plays one pair in which A's expected score is the given one and returns its index.
func (g games) pair(rng *rand.Rand, expected float64) int {
	shift := g.bias * min(expected, 1-expected)
	first := g.game(rng, expected+shift)
	if rng.Float64() < g.twins {
		// The shift is lost when the second game copies the first, so take it from the other side
		// as often.
		if rng.Float64() < 0.5 {
			return 2 * first
		}
		return 2 * g.game(rng, expected-shift)
	}
	return first + g.game(rng, expected-shift)
}

// game plays one game and returns its points times two.
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

// match plays a number of pairs.
func (g games) match(rng *rand.Rand, expected float64, pairs int) Pentanomial {
	var p Pentanomial
	for range pairs {
		p[g.pair(rng, expected)]++
	}
	return p
}

// tournament is a synthetic tournament: true ratings and the pairings played with them.
type tournament struct {
	elo      []float64
	pairings []Pairing
}

// newTournament draws true ratings with the given standard deviation and lets every player meet
// a number of opponents, chosen at random, for a number of pairs each.
func newTournament(rng *rand.Rand, kind games, players, opponents, pairs int, sd float64) tournament {
	t := tournament{elo: make([]float64, players)}
	for i := range t.elo {
		t.elo[i] = sd * rng.NormFloat64()
	}
	for range opponents / 2 {
		order := rng.Perm(players)
		for i, a := range order {
			b := order[(i+1)%players]
			result := kind.match(rng, ScoreOf(t.elo[a]-t.elo[b]), pairs)
			t.pairings = append(t.pairings, Pairing{A: a, B: b, Result: result})
		}
	}
	return t
}
