package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"quintune/internal/stats/statstest"
	"quintune/internal/stream"
)

// fit returns the ratings of a model.
func fit(t *testing.T, m Model, pairings []Pairing) *Ratings {
	t.Helper()
	r, err := m.Fit(pairings)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// standardErrors returns the standard errors of ratings.
func standardErrors(t *testing.T, r *Ratings) []float64 {
	t.Helper()
	errors, err := r.StandardErrors()
	if err != nil {
		t.Fatal(err)
	}
	return errors
}

// small is a tournament of five players with written-out results, so that ratings can be compared bit by bit.
// Player 4 has lost all games; 3 and 4 never met.
var small = []Pairing{
	{0, 1, Pentanomial{3, 5, 20, 9, 3}},
	{0, 2, Pentanomial{1, 2, 6, 2, 5}},
	{1, 2, Pentanomial{0, 4, 11, 7, 2}},
	{2, 3, Pentanomial{2, 0, 9, 1, 4}},
	{0, 3, Pentanomial{0, 1, 1, 0, 0}},
	{1, 4, Pentanomial{0, 0, 0, 0, 3}},
}

func TestRatingsAreTheSameBitsEverywhere(t *testing.T) {
	want := []float64{
		0x1.2dd60394a5067p+06, 0x1.00a392354de41p+06, 0x1.8767976762c3ap+03, -0x1.0499a369b02fp+04, -0x1.0f200fee399bap+07,
	}
	got := fit(t, Model{Players: 5, PriorSD: 100}, small).elo
	if !slices.Equal(got, want) {
		t.Errorf("ratings are %x, want %x", got, want)
	}
}

// With two players, one of them anchored, and hardly any prior, the rating is the Elo of the score. Its error
// follows from the variance of the pairs.
func TestTwoPlayers(t *testing.T) {
	for _, p := range []Pentanomial{
		{10, 20, 200, 40, 30}, {50, 0, 100, 0, 80}, {1000, 3000, 9000, 4000, 1500}, {0, 0, 300, 300, 0},
	} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			r := fit(t, Model{Players: 2, PriorSD: MaxPriorSD, Anchors: []Anchor{{0, 100}}}, []Pairing{{1, 0, p}})
			if want := 100 + EloOf(p.Score()); !near(r.elo[1], want, 1e-4) {
				t.Errorf("%v: rating is %.3f, want %.3f", p, r.elo[1], want)
			}
			slope := 400 / math.Ln10 / (p.Score() * (1 - p.Score()))
			want := slope * math.Sqrt(p.Variance()/float64(p.Pairs()))
			if got := standardErrors(t, r); got[0] != 0 || !near(got[1], want, 0.02) {
				t.Errorf("%v: standard errors are %.3f, want 0 and %.3f", p, got, want)
			}
		})
	}
}

// slope returns the derivative of the log posterior by one player's rating in nats, directly from the pairings.
// It is the slow plain version of evaluate.
func slope(m Model, pairings []Pairing, elo []float64, dispersion float64, player int) float64 {
	sum := (m.PriorMean - elo[player]) * nat / (m.PriorSD * m.PriorSD)
	for _, p := range pairings {
		missed := float64(p.Result.Pairs()) * (p.Result.Score() - statstest.ScoreOf(elo[p.A]-elo[p.B]))
		switch player {
		case p.A:
			sum += 2 / dispersion * missed
		case p.B:
			sum -= 2 / dispersion * missed
		}
	}
	return sum
}

