package baseline

import (
	"math/rand/v2"
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// shapes scores the runs of consecutive stones by length, open ends and whose turn it is, and looks ahead
// by minimax of fixed depth over the best moves (a blog's JavaScript engine).
//
// A run ends at the first cell without its stone; only its two ends count:
//
//	XOOO_   three stones, one open end
//	OO_OO   two runs of two
//
// Moves are sorted by the board score that they lead to, and only the best are tried; cells within two
// rows and columns of a stone are looked at. Alpha-beta cuts away what minimax would not choose. We deepen
// ply by ply to the fixed depth, so that a limit of nodes leaves a whole search.
type shapes struct {
	depth   int // plies
	breadth int // best moves that a node tries, at most shapesMaxBest
	budget  *budget

	grid  grid
	close closeness
	cells []spot
	lines [4][2 * stride]shapesSums // [direction][line]
	total shapesSums
}

const shapesMaxBest = 16

func shapesOptions() []option {
	return []option{
		{"depth", 4, 1, 12, "plies of the minimax"},
		{"best", 8, 1, shapesMaxBest, "moves that a node tries"},
	}
}

// shapesPoints are half points of the author's table, which has scores of 0.5.
type shapesPoints = int64

// shapesSums are the scores of runs [colour of the runs][0: it is their owner's turn, 1: it is not].
type shapesSums [2][2]shapesPoints

// shapesFive is the score of five or more, whoever is to move, half points.
const shapesFive shapesPoints = 4e8

// shapesScore returns the score of a run by stones (from 1), open ends (0 to 2) and turn (0: the owner's,
// 1: the other side's).
func shapesScore(stones, ends, turn int) shapesPoints {
	if stones >= 5 {
		return shapesFive
	}
	return [2][4][3]shapesPoints{
		{{0, 1, 2}, {0, 4, 10}, {0, 14, 2e4}, {0, 2e8, 2e8}},
		{{0, 1, 2}, {0, 4, 10}, {0, 10, 100}, {0, 100, 1e6}},
	}[turn][stones-1][ends]
}

func newShapes(size int, _ pattern.Rule, set settings) system {
	return &shapes{
		depth: set["depth"], breadth: set["best"],
		close: closeness{distance: 2}, cells: spotsFromCentre(size),
	}
}

func (s *shapes) newGame(*rand.Rand) {}

func (s *shapes) choose(position *board.Board, b *budget) board.Cell {
	s.budget = b
	s.load(position)
	if position.Stones() == 0 {
		return s.cells[0].cell()
	}
	mover := position.SideToMove()
	var room [shapesMaxBest]shapesMove
	moves := s.best(mover, room[:0])
	if len(moves) == 0 {
		return position.AllEmpty(nil)[0]
	}
	for depth := 1; depth <= s.depth; depth++ {
		if best, finished := s.root(mover, moves, depth); finished {
			// The best move first: the next depth cuts more with it.
			i := slices.IndexFunc(moves, func(m shapesMove) bool { return m.at == best })
			chosen := moves[i]
			copy(moves[1:i+1], moves[:i])
			moves[0] = chosen
		}
	}
	return moves[0].at.cell()
}

// root returns the best of the moves at a depth, and whether the search was finished.
func (s *shapes) root(mover board.Colour, moves []shapesMove, depth int) (best spot, finished bool) {
	const infinite = 1 << 62
	best, alpha := moves[0].at, shapesPoints(-infinite)
	for _, m := range moves {
		if score := s.after(mover, m, depth, alpha, infinite); score > alpha {
			best, alpha = m.at, score
		}
	}
	return best, !s.budget.over
}

// after returns the score of a move for the mover, half points: at depth 1, or where it makes five, the score of the
// board after it.
func (s *shapes) after(mover board.Colour, m shapesMove, depth int, alpha, beta shapesPoints) shapesPoints {
	if !s.budget.spend() || depth <= 1 || s.grid.wins(m.at, stoneOf(mover), pattern.Freestyle) {
		return m.score
	}
	s.place(m.at, stoneOf(mover))
	score := -s.search(mover.Other(), depth-1, -beta, -alpha)
	s.take(m.at)
	return score
}

// search returns the score for the mover, half points.
func (s *shapes) search(mover board.Colour, depth int, alpha, beta shapesPoints) shapesPoints {
	var room [shapesMaxBest]shapesMove
	moves := s.best(mover, room[:0])
	if len(moves) == 0 {
		return s.score(mover, mover)
	}
	best := shapesPoints(-1 << 62)
	for _, m := range moves {
		best = max(best, s.after(mover, m, depth, max(alpha, best), beta))
		if best >= beta || s.budget.over {
			break
		}
	}
	return best
}

// shapesMove is a move with the score of the board behind it for the mover.
type shapesMove struct {
	at    spot
	score shapesPoints
}

// best appends the moves that lead to the highest board scores, the highest first, of equals the one
// nearer to the centre.
func (s *shapes) best(mover board.Colour, moves []shapesMove) []shapesMove {
	for _, at := range s.cells {
		if s.grid.squares[at] != empty || s.close.stones[at] == 0 {
			continue
		}
		s.place(at, stoneOf(mover))
		m := shapesMove{at, s.score(mover, mover.Other())}
		s.take(at)
		if len(moves) == s.breadth {
			if m.score <= moves[len(moves)-1].score {
				continue
			}
			moves = moves[:len(moves)-1]
		}
		i := len(moves)
		for i > 0 && moves[i-1].score < m.score {
			i--
		}
		moves = slices.Insert(moves, i, m)
	}
	return moves
}

// score returns the board score for a colour where toMove plays next, half points.
func (s *shapes) score(colour, toMove board.Colour) shapesPoints {
	turn := colour ^ toMove
	return s.total[colour][turn] - s.total[colour.Other()][1-turn]
}

func (s *shapes) load(position *board.Board) {
	s.grid.clear(position.Size())
	s.close.clear()
	s.lines, s.total = [4][2 * stride]shapesSums{}, shapesSums{}
	eachStone(position, func(at spot, colour board.Colour) { s.place(at, stoneOf(colour)) })
}

func (s *shapes) place(at spot, stone square) {
	s.grid.squares[at] = stone
	s.close.add(at, 1)
	s.rescore(at)
}

func (s *shapes) take(at spot) {
	s.grid.squares[at] = empty
	s.close.add(at, minusOne)
	s.rescore(at)
}

// rescore scores the four lines through a spot anew.
func (s *shapes) rescore(at spot) {
	for d := range s.lines {
		now := s.line(d, at)
		old := &s.lines[d][lineOf(d, at)]
		for colour := range now {
			for turn := range now[colour] {
				s.total[colour][turn] += now[colour][turn] - old[colour][turn]
			}
		}
		*old = now
	}
}

// line scores the runs of the line through a spot.
func (s *shapes) line(direction int, at spot) (sums shapesSums) {
	step := steps()[direction]
	for s.grid.squares[at-step] != wall {
		at -= step
	}
	for s.grid.squares[at] != wall {
		stone := s.grid.squares[at]
		if stone == empty {
			at += step
			continue
		}
		ends := 0
		if s.grid.squares[at-step] == empty {
			ends++
		}
		stones := 1 + s.grid.run(at, step, stone)
		at += spot(stones) * step
		if s.grid.squares[at] == empty {
			ends++
		}
		for turn := range sums[stone-black] {
			sums[stone-black][turn] += shapesScore(stones, ends, turn)
		}
	}
	return sums
}
