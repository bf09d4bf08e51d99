package evaluator

import (
	"quintune/board"
	"quintune/pattern"
	"quintune/weights"
)

// State is a board with its scores. Stones move only through Make, Pass and Unmake. It is not safe
// for concurrent use.
type State struct {
	board  *board.Board
	tables *Tables
	sides  [2]*side  // [colour]
	sums   [2]packed // [colour]: value summed over the empty cells
	stack  [][2]packed
}

// NewState returns the state of the board's position. The state owns the board from now on.
func NewState(b *board.Board, t *Tables) *State {
	s := &State{board: b, stack: make([][2]packed, 0, b.Size()*b.Size()+1)}
	s.SetTables(t)
	return s
}

// Board returns the board, which the caller must not change.
func (s *State) Board() *board.Board { return s.board }

// SetTables replaces the weights and rebuilds the scores; see Rebuild.
func (s *State) SetTables(t *Tables) {
	s.tables, s.sides = t, t.sides(s.board.Rule())
	s.Rebuild()
}

// Rebuild computes the scores of the board's position anew. Moves made before cannot be unmade afterwards.
func (s *State) Rebuild() {
	s.stack = s.stack[:0]
	s.sums = s.total()
}

// total sums the values of all cells from scratch. It is the slow plain version of the incremental sums.
func (s *State) total() (sums [2]packed) {
	for y := range s.board.Size() {
		for x := range s.board.Size() {
			for colour := range sums {
				sums[colour] += s.sides[colour].value[s.board.Entry(board.Colour(colour), board.At(x, y)).Code()]
			}
		}
	}
	return sums
}

// Make plays the move, which must be legal.
func (s *State) Make(c board.Cell) {
	s.stack = append(s.stack, s.sums)
	s.board.Play(c)
	black, white := s.sums[board.Black], s.sums[board.White]
	blackValue, whiteValue := &s.sides[board.Black].value, &s.sides[board.White].value
	changed := s.board.Changed()
	for i := range changed {
		ch := &changed[i]
		black += blackValue[ch.Now(board.Black).Code()] - blackValue[ch.Old(board.Black).Code()]
		white += whiteValue[ch.Now(board.White).Code()] - whiteValue[ch.Old(board.White).Code()]
	}
	s.sums = [2]packed{black, white}
}

// Pass gives the move to the other side.
func (s *State) Pass() {
	s.stack = append(s.stack, s.sums)
	s.board.Pass()
}

// Unmake takes back the last Make or Pass since NewState or Rebuild. It panics where there is none.
func (s *State) Unmake() {
	s.board.Undo()
	s.sums = s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
}

// Score returns the static value of the position in points, from the side to move, within ±MaxScore. It looks at
// no moves: fives and open fours that can be made at once are left to the search.
func (s *State) Score() int32 {
	mover := s.board.SideToMove()
	other := mover.Other()
	score := s.sums[mover].self() - s.sums[other].opponent()
	return score + s.sides[mover].weights.Tempo[s.BestClass(mover)][weights.Self] +
		s.sides[other].weights.Tempo[s.BestClass(other)][weights.Opponent]
}

// BestClass returns the strongest cell class that the colour has on the board.
func (s *State) BestClass(colour board.Colour) pattern.CellClass {
	counts := s.board.Counts(colour)
	for class := pattern.CellFive; class > pattern.CellNone; class-- {
		if counts[class] > 0 {
			return class
		}
	}
	return pattern.CellNone
}

// MoveScore returns the ordering score of an empty cell, in points. It is the sum of the order weights of the
// side to move there (self column) and those of the other side (opponent column). The codes of the cells are
// kept incrementally, so a call costs two table look-ups.
func (s *State) MoveScore(c board.Cell) int32 {
	mover := s.board.SideToMove()
	other := mover.Other()
	return s.sides[mover].order[s.board.Entry(mover, c).Code()][weights.Self] +
		s.sides[other].order[s.board.Entry(other, c).Code()][weights.Opponent]
}