// Maximising one coordinate after another by bisection must give the same ratings as Newton's method.
func TestFitFindsTheMaximum(t *testing.T) {
	rng := stream.New(1, "maximum")
	anchored := newTournament(rng, gameKinds[4], 9, 4, 3, 200)
	tests := []struct {
		name     string
		m        Model
		pairings []Pairing
	}{
		{"small", Model{Players: 5, PriorSD: 100}, small},
		{"narrow prior", Model{Players: 5, PriorMean: 1500, PriorSD: 5}, small},
		{"wide prior", Model{Players: 5, PriorSD: 200}, small},
		{"anchors", Model{Players: 9, PriorMean: 50, PriorSD: 150, Anchors: []Anchor{{2, 30}, {7, -200}}}, anchored.pairings},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := fit(t, test.m, test.pairings)
			elo := make([]float64, test.m.Players)
			free := map[int]bool{}
			for i := range elo {
				elo[i], free[i] = test.m.PriorMean, true
			}
			for _, a := range test.m.Anchors {
				elo[a.Player], free[a.Player] = a.Elo, false
			}
			for range 400 {
				for i := range elo {
					if !free[i] {
						continue
					}
					low, high := -10000.0, 10000.0
					for range 60 {
						elo[i] = (low + high) / 2
						if slope(test.m, test.pairings, elo, r.Dispersion(), i) > 0 {
							low = elo[i]
						} else {
							high = elo[i]
						}
					}
				}
			}
			for i := range elo {
				if !near(r.elo[i], elo[i], 1e-6) {
					t.Errorf("player %d is rated %.6f, want %.6f", i, r.elo[i], elo[i])
				}
			}
		})
	}
}

// The ratings do not depend on the order of the pairings, on how they are divided, or on the side from which
// they are seen.
func TestFitForgetsHowResultsCame(t *testing.T) {
	rng := stream.New(1, "order of pairings")
	played := newTournament(rng, gameKinds[1], 20, 6, 4, 100)
	m := Model{Players: 20, PriorSD: 100, Anchors: []Anchor{{3, 10}}}
	want := fit(t, m, played.pairings)
	var split []Pairing
	for _, p := range played.pairings {
		for score, count := range p.Result {
			for range count {
				one := Pairing{A: p.A, B: p.B}
				one.Result[score] = 1
				if rng.IntN(2) == 0 {
					one = Pairing{A: p.B, B: p.A, Result: one.Result.Mirror()}
				}
				split = append(split, one)
			}
		}
	}
	rng.Shuffle(len(split), func(i, j int) { split[i], split[j] = split[j], split[i] })
	got := fit(t, m, split)
	if !slices.Equal(got.elo, want.elo) {
		t.Errorf("ratings are %v, want %v", got.elo, want.elo)
	}
	if !slices.Equal(standardErrors(t, got), standardErrors(t, want)) {
		t.Error("standard errors differ")
	}
}

func TestMirroredTournamentNegatesRatings(t *testing.T) {
	played := newTournament(stream.New(1, "mirror"), gameKinds[2], 20, 6, 4, 200)
	m := Model{Players: 20, PriorSD: 200}
	a := fit(t, m, played.pairings)
	for i := range played.pairings {
		played.pairings[i].Result = played.pairings[i].Result.Mirror()
	}
	b := fit(t, m, played.pairings)
	for i := range 20 {
		if !near(a.elo[i], -b.elo[i], 1e-6) || !near(a.Rating(i).High, -b.Rating(i).Low, 1e-6) {
			t.Errorf("player %d is rated %v, mirrored %v", i, a.Rating(i), b.Rating(i))
		}
	}
}

func TestMorePointsRateHigher(t *testing.T) {
	m := Model{Players: 5, PriorSD: 100}
	before := fit(t, m, small)
	for i, p := range small {
		better := slices.Clone(small)
		better[i].Result[4]++
		after := fit(t, m, better)
		// The dispersion changes as well, so only the difference of the two is sure to grow.
		if after.elo[p.A]-after.elo[p.B] <= before.elo[p.A]-before.elo[p.B] {
			t.Errorf("a pair won by %d against %d brings %.2f to %.2f Elo", p.A, p.B,
				before.elo[p.A]-before.elo[p.B], after.elo[p.A]-after.elo[p.B])
		}
	}
}

