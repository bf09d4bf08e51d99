package baseline

import (
	"math/rand/v2"
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// finard values a cell by the windows of five through it and searches the few best cells far ahead, for a
// win, a loss or neither (O. Finard, Columbia University, course w4701).
//
// A window without a stone of the other side is worth (own stones in it)⁵. The value of a cell is what
// the windows through it are worth to the mover (attack) and to the opponent (defence). Cells within
// five of a stone are looked at.
//
// The source leaves two things open. First, attack counts the stone that would stand on the cell, and defence only the stones
// that are there already: with `_O.O__` the windows with both stones are worth 3⁵ in attack and 2⁵ in
// defence. Second, two cells are tried at each node. With these choices a search of 30 plies takes some thousand nodes, and
// the first of two equal programs wins almost always, as the author reports. With the same count in attack and defence, or
// with more cells, at least half of the games are drawn or lost.
//
// A loss is found among the cells that are tried, and so is not a proof. We deepen by two plies at a time,
// so that a limit of nodes cuts the depth and not the breadth.
type finard struct {
	breadth int // best cells that a node tries, at most finardMaxBreadth
	depth   int // plies
	rng     *rand.Rand
	budget  *budget

	grid    grid
	spots   []spot                   // all cells
	close   closeness                // stones within five
	windows [4][numSpots][2]uint8    // [direction][first spot][colour]: stones in it
	inside  [4][numSpots]bool        // the window lies on the board
	sums    [2][numSpots]finardWorth // [colour][spot]: over the windows through it
}

const finardMaxBreadth = 8

func finardOptions() []option {
	return []option{
		{"breadth", 2, 1, finardMaxBreadth, "cells that a node tries"},
		{"depth", 30, 0, 60, "plies that the search looks ahead"},
	}
}

// finardPoints measure cells.
type finardPoints = int64

const (
	finardWins    finardPoints = 1e18 // 100⁹: the mover completes five
	finardDefends finardPoints = 1e16 // 100⁸: the opponent would
	finardFive    finardPoints = 1e12 // the same in sums of windows
)

// finardWorth is what windows are worth to a colour.
type finardWorth struct{ attack, defence finardPoints }

// finardWorths returns what a window is worth to each colour by the stones of each in it.
func finardWorths(stones [2]uint8) (worths [2]finardWorth) {
	power := [5]finardPoints{0, 1, 32, 243, 1024}
	for c := range worths {
		n := stones[c]
		switch {
		case stones[1-c] > 0 || n > 4:
		case n == 4:
			worths[c] = finardWorth{finardFive, finardFive}
		default:
			worths[c] = finardWorth{power[n+1], power[n]}
		}
	}
	return worths
}

// verdict is what a search finds for the side to move.
type verdict int

const (
	lost verdict = iota - 1
	unknown
	won
)

func newFinard(size int, _ pattern.Rule, set settings) system {
	f := &finard{
		breadth: set["breadth"], depth: set["depth"],
		spots: spotsFromCentre(size), close: closeness{distance: 5},
	}
	f.grid.clear(size)
	for d, step := range steps() {
		for _, at := range f.spots {
			f.inside[d][at] = f.grid.squares[at+4*step] != wall
		}
	}
	return f
}

func (f *finard) newGame(rng *rand.Rand) { f.rng = rng }

func (f *finard) choose(position *board.Board, b *budget) board.Cell {
	f.budget = b
	f.load(position)
	if position.Stones() == 0 {
		return f.spots[0].cell()
	}
	mover := position.SideToMove()
	var room [finardMaxBreadth]spot
	list := f.shuffledBest(mover, room[:f.breadth])
	return f.lookAhead(mover, list).cell()
}

// lookAhead returns the first cell of the list that wins; otherwise the first that does not lose, the
// first where all do.
func (f *finard) lookAhead(mover board.Colour, list []spot) spot {
	if f.value(mover, list[0]) >= finardDefends {
		return list[0] // five, or the block of one
	}
	verdicts := make([]verdict, len(list))
	for depth := 1; depth < f.depth && !f.budget.over; depth += 2 {
		for i, at := range list {
			if verdicts[i] == lost {
				continue
			}
			f.place(at, mover)
			verdicts[i] = -f.solve(mover.Other(), depth)
			f.take(at, mover)
			if verdicts[i] == won {
				return at
			}
		}
	}
	return list[max(0, slices.Index(verdicts, unknown))]
}

// solve searches the best cells of each node to the depth, plies.
func (f *finard) solve(mover board.Colour, depth int) verdict {
	if !f.budget.spend() {
		return unknown
	}
	var room [finardMaxBreadth]spot
	list := f.best(mover, room[:f.breadth])
	switch {
	case len(list) == 0:
		return unknown
	case f.value(mover, list[0]) >= finardWins:
		return won
	case depth == 0:
		return unknown
	case f.value(mover, list[0]) >= finardDefends:
		list = list[:1] // whatever else is played loses
	}
	result := lost
	for _, at := range list {
		f.place(at, mover)
		answer := f.solve(mover.Other(), depth-1)
		f.take(at, mover)
		if answer == lost {
			return won
		}
		result = max(result, -answer)
	}
	return result
}

// value returns the worth of an empty cell to the mover.
func (f *finard) value(mover board.Colour, at spot) finardPoints {
	attack, defence := f.sums[mover][at].attack, f.sums[mover.Other()][at].defence
	if attack >= finardFive {
		attack = finardWins
	}
	if defence >= finardFive {
		defence = finardDefends
	}
	return attack + defence
}

// best fills the list with the empty cells of the highest values, the highest first, of equals the one nearer
// to the centre. It returns as much of the list as was filled.
func (f *finard) best(mover board.Colour, list []spot) []spot {
	var values [finardMaxBreadth]finardPoints
	n := 0
	for _, at := range f.spots {
		if f.grid.squares[at] != empty || f.close.stones[at] == 0 {
			continue
		}
		value := f.value(mover, at)
		if n == len(list) && value <= values[n-1] {
			continue
		}
		n = min(n+1, len(list))
		i := n - 1
		for ; i > 0 && values[i-1] < value; i-- {
			values[i], list[i] = values[i-1], list[i-1]
		}
		values[i], list[i] = value, at
	}
	return list[:n]
}

// shuffledBest is best, in random order among equals.
func (f *finard) shuffledBest(mover board.Colour, list []spot) []spot {
	sorted := slices.Clone(f.spots)
	f.rng.Shuffle(len(f.spots), func(i, j int) { f.spots[i], f.spots[j] = f.spots[j], f.spots[i] })
	list = f.best(mover, list)
	copy(f.spots, sorted)
	return list
}

// load sets up the position.
func (f *finard) load(position *board.Board) {
	f.grid.clear(position.Size())
	f.close.clear()
	f.windows = [4][numSpots][2]uint8{}
	f.sums = [2][numSpots]finardWorth{}
	for d, step := range steps() {
		for _, first := range f.spots {
			if f.inside[d][first] {
				blank := finardWorths([2]uint8{})
				f.add(first, step, board.Black, blank[board.Black])
				f.add(first, step, board.White, blank[board.White])
			}
		}
	}
	eachStone(position, f.place)
}

// place puts a stone on an empty spot.
func (f *finard) place(at spot, colour board.Colour) {
	f.grid.squares[at] = stoneOf(colour)
	f.close.add(at, 1)
	f.count(at, colour, 1)
}

// take removes the stone again.
func (f *finard) take(at spot, colour board.Colour) {
	f.grid.squares[at] = empty
	f.close.add(at, minusOne)
	f.count(at, colour, minusOne)
}

// count adds n stones to the windows through a spot, and what follows to their cells.
func (f *finard) count(at spot, colour board.Colour, n uint8) {
	for d, step := range steps() {
		for first := at - 4*step; first != at+step; first += step {
			if !f.inside[d][first] {
				continue
			}
			w := &f.windows[d][first]
			before := finardWorths(*w)
			w[colour] += n
			after := finardWorths(*w)
			for c := range after {
				by := finardWorth{after[c].attack - before[c].attack, after[c].defence - before[c].defence}
				if by != (finardWorth{}) {
					f.add(first, step, board.Colour(c), by)
				}
			}
		}
	}
}

// add changes what a window's five cells are worth to a colour.
func (f *finard) add(first, step spot, colour board.Colour, by finardWorth) {
	for i := range spot(5) {
		sum := &f.sums[colour][first+i*step]
		sum.attack += by.attack
		sum.defence += by.defence
	}
}
