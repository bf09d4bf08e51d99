//go:build long

package baseline

import (
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/selfplay"
)

// scattered returns openings of five random stones about the centre of a board.
func scattered(openings, size int) [][]board.Cell {
	const stones, width = 5, 5
	rng := rand.New(rand.NewPCG(1, uint64(size)))
	list := make([][]board.Cell, openings)
	for i := range list {
		for _, at := range rng.Perm(width * width)[:stones] {
			list[i] = append(list[i], board.At((size-width)/2+at%width, (size-width)/2+at/width))
		}
	}
	return list
}

// Two hundred legal games of every system, from different openings: half against random, half against the next
// in the list.
func TestTwoHundredGames(t *testing.T) {
	names := Names()
	for i, name := range names {
		for _, size := range []int{15, 20} {
			for _, opponent := range []string{"random", names[(i+1)%len(names)]} {
				won := 0.0
				for _, r := range playOpenings(t, name, opponent, size, scattered(50, size), 200) {
					won += float64(r.Points()) / 4
				}
				t.Logf("%s against %s on size %d: %.2f of 50 pairs", name, opponent, size, won)
			}
		}
	}
}

// The author of finard: with equal settings black wins nearly always. Where white looks five moves further
// he still has next to no chance here, as two cells a node are too few for a defence.
func TestFinardFromTheEmptyBoard(t *testing.T) {
	const games, least = 50, 43
	for _, test := range []struct{ black, white string }{
		{"finard?depth=10", "finard?depth=10"},
		{"finard?depth=20", "finard?depth=20"},
		{"finard", "finard"},
		{"finard?depth=10", "finard?depth=20"},
	} {
		t.Run(test.black, func(t *testing.T) {
			won := 0
			for seed := range uint64(games) {
				players := [2]selfplay.Player{mustOpen(t, test.black, 15, 50_000), mustOpen(t, test.white, 15, 50_000)}
				if playGame(t, players, 15, seed).Outcome() == board.BlackWins {
					won++
				}
			}
			t.Logf("black %s, white %s: black wins %d of %d games", test.black, test.white, won, games)
			if won < least {
				t.Errorf("black %s, white %s: black wins %d of %d games, fewer than %d", test.black, test.white, won, games, least)
			}
		})
	}
}
