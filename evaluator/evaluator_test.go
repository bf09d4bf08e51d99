package evaluator

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/weights"
)

// randomSet draws every weight within its bounds.
func randomSet(rng *rand.Rand) *weights.Set {
	set := weights.New("random", pattern.Freestyle, 15)
	for i, d := range weights.Declarations() {
		set.Values[i] = d.Min + rng.Int32N(d.Max-d.Min+1)
	}
	return set
}

func newState(t testing.TB, size int, rule pattern.Rule, set *weights.Set) *State {
	t.Helper()
	return NewState(boardtest.New(t, size, rule), Compile(set))
}

// makeRandom plays n random moves near the stones.
func makeRandom(s *State, rng *rand.Rand, n int) {
	for range n {
		if s.board.Outcome() != board.Ongoing {
			return
		}
		cells := s.board.Near(nil)
		s.Make(cells[rng.IntN(len(cells))])
	}
}

// countedLines returns the colour's four line classes of an empty cell as they count: dead where renju forbids it, or most probably does.
func countedLines(b *board.Board, colour board.Colour, c board.Cell) (lines [4]pattern.LineClass) {
	class := b.Class(colour, c)
	if b.Rule() == pattern.Renju && colour == board.Black && (class == pattern.CellForbidden || class == pattern.CellDoubleThree) {
		return [4]pattern.LineClass{}
	}
	for d := range lines {
		lines[d] = b.Line(colour, d, c)
	}
	return lines
}

// plainScore computes the score directly from the definition, without tables or increments.
func plainScore(s *State, set *weights.Set) int32 {
	rule := s.board.Rule()
	tables := [2]weights.Tables{board.Black: set.Tables(rule.Black()), board.White: set.Tables(rule.White())}
	mover := s.board.SideToMove()
	var score int32
	var best [2]pattern.CellClass
	for _, c := range s.board.AllEmpty(nil) {
		for column, colour := range []board.Colour{mover, mover.Other()} {
			sign := int32(1 - 2*column)
			class := s.board.Class(colour, c)
			lines := countedLines(s.board, colour, c)
			for d, line := range lines {
				score += sign * tables[colour].Line[line][column]
				for _, other := range lines[:d] {
					score += sign * tables[colour].Pair[line][other][column]
				}
			}
			score += sign * tables[colour].Cell[class][column]
			best[column] = max(best[column], class)
		}
	}
	return score + tables[mover].Tempo[best[0]][0] + tables[mover.Other()].Tempo[best[1]][1]
}

func TestScoreEqualsDefinitionThroughMakeAndUnmake(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for game := range 30 {
		set := randomSet(rng)
		s := newState(t, board.MinSize+rng.IntN(board.MaxSize-board.MinSize+1), pattern.Rule(game%pattern.NumRules), set)
		var scores []int32
		for range 50 {
			scores = append(scores, s.Score())
			before := s.board.Ply()
			makeRandom(s, rng, 1)
			if s.board.Ply() == before {
				scores = scores[:len(scores)-1]
				break
			}
			if got, want := s.Score(), plainScore(s, set); got != want {
				t.Fatalf("%s: score %d, want %d", board.FormatMoves(s.board.Moves()), got, want)
			}
			if s.sums != s.total() {
				t.Fatalf("%s: sums %v, want %v", board.FormatMoves(s.board.Moves()), s.sums, s.total())
			}
		}
		for i := len(scores) - 1; i >= 0; i-- {
			s.Unmake()
			if got := s.Score(); got != scores[i] {
				t.Fatalf("after unmake the score is %d, was %d", got, scores[i])
			}
		}
	}
}

func TestExplainSumsToScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for game := range 20 {
		set := randomSet(rng)
		s := newState(t, 15, pattern.Rule(game%pattern.NumRules), set)
		makeRandom(s, rng, 20)
		var sum int32
		for _, term := range s.Explain() {
			value, err := set.Get(term.Weight)
			if err != nil {
				t.Fatal(err)
			}
			if term.Points != int32(term.Count)*value {
				t.Errorf("%s: %d times %d is not %d", term.Weight, term.Count, value, term.Points)
			}
			sum += term.Points
		}
		if sum != s.Score() {
			t.Errorf("terms sum to %d, the score is %d", sum, s.Score())
		}
	}
}

