package baseline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
)

// O is Black's, X White's; a board of 15 lies behind the row, so that it is closed by X or runs on.
func TestSjtuPatterns(t *testing.T) {
	table := sjtuTable{}
	for kind := range table {
		table[kind] = 1 << kind // shows which patterns were seen
	}
	for _, test := range []struct {
		row  string
		want []sjtuPattern
	}{
		{"_O_", nil},
		{"_OOOOO_", []sjtuPattern{sjtuWin}},
		{"XOOOOOOX", []sjtuPattern{sjtuWin}},
		{"_OOOO_", []sjtuPattern{sjtuH4}},
		{"XOOOO_", []sjtuPattern{sjtuC4}},
		{"XOOO_OX", []sjtuPattern{sjtuC4}},
		{"_OO_OO_", []sjtuPattern{sjtuC4}},
		{"XO_OOOO_", []sjtuPattern{sjtuH4}},
		{"XOOOOX", []sjtuPattern{sjtuS4}},
		{"__OOO_X", []sjtuPattern{sjtuH3}},
		{"X_OOO_X", []sjtuPattern{sjtuM3}},
		{"X_OO_O_X", []sjtuPattern{sjtuH3}},
		{"XOOO__", []sjtuPattern{sjtuM3}},
		{"X_O_O_O_X", []sjtuPattern{sjtuM3}},
		{"X_OOOX", []sjtuPattern{sjtuS3}},
		{"X__OO__X", []sjtuPattern{sjtuH2}},
		{"X_O__O_X", []sjtuPattern{sjtuH2}},
		{"XOO___X", []sjtuPattern{sjtuM2}},
		{"XO___OX", []sjtuPattern{sjtuM2}},
		{"X_OO_X", []sjtuPattern{sjtuS2}},
		{"XOO____OO__X", []sjtuPattern{sjtuM2, sjtuH2}},
		{"XOOX_OOO_X__OO__X", []sjtuPattern{sjtuS2, sjtuM3, sjtuH2}},
		{"X____", nil},
	} {
		t.Run(test.row, func(t *testing.T) {
			s := sjtuScores{table: &table}
			s.grid.clear(20)
			first := spotOf(board.At(0, 7))
			for i := range test.row {
				s.grid.squares[first+spot(i)] = map[byte]square{'O': black, 'X': white, '_': empty}[test.row[i]]
			}
			want := 0
			for _, kind := range test.want {
				want += 1 << kind
			}
			if got := s.line(0, first)[board.Black]; got != want {
				t.Errorf("%s: %b, want %b", test.row, got, want)
			}
		})
	}
}

func TestSjtuTable(t *testing.T) {
	want := sjtuTable{100_000, 10_000, 100, 200, 50, 5, 3, -5, -5, -5}
	if got := sjtuExpert(); *got != want {
		t.Errorf("%v, want %v", *got, want)
	}
	six := sjtuSix()
	if got := []int{six[sjtuWin], six[sjtuH4], six[sjtuC4], six[sjtuH3], six[sjtuM3], six[sjtuH2]}; !slices.Equal(got, []int{100000, 10000, 100, 200, 50, 5}) {
		t.Errorf("the six patterns are worth %v", got)
	}
}

// plainSjtu scores the whole board anew.
func plainSjtu(s *sjtuScores) (total [2]int) {
	for d := range 4 {
		seen := map[int]bool{}
		for _, at := range spotsFromCentre(s.grid.size) {
			if seen[lineOf(d, at)] {
				continue
			}
			seen[lineOf(d, at)] = true
			for colour, points := range s.line(d, at) {
				total[colour] += points
			}
		}
	}
	return total
}

