//go:build system

package search

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/pattern"
	"quintune/weights"
)

// The measurement of the levels is
//
//	go test -tags system -count=1 -v -timeout 5h -run TestLevelLadder ./search -args -pairs 100
var (
	pairs = flag.Int("pairs", 5, "openings, each played twice, for every level in TestLevelLadder")
	least = flag.Int("least", 2, "first level that meets the one below in TestLevelLadder")
	most  = flag.Int("most", int(MaxLevel), "last level that does")
)

// topNodes stand for the limits of a game with a person at MaxLevel: about half a second.
const topNodes = 400_000

// TestLevelLadder lets each level play the one below.
func TestLevelLadder(t *testing.T) {
	set, err := weights.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	for level := Level(*least); level <= Level(*most); level++ {
		points := 0.0
		for i := range *pairs {
			for colour := range 2 {
				points += levelGame(t, set, [2]Level{level - Level(colour), level - Level(1-colour)}, colour, uint64(i))
			}
		}
		games := float64(2 * *pairs)
		share := points / games
		t.Logf("level %d: %.1f %% ± %.1f of %v games against level %d", level, 100*share, 196*math.Sqrt(share*(1-share)/games), games, level-1)
		if *pairs >= 50 && share < .55 {
			t.Errorf("level %d is hardly stronger than level %d", level, level-1)
		}
	}
}

// levelGame returns what the player of the index scores; players are [colour].
func levelGame(t *testing.T, set *weights.Set, players [2]Level, index int, seed uint64) float64 {
	t.Helper()
	b, err := board.New(15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	var engines [2]*Engine
	for i := range engines {
		if engines[i], err = NewEngine(set, 15, pattern.Freestyle, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	b.Play(board.At(7, 7))
	for rng := rand.New(rand.NewPCG(4, seed)); b.Ply() < 4; {
		near := b.Near(nil)
		b.Play(near[rng.IntN(len(near))])
	}
	for b.Outcome() == board.Ongoing {
		side := b.SideToMove()
		r, err := engines[side].SearchLevel(context.Background(), b, players[side], Limits{Nodes: topNodes}, seed)
		if err != nil {
			t.Fatal(err)
		}
		b.Play(r.Best)
	}
	switch b.Outcome() {
	case board.Draw:
		return .5
	case board.WinFor(board.Colour(index)):
		return 1
	}
	return 0
}
