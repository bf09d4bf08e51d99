package baseline

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// zhang scores every empty cell and plays the best one, without looking ahead (Y. Zhang, 2018: one
// term for each of four directions, for us and for the opponent, by linked stones and empty ends).
//
// Two readings are ours, where the author says nothing: a jump that finds no stone is none, and the
// scan forwards jumps before the scan backwards.
type zhang struct {
	grid   grid
	scores zhangScores
	rings  []spot // all cells, from the centre outwards
}

// zhangColumn is the worth of a line for one side, points.
type zhangColumn struct {
	kinds [zhangKinds]int
	// Added where stones stand on both sides of the cell; four and three need both ends empty too.
	fiveBothSides, fourBothSides, threeBothSides int
}

// zhangScores is the author's table.
type zhangScores struct{ own, opponent zhangColumn }

// Kinds of lines by (linked stones, empty ends). A line that leads to nothing has no kind.
const (
	zhangFive = iota
	zhangFour2
	zhangFour1
	zhangThree2
	zhangThree1
	zhangTwo2
	zhangTwo1
	zhangOne2
	zhangOne1
	zhangKinds
)

// authorsZhang returns the table as printed.
func authorsZhang() zhangScores {
	return zhangScores{
		own: zhangColumn{
			kinds:         [zhangKinds]int{1_000_000, 10_000, 3_000, 1_700, 50, 70, 20, 5, 2},
			fiveBothSides: 3_000_000, fourBothSides: 5_000, threeBothSides: 700,
		},
		opponent: zhangColumn{
			kinds:         [zhangKinds]int{30_000, 4_000, 1_800, 1_000, 40, 60, 10, 3, 1},
			fiveBothSides: 50_000, fourBothSides: 2_000, threeBothSides: 400,
		},
	}
}

// zhangMaxSame is how often a kind below five counts over the four directions.
const zhangMaxSame = 2

func newZhang(size int, _ pattern.Rule, _ settings) system {
	return &zhang{scores: authorsZhang(), rings: spotsFromCentre(size)}
}

func (z *zhang) newGame(*rand.Rand) {}

func (z *zhang) choose(position *board.Board, _ *budget) board.Cell {
	z.grid.load(position)
	own := stoneOf(position.SideToMove())
	best, highest := board.NoCell, -1
	for _, at := range z.rings {
		if z.grid.squares[at] != empty {
			continue
		}
		if score := z.score(at, own); score > highest {
			best, highest = at.cell(), score
		}
	}
	return best
}

// score returns the worth of an empty cell for the owner of the stone, points.
func (z *zhang) score(at spot, own square) int {
	var ours, theirs [4]zhangLine
	for d, step := range steps() {
		ours[d] = z.grid.zhangLine(at, step, own)
		theirs[d] = z.grid.zhangLine(at, step, own.other())
	}
	return z.scores.own.sum(ours) + z.scores.opponent.sum(theirs)
}

// zhangLine is a line through an empty cell as if a side had played there.
type zhangLine struct {
	stones    int // linked, the played one included
	ends      int // empty ones, 0 to 2
	bothSides bool
}

// zhangLine reads the line through a spot for one side. A line of linked stones may hold one gap:
//
//	_O.O_OX   four stones, one empty end, stones on both sides
func (g *grid) zhangLine(at, step spot, own square) zhangLine {
	forwards, open, jumped := g.zhangSide(at, step, own, true)
	backwards, alsoOpen, _ := g.zhangSide(at, -step, own, !jumped)
	line := zhangLine{stones: 1 + forwards + backwards, bothSides: forwards > 0 && backwards > 0}
	for _, end := range [2]bool{open, alsoOpen} {
		if end {
			line.ends++
		}
	}
	return line
}

// zhangSide counts own stones on one side of a spot, and reports whether an empty cell ends them and
// whether one was jumped over.
func (g *grid) zhangSide(at, step spot, own square, mayJump bool) (stones int, open, jumped bool) {
	for at += step; ; at += step {
		switch {
		case g.squares[at] == own:
			stones++
		case g.squares[at] != empty:
			return stones, false, jumped
		case mayJump && !jumped && g.squares[at+step] == own:
			jumped = true
		default:
			return stones, true, jumped
		}
	}
}

// kind returns the line's kind; ok is false where it leads to nothing.
func (l zhangLine) kind() (kind int, ok bool) {
	if l.stones >= 5 {
		return zhangFive, true
	}
	return zhangFour2 + 2*(4-l.stones) + 2 - l.ends, l.ends > 0
}

// sum returns the worth of a cell's four lines, points.
func (c *zhangColumn) sum(lines [4]zhangLine) int {
	var seen [zhangKinds]int
	total := 0
	for _, l := range lines {
		kind, ok := l.kind()
		if !ok {
			continue
		}
		if seen[kind]++; kind != zhangFive && seen[kind] > zhangMaxSame {
			continue
		}
		total += c.kinds[kind]
		if l.bothSides {
			total += c.bothSides(kind)
		}
	}
	return total
}

// bothSides returns what is added for stones on both sides of the cell.
func (c *zhangColumn) bothSides(kind int) int {
	switch kind {
	case zhangFive:
		return c.fiveBothSides
	case zhangFour2:
		return c.fourBothSides
	case zhangThree2:
		return c.threeBothSides
	}
	return 0
}

// spotsFromCentre returns all spots of a board ring by ring about its centre, each ring by row,
// then column.
func spotsFromCentre(size int) []spot {
	var spots []spot
	for y := range size {
		for x := range size {
			spots = append(spots, spotOf(board.At(x, y)))
		}
	}
	ring := func(s spot) int {
		dx, dy := s.x()-size/2, s.y()-size/2
		return max(dx, -dx, dy, -dy)
	}
	slices.SortStableFunc(spots, func(a, b spot) int { return cmp.Compare(ring(a), ring(b)) })
	return spots
}
