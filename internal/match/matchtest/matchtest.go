// Package matchtest plays matches without games, for tests. Known strengths decide them.
package matchtest

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/internal/book"
	"quintune/internal/stats/statstest"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// Runner decides pairs by known strengths. Like real games, the results are a pure function of both sets and the
// opening. They are not returned in the order of the pairs.
type Runner struct {
	Elo      func(*weights.Set) float64
	Bias     float64   // standard deviation over openings of the advantage of one colour, Elo
	Backward bool      // results are returned in reverse order
	After    func(int) // called after each pair with the number of pairs so far
	Pairs    int       // pairs decided so far
}

// Run decides a batch; see selfplay.Runner.
func (f *Runner) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results := make([]selfplay.Result, len(b.Pairings))
	players := make([]*player, len(b.Contestants))
	for i := range players {
		players[i] = f.player(b.Contestants[i].Weights)
	}
	for k := range results {
		i := k
		if f.Backward {
			i = len(results) - 1 - k
		}
		if err := ctx.Err(); err != nil {
			return results, err
		}
		p := &b.Pairings[i]
		results[i] = f.pair(players[p.A], players[p.B], p.Opening)
		f.Pairs++
		if done != nil {
			done(i, &results[i])
		}
		if f.After != nil {
			f.After(f.Pairs)
		}
	}
	return results, ctx.Err()
}

// player is what decides the games of a contestant.
type player struct {
	elo    float64
	values []byte // of its weights, three bytes each
}

func (f *Runner) player(set *weights.Set) *player {
	p := &player{elo: f.Elo(set)}
	for _, v := range set.Values {
		p.values = append(p.values, byte(v), byte(v>>8), byte(v>>16))
	}
	return p
}

func (f *Runner) pair(a, b *player, opening []board.Cell) (r selfplay.Result) {
	r.Games[0] = f.game(a, b, opening)
	r.Games[1] = f.game(b, a, opening)
	return r
}

// game decides one game. bias is the advantage that the opening gives to Black.
func (f *Runner) game(black, white *player, opening []board.Cell) (g selfplay.Game) {
	bias := f.Bias * rng(0, opening).NormFloat64()
	r := rng(1, opening, black, white)
	score := statstest.ScoreOf(black.elo - white.elo + bias)
	draw := .1 * min(score, 1-score) // does not change the expected score
	switch u := r.Float64(); {
	case u < score-draw/2:
		g.Outcome = board.WinFor(board.Black)
	case u < score+draw/2:
		g.Outcome = board.Draw
	default:
		g.Outcome = board.WinFor(board.White)
	}
	return g
}

func rng(purpose byte, opening []board.Cell, players ...*player) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte{purpose})
	for _, p := range players {
		h.Write(p.values)
	}
	h.Write([]byte(board.FormatMoves(opening)))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// Hill returns strengths with their maximum at the line weights of zhang. Elo falls with the squared logarithms
// of the ratios to these weights.
func Hill(t testing.TB, scale float64) func(*weights.Set) float64 {
	best, declarations := weightstest.Preset(t, "zhang"), weights.Declarations()
	return func(s *weights.Set) float64 {
		loss := 0.0
		for i := range declarations {
			if declarations[i].Group == "line" {
				x := math.Log(float64(s.Values[i]+20)) - math.Log(float64(best.Values[i]+20))
				loss += x * x
			}
		}
		return -scale * loss
	}
}

// Openings replaces book.Validation in tests. It does not search for balanced openings.
func Openings(_ context.Context, used *book.Book, seed uint64, count int, _ func(int)) (*book.Book, error) {
	b := &book.Book{Rule: used.Rule, Size: used.Size}
	taken := used.Keys(map[uint64]bool{})
	r := rand.New(rand.NewPCG(seed, 3))
	for len(b.Openings) < count {
		moves := drawn(r, b.Size)
		if key := board.CanonicalKey(moves, b.Size); !taken[key] {
			taken[key] = true
			b.Openings = append(b.Openings, book.Opening{Moves: moves, Key: key})
		}
	}
	return b, nil
}

// drawn returns four random stones near the centre.
func drawn(r *rand.Rand, size int) []board.Cell {
	moves := make([]board.Cell, 4)
	corner := (size - 7) / 2
	for i, c := range r.Perm(7 * 7)[:len(moves)] {
		moves[i] = board.At(corner+c%7, corner+c/7)
	}
	return moves
}

// Book returns a book with the given number of openings.
func Book(t testing.TB, count, size int) *book.Book {
	t.Helper()
	empty := &book.Book{Rule: pattern.Freestyle, Size: size}
	b, err := Openings(context.Background(), empty, 1, count, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