func TestRatingsAtTheEdges(t *testing.T) {
	idle := fit(t, Model{Players: 2, PriorMean: 40, PriorSD: 70}, nil)
	if e := standardErrors(t, idle); idle.elo[1] != 40 || !near(e[1], 70, 1e-9) || idle.Dispersion() != 1 {
		t.Errorf("without games: %g ± %g, dispersion %g, want the prior's 40 ± 70 and 1", idle.elo[1], e[1], idle.Dispersion())
	}
	crushed := fit(t, Model{Players: 2, PriorSD: MaxPriorSD}, []Pairing{{0, 1, Pentanomial{4: 1_000_000}}})
	if d := crushed.Difference(0, 1); !(d.Elo > 1500 && d.Elo < 10000 && d.Low < d.Elo && d.Elo < d.High) {
		t.Errorf("after a million pairs won the difference is %v", d)
	}
	split := fit(t, Model{Players: 2, PriorSD: 100}, []Pairing{{0, 1, Pentanomial{2: 1_000_000}}})
	if d := split.Difference(0, 1); math.Abs(d.Elo) > 1e-6 || !(d.High < 10) {
		t.Errorf("after a million pairs split the difference is %v", d)
	}
	both := Model{Players: 2, PriorSD: 100, Anchors: []Anchor{{0, 5}, {1, 7}}}
	if r := fit(t, both, []Pairing{{0, 1, Pentanomial{4: 9}}}); r.Rating(0) != (Estimate{5, 5, 5}) || r.Difference(0, 1) != (Estimate{-2, -2, -2}) {
		t.Errorf("two anchors are rated %v and differ by %v", r.Rating(0), r.Difference(0, 1))
	}
}

// Errors by conjugate gradients agree with those by the dense inverse. The error of a difference is smaller than
// it would be if the ratings were independent.
func TestStandardErrorsAgree(t *testing.T) {
	played := newTournament(stream.New(1, "errors agree"), gameKinds[4], 40, 6, 8, 150)
	r := fit(t, Model{Players: 40, PriorSD: 2000, Anchors: []Anchor{{0, 0}}}, played.pairings)
	errors := standardErrors(t, r)
	half := func(e Estimate) float64 { return (e.High - e.Low) / 2 / halfWidth }
	for i := range 40 {
		if got := half(r.Rating(i)); !near(got, errors[i], 1e-6) {
			t.Errorf("player %d: standard error %g, by the inverse %g", i, got, errors[i])
		}
	}
	if d := r.Difference(3, 9); half(d) >= math.Hypot(errors[3], errors[9]) || d.Elo != r.elo[3]-r.elo[9] {
		t.Errorf("difference is %v, of ratings with errors %g and %g", d, errors[3], errors[9])
	}
}

func TestModelErrors(t *testing.T) {
	sound := Model{Players: 3, PriorSD: 50}
	with := func(change func(*Model)) Model {
		m := sound
		change(&m)
		return m
	}
	tests := []struct {
		name     string
		m        Model
		pairings []Pairing
		want     string
	}{
		{"players", with(func(m *Model) { m.Players = 0 }), nil, "0 players, fewer than 1"},
		{"no prior", with(func(m *Model) { m.PriorSD = 0 }), nil, "prior sd is 0 Elo, outside (0, 10000]"},
		{"prior too wide", with(func(m *Model) { m.PriorSD = math.Inf(1) }), nil, "prior sd is +Inf Elo"},
		{"prior mean", with(func(m *Model) { m.PriorMean = math.NaN() }), nil, "prior mean is NaN Elo"},
		{"anchor index", with(func(m *Model) { m.Anchors = []Anchor{{3, 0}} }), nil, "anchor 0 is player 3, outside [0, 3)"},
		{"anchor rating", with(func(m *Model) { m.Anchors = []Anchor{{1, 1e9}} }), nil, "anchor of player 1 is 1e+09 Elo"},
		{"anchored twice", with(func(m *Model) { m.Anchors = []Anchor{{1, 0}, {1, 0}} }), nil, "player 1 is anchored twice"},
		{"unknown player", sound, []Pairing{{0, 1, Pentanomial{1}}, {0, 3, Pentanomial{1}}}, "pairing 1 is of players 0 and 3, outside [0, 3)"},
		{"negative player", sound, []Pairing{{-1, 2, Pentanomial{1}}}, "pairing 0 is of players -1 and 2"},
		{"against itself", sound, []Pairing{{2, 2, Pentanomial{1}}}, "pairing 0 has player 2 on both sides"},
		{"negative count", sound, []Pairing{{1, 0, Pentanomial{3: -2}}}, "pairing 0 has -2 pairs of score 3, below 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.m.Fit(test.pairings)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q", err, test.want)
			}
		})
	}
}
