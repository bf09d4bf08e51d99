package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/selfplay"
)

func finardOn(position *board.Board) *finard {
	f := newFinard(position.Size(), position.Rule(), usually("finard")).(*finard)
	f.newGame(rand.New(rand.NewPCG(1, 1)))
	f.load(position)
	return f
}

// plainSum sums fifth powers over the windows through a cell, as the author defines it; more is added to
// the stones of each.
func plainSum(position *board.Board, c board.Cell, colour board.Colour, more int) (sum int64, completes bool) {
	for _, step := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
	windows:
		for first := -4; first <= 0; first++ {
			own := 0
			for i := first; i < first+5; i++ {
				x, y := c.X()+i*step[0], c.Y()+i*step[1]
				if x < 0 || y < 0 || x >= position.Size() || y >= position.Size() {
					continue windows
				}
				if stone, ok := position.Stone(board.At(x, y)); ok && stone != colour {
					continue windows
				} else if ok {
					own++
				}
			}
			sum += int64(math.Pow(float64(own+more), 5))
			completes = completes || own == 4
		}
	}
	return sum, completes
}

// The values that are updated with each stone equal those of the definition, and return to the earlier ones when
// stones are removed.
func TestFinardValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 8 {
		position := setUp(t, 9, "", "", board.Black)
		f := finardOn(position)
		for position.Outcome() == board.Ongoing {
			checkFinard(t, f, position)
			cells := position.AllEmpty(nil)
			c := cells[rng.IntN(len(cells))]
			before := f.sums
			side := position.SideToMove()
			f.place(spotOf(c), side)
			f.take(spotOf(c), side)
			if f.sums != before {
				t.Fatal("place and take change the values")
			}
			f.place(spotOf(c), side)
			position.Play(c)
		}
	}
}

func checkFinard(t *testing.T, f *finard, position *board.Board) {
	t.Helper()
	for _, c := range position.AllEmpty(nil) {
		attack, wins := plainSum(position, c, board.Black, 1)
		defence, blocks := plainSum(position, c, board.White, 0)
		want := attack + defence
		if wins {
			want += finardWins - attack
		}
		if blocks {
			want += finardDefends - defence
		}
		if got := f.value(board.Black, spotOf(c)); got != want {
			t.Fatalf("%v after %s: value %d, want %d", c, board.FormatMoves(position.Moves()), got, want)
		}
	}
}

func TestFinardBestCells(t *testing.T) {
	f := finardOn(setUp(t, 15, "h8i8", "h10", board.Black))
	var room [finardMaxBreadth]spot
	got := f.best(board.Black, room[:])
	all := slices.Clone(f.spots)
	slices.SortStableFunc(all, func(a, b spot) int { return int(f.value(board.Black, b) - f.value(board.Black, a)) })
	all = slices.DeleteFunc(all, func(at spot) bool { return f.grid.squares[at] != empty })
	if !slices.Equal(got, all[:len(got)]) || len(got) != finardMaxBreadth {
		t.Errorf("%v, want %v", got, all[:len(room)])
	}
}

func TestFinardMoves(t *testing.T) {
	for _, test := range []struct {
		name, blacks, whites string
		want                 string // any of these
	}{
		{"opens in the centre", "", "", "h8"},
		{"five rather than a block", "h8i8j8k8", "h11i11j11k11", "g8l8"},
		{"block of five", "h8i8j8g11", "h11i11j11k11", "l11"},
		{"open four", "h8i8j8", "h11i11j11", "g8k8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := answer(t, mustOpen(t, "finard", 15, 3000), setUp(t, 15, test.blacks, test.whites, board.Black))
			if !slices.Contains(boardtest.Moves(t, test.want), got) {
				t.Errorf("%v, want one of %s", got, test.want)
			}
		})
	}
}

// The author: random is beaten in at most seven moves, in every game.
func TestFinardBeatsRandom(t *testing.T) {
	const pairs = 100
	results := playPairs(t, "finard", "random", 15, pairs, 30)
	total, longest := 0, 0
	for i := range results {
		if results[i].Points() != 4 {
			t.Fatalf("pair %d is not won: %+v", i, results[i])
		}
		for colour, g := range results[i].Games {
			own := (len(g.Moves) + 1 - colour) / 2
			total, longest = total+own, max(longest, own)
		}
	}
	mean := float64(total) / (2 * pairs)
	t.Logf("%d games: %.2f moves of its own in the mean, at most %d", 2*pairs, mean, longest)
	if mean > 5.5 || longest > 7 {
		t.Errorf("%.2f moves in the mean and %d at most, want 5.5 and 7", mean, longest)
	}
}

func TestFinardVerdicts(t *testing.T) {
	for _, test := range []struct {
		name, blacks, whites string
		depth                int
		want                 verdict
	}{
		{"five at once", "h8i8j8k8", "a1", 0, won},
		{"open three, not far enough", "h8i8j8", "a1", 1, unknown},
		{"open three", "h8i8j8", "a1", 2, won},
		{"three and three", "h8i8j9j10", "a1o15", 4, won},
		{"their open four, one ply", "a1", "h8i8j8k8", 0, unknown},
		{"their open four", "a1", "h8i8j8k8", 1, lost},
		{"their four, which can be blocked", "g8", "h8i8j8k8", 1, unknown},
		{"nothing", "h8", "i9", 6, unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := finardOn(setUp(t, 15, test.blacks, test.whites, board.Black))
			b := newBudget(t.Context(), 0)
			f.budget = &b
			if got := f.solve(board.Black, test.depth); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}

// The author: with equal settings black always beats white.
func TestFinardBlackBeatsWhite(t *testing.T) {
	const games = 20
	won := 0
	for seed := range uint64(games) {
		players := [2]selfplay.Player{mustOpen(t, "finard", 15, 50_000), mustOpen(t, "finard", 15, 50_000)}
		if playGame(t, players, 15, seed).Outcome() == board.BlackWins {
			won++
		}
	}
	t.Logf("black wins %d of %d games", won, games)
	if won < games-2 {
		t.Errorf("black wins %d of %d games", won, games)
	}
}
