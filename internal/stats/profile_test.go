package stats

import (
	"math"
	"testing"
)

func interval(t *testing.T, r *Ratings, player int) Estimate {
	t.Helper()
	e, err := r.Interval(player)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Against one anchor and hardly any prior the likelihood is that of one score. Both ends cost equally many nats
// of it, and the number that a normal approximation with the pairs' own variance gives.
func TestIntervalEndsCostTheSame(t *testing.T) {
	for _, p := range []Pentanomial{
		{10, 20, 200, 40, 30}, {0, 1, 10, 30, 400}, {1, 0, 3, 0, 96}, {300, 40, 2, 1, 0},
	} {
		r := fit(t, Model{Players: 2, PriorSD: MaxPriorSD, Anchors: []Anchor{{0, 1000}}}, []Pairing{{1, 0, p}})
		e := interval(t, r, 1)
		score := p.Score()
		cost := func(elo float64) float64 {
			q := ScoreOf(elo - 1000)
			return 2 * float64(p.Pairs()) / r.Dispersion() * (score*math.Log(score/q) + (1-score)*math.Log((1-score)/(1-q)))
		}
		model := math.Sqrt(r.Dispersion()/(2*float64(p.Pairs())*score*(1-score))) * nat
		want := halfWidth() * halfWidth() / 2 * math.Pow(standardErrors(t, r)[1]/model, 2)
		if low, high := cost(e.Low), cost(e.High); !near(low, want, 0.02*want) || !near(high, want, 0.02*want) {
			t.Errorf("%v: %v costs %.3f and %.3f nats at its ends, want %.3f", p, e, low, high, want)
		}
	}
}

// With even players and many pairs the two kinds of intervals are the same.
func TestIntervalIsNormalForEvenPlayers(t *testing.T) {
	played := newTournament(stream("normal"), gameKinds[4], 8, 6, 2000, 40)
	r := fit(t, Model{Players: 8, PriorSD: 2000, Anchors: []Anchor{{0, 0}}}, played.pairings)
	for i := range 8 {
		got, want := interval(t, r, i), r.Rating(i)
		if got.Elo != want.Elo || !near(got.Low, want.Low, 0.2) || !near(got.High, want.High, 0.2) {
			t.Errorf("player %d: %v, by the normal approximation %v", i, got, want)
		}
	}
}

// Who has won all is bounded from above by the prior alone, and the mirrored tournament has mirrored ends.
func TestIntervalAtTheEdges(t *testing.T) {
	m := Model{Players: 3, PriorSD: 2000, Anchors: []Anchor{{0, 0}}}
	won := []Pairing{{1, 0, Pentanomial{4: 100}}, {2, 0, Pentanomial{1, 2, 5, 2, 1}}}
	lost := []Pairing{{1, 0, Pentanomial{0: 100}}, {2, 0, Pentanomial{1, 2, 5, 2, 1}}}
	up, down := interval(t, fit(t, m, won), 1), interval(t, fit(t, m, lost), 1)
	if !(up.Low > 500 && up.High > 2000 && up.High < 10000 && up.Low < up.Elo && up.Elo < up.High) {
		t.Errorf("all won: %v", up)
	}
	if !near(up.Low, -down.High, 1e-3) || !near(up.High, -down.Low, 1e-3) {
		t.Errorf("%v is not the mirror of %v", down, up)
	}
	if anchor := interval(t, fit(t, m, won), 0); anchor != (Estimate{}) {
		t.Errorf("the anchor has %v", anchor)
	}
	if idle := interval(t, fit(t, Model{Players: 1, PriorMean: 40, PriorSD: 70}, nil), 0); !near(idle.High, 40+70*halfWidth(), 1e-2) {
		t.Errorf("without games: %v", idle)
	}
}
