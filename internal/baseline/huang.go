package baseline

import (
	"math"
	"math/rand/v2"

	"quintune/board"
	"quintune/pattern"
)

// huang scores the four lines through each empty cell for both sides, keeps candidates in lists by what
// they make, and looks two plies ahead (K. Huang, 2018, SUSTech).
//
// His cached scores by direction, of which a stone changes those on its four lines, are what board
// keeps: its line classes are his patterns. Readings of ours where he says nothing: close is within
// two rows and columns; a five ends the search for the side that can make it.
type huang struct {
	limits huangLimits
	size   int

	position *board.Board
	budget   *budget
	root     board.Colour
	close    closeness
}

// huangLimits are the limits of the author's Table II.
type huangLimits struct {
	depth      int // plies
	candidates int // a node
	neighbours int // stones close to a cell that is looked at, at least
	ratio      huangRatio
}

// huangOptions are the limits with his values, and within how many rows and columns a stone is close.
func huangOptions() []option {
	return []option{
		{"depth", 2, 0, 8, "plies of the negamax"},
		{"candidates", 10, 1, board.MaxSize * board.MaxSize, "moves that a node tries"},
		{"neighbours", 2, 0, 8, "least number of close stones of a cell that is looked at"},
		{"close", 2, 1, margin, "rows and columns within which a stone is close"},
		{"ratio", 140, 100, 1000, "factor within which two scores are equal, per cent"},
	}
}

// huangScores are his points [line class][0: the root player's lines, 1: the opponent's].
func huangScores() [pattern.NumLines][2]int {
	return [pattern.NumLines][2]int{
		pattern.ClosedOne:   {15, 10},       // sleep one
		pattern.OpenOne:     {40, 25},       // live one
		pattern.ClosedTwo:   {120, 75},      // sleep two
		pattern.OpenTwo:     {260, 240},     // (big) jump live two
		pattern.OpenTwo3:    {260, 240},     // (big) jump live two
		pattern.OpenTwo4:    {450, 415},     // live two
		pattern.ClosedThree: {650, 500},     // sleep three
		pattern.OpenThree:   {1550, 1150},   // jump live three
		pattern.OpenThree2:  {1730, 1425},   // live three
		pattern.Four:        {2450, 1750},   // flush four
		pattern.OpenFour:    {4750, 3600},   // live four
		pattern.Five:        {20000, 15000}, // five
	}
}

func newHuang(size int, _ pattern.Rule, set settings) system {
	return &huang{
		size: size, close: closeness{distance: set["close"]},
		limits: huangLimits{
			depth: set["depth"], candidates: set["candidates"], neighbours: set["neighbours"], ratio: huangRatio(set["ratio"]),
		},
	}
}

func (h *huang) newGame(*rand.Rand) {}

func (h *huang) choose(position *board.Board, b *budget) board.Cell {
	switch position.Stones() {
	case 0:
		return board.At(h.size/2, h.size/2)
	case 1:
		return huangSecond(position.Moves()[0], h.size)
	}
	h.position, h.budget, h.root = position, b, position.SideToMove()
	h.countClose()
	list := h.candidates(h.root)
	if len(list) == 0 {
		return h.fallback()
	}
	best, highest := list[0], -math.MaxInt
	for i, c := range list {
		if c.kind == huangFive || h.limits.depth == 0 || !b.spend() {
			break
		}
		h.play(c.cell)
		score := -h.search(h.limits.depth-1, -math.MaxInt, -highest)
		h.undo(c.cell)
		if i == 0 || h.limits.ratio.greater(score, highest) {
			best, highest = c, score
		}
	}
	return best.cell
}

// huangSecond returns the answer to the first stone: the neighbour of it that faces away from the
// nearest edge. On the middle lines the order is top, left, bottom, right.
func huangSecond(first board.Cell, size int) board.Cell {
	x, y := first.X(), first.Y()
	answers := [4]struct{ distance, dx, dy int }{{y, 0, 1}, {x, 1, 0}, {size - 1 - y, 0, -1}, {size - 1 - x, -1, 0}}
	nearest := answers[0]
	for _, a := range answers {
		if a.distance < nearest.distance {
			nearest = a
		}
	}
	return board.At(x+nearest.dx, y+nearest.dy)
}

// search is negamax with alpha-beta: the score for the side to move, points. It ends where there is no
// candidate, or one that makes five.
func (h *huang) search(depth, alpha, beta int) int {
	side := h.position.SideToMove()
	if depth <= 0 || h.position.Outcome() != board.Ongoing {
		return h.leaf(side)
	}
	list := h.candidates(side)
	if len(list) == 0 || list[0].kind == huangFive && list[0].own {
		return h.leaf(side)
	}
	best := -math.MaxInt
	for _, c := range list {
		if !h.budget.spend() {
			break
		}
		h.play(c.cell)
		best = max(best, -h.search(depth-1, -beta, -max(alpha, best)))
		h.undo(c.cell)
		if best >= beta {
			break
		}
	}
	if best == -math.MaxInt {
		return h.leaf(side)
	}
	return best
}

// leaf returns the highest score of a cell for the root player less the highest for the opponent, seen from the side
// to move. A row of five on the board has the score of the cell that completed it.
func (h *huang) leaf(side board.Colour) int {
	var highest [2]int // [0: root player, 1: opponent]
	scores := huangScores()
	h.eachClose(func(c board.Cell) {
		for column := range highest {
			_, total := h.score(c, h.root^board.Colour(column), &scores)
			highest[column] = max(highest[column], total)
		}
	})
	for column := range highest {
		if h.position.Outcome() == board.WinFor(h.root^board.Colour(column)) {
			highest[column] = scores[pattern.Five][column]
		}
	}
	if side == h.root {
		return highest[0] - highest[1]
	}
	return highest[1] - highest[0]
}

// score returns the best and the sum of a cell's four line scores for a colour, points.
func (h *huang) score(c board.Cell, colour board.Colour, scores *[pattern.NumLines][2]int) (best, total int) {
	column := colour ^ h.root
	for d := range 4 {
		s := scores[h.position.Line(colour, d, c)][column]
		best, total = max(best, s), total+s
	}
	return best, total
}

func (h *huang) play(c board.Cell) {
	h.position.Play(c)
	h.close.add(spotOf(c), 1)
}

func (h *huang) undo(c board.Cell) {
	h.position.Undo()
	h.close.add(spotOf(c), minusOne)
}

func (h *huang) countClose() {
	h.close.clear()
	for _, c := range h.position.Moves() {
		h.close.add(spotOf(c), 1)
	}
}

// eachClose visits the empty cells that have enough stones close by.
func (h *huang) eachClose(visit func(board.Cell)) {
	for y := range h.size {
		for x := range h.size {
			if c := board.At(x, y); int(h.close.stones[spotOf(c)]) >= h.limits.neighbours && h.position.Empty(c) {
				visit(c)
			}
		}
	}
}

// fallback returns a move where no cell is a candidate: the cell with the most stones close by.
func (h *huang) fallback() board.Cell {
	best, most := board.NoCell, -1
	for _, c := range h.position.AllEmpty(nil) {
		if n := int(h.close.stones[spotOf(c)]); n > most {
			best, most = c, n
		}
	}
	return best
}