func TestScoreIsEqualUnderSymmetriesAndColourSwap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for game := range 20 {
		set := randomSet(rng)
		rule := pattern.Rule(game % pattern.NumRules)
		s := newState(t, 15, rule, set)
		makeRandom(s, rng, 16)
		moves := s.board.Moves()
		for symmetry := range board.NumSymmetries {
			turned := newState(t, 15, rule, set)
			for _, m := range boardtest.Transform(moves, symmetry, 15) {
				turned.Make(m)
			}
			if turned.Score() != s.Score() {
				t.Errorf("symmetry %d: score %d, want %d", symmetry, turned.Score(), s.Score())
			}
		}
		if rule == pattern.Renju {
			continue // renju has different rules for the two colours
		}
		b := boardtest.New(t, 15, rule)
		for ply, m := range moves {
			b.Place(board.Colour(1-ply&1), m)
		}
		if swapped := NewState(b, s.tables); swapped.Score() != s.Score() {
			t.Errorf("colours swapped: score %d, want %d", swapped.Score(), s.Score())
		}
	}
}

func TestMoveScoreIsTheSumOfOrderWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	set := randomSet(rng)
	for rule := range pattern.Rule(pattern.NumRules) {
		law := [2]pattern.Law{board.Black: rule.Black(), board.White: rule.White()}
		s := newState(t, 15, rule, set)
		makeRandom(s, rng, 30)
		for range 2 { // with either side to move
			mover := s.board.SideToMove()
			for _, c := range s.board.AllEmpty(nil) {
				var want int32
				for column, colour := range []board.Colour{mover, mover.Other()} {
					for _, line := range countedLines(s.board, colour, c) {
						want += set.Tables(law[colour]).Order[line][column]
					}
				}
				if got := s.MoveScore(c); got != want {
					t.Errorf("%v, %v to move, %v: %d, want %d", rule, mover, c, got, want)
				}
			}
			s.Pass()
		}
	}
}

// Even the largest weights on the largest board give scores within ±MaxScore.
func TestMaxScoreHolds(t *testing.T) {
	var line, cell, tempo, pair int64
	for _, d := range weights.Declarations() {
		largest := max(int64(d.Max), -int64(d.Min))
		switch strings.TrimPrefix(d.Group, weights.Prefix(pattern.Restricted)) {
		case "line":
			line = max(line, largest)
		case "cell":
			cell = max(cell, largest)
		case "tempo":
			tempo = max(tempo, largest)
		case "pair":
			pair = max(pair, largest)
		}
	}
	// Line weights are never negative, so only one side's lines count towards the bound; cell and pair weights may have
	// either sign.
	if bound := board.MaxSize*board.MaxSize*(4*line+2*cell+2*6*pair) + 2*tempo; bound >= MaxScore {
		t.Errorf("a score may reach %d, MaxScore is %d", bound, MaxScore)
	}
}

func TestPackedKeepsSigns(t *testing.T) {
	for _, p := range [][2]int32{{0, 0}, {-1, 1}, {1, -1}, {-5, -7}, {1 << 25, -1 << 25}} {
		sum := pack(p[0], p[1]) + pack(3, -4) - pack(3, -4)
		if sum.self() != p[0] || sum.opponent() != p[1] {
			t.Errorf("%v becomes %d, %d", p, sum.self(), sum.opponent())
		}
	}
}

func TestPassKeepsStones(t *testing.T) {
	s := newState(t, 15, pattern.Freestyle, randomSet(rand.New(rand.NewPCG(5, 5))))
	makeRandom(s, rand.New(rand.NewPCG(6, 6)), 10)
	score, mover := s.Score(), s.board.SideToMove()
	s.Pass()
	if s.board.SideToMove() == mover || s.sums != s.total() {
		t.Error("a pass does not just change the side to move")
	}
	s.Unmake()
	if s.Score() != score {
		t.Errorf("score %d after a pass taken back, was %d", s.Score(), score)
	}
}

func BenchmarkMakeUnmake(b *testing.B) {
	for rule := range pattern.Rule(pattern.NumRules) {
		b.Run(rule.String(), func(b *testing.B) {
			moves, err := board.ParseMoves("h8i9i8g8h7j8h9h10g7i7f7g6f8e9f6f9e5d4e7d7g9f10i11j10h11j9k9h6e10d11")
			if err != nil {
				b.Fatal(err)
			}
			s := newState(b, 15, rule, randomSet(rand.New(rand.NewPCG(7, 7))))
			for _, m := range moves {
				s.Make(m)
			}
			cells := s.board.Near(nil)
			i := 0
			for b.Loop() {
				s.Make(cells[i])
				s.Unmake()
				if i++; i == len(cells) {
					i = 0
				}
			}
		})
	}
}
