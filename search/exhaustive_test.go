package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// exhaustive solves positions with few empty cells by trying every move. It uses nothing but the rules of the
// game.
type exhaustive struct {
	rule   pattern.Rule
	size   int
	stones [board.MaxSize][board.MaxSize]uint8 // [y][x]: 0 empty, 1 black, 2 white
	empty  []board.Cell
	solved []int8 // [state, see solve]: the result plus one; 0 for unknown
}

func newExhaustive(b *board.Board) *exhaustive {
	x := &exhaustive{rule: b.Rule(), size: b.Size(), empty: b.AllEmpty(nil)}
	for _, c := range boardtest.Cells(b.Size()) {
		if colour, ok := b.Stone(c); ok {
			x.stones[c.Y()][c.X()] = uint8(colour) + 1
		}
	}
	states := 1
	for range x.empty {
		states *= 3
	}
	x.solved = make([]int8, states)
	return x
}

// solve returns the plies to the win of the side to move, negative for a loss, 0 for a draw. state numbers what
// stands on the cells that were empty at the start, in base three. left is the number of cells still empty.
func (x *exhaustive) solve(mover board.Colour, state, left int) int {
	if left == 0 {
		return 0
	}
	if known := x.solved[state]; known != 0 {
		return int(known) - 1
	}
	best, moves := 0, 0
	better := func(result int) bool {
		switch {
		case moves == 0, result > 0 && best <= 0, result == 0 && best < 0:
			return true
		case result > 0 && best > 0, result < 0 && best < 0:
			return result < best
		}
		return false
	}
	power := 1
	for _, c := range x.empty {
		if x.stones[c.Y()][c.X()] == 0 && x.allowed(mover, c) {
			result := 1
			if !x.wins(mover, c) {
				x.stones[c.Y()][c.X()] = uint8(mover) + 1
				result = -x.solve(mover.Other(), state+power*(int(mover)+1), left-1)
				x.stones[c.Y()][c.X()] = 0
				switch {
				case result > 0:
					result++
				case result < 0:
					result--
				}
			}
			if better(result) {
				best = result
			}
			moves++
			if best == 1 {
				break
			}
		}
		power *= 3
	}
	x.solved[state] = int8(best + 1)
	if best == -1 { // it would be stored as 0, unknown
		panic("a loss in one ply")
	}
	return best
}

// wins reports whether the colour wins by a stone on the empty cell.
func (x *exhaustive) wins(colour board.Colour, c board.Cell) bool {
	long := x.rule == pattern.Freestyle || x.rule == pattern.Renju && colour == board.White
	for _, step := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		n := 1 + x.row(colour, c, step[0], step[1]) + x.row(colour, c, -step[0], -step[1])
		if n == 5 || n > 5 && long {
			return true
		}
	}
	return false
}

func (x *exhaustive) row(colour board.Colour, c board.Cell, dx, dy int) (n int) {
	for i, j := c.X()+dx, c.Y()+dy; i >= 0 && j >= 0 && i < x.size && j < x.size && x.stones[j][i] == uint8(colour)+1; i, j = i+dx, j+dy {
		n++
	}
	return n
}

// allowed reports whether the rule lets the colour play the empty cell.
func (x *exhaustive) allowed(colour board.Colour, c board.Cell) bool {
	if x.rule != pattern.Renju || colour == board.White {
		return true
	}
	var r boardtest.Referee
	for _, at := range boardtest.Cells(x.size) {
		switch x.stones[at.Y()][at.X()] {
		case 0:
			r.Free(at)
		case 1:
			r.Put(board.Black, at)
		}
	}
	return r.Foul(c) == board.NoFoul
}

// smallPosition returns a random position of 6×6 or 7×7, either side to move, with the number of empty cells
// within the bounds.
func smallPosition(t *testing.T, rng *rand.Rand, rule pattern.Rule, least, most int) *board.Board {
	t.Helper()
	b := boardtest.New(t, 6+rng.IntN(2), rule)
	// The empty cells are mostly adjacent, so that rows can still be made.
	cells := boardtest.Shuffled(b.Size(), rng)
	centre, spread := cells[0], rng.IntN(4)
	distance := map[board.Cell]int{}
	for _, c := range cells {
		dx, dy := c.X()-centre.X(), c.Y()-centre.Y()
		distance[c] = max(dx, -dx, dy, -dy) + rng.IntN(1+spread)
	}
	slices.SortStableFunc(cells, func(a, b board.Cell) int { return distance[b] - distance[a] })
	boardtest.Fill(b, rng, cells, least+rng.IntN(most-least+1), 25+rng.IntN(51))
	if rng.IntN(2) == 0 {
		b.Pass()
	}
	return b
}

