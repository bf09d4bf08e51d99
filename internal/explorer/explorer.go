// Package explorer counts what was played in the positions of games on record, and how it ended. Positions that are equal up
// to turning and mirroring the board are one position, and so are moves that lead to equal positions.
package explorer

import (
	"cmp"
	"slices"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/record"
	"quintune/pattern"
	"quintune/weights"
)

// maxPly is the number of moves of a game that are counted.
const maxPly = 24

// Explorer counts the moves of the games that were added. Reading is safe for concurrent use; adding is not.
type Explorer struct {
	set   *weights.Set // converts the points of scores to chances
	moves map[step]*count
	games map[kind]int
}

// kind is the board of a game.
type kind struct {
	size int
	rule pattern.Rule
}

// step is a move from a position to another; both are board.CanonicalKey.
type step struct {
	on       kind
	from, to uint64
}

// count holds the results of a step, seen from the side that plays it.
type count struct {
	games, wins, draws, losses int
	chances                    float64 // sum over the games that are counted in told
	told                       int     // games whose record has a score for the move
}

// New returns an explorer without games. The set says what the points of their scores are worth.
func New(set *weights.Set) *Explorer {
	return &Explorer{set: set, moves: map[step]*count{}, games: map[kind]int{}}
}

// Add counts the moves of a game, which must be legal. A foul that ended a game of renju is not counted: nobody can
// play it again.
func (e *Explorer) Add(g *record.Game) {
	on := kind{g.Size, g.Rule}
	e.games[on]++
	cells := g.Cells()[:g.LegalMoves()]
	from := board.CanonicalKey(nil, g.Size)
	for i := range cells[:min(len(cells), maxPly)] {
		to := board.CanonicalKey(cells[:i+1], g.Size)
		at := step{on, from, to}
		if e.moves[at] == nil {
			e.moves[at] = &count{}
		}
		e.moves[at].add(e.set, g, i)
		from = to
	}
}

// add counts the move with the index in a game.
func (c *count) add(set *weights.Set, g *record.Game, index int) {
	c.games++
	mover := record.Colour(index)
	switch g.Outcome {
	case board.WinFor(mover):
		c.wins++
	case board.WinFor(mover.Other()):
		c.losses++
	case board.Draw:
		c.draws++
	}
	switch m := &g.Moves[index]; {
	case m.Win > 0:
		c.chances++
		c.told++
	case m.Win < 0:
		c.told++
	case m.Score != nil:
		c.chances += analysis.Chances(set, *m.Score)
		c.told++
	}
}

// Move is a move that was played, with its results. Counts are of games, seen from the side that plays it.
type Move struct {
	Cell                       board.Cell // the first of the cells that are equal up to symmetry, by row, then column
	Games, Wins, Draws, Losses int        // games without a result are none of the three
	Chances                    float64    // mean of the recorded chances to win, in [0, 1]
	Told                       int        // games that record chances
}

// Score returns the share of the points that the move made, a draw counting half; ok is false where no game has a result.
func (m *Move) Score() (score float64, ok bool) {
	n := m.Wins + m.Draws + m.Losses
	if n == 0 {
		return 0, false
	}
	return (float64(m.Wins) + float64(m.Draws)/2) / float64(n), true
}

// Games returns the number of games on boards of the size under the rule.
func (e *Explorer) Games(size int, rule pattern.Rule) int { return e.games[kind{size, rule}] }

// At returns the moves that were played in the position, most games first, then by cell.
func (e *Explorer) At(position *board.Board) []Move {
	size, on := position.Size(), kind{position.Size(), position.Rule()}
	moves := position.Moves()
	if e.games[on] == 0 || len(moves) >= maxPly {
		return nil
	}
	from := board.CanonicalKey(moves, size)
	seen := map[uint64]bool{}
	var list []Move
	for _, c := range position.AllEmpty(nil) {
		to := board.CanonicalKey(append(slices.Clone(moves), c), size)
		n := e.moves[step{on, from, to}]
		if n == nil || seen[to] {
			continue
		}
		seen[to] = true
		m := Move{Cell: c, Games: n.games, Wins: n.wins, Draws: n.draws, Losses: n.losses, Told: n.told}
		if n.told > 0 {
			m.Chances = n.chances / float64(n.told)
		}
		list = append(list, m)
	}
	slices.SortStableFunc(list, func(a, b Move) int { return cmp.Compare(b.Games, a.Games) })
	return list
}
