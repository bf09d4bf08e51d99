package search

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// Every level makes a five, answers a four and makes an open four.
func TestLevelsSeeWhatIsUrgent(t *testing.T) {
	for _, test := range []struct{ name, moves, best string }{
		{"own five", "h8h10i8i10j8a1k8g10", "g8l8"},
		{"own five before theirs", "h8h10i8i10j8j10k8k10", "g8l8"},
		{"one answer to a four", "h8g8i8a1j8a15k8", "l8"},
		{"open four", "h8a1i8a2j8o15", "g8k8f8l8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := boardtest.SetUp(t, 15, pattern.Freestyle, test.moves)
			e := newEngine(t, b)
			for level := Level(1); level <= MaxLevel; level++ {
				for seed := range uint64(5) {
					r, err := e.SearchLevel(context.Background(), b, level, Limits{Nodes: 2000}, seed)
					if err != nil || !strings.Contains(test.best, r.Best.String()) {
						t.Errorf("level %d plays %v (%v)", level, r.Best, err)
					}
				}
			}
		})
	}
}

// Even a weak level answers an open three and plays near other stones.
func TestLevelsAreNeverAbsurd(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9i8g7j8")
	e := newEngine(t, b)
	for level := Level(1); level <= MaxLevel; level++ {
		for seed := range uint64(20) {
			r, err := e.SearchLevel(context.Background(), b, level, Limits{Nodes: 2000}, seed)
			if err != nil || r.Best.Y() != 7 {
				t.Errorf("level %d answers an open three with %v (%v)", level, r.Best, err)
			}
		}
	}
}

func TestLevelsAreRepeatableAndVary(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9")
	seen := map[board.Cell]bool{}
	for seed := range uint64(20) {
		var moves [2]Result
		for i := range moves {
			var err error
			if moves[i], err = newEngine(t, b).SearchLevel(context.Background(), b, 2, Limits{}, seed); err != nil {
				t.Fatal(err)
			}
		}
		if moves[0].Best != moves[1].Best || moves[0].Score != moves[1].Score {
			t.Errorf("seed %d: %v and %v", seed, moves[0], moves[1])
		}
		if pv := moves[0].PV; len(pv) == 0 || pv[0] != moves[0].Best {
			t.Errorf("the line %v does not begin with %v", pv, moves[0].Best)
		}
		seen[moves[0].Best] = true
	}
	if len(seen) < 3 {
		t.Errorf("twenty seeds give only %d moves", len(seen))
	}
}

// No limit of nodes leaves the handicap of a level as it is.
func TestLevelsKeepTheirHandicap(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	for _, nodes := range []int64{0, -1, 1 << 40} {
		r, err := newEngine(t, b).SearchLevel(context.Background(), b, 2, Limits{Nodes: nodes, Depth: 4}, 1)
		if err != nil || r.Nodes != handicaps[2].nodes {
			t.Errorf("limit %d: %d nodes, want %d (%v)", nodes, r.Nodes, handicaps[2].nodes, err)
		}
	}
}

func TestTheHighestLevelIsThePlainSearch(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	want := newEngine(t, b).Search(context.Background(), b, Limits{Nodes: 3000}, nil)
	got, err := newEngine(t, b).SearchLevel(context.Background(), b, MaxLevel, Limits{Nodes: 3000}, 7)
	if err != nil || got.Best != want.Best || got.Nodes != want.Nodes {
		t.Errorf("%+v, want %+v (%v)", got, want, err)
	}
	for _, level := range []Level{0, -1, MaxLevel + 1} {
		if _, err := newEngine(t, b).SearchLevel(context.Background(), b, level, Limits{}, 1); err == nil {
			t.Errorf("level %d is played", level)
		}
	}
}

func TestLevelsKeepTheLimitOfTime(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, quietPosition)
	r, err := newEngine(t, b).SearchLevel(context.Background(), b, 9, Limits{Time: time.Millisecond}, 1)
	if err != nil || b.Legal(r.Best) != nil || r.Nodes >= handicaps[9].nodes {
		t.Errorf("%v after %d nodes (%v), want a legal move after fewer than %d", r.Best, r.Nodes, err, handicaps[9].nodes)
	}
}

// Every level plays legal moves until the game ends, under every rule and on small boards.
func TestLevelsPlayGames(t *testing.T) {
	for game := range 6 {
		b := boardtest.New(t, board.MinSize+game, pattern.Rule(game%pattern.NumRules))
		e, rng := newEngine(t, b), rand.New(rand.NewPCG(3, uint64(game)))
		for b.Outcome() == board.Ongoing {
			r, err := e.SearchLevel(context.Background(), b, Level(1+rng.IntN(5)), Limits{}, uint64(game))
			if err == nil {
				err = b.Legal(r.Best)
			}
			if err != nil {
				t.Fatalf("%s: %v", board.FormatMoves(b.Moves()), err)
			}
			b.Play(r.Best)
		}
	}
}

func TestNearlyEqual(t *testing.T) {
	list := []Result{{Score: 95}, {Score: 80}, {Score: 60}, {Score: 20}, {Score: -500}}
	for width, want := range map[int32]int{0: 0, 10: 0, 13: 1, 50: 2, 100: 3} {
		if got := nearlyEqual(list, 100, width); got != want {
			t.Errorf("%d %%: %d results, want %d", width, got, want)
		}
	}
	if none, all := nearlyEqual(nil, 100, 50), nearlyEqual(list[3:], 0, 100); none != 0 || all != 2 {
		t.Errorf("%d results of none and %d of two, want 0 and 2", none, all)
	}
}
