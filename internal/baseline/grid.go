package baseline

import (
	"quintune/board"
	"quintune/pattern"
)

// square is what stands on a point of a grid.
type square uint8

const (
	empty square = iota
	black
	white
	wall // beyond the edge
)

// stoneOf returns the stone of a colour.
func stoneOf(c board.Colour) square { return black + square(c) }

// other returns the stone of the other colour.
func (s square) other() square { return black + white - s }

// A grid is surrounded by enough walls that a row of five through any cell stays inside the array.
const (
	margin   = 5
	stride   = 32
	numSpots = stride * stride
)

// spot is an index of a grid.
type spot int

// spotOf returns the spot of a cell.
func spotOf(c board.Cell) spot { return spot((c.Y()+margin)*stride + c.X() + margin) }

// cell returns the spot's cell.
func (s spot) cell() board.Cell { return board.At(s.x(), s.y()) }

func (s spot) x() int { return int(s)%stride - margin }
func (s spot) y() int { return int(s)/stride - margin }

// steps are the distances between neighbours on a grid: row, column, falling and rising diagonal.
func steps() [4]spot { return [4]spot{1, stride, stride + 1, stride - 1} }

// lineOf numbers the lines of a direction, as in steps: the line through a spot, below 2 * stride.
func lineOf(direction int, s spot) int {
	x, y := int(s)%stride, int(s)/stride
	return [4]int{y, x, x - y + stride, x + y}[direction]
}

// grid is the stones of a position and nothing else, for systems that read lines stone by stone.
type grid struct {
	size    int
	squares [numSpots]square
}

// clear makes the grid an empty board of the size.
func (g *grid) clear(size int) {
	g.size = size
	for i := range g.squares {
		g.squares[i] = wall
	}
	for y := range size {
		for x := range size {
			g.squares[spotOf(board.At(x, y))] = empty
		}
	}
}

// load makes the grid show the position.
func (g *grid) load(position *board.Board) {
	g.clear(position.Size())
	eachStone(position, func(at spot, colour board.Colour) { g.squares[at] = stoneOf(colour) })
}

// eachStone visits the stones of a position in the order of its moves.
func eachStone(position *board.Board, visit func(at spot, colour board.Colour)) {
	for _, c := range position.Moves() {
		colour, _ := position.Stone(c)
		visit(spotOf(c), colour)
	}
}

// run returns how many stones of the kind follow the spot without a gap in the direction of step.
func (g *grid) run(from, step spot, stone square) int {
	n := 0
	for at := from + step; g.squares[at] == stone; at += step {
		n++
	}
	return n
}

// line appends to squares the line through a spot, from its first cell to its last.
func (g *grid) line(direction int, at spot, squares []square) []square {
	step := steps()[direction]
	for g.squares[at-step] != wall {
		at -= step
	}
	for ; g.squares[at] != wall; at += step {
		squares = append(squares, g.squares[at])
	}
	return squares
}

// wins reports whether a stone on the spot stands in a row that wins under the rule.
func (g *grid) wins(at spot, stone square, rule pattern.Rule) bool {
	for _, step := range steps() {
		length := 1 + g.run(at, step, stone) + g.run(at, -step, stone)
		if length == 5 || length > 5 && rule == pattern.Freestyle {
			return true
		}
	}
	return false
}

// near appends to spots the empty neighbours of stones, by row, then column.
func (g *grid) near(spots []spot) []spot {
	for y := range g.size {
		for x := range g.size {
			at := spotOf(board.At(x, y))
			if g.squares[at] == empty && g.neighbours(at, 1) > 0 {
				spots = append(spots, at)
			}
		}
	}
	return spots
}

// box appends to spots the empty spots in the bounding box of the stones grown by a number of cells, by row, then column.
// Where they are fewer than least, it grows on, at most to the whole board.
func (g *grid) box(spots []spot, grown, least int) []spot {
	left, right, top, bottom := g.size, -1, g.size, -1
	for y := range g.size {
		for x := range g.size {
			if g.squares[spotOf(board.At(x, y))] != empty {
				left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
			}
		}
	}
	start := len(spots)
	for ; ; grown++ {
		spots = spots[:start]
		for y := max(0, top-grown); y <= min(g.size-1, bottom+grown); y++ {
			for x := max(0, left-grown); x <= min(g.size-1, right+grown); x++ {
				if at := spotOf(board.At(x, y)); g.squares[at] == empty {
					spots = append(spots, at)
				}
			}
		}
		if len(spots)-start >= least || grown >= g.size {
			return spots
		}
	}
}

// neighbours counts the stones within a number of rows and columns of a spot, at most margin of them.
func (g *grid) neighbours(at spot, distance int) int {
	n := 0
	for dy := -distance; dy <= distance; dy++ {
		row := at + spot(dy*stride)
		for _, s := range g.squares[row-spot(distance) : row+spot(distance)+1] {
			if s == black || s == white {
				n++
			}
		}
	}
	return n
}

// closeness counts the stones within a number of rows and columns of each spot.
type closeness struct {
	distance int // at most margin
	stones   [numSpots]uint8
}

// minusOne takes a stone out of a count.
const minusOne = ^uint8(0)

func (c *closeness) clear() { c.stones = [numSpots]uint8{} }

// add counts n stones more about a spot.
func (c *closeness) add(at spot, n uint8) {
	d := spot(c.distance)
	for row := at - d*stride; row <= at+d*stride; row += stride {
		stones := c.stones[row-d : row+d+1]
		for i := range stones {
			stones[i] += n
		}
	}
}
