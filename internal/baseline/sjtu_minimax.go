package baseline

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// sjtuMinimax is minimax with an update borrowed from Q-learning (SJTU, 2019): a root move starts with the
// change of the board score that it makes, and each later move of its subtree adds
//
//	Δ = α·γᵈ · (change of the board score by the move at depth d)
//
// where minimax chooses the moves. The default policy comes first.
//
// Root moves are the neighbours of stones, as the authors say. What they leave open is ours: α and γ
// are nine tenths, inner nodes try the moves that change the score most, and depth grows ply by ply, so
// that a limit of nodes leaves a whole search.
type sjtuMinimax struct {
	scores sjtuScores
	cells  []spot
	budget *budget
}

const (
	sjtuDepth   = 4 // plies, the root move included
	sjtuBreadth = 8 // moves that inner nodes try
)

// sjtuDiscount is α·γᵈ in thousandths; 1000 for the root move itself.
func sjtuDiscount(depth int) int {
	return [sjtuDepth]int{1000, 810, 729, 656}[depth]
}

func newSjtuMinimax(size int, _ pattern.Rule, _ settings) system {
	return &sjtuMinimax{scores: sjtuScores{table: sjtuExpert()}, cells: spotsFromCentre(size)}
}

func (m *sjtuMinimax) newGame(*rand.Rand) {}

func (m *sjtuMinimax) choose(position *board.Board, b *budget) board.Cell {
	m.budget = b
	m.scores.load(position)
	if position.Stones() == 0 {
		return m.cells[0].cell()
	}
	if move, ok := sjtuPolicy(position, &m.scores); ok {
		return move
	}
	us := position.SideToMove()
	moves := m.moves(us)
	if len(moves) == 0 {
		return position.AllEmpty(nil)[0]
	}
	for plies := 1; plies <= sjtuDepth; plies++ {
		if !m.root(us, moves, plies) {
			break
		}
		// Behind the best the values are bounds, by which the order of the next search is no worse.
		slices.SortStableFunc(moves, func(a, b sjtuMove) int { return cmp.Compare(b.value, a.value) })
	}
	return moves[0].at.cell()
}

// sjtuMove is a move.
type sjtuMove struct {
	at    spot
	gain  int   // change of the board score for its side, points
	value int64 // of a root move: gain and what its subtree adds, thousandths of points
}

// moves returns the empty neighbours of stones, those that raise the side's score most first, of equals the one nearer
// to the centre.
func (m *sjtuMinimax) moves(side board.Colour) []sjtuMove {
	var moves []sjtuMove
	for _, at := range m.cells {
		if m.scores.grid.squares[at] == empty && m.scores.grid.neighbours(at, 1) > 0 {
			moves = append(moves, sjtuMove{at: at, gain: m.scores.gain(at, side)})
		}
	}
	slices.SortStableFunc(moves, func(a, b sjtuMove) int { return cmp.Compare(b.gain, a.gain) })
	return moves
}

// root updates the values of the root moves along their subtrees of the given number of plies. It returns false where
// the budget was not enough; the moves keep their order.
func (m *sjtuMinimax) root(us board.Colour, moves []sjtuMove, plies int) bool {
	const infinite = 1 << 60
	highest := int64(-infinite)
	for i := range moves {
		moves[i].value = m.after(us, moves[i], 0, plies, highest, infinite)
		highest = max(highest, moves[i].value)
	}
	return !m.budget.over
}

// after returns what a move at a depth and its subtree add to the score of the side, thousandths.
func (m *sjtuMinimax) after(side board.Colour, move sjtuMove, depth, plies int, alpha, beta int64) int64 {
	if !m.budget.spend() {
		return 0
	}
	delta := int64(sjtuDiscount(depth)) * int64(move.gain)
	if depth+1 == plies || m.scores.grid.wins(move.at, stoneOf(side), pattern.Freestyle) {
		return delta
	}
	m.scores.put(move.at, stoneOf(side))
	rest := m.search(side.Other(), depth+1, plies, delta-beta, delta-alpha)
	m.scores.put(move.at, empty)
	return delta - rest
}

// search returns how much the subtree of a node adds to the score of the side to move, in thousandths.
func (m *sjtuMinimax) search(side board.Colour, depth, plies int, alpha, beta int64) int64 {
	moves := m.moves(side)
	if len(moves) == 0 {
		return 0
	}
	best := int64(-1 << 60)
	for _, move := range moves[:min(len(moves), sjtuBreadth)] {
		best = max(best, m.after(side, move, depth, plies, max(alpha, best), beta))
		if best >= beta || m.budget.over {
			break
		}
	}
	return best
}
