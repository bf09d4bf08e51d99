package stats

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// coverage counts how often intervals hold the truth.
type coverage struct{ in, all int }

func (c *coverage) count(e Estimate, truth float64) {
	c.all++
	if e.Low <= truth && truth <= e.High {
		c.in++
	}
}

// check fails unless 93 to 97 % of the intervals held the truth.
func (c *coverage) check(t *testing.T, what string) {
	t.Helper()
	part := float64(c.in) / float64(c.all)
	t.Logf("%s: %d intervals, %.1f %% hold the truth", what, c.all, 100*part)
	if part < 0.93 || part > 0.97 {
		t.Errorf("%s: %.1f %% of %d intervals hold the truth, outside 93..97 %%", what, 100*part, c.all)
	}
}

// design is how a synthetic tournament is played and rated.
type design struct {
	name                      string
	players, opponents, pairs int
	trueSD, priorSD           float64 // Elo
	anchored                  bool
	tournaments               int // with one anchor, all errors of a tournament have a part in common
}

// Synthetic tournaments with correlated games: the ratings' intervals, and those of differences,
// must hold the true values in 93 to 97 %. "generation" is as a tuning run rates its candidates,
// where the prior does much of the work, "league" as engines are compared, where it does almost
// none.
func TestRatingsCoverTheTruth(t *testing.T) {
	designs := []design{
		{name: "generation", players: 96, opponents: 8, pairs: 1, trueSD: 50, priorSD: 50, tournaments: 50},
		{name: "league", players: 24, opponents: 12, pairs: 20, trueSD: 150, priorSD: 2000, anchored: true, tournaments: 200},
	}
	for _, d := range designs {
		for _, kind := range gameKinds {
			t.Run(d.name+"/"+kind.name, func(t *testing.T) {
				t.Parallel()
				rng := stream("ratings cover/" + t.Name())
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

// play plays one tournament and counts whose intervals hold the truth.
func (d design) play(t *testing.T, rng *rand.Rand, kind games, ratings, differences *coverage) {
	played := newTournament(rng, kind, d.players, d.opponents, d.pairs, d.trueSD)
	m := Model{Players: d.players, PriorSD: d.priorSD}
	if d.anchored {
		m.Anchors = []Anchor{{Player: 0, Elo: played.elo[0]}}
	}
	r := fit(t, m, played.pairings)
	for i, se := range standardErrors(t, r) {
		if se > 0 {
			ratings.count(around(r.Elo(i), se), played.elo[i])
		}
	}
	for i := range d.players / 2 {
		j := i + d.players/2
		differences.count(r.Difference(i, j), played.elo[i]-played.elo[j])
	}
}

// Synthetic ladders with known strengths, one of them far above the others: a round robin, and a
// gauntlet in which the strongest meets all others, so that what is known of them comes through him
// and from some few games that he did not win. The intervals must hold the strengths in 93 to 97 %.
func TestLadderIntervalsCoverTheTruth(t *testing.T) {
	const ladders = 1000
	for _, gauntlet := range []bool{false, true} {
		for _, kind := range gameKinds[:ladderKinds] {
			t.Run(fmt.Sprintf("gauntlet %v/%s", gauntlet, kind.name), func(t *testing.T) {
				t.Parallel()
				rng := stream("ladders cover/" + t.Name())
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

// playLadder plays one ladder, whose player 0 is the anchor and whose last one is the strongest, and counts
// whose intervals hold the truth.
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
				pairings = append(pairings, Pairing{A: a, B: b, Result: kind.match(rng, ScoreOf(truth[a]-truth[b]), pairs)})
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

// In one tournament some players draw much and others never. A dispersion common to all would be wrong for both kinds;
// the variance of each pairing is right.
func TestRatingsCoverMixedCompany(t *testing.T) {
	rng := stream("mixed company")
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
			result := kind.match(rng, ScoreOf(truth[i]-truth[0]), 300)
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

// The ratings of a short tournament fit a twelfth of the noise of its pairs. The estimated dispersion (for equal players
// the variance of a pair's score over 1/8) must still be that of the games, or greater.
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
			rng := stream("dispersion/" + test.kind.name)
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
