package baseline

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// sjtuGA finds moves by a genetic algorithm (SJTU, 2019). An individual is the next seven moves, sides alternating,
// in the bounding box of the stones grown by one. Its fitness is the score of the board behind them, by
// six patterns: ours are rewarded, the opponent's punished. One-point crossover, point mutation; the
// first move of the best individual is played when the population is stable. The default policy comes
// first.
//
// The opponent's moves are as wishful as ours: nothing makes them good answers. Sizes and rates are
// ours, where the authors say nothing.
type sjtuGA struct {
	scores sjtuScores
	rng    *rand.Rand

	box    []spot // empty cells that genes may be
	genes  int    // moves of an individual: sjtuGenes, fewer on a board that is nearly full
	people []sjtuIndividual
	next   []sjtuIndividual
}

const (
	sjtuGenes      = 7
	sjtuPopulation = 40
	sjtuElite      = 2  // individuals that are kept as they are
	sjtuTournament = 3  // individuals of which the best is a parent
	sjtuMutation   = 4  // one of this number of children changes one gene
	sjtuStable     = 15 // generations without a better individual
)

// sjtuIndividual is a line of moves.
type sjtuIndividual struct {
	genes   [sjtuGenes]spot // distinct
	fitness int             // points
}

// sjtuSix returns the table of six patterns.
func sjtuSix() *sjtuTable {
	return &sjtuTable{sjtuWin: 100_000, sjtuH4: 10_000, sjtuC4: 100, sjtuH3: 200, sjtuM3: 50, sjtuH2: 5}
}

func newSjtuGA(int, pattern.Rule, settings) system {
	return &sjtuGA{scores: sjtuScores{table: sjtuSix()}}
}

func (g *sjtuGA) newGame(rng *rand.Rand) { g.rng = rng }

func (g *sjtuGA) choose(position *board.Board, b *budget) board.Cell {
	if position.Stones() == 0 {
		return board.At(position.Size()/2, position.Size()/2)
	}
	g.scores.load(position)
	if move, ok := sjtuPolicy(position, &g.scores); ok {
		return move
	}
	g.box = g.scores.grid.box(g.box[:0], 1, sjtuGenes)
	g.genes = min(sjtuGenes, len(g.box))
	us := position.SideToMove()
	g.populate(us, b)
	for stable := 0; stable < sjtuStable && !b.over; stable++ {
		best := g.people[0].fitness
		g.breed(us, b)
		if g.people[0].fitness > best {
			stable = -1
		}
	}
	return g.people[0].genes[0].cell()
}

// populate makes a random population, the best first. Where the budget ends within the first generation, the
// individuals so far remain, at least one.
func (g *sjtuGA) populate(us board.Colour, b *budget) {
	g.people = g.people[:0]
	for len(g.people) < sjtuPopulation {
		var one sjtuIndividual
		for i := range g.genes {
			one.genes[i] = g.unused(one.genes[:i])
		}
		if !g.judge(&one, us, b) && len(g.people) > 0 {
			break
		}
		g.people = append(g.people, one)
	}
	g.sort()
}

// breed replaces all but the elite by children, by fewer where the budget ends.
func (g *sjtuGA) breed(us board.Colour, b *budget) {
	elite := min(sjtuElite, len(g.people))
	g.next = append(g.next[:0], g.people[:elite]...)
	for len(g.next) < len(g.people) {
		child := g.cross(g.parent(), g.parent())
		if g.rng.IntN(sjtuMutation) == 0 {
			at := g.rng.IntN(g.genes)
			child.genes[at] = g.unused(child.genes[:g.genes])
		}
		if !g.judge(&child, us, b) {
			break
		}
		g.next = append(g.next, child)
	}
	g.people, g.next = g.next, g.people
	g.sort()
}

func (g *sjtuGA) sort() {
	slices.SortStableFunc(g.people, func(a, b sjtuIndividual) int { return cmp.Compare(b.fitness, a.fitness) })
}

// parent returns the best of a few random individuals: the one with the lowest index, since they are sorted.
func (g *sjtuGA) parent() *sjtuIndividual {
	lowest := len(g.people)
	for range sjtuTournament {
		lowest = min(lowest, g.rng.IntN(len(g.people)))
	}
	return &g.people[lowest]
}

// cross returns the first moves of one parent and the last of the other. A move that is among the first already
// is replaced by a random one.
func (g *sjtuGA) cross(a, b *sjtuIndividual) sjtuIndividual {
	child := *a
	for i := g.rng.IntN(g.genes + 1); i < g.genes; i++ {
		child.genes[i] = b.genes[i]
		if slices.Contains(child.genes[:i], b.genes[i]) {
			child.genes[i] = g.unused(child.genes[:i])
		}
	}
	return child
}

// unused returns a cell of the box that is not among the genes; where all are, one of them.
func (g *sjtuGA) unused(genes []spot) spot {
	at := g.rng.IntN(len(g.box))
	for range g.box {
		if !slices.Contains(genes, g.box[at]) {
			break
		}
		at = (at + 1) % len(g.box)
	}
	return g.box[at]
}

// judge computes the fitness of an individual, which ends with the first five. It returns false where the
// budget is over.
func (g *sjtuGA) judge(one *sjtuIndividual, us board.Colour, b *budget) bool {
	if !b.spend() {
		return false
	}
	side, played := us, 0
	for _, at := range one.genes[:g.genes] {
		g.scores.put(at, stoneOf(side))
		played++
		if g.scores.grid.wins(at, stoneOf(side), pattern.Freestyle) {
			break
		}
		side = side.Other()
	}
	one.fitness = g.scores.score(us)
	for _, at := range one.genes[:played] {
		g.scores.put(at, empty)
	}
	return true
}