// Cross evaluation: the four lines through a stone are enough.
func TestSjtuCrossEvaluation(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, size := range []int{5, 11, 20} {
		for range 2 {
			position := setUp(t, size, "", "", board.Black)
			s := sjtuScores{table: sjtuExpert()}
			s.load(position)
			for position.Outcome() == board.Ongoing {
				cells := position.AllEmpty(nil)
				c := cells[rng.IntN(len(cells))]
				side := position.SideToMove()
				before := s.score(side)
				gain := s.gain(spotOf(c), side)
				s.put(spotOf(c), stoneOf(side))
				position.Play(c)
				if want := plainSjtu(&s); s.total != want {
					t.Fatalf("%v after %s, want %v", s.total, board.FormatMoves(position.Moves()), want)
				}
				if s.score(side)-before != gain || s.score(side) != -s.score(side.Other()) {
					t.Fatalf("the gain of %v is %d, but the score went from %d to %d", c, gain, before, s.score(side))
				}
			}
		}
	}
}

// sjtuNames are the systems with the default policy.
func sjtuNames() []string { return []string{"sjtu-ga", "sjtu-mcts", "sjtu-minimax"} }

// The default policy: our five out of any four, then theirs, then their open three; only then search.
func TestSjtuPolicy(t *testing.T) {
	for _, test := range []struct {
		name, blacks, whites string
		want                 string // any of these; "" for a search
	}{
		{"our open four", "h8i8j8k8", "h11i11j11k11", "g8l8"},
		{"our closed four", "h8i8j8k8", "g8h11i11j11k11", "l8"},
		{"our split four", "g8h8j8k8", "h11i11j11k11", "i8"},
		{"their open four", "h8i8j8", "h11i11j11k11", "g11l11"},
		{"their closed four", "h8i8j8g11", "h11i11j11k11", "l11"},
		{"their split four", "h8i8j8", "g11h11j11k11", "i11"},
		{"their open three before ours", "h8i8j8", "h11i11j11", "g11k11"},
		{"their split three", "a1c8", "h11i11k11", "j11"},
		{"their closed three is left to the search", "g11", "h11i11j11", ""},
		{"our open three is left to the search", "h8i8j8", "a1b5c9", ""},
		{"nothing", "h8", "i9", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			position := setUp(t, 15, test.blacks, test.whites, board.Black)
			scores := sjtuScores{table: sjtuExpert()}
			scores.load(position)
			move, ok := sjtuPolicy(position, &scores)
			if ok != (test.want != "") || ok && !slices.Contains(boardtest.Moves(t, test.want), move) {
				t.Errorf("%v, want one of %q", move, test.want)
			}
			for _, name := range sjtuNames() {
				reply, err := mustOpen(t, name, 15, 20).Move(t.Context(), position)
				if err != nil {
					t.Fatal(err)
				}
				if searched := reply.Nodes > 0; searched == ok {
					t.Errorf("%s has searched %d nodes", name, reply.Nodes)
				}
				if ok && reply.Move != move {
					t.Errorf("%s plays %v, not %v", name, reply.Move, move)
				}
			}
		})
	}
}

// What the policy leaves to the search is found there: an open three becomes an open four.
func TestSjtuSearchesFindAnOpenFour(t *testing.T) {
	position := setUp(t, 15, "h8i8j8", "a1c5o9", board.Black)
	for name, nodes := range map[string]int64{"sjtu-ga": 3000, "sjtu-mcts": 3000, "sjtu-minimax": 500} {
		if got := answer(t, mustOpen(t, name, 15, nodes), position); !slices.Contains(boardtest.Moves(t, "g8k8"), got) {
			t.Errorf("%s plays %v, want g8 or k8", name, got)
		}
	}
}

// minimax is the search without cuts.
func (m *sjtuMinimax) minimax(side board.Colour, depth, plies int) int64 {
	best := int64(-1 << 60)
	moves := m.moves(side)
	for _, move := range moves[:min(len(moves), sjtuBreadth)] {
		value := int64(sjtuDiscount(depth)) * int64(move.gain)
		m.scores.put(move.at, stoneOf(side))
		over := m.scores.grid.wins(move.at, stoneOf(side), 0)
		if depth+1 < plies && !over {
			value -= m.minimax(side.Other(), depth+1, plies)
		}
		m.scores.put(move.at, empty)
		best = max(best, value)
	}
	return best
}

