package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quintune/internal/stats/statstest"
	"quintune/internal/stream"
)

// coverage counts how often an interval contains the true value.
type coverage struct{ in, all int }

func (c *coverage) count(e Estimate, truth float64) {
	c.all++
	if e.Low <= truth && truth <= e.High {
		c.in++
	}
}

// check fails unless 93 to 97 % of the intervals contained the true value.
func (c *coverage) check(t *testing.T, what string) {
	t.Helper()
	part := float64(c.in) / float64(c.all)
	t.Logf("%s: %d intervals, %.1f %% hold the truth", what, c.all, 100*part)
	if part < 0.93 || part > 0.97 {
		t.Errorf("%s: %.1f %% of %d intervals hold the truth, outside 93..97 %%", what, 100*part, c.all)
	}
}

// Every result of a match is enumerated with its probability, for players up to 600 Elo apart. Nearly all pairs have one score where
// the players are far apart, or where the openings decide.
func TestEloCoversExactly(t *testing.T) {
	for _, pairs := range []int64{FewestPairs, 25, 30, 50, 100} { // 25 and 30 are the worst of all from 20 to 60
		for _, lost := range []float64{0, .01, .2, 1} { // part of the lost pairs of two independent games
			t.Run(fmt.Sprintf("%d pairs/%g", pairs, lost), func(t *testing.T) {
				var truths []float64
				var in [601]float64
				for elo := range in {
					truths = append(truths, float64(elo))
				}
				for won := range pairs + 1 {
					for split := range pairs - won + 1 {
						e := Pentanomial{pairs - won - split, 0, split, 0, won}.Elo()
						for i, truth := range truths {
							score := statstest.ScoreOf(truth)
							l := lost * (1 - score) * (1 - score)
							if e.Low <= truth && truth <= e.High {
								in[i] += multinomial(won, split, pairs-won-split, score-(1-score)+l, 2*(1-score-l), l)
							}
						}
					}
				}
				least := slices.Index(in[:], slices.Min(in[:]))
				t.Logf("least: %.1f %% at %v Elo", 100*in[least], truths[least])
				if in[least] < .90 {
					t.Errorf("%.1f %% hold %v Elo, want 90 at least", 100*in[least], truths[least])
				}
			})
		}
	}
}

// multinomial returns the probability of three counts.
func multinomial(a, b, c int64, pa, pb, pc float64) float64 {
	log := func(n int64, p float64) float64 {
		if n == 0 {
			return 0
		}
		g, _ := math.Lgamma(float64(n + 1))
		return float64(n)*math.Log(p) - g
	}
	all, _ := math.Lgamma(float64(a + b + c + 1))
	return math.Exp(all + log(a, pa) + log(b, pb) + log(c, pc))
}

// design describes how synthetic tournaments are played and rated.
type design struct {
	name                      string
	players, opponents, pairs int
	trueSD, priorSD           float64 // Elo
	anchored                  bool
	tournaments               int // many of them: with one anchor, the errors within a tournament are correlated
}

// In synthetic tournaments with correlated games, 93 to 97 % of the intervals of ratings, and of their
// differences, must contain the true values. "generation" rates players of about the same strength from few pairs,
// with a strong influence of the prior. "league" rates them as engines are compared, with almost none.
func TestRatingsCoverTheTruth(t *testing.T) {
	designs := []design{
		{name: "generation", players: 96, opponents: 8, pairs: 1, trueSD: 50, priorSD: 50, tournaments: 50},
		{name: "league", players: 24, opponents: 12, pairs: 20, trueSD: 150, priorSD: 2000, anchored: true, tournaments: 200},
	}
	for _, d := range designs {
		for _, kind := range gameKinds {
			t.Run(d.name+"/"+kind.name, func(t *testing.T) {
				t.Parallel()
				rng := stream.New(1, "ratings cover/%s", t.Name())
				ratings, differences := coverage{}, coverage{}
				for range d.tournaments {
					d.play(t, rng, kind, &ratings, &differences)
				}
				ratings.check(t, "ratings")
				differences.check(t, "differences")
			})
		}
	}
}

// play plays one tournament and counts the intervals that contain the true values.
func (d design) play(t *testing.T, rng *rand.Rand, kind games, ratings, differences *coverage) {
	played := newTournament(rng, kind, d.players, d.opponents, d.pairs, d.trueSD)
	m := Model{Players: d.players, PriorSD: d.priorSD}
	if d.anchored {
		m.Anchors = []Anchor{{Player: 0, Elo: played.elo[0]}}
	}
	r := fit(t, m, played.pairings)
	for i, se := range standardErrors(t, r) {
		if se > 0 {
			ratings.count(around(r.elo[i], se), played.elo[i])
		}
	}
	for i := range d.players / 2 {
		j := i + d.players/2
		differences.count(r.Difference(i, j), played.elo[i]-played.elo[j])
	}
}

