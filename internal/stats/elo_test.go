package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"quintune/internal/stats/statstest"
	"quintune/internal/stream"
)

// golden holds published results. The first four rows are fishtest's test data.
var golden = []struct {
	p               Pentanomial
	low, high       float64 // hypotheses, nElo
	exact, approx   float64 // LLR
	elo, half, nElo float64
}{
	{Pentanomial{39, 8843, 26675, 9240, 44}, 0.5, 2.5, 2.9417, 2.9419, 1.58, 1.03, 3.48},
	{Pentanomial{13, 37, 50, 25, 3}, 0, 4, -0.5491, -0.5401, -43.66, 29.43, -63.97},
	{Pentanomial{10789, 19328, 33806, 19402, 10543}, -3, 1, 0.3009, 0.3009, -0.77, 1.28, -0.95},
	{Pentanomial{120, 15, 500, 18, 160}, 0, 10, 2.1654, 2.1688, 17.75, 14.21, 21.14},
	{Pentanomial{0, 0, 100, 0, 10}, 0, 20, 2.4382, 2.3748, 31.67, 18.84, 77.67},
}

func TestGoldenElo(t *testing.T) {
	for _, g := range golden {
		e := g.p.Elo()
		if half := (e.High - e.Low) / 2; math.Abs(e.Elo-g.elo) > 0.005 || math.Abs(half-g.half) > 0.005 {
			t.Errorf("%v: Elo is %.3f ± %.3f, want %.2f ± %.2f", g.p, e.Elo, half, g.elo, g.half)
		}
		if n := g.p.NElo(); math.Abs(n.Elo-g.nElo) > 0.005 {
			t.Errorf("%v: nElo is %.3f, want %.2f", g.p, n.Elo, g.nElo)
		}
	}
}

func TestEloAtTheEdges(t *testing.T) {
	most := 400 * math.Log10(999)
	tests := []struct {
		name string
		p    Pentanomial
		elo  Estimate
		los  float64
		nElo float64 // only its sign is published
	}{
		{"no pairs", Pentanomial{}, Estimate{0, -most, most}, 0.5, 0},
		{"one pair won", Pentanomial{0, 0, 0, 0, 1}, Estimate{1041.0843780, -324.8920781, most}, 0.72982268607, 1},
		{"all won", Pentanomial{0, 0, 0, 0, 100}, Estimate{most, 610.2566792, most}, 1, 1},
		{"all lost", Pentanomial{100}, Estimate{-most, -most, -610.2566792}, 0, -1},
		{"all split", Pentanomial{0, 0, 100}, Estimate{0, -9.4447385, 9.4447385}, 0.5, 0},
		{"nine not split", Pentanomial{0, 0, 100, 0, 9}, Estimate{28.7487987, 8.5112012, 48.1360383}, 0.99750967081, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := test.p.Elo()
			if !near(e.Elo, test.elo.Elo, 1e-6) || !near(e.Low, test.elo.Low, 1e-6) || !near(e.High, test.elo.High, 1e-6) {
				t.Errorf("Elo is %v, want %v", e, test.elo)
			}
			if math.Signbit(e.Elo) && e.Elo == 0 {
				t.Error("Elo is minus zero")
			}
			if los := test.p.LOS(); !near(los, test.los, 1e-9) {
				t.Errorf("LOS is %g, want %g", los, test.los)
			}
			n := test.p.NElo()
			if test.nElo*n.Elo < 0 || (test.nElo == 0) != (n.Elo == 0) {
				t.Errorf("nElo is %v, want the sign of %g", n, test.nElo)
			}
			if !(n.Low < n.Elo && n.Elo < n.High) || math.IsInf(n.High-n.Low, 0) {
				t.Errorf("nElo's interval %v is empty or infinite", n)
			}
		})
	}
}

