package record

import (
	"fmt"
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// Arrange returns moves, Black first and colours in turn, that lead to the stones. It is an error where the numbers of
// stones do not allow it, the stones make a row that wins, or no order was found in which Black moves onto no forbidden cell.
func Arrange(size int, rule pattern.Rule, black, white []board.Cell) ([]board.Cell, error) {
	b, err := board.New(size, rule)
	if err != nil {
		return nil, err
	}
	if n := len(black) - len(white); n < 0 || n > 1 {
		return nil, fmt.Errorf("there are %d black and %d white stones: Black has the same number as White, or one more", len(black), len(white))
	}
	stones := [2][]board.Cell{black, white}
	for range attempts {
		b.Reset()
		var stuck []board.Cell
		if stuck, err = putAll(b, stones); err == nil {
			return b.Moves(), nil
		}
		side := b.SideToMove()
		first := func(c board.Cell) bool { return slices.Contains(stuck, c) }
		stones[side] = append(stuck, slices.DeleteFunc(slices.Clone(stones[side]), first)...)
	}
	return nil, err
}

// attempts is how often Arrange begins anew, as Position.SetUp of gomocup does. Five of six in a row win under the standard rule only
// while the sixth is missing, and a cell is forbidden only behind the stones that make its fork. So stones at which an attempt got stuck
// are put first in the next one.
const attempts = 4

// putAll puts stones on an empty board, Black first and colours in turn. It ends where each stone that is left of the side to
// move would win or is illegal, and returns these with an error.
func putAll(b *board.Board, stones [2][]board.Cell) (stuck []board.Cell, err error) {
	left := [2][]board.Cell{slices.Clone(stones[board.Black]), slices.Clone(stones[board.White])}
	for range len(left[board.Black]) + len(left[board.White]) {
		mine := left[b.SideToMove()]
		i := slices.IndexFunc(mine, func(c board.Cell) bool { return b.Legal(c) == nil && !wins(b, c) })
		if i < 0 {
			if slices.ContainsFunc(mine, func(c board.Cell) bool { return b.Legal(c) == nil }) {
				return mine, fmt.Errorf("the stones make a row that wins: %v", board.WinFor(b.SideToMove()))
			}
			return mine, b.Legal(mine[0])
		}
		c := mine[i]
		left[b.SideToMove()] = slices.Delete(mine, i, i+1)
		b.Play(c)
	}
	return nil, nil
}

// wins reports whether a legal move wins.
func wins(b *board.Board, c board.Cell) bool {
	b.Play(c)
	defer b.Undo()
	o := b.Outcome()
	return o == board.BlackWins || o == board.WhiteWins
}
