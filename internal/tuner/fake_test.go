package tuner

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/internal/bench"
	"quintune/internal/book"
	"quintune/internal/stats"
	"quintune/internal/store"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// fakeRunner decides pairs by known strengths instead of games: a pure function of both sets and the
// opening, as real games are. Results arrive in an order of its own.
type fakeRunner struct {
	elo      func(*weights.Set) float64
	bias     float64   // sd over openings of the favour for one colour, Elo
	backward bool      // results arrive in the reverse order
	after    func(int) // called after each pair with the number of pairs so far
	pairs    int
}

func (f *fakeRunner) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results := make([]selfplay.Result, len(b.Pairings))
	for k := range results {
		i := k
		if f.backward {
			i = len(results) - 1 - k
		}
		if err := ctx.Err(); err != nil {
			return results, err
		}
		p := &b.Pairings[i]
		results[i] = f.pair(b.Contestants[p.A].Weights, b.Contestants[p.B].Weights, p.Opening)
		f.pairs++
		if done != nil {
			done(i, &results[i])
		}
		if f.after != nil {
			f.after(f.pairs)
		}
	}
	return results, ctx.Err()
}

func (f *fakeRunner) pair(a, b *weights.Set, opening []board.Cell) (r selfplay.Result) {
	r.Games[0] = f.game(a, b, opening)
	r.Games[1] = f.game(b, a, opening)
	return r
}

// game has a bias of the opening, which favours one colour.
func (f *fakeRunner) game(black, white *weights.Set, opening []board.Cell) (g selfplay.Game) {
	bias := f.bias * rng(0, nil, nil, opening).NormFloat64()
	r := rng(1, black, white, opening)
	score := stats.ScoreOf(f.elo(black) - f.elo(white) + bias)
	draw := .1 * min(score, 1-score) // leaves the expected score as it is
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

func rng(purpose byte, a, b *weights.Set, opening []board.Cell) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte{purpose})
	for _, set := range []*weights.Set{a, b} {
		if set == nil {
			continue
		}
		for _, v := range set.Values {
			h.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16)})
		}
	}
	h.Write([]byte(board.FormatMoves(opening)))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// hill is a landscape whose optimum has the line weights of zhang: Elo falls with the squared
// logarithms of the ratios.
func hill(t testing.TB, scale float64) func(*weights.Set) float64 {
	best := preset(t, "zhang")
	return func(s *weights.Set) float64 {
		loss := 0.0
		for i, d := range weights.Declarations() {
			if d.Group == "line" {
				x := math.Log(float64(s.Values[i]+20)) - math.Log(float64(best.Values[i]+20))
				loss += x * x
			}
		}
		return -scale * loss
	}
}

func preset(t testing.TB, name string) *weights.Set {
	t.Helper()
	set, err := weights.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// quickOpenings stands in for book.Validation.
func quickOpenings(_ context.Context, used *book.Book, seed uint64, count int, _ func(int)) (*book.Book, error) {
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

// drawn returns four random stones about the centre.
func drawn(r *rand.Rand, size int) []board.Cell {
	moves := make([]board.Cell, 4)
	corner := (size - 7) / 2
	for i, c := range r.Perm(7 * 7)[:len(moves)] {
		moves[i] = board.At(corner+c%7, corner+c/7)
	}
	return moves
}

// testBook returns so many openings for a board of the size.
func testBook(t testing.TB, count, size int) *book.Book {
	t.Helper()
	empty := &book.Book{Rule: pattern.Freestyle, Size: size}
	b, err := quickOpenings(context.Background(), empty, 1, count, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// smallConfig is a run that takes no time on a fake runner.
func smallConfig(t testing.TB, budget int) *Config {
	t.Helper()
	return &Config{
		StartName: "huang", Start: preset(t, "huang"), Rule: pattern.Freestyle, Size: 15,
		Anchors: []Anchor{{Name: "shapes", Set: preset(t, "shapes")}},
		Shares:  DefaultShares(), Settings: DefaultSettings(false),
		Optimizer: "ga", Polish: .5, Seed: 7, Budget: budget, Nodes: 1,
		Book: testBook(t, 400, 15), Engine: bench.Signature(),
	}
}

// memory is a Store that remembers.
type memory struct {
	states      []State
	generations []store.Generation
	weights     map[string][]byte
	onSave      func(saves int)
	failing     error
	forgotten   int
}

func (m *memory) Runner(inner selfplay.Runner) selfplay.Runner { return inner }

func (m *memory) Forget() error {
	m.forgotten++
	return nil
}

func (m *memory) SaveState(s State, closed *store.Generation) error {
	if closed != nil {
		m.generations = append(m.generations, *closed)
	}
	m.states = append(m.states, s)
	if m.onSave != nil {
		m.onSave(len(m.states))
	}
	return m.failing
}

func (m *memory) SaveWeights(name string, set *weights.Set) (string, error) {
	data, err := weights.Marshal(set)
	if m.weights == nil {
		m.weights = map[string][]byte{}
	}
	m.weights[name] = data
	return name, err
}