func TestEloWidth(t *testing.T) {
	for _, pairs := range []int64{500, 50_000} { // without draws, games are independent where a quarter of the pairs goes either way
		e := Pentanomial{pairs / 4, 0, pairs / 2, 0, pairs / 4}.Elo()
		if got, want := EloWidth(int(2*pairs)), (e.High-e.Low)/2; math.Abs(got/want-1) > .02 {
			t.Errorf("%d games: half the width is %v, the interval has %v", 2*pairs, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	for _, test := range []struct {
		pairs Pentanomial
		want  int
	}{
		{Pentanomial{}, 0},
		{Pentanomial{0, 0, 0, 2, 0}, 0},               // its interval is above 0
		{Pentanomial{0, 0, 0, 0, FewestPairs - 1}, 0}, // too
		{Pentanomial{0, 0, 0, 0, FewestPairs}, 1},
		{Pentanomial{FewestPairs, 0, 0, 0, 0}, -1},
		{Pentanomial{10, 0, 20, 0, 11}, 0},
	} {
		if got := test.pairs.Elo().Shown(test.pairs.Pairs()); got != test.want {
			t.Errorf("%v: %d, want %d", test.pairs, got, test.want)
		}
	}
}

func TestScoreAndElo(t *testing.T) {
	for _, test := range []struct{ elo, score float64 }{{0, 0.5}, {400, 10.0 / 11}, {-400, 1.0 / 11}, {100, 0.6400649998}} {
		if s := statstest.ScoreOf(test.elo); !near(s, test.score, 1e-9) {
			t.Errorf("ScoreOf(%g) = %g, want %g", test.elo, s, test.score)
		}
		if e := EloOf(test.score); !near(e, test.elo, 1e-7) {
			t.Errorf("EloOf(%g) = %g, want %g", test.score, e, test.elo)
		}
	}
}

func TestMirrorNegates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPentanomial().Draw(t, "p")
		m := p.Mirror()
		if !near(p.Score(), 1-m.Score(), 1e-12) || !near(p.Variance(), m.Variance(), 1e-12) {
			t.Fatalf("score %g, %g; variance %g, %g", p.Score(), m.Score(), p.Variance(), m.Variance())
		}
		if !near(p.LOS(), 1-m.LOS(), 1e-9) {
			t.Fatalf("LOS %g, %g", p.LOS(), m.LOS())
		}
		for _, e := range [][2]Estimate{{p.Elo(), m.Elo()}, {p.NElo(), m.NElo()}} {
			if !near(e[0].Elo, -e[1].Elo, 1e-8) || !near(e[0].Low, -e[1].High, 1e-8) || !near(e[0].High, -e[1].Low, 1e-8) {
				t.Fatalf("%v is not the negative of %v", e[0], e[1])
			}
			if !(e[0].Low <= e[0].Elo && e[0].Elo <= e[0].High) {
				t.Fatalf("%v is not in order", e[0])
			}
		}
	})
}

// A better score in one pair raises the Elo.
func TestEloIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPentanomial().Draw(t, "p")
		from := rapid.IntRange(0, Outcomes-2).Draw(t, "from")
		to := rapid.IntRange(from+1, Outcomes-1).Draw(t, "to")
		p[from] += 2
		better := p
		better[from]--
		better[to]++
		if better.Elo().Elo < p.Elo().Elo {
			t.Fatalf("%v has %g Elo, %v has %g", p, p.Elo().Elo, better, better.Elo().Elo)
		}
	})
}

// In matches of equal players with every kind of correlation between games, the interval must contain zero in 95
// % of them. An interval computed from single games would be half as wide again where pairs split.
func TestEloCoversEqualPlayers(t *testing.T) {
	for _, kind := range gameKinds {
		t.Run(kind.name, func(t *testing.T) {
			rng := stream.New(1, "equal players/%s", kind.name)
			elo, nElo := coverage{}, coverage{}
			for range 2000 {
				p := kind.match(rng, 0.5, 200)
				elo.count(p.Elo(), 0)
				nElo.count(p.NElo(), 0)
			}
			elo.check(t, "Elo")
			nElo.check(t, "nElo")
		})
	}
}

// Far from zero, the error of the standard deviation matters for the nElo, and the Elo is not linear in the
// score.
func TestEloCoversUnequalPlayers(t *testing.T) {
	const score = 0.75
	for _, kind := range gameKinds {
		t.Run(kind.name, func(t *testing.T) {
			rng := stream.New(1, "unequal players/%s", kind.name)
			long := kind.match(rng, score, 2_000_000)
			elo, nElo := coverage{}, coverage{}
			for range 2000 {
				p := kind.match(rng, score, 200)
				elo.count(p.Elo(), EloOf(score))
				nElo.count(p.NElo(), long.NElo().Elo)
			}
			elo.check(t, "Elo")
			nElo.check(t, "nElo")
		})
	}
}

func TestLogistic(t *testing.T) {
	for x := -60.0; x <= 60; x += 0.37 {
		up, down := logistic(x)
		if want := 1 / (1 + math.Exp(-x)); !(math.Abs(up-want) <= 1e-15*want) {
			t.Errorf("logistic(%g) = %v, want %v", x, up, want)
		}
		if a, b := logistic(-x); a != down || b != up {
			t.Errorf("logistic(%g) = %v, %v, but of the negative %v, %v", x, up, down, a, b)
		}
	}
}