// checkSmallThreatWins compares the wins that threatWin claims with the exhaustive solver, until it has seen the
// given number of claims.
func checkSmallThreatWins(t *testing.T, seed uint64, claims int) {
	t.Helper()
	engines := map[string]*Engine{}
	positions := 0
	for found := 0; found < claims; positions++ {
		rng := rand.New(rand.NewPCG(seed, uint64(positions)))
		b := smallPosition(t, rng, pattern.Rule(positions%pattern.NumRules), 10, 13)
		kind := fmt.Sprint(b.Rule(), b.Size())
		if engines[kind] == nil {
			engines[kind] = newEngine(t, b)
		}
		e := engines[kind]
		e.loadPosition(b)
		if _, known := e.knownWin(0); known || len(boardtest.Fives(b, b.SideToMove().Other())) > 0 {
			continue
		}
		move := e.threatWin()
		if move == board.NoCell {
			continue
		}
		found++
		x := newExhaustive(b)
		if truth := x.solve(b.SideToMove(), 0, len(x.empty)); truth <= 0 || truth > threatWinPlies {
			t.Errorf("seed %d, position %d, %v %v to move, empty %v: %v wins in %d plies, the truth is %d\n%v",
				seed, positions, b.Rule(), b.SideToMove(), board.FormatMoves(x.empty), move, threatWinPlies, truth, x.stones[:b.Size()])
		}
	}
	t.Logf("%d claims in %d positions", claims, positions)
}

func TestSmallThreatWinsAgreeWithExhaustiveSearch(t *testing.T) { checkSmallThreatWins(t, 3, 4) }

// smallClaims counts positions on small boards and the claims made for them. Positions that knownWin decides are
// counted apart.
type smallClaims struct{ positions, known, wins, losses, deep, fours, threats int }

// checkSmallBoards checks claims in random positions of 6×6 and 7×7 against the exhaustive solver. It checks
// those of knownWin, and in the positions that knownWin leaves open those of the search and the solvers. It ends
// after the given number of open positions.
func checkSmallBoards(t *testing.T, seed uint64, positions, mostEmpty int) (n smallClaims) {
	t.Helper()
	const nodes = 3000
	ctx := context.Background()
	engines := map[string]*Engine{}
	for i := 0; n.positions < positions && !t.Failed(); i++ {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		b := smallPosition(t, rng, pattern.Rule(i%pattern.NumRules), 4, mostEmpty)
		if len(boardtest.LegalMoves(b)) == 0 {
			continue
		}
		kind := fmt.Sprint(b.Rule(), b.Size())
		if engines[kind] == nil {
			engines[kind] = newEngine(t, b)
		}
		e := engines[kind]
		e.NewGame()
		x := newExhaustive(b)
		truth := x.solve(b.SideToMove(), 0, len(x.empty))
		check := func(what string, plies int) bool {
			if plies > 0 && (truth <= 0 || truth > plies) || plies < 0 && (truth >= 0 || truth < plies) {
				t.Errorf("seed %d, position %d, %v %v to move, empty %v: %s claims %d plies, the truth is %d\n%v",
					seed, i, b.Rule(), b.SideToMove(), board.FormatMoves(x.empty), what, plies, truth, x.stones[:b.Size()])
			}
			return plies != 0
		}
		e.beginSolve(ctx, b, 0)
		if score, known := e.knownWin(0); known {
			check("knownWin", PliesToWin(score))
			n.known++
			continue
		}
		n.positions++
		r := e.Search(ctx, b, Limits{Nodes: nodes}, nil)
		plies := PliesToWin(r.Score)
		switch check("search", plies); {
		case plies > 0:
			n.wins++
		case plies < 0:
			n.losses++
		}
		if max(plies, -plies) > 4 {
			n.deep++
		}
		if check("solver of fours", e.SolveVCF(ctx, b, nodes).Plies) {
			n.fours++
		}
		if check("solver of threats", e.SolveVCT(ctx, b, nodes).Plies) {
			n.threats++
		}
	}
	t.Logf("%+v", n)
	return n
}

func TestSmallBoardsAgreeWithExhaustiveSearch(t *testing.T) {
	n := checkSmallBoards(t, 1, 600, 10)
	if n.known < 300 || n.wins < 10 || n.losses < 15 || n.deep < 10 || n.fours < 10 || n.threats < 10 {
		t.Errorf("too few claims were met: %+v", n)
	}
}

// checkEmptyBoards checks that no search or solver claims a win on the empty boards of 5×5 to 8×8. 7×7 and 8×8
// are proven draws (Hsu et al., Theoretical Computer Science 815, 2020), and so are the smaller ones.
func checkEmptyBoards(t *testing.T, nodes int64) {
	t.Helper()
	for size := 5; size <= 8; size++ {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			b := boardtest.New(t, size, pattern.Freestyle)
			e := newEngine(t, b)
			// An engine plays the first stone without a search, so the positions after every first stone are searched too.
			// The empty board is a draw, so none of them is won for either side.
			positions := [][]board.Cell{nil}
			for _, c := range boardtest.Cells(size) {
				if c.X() <= size/2 && c.Y() <= c.X() {
					positions = append(positions, []board.Cell{c})
				}
			}
			for _, moves := range positions {
				b.Reset()
				for _, c := range moves {
					b.Play(c)
				}
				r := e.Search(context.Background(), b, Limits{Nodes: nodes}, nil)
				if plies := PliesToWin(r.Score); plies != 0 {
					t.Errorf("after %s: a score of %d plies", board.FormatMoves(moves), plies)
				}
				if s := e.SolveVCT(context.Background(), b, nodes); s.Win {
					t.Errorf("after %s: the solver of threats wins by %v", board.FormatMoves(moves), s.Line)
				}
			}
		})
	}
}

func TestEmptyBoardsAreNotWon(t *testing.T) { checkEmptyBoards(t, 10_000) }