func TestSjtuSearchIsMinimax(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	for range 8 {
		position := setUp(t, 9, "e5", "", board.White)
		for range 7 {
			cells := position.Near(nil)
			position.Play(cells[rng.IntN(len(cells))])
		}
		m := newSjtuMinimax(9, position.Rule(), usually("sjtu-minimax")).(*sjtuMinimax)
		m.scores.load(position)
		b := newBudget(t.Context(), 0)
		m.budget = &b
		side := position.SideToMove()
		for plies := 1; plies <= 3; plies++ {
			want := m.minimax(side, 0, plies)
			if got := m.search(side, 0, plies, -1<<60, 1<<60); got != want {
				t.Errorf("%s: %d plies give %d, want %d", board.FormatMoves(position.Moves()), plies, got, want)
			}
		}
	}
}

// The discounts are α·γᵈ for α and γ of nine tenths.
func TestSjtuDiscounts(t *testing.T) {
	if sjtuDiscount(0) != 1000 {
		t.Errorf("the root move counts %d thousandths", sjtuDiscount(0))
	}
	for d, exact := 1, 0.81; d < sjtuDepth; d, exact = d+1, exact*0.9 {
		if got := sjtuDiscount(d); got != int(1000*exact+0.5) {
			t.Errorf("depth %d: %d thousandths, want %v", d, got, 1000*exact)
		}
	}
}

func TestSjtuGAIndividuals(t *testing.T) {
	position := setUp(t, 15, "h8i9", "g7h9", board.Black)
	g := newSjtuGA(15, position.Rule(), usually("sjtu-ga")).(*sjtuGA)
	g.newGame(rand.New(rand.NewPCG(1, 2)))
	b := newBudget(t.Context(), 400)
	g.choose(position, &b)
	if b.used != 400 || len(g.people) == 0 {
		t.Fatalf("%d evaluations and %d individuals", b.used, len(g.people))
	}
	for _, one := range g.people {
		scores := sjtuScores{table: sjtuSix()}
		scores.load(position)
		for i, at := range one.genes {
			if scores.grid.squares[at] != empty {
				t.Fatalf("gene %d of %v is taken", i, one.genes)
			}
			if x, y := at.x(), at.y(); x < 5 || x > 9 || y < 5 || y > 9 {
				t.Errorf("gene %v lies outside the box of the stones grown by one", at.cell())
			}
			scores.put(at, stoneOf(board.Colour(i&1)))
		}
		if got := scores.score(board.Black); got != one.fitness {
			t.Errorf("fitness is %d, want %d", one.fitness, got)
		}
	}
	if !slices.IsSortedFunc(g.people, func(a, b sjtuIndividual) int { return b.fitness - a.fitness }) {
		t.Error("the best individual is not the first")
	}
}

// A population that is stable ends the search without any limit.
func TestSjtuGAEnds(t *testing.T) {
	p := mustOpen(t, "sjtu-ga", 15, 0)
	reply, err := p.Move(t.Context(), setUp(t, 15, "h8i9", "g7h9", board.Black))
	if err != nil || reply.Nodes < sjtuPopulation*sjtuStable/2 {
		t.Errorf("%v after %d evaluations", err, reply.Nodes)
	}
}

// Every play-out passes one child of the root, and leaves the position as it was.
func TestSjtuMCTSCounts(t *testing.T) {
	position := setUp(t, 15, "h8i9", "g7h9", board.Black)
	m := newSjtuMCTS(15, position.Rule(), usually("sjtu-mcts")).(*sjtuMCTS)
	m.newGame(rand.New(rand.NewPCG(1, 2)))
	b := newBudget(t.Context(), 500)
	m.choose(position, &b)
	var visits, points int32
	for _, child := range m.children(0) {
		visits += child.visits
		points += child.points
	}
	if m.nodes[0].visits != 500 || visits != 500 || b.used != 500 {
		t.Errorf("%d play-outs, %d visits of the root and %d of its children", b.used, m.nodes[0].visits, visits)
	}
	if points <= 0 || points >= 2*visits {
		t.Errorf("%d half points of %d visits", points, visits)
	}
	var want grid
	want.load(position)
	if m.grid != want {
		t.Error("stones are left on the grid")
	}
}