// Synthetic ladders with known strengths, in which one player is much stronger than the others. One is a round
// robin. The other is a gauntlet in which the strongest player meets all others. There the ratings of the others
// depend on the few games that the strongest did not win. 93 to 97 % of the intervals must contain the
// strengths.
func TestLadderIntervalsCoverTheTruth(t *testing.T) {
	const ladders = 1000
	for _, gauntlet := range []bool{false, true} {
		for _, kind := range gameKinds {
			t.Run(fmt.Sprintf("gauntlet %v/%s", gauntlet, kind.name), func(t *testing.T) {
				t.Parallel()
				rng := stream.New(1, "ladders cover/%s", t.Name())
				var all, strongest coverage
				for range ladders {
					playLadder(t, rng, kind, gauntlet, &all, &strongest)
				}
				all.check(t, "ratings")
				strongest.check(t, "the strongest's")
			})
		}
	}
}

// playLadder plays one ladder and counts the intervals that contain the true values. Player 0 is the anchor; the
// last player is the strongest.
func playLadder(t *testing.T, rng *rand.Rand, kind games, gauntlet bool, all, strongest *coverage) {
	const players, pairs, anchor = 8, 100, 1000
	truth := make([]float64, players)
	truth[0], truth[players-1] = anchor, anchor+400+300*rng.Float64()
	for i := 1; i < players-1; i++ {
		truth[i] = anchor - 200 + 500*rng.Float64()
	}
	var pairings []Pairing
	for a := range players {
		for b := a + 1; b < players; b++ {
			if !gauntlet || b == players-1 {
				pairings = append(pairings, Pairing{A: a, B: b, Result: kind.match(rng, statstest.ScoreOf(truth[a]-truth[b]), pairs)})
			}
		}
	}
	r := fit(t, Model{Players: players, PriorMean: anchor, PriorSD: 2000, Anchors: []Anchor{{0, anchor}}}, pairings)
	for i := 1; i < players; i++ {
		e, err := r.Interval(i)
		if err != nil {
			t.Fatal(err)
		}
		all.count(e, truth[i])
		if i == players-1 {
			strongest.count(e, truth[i])
		}
	}
}

// In this tournament some players often draw and others never do. One dispersion for all pairs would be wrong
// for both kinds; a variance for each pairing is right.
func TestRatingsCoverMixedCompany(t *testing.T) {
	rng := stream.New(1, "mixed company")
	calm, wild := games{draws: 0.9, bias: 0.5}, games{twins: 0.8}
	var ratings [2]coverage
	for range 400 {
		var pairings []Pairing
		truth := []float64{0, 80, -40, 0, 60, -90}
		for i := 1; i < len(truth); i++ {
			kind := calm
			if i > 2 {
				kind = wild
			}
			result := kind.match(rng, statstest.ScoreOf(truth[i]-truth[0]), 300)
			pairings = append(pairings, Pairing{A: i, B: 0, Result: result})
		}
		r := fit(t, Model{Players: len(truth), PriorSD: 2000, Anchors: []Anchor{{0, 0}}}, pairings)
		for i := 1; i < len(truth); i++ {
			ratings[min(i/3, 1)].count(r.Rating(i), truth[i])
		}
	}
	ratings[0].check(t, "calm players")
	ratings[1].check(t, "wild players")
}

// In a short tournament the ratings fit a twelfth of the pairs' noise. The estimated dispersion must still be at
// least that of the games. (For equal players it is the variance of a pair's score over 1/8.)
func TestDispersionIsThatOfTheGames(t *testing.T) {
	const tournaments = 100
	for _, test := range []struct {
		kind games
		want float64
	}{
		{games{name: "independent"}, 1},
		{games{name: "twins", twins: 0.6}, 1.6},
		{games{name: "split", bias: 0.9}, 0.19},
		{games{name: "draws", draws: 0.7}, 0.3},
	} {
		t.Run(test.kind.name, func(t *testing.T) {
			rng := stream.New(1, "dispersion/%s", test.kind.name)
			sum := 0.0
			for range tournaments {
				played := newTournament(rng, test.kind, 48, 4, 6, 0)
				sum += fit(t, Model{Players: 48, PriorSD: 1000}, played.pairings).Dispersion()
			}
			if mean := sum / tournaments; mean < 0.99*test.want || mean > 1.1*test.want {
				t.Errorf("dispersion is %.3f, want %.3f or up to a tenth more", mean, test.want)
			}
		})
	}
}
