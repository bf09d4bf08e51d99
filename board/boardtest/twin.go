package boardtest

import (
	"quintune/board"
	"quintune/pattern"
)

// vector returns the columns and rows of one step in a direction, as numbered by board.Board.Line.
func vector(direction int) (dx, dy int) {
	return [4]int{1, 0, 1, -1}[direction], [4]int{0, 1, 1, 1}[direction]
}

func inside(b *board.Board, x, y int) bool { return x >= 0 && y >= 0 && x < b.Size() && y < b.Size() }

func law(b *board.Board, colour board.Colour) pattern.Law {
	if colour == board.Black {
		return b.Rule().Black()
	}
	return b.Rule().White()
}

// Outcome returns the outcome. It counts every row of stones and, where Black may have no move, judges every
// cell. It is the slow plain version of board.Board.Outcome. A foul on the board does not decide the game.
func Outcome(b *board.Board) board.Outcome {
	outcome := board.Ongoing
	if b.Full() || b.Rule() == pattern.Renju && b.SideToMove() == board.Black && b.LastMove() != board.NoCell && stuck(b) {
		outcome = board.Draw
	}
	for _, c := range Cells(b.Size()) {
		colour, ok := b.Stone(c)
		if !ok {
			continue
		}
		for d := range 4 {
			dx, dy := vector(d)
			if row(b, c.X()-dx, c.Y()-dy, dx, dy, colour) > 0 {
				continue // not the row's first stone
			}
			length := row(b, c.X(), c.Y(), dx, dy, colour)
			if length == 5 || length > 5 && law(b, colour) == pattern.Free {
				outcome = board.WinFor(colour)
			}
		}
	}
	return outcome
}

// stuck reports whether every empty cell is forbidden to Black.
func stuck(b *board.Board) bool {
	for _, c := range b.AllEmpty(nil) {
		if Foul(b, c) == board.NoFoul {
			return false
		}
	}
	return true
}

// row counts the colour's stones from (x, y) on.
func row(b *board.Board, x, y, dx, dy int, colour board.Colour) (n int) {
	for ; inside(b, x, y); x, y = x+dx, y+dy {
		if stone, ok := b.Stone(board.At(x, y)); !ok || stone != colour {
			break
		}
		n++
	}
	return n
}

// Fives returns the empty cells on which a stone of the colour wins, by counting stones.
func Fives(b *board.Board, colour board.Colour) (cells []board.Cell) {
	for _, c := range b.AllEmpty(nil) {
		for d := range 4 {
			dx, dy := vector(d)
			n := 1 + row(b, c.X()+dx, c.Y()+dy, dx, dy, colour) + row(b, c.X()-dx, c.Y()-dy, -dx, -dy, colour)
			if n == 5 || n > 5 && law(b, colour) == pattern.Free {
				cells = append(cells, c)
				break
			}
		}
	}
	return cells
}

// LegalMoves returns the cells that the side to move may play, fouls judged by Foul.
func LegalMoves(b *board.Board) (cells []board.Cell) {
	for _, c := range b.AllEmpty(nil) {
		if b.SideToMove() == board.White || Foul(b, c) == board.NoFoul {
			cells = append(cells, c)
		}
	}
	return cells
}

// Line classifies one line through an empty cell by pattern's recursive definition. It is the slow plain version
// of board.Board.Line.
func Line(b *board.Board, colour board.Colour, direction int, c board.Cell) pattern.LineClass {
	dx, dy := vector(direction)
	reach := law(b, colour).Reach()
	line := make([]pattern.Square, 2*reach+1)
	for i := range line {
		x, y := c.X()+(i-reach)*dx, c.Y()+(i-reach)*dy
		line[i] = pattern.Opponent
		if inside(b, x, y) {
			stone, ok := b.Stone(board.At(x, y))
			switch {
			case !ok:
				line[i] = pattern.Empty
			case stone == colour:
				line[i] = pattern.Own
			}
		}
	}
	line[reach] = pattern.Own
	return pattern.Classify(law(b, colour), line)
}
