package baseline

import "quintune/board"

// The systems sjtu-ga, sjtu-mcts and sjtu-minimax are methods of one course project (SJTU, 2019, on a
// board of 20 × 20). They share an expert table over patterns of five cells, the default policy that
// comes before every search, and the cross evaluation: a stone changes the score of the four lines
// through it alone.

// sjtuPattern is a kind of pattern on the board: H open, C closed, M half open, S dead.
type sjtuPattern uint8

const (
	sjtuWin sjtuPattern = iota
	sjtuH4
	sjtuC4
	sjtuH3
	sjtuM3
	sjtuH2
	sjtuM2
	sjtuS4
	sjtuS3
	sjtuS2
	sjtuPatterns
)

// sjtuTable is the worth of patterns, points.
type sjtuTable [sjtuPatterns]int

// sjtuExpert returns the authors' table.
func sjtuExpert() *sjtuTable {
	return &sjtuTable{
		sjtuWin: 100_000, sjtuH4: 10_000, sjtuC4: 100,
		sjtuH3: 200, sjtuM3: 50, sjtuH2: 5, sjtuM2: 3,
		sjtuS4: -5, sjtuS3: -5, sjtuS2: -5,
	}
}

// sjtuScores keeps the score of a position by lines.
type sjtuScores struct {
	grid  grid
	table *sjtuTable
	lines [4][2 * stride][2]int // [direction][line][colour]
	total [2]int                // [colour]
}

func (s *sjtuScores) load(position *board.Board) {
	s.grid.clear(position.Size())
	s.lines, s.total = [4][2 * stride][2]int{}, [2]int{}
	eachStone(position, func(at spot, colour board.Colour) { s.put(at, stoneOf(colour)) })
}

// score returns ours less theirs, points.
func (s *sjtuScores) score(us board.Colour) int { return s.total[us] - s.total[us.Other()] }

// put sets what stands on a spot and scores the crosses through it anew.
func (s *sjtuScores) put(at spot, what square) {
	s.grid.squares[at] = what
	for d := range s.lines {
		old := &s.lines[d][lineOf(d, at)]
		now := s.line(d, at)
		for colour := range now {
			s.total[colour] += now[colour] - old[colour]
		}
		*old = now
	}
}

// gain returns by how much a stone on an empty spot would raise its colour's score, points.
func (s *sjtuScores) gain(at spot, colour board.Colour) int {
	before := s.score(colour)
	s.put(at, stoneOf(colour))
	after := s.score(colour)
	s.put(at, empty)
	return after - before
}

// line scores one line, once for each colour: every stretch without a stone of the other colour.
func (s *sjtuScores) line(direction int, at spot) (points [2]int) {
	var room [board.MaxSize]square
	cells := s.grid.line(direction, at, room[:0])
	for colour := range points {
		own := stoneOf(board.Colour(colour))
		for from := 0; from < len(cells); from++ {
			to, stones := from, 0
			for ; to < len(cells) && cells[to] != own.other(); to++ {
				if cells[to] == own {
					stones++
				}
			}
			if stones > 1 {
				points[colour] += s.table.stretch(cells, from, to, to-from)
			}
			from = to
		}
	}
	return points
}

// stretch scores the patterns of cells[from:to], which hold no stone of the other colour and lie in so
// much room: the fullest five cells first, of equals the shortest and leftmost, then what is left
// on both sides of it.
//
//	O_OOOO_   H4 (the four stones), not C4 with the first one
func (t *sjtuTable) stretch(cells []square, from, to, room int) int {
	var best struct{ first, end, stones int }
	for first := from; first < to; first++ {
		if cells[first] == empty {
			continue
		}
		stones, end := 0, first
		for i := first; i < min(first+5, to); i++ {
			if cells[i] != empty {
				stones, end = stones+1, i+1
			}
		}
		if stones > best.stones || stones == best.stones && end-first < best.end-best.first {
			best.first, best.end, best.stones = first, end, stones
		}
	}
	if best.stones < 2 {
		return 0
	}
	ends := 0
	for _, i := range [2]int{best.first - 1, best.end} {
		if i >= 0 && i < len(cells) && cells[i] == empty {
			ends++
		}
	}
	return t[sjtuKind(best.stones, best.end-best.first, ends, room)] +
		t.stretch(cells, from, best.first, room) + t.stretch(cells, best.end, to, room)
}

// sjtuKind returns the pattern of two to five stones by the cells from the first to the last, the empty
// cells just outside, and the room between the nearest two of the other colour:
//
//	H4 _OOOO_   C4 XOOOO_, OOO_O   H3 _OOO_, _O_OO_ in room of six   M3 XOOO__, O_O_O   S3 X_OOOX
func sjtuKind(stones, cells, ends, room int) sjtuPattern {
	if stones == 5 {
		return sjtuWin
	}
	if room < 5 {
		return [5]sjtuPattern{2: sjtuS2, 3: sjtuS3, 4: sjtuS4}[stones]
	}
	open := ends == 2 && cells <= 4 && room >= 6
	switch {
	case stones == 4 && open:
		return sjtuH4
	case stones == 4:
		return sjtuC4
	case stones == 3 && open:
		return sjtuH3
	case stones == 3:
		return sjtuM3
	case open:
		return sjtuH2
	}
	return sjtuM2
}
