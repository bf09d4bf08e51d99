package puzzle

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/record"
	"quintune/pattern"
	"quintune/search"
)

// Config describes the puzzles that are looked for.
type Config struct {
	Count   int   // puzzles wanted
	Nodes   int64 // limit of each question to a solver
	Workers int   // games at a time, without effect on the puzzles
}

// Finder looks for puzzles in games that are added one by one. The puzzles that it finds depend on the games,
// their order and the configuration, but not on Workers. Not safe for concurrent use.
type Finder struct {
	config  Config
	waiting []record.Game
	solvers []map[boardKind]*solver // one a worker
	seen    map[string]bool
	found   []Puzzle
	games   int
}

// boardKind is a kind of board.
type boardKind struct {
	size int
	rule pattern.Rule
}

// gamesPerWorker is the number of games a worker that are looked through together.
const gamesPerWorker = 8

// leastPlies is the length of the shortest win that is a puzzle: a win in 3 plies is an open four, which anybody sees.
const leastPlies = 5

// NewFinder returns a finder that has found nothing yet.
func NewFinder(c Config) *Finder {
	f := &Finder{config: c, seen: map[string]bool{}}
	for range max(c.Workers, 1) {
		f.solvers = append(f.solvers, map[boardKind]*solver{})
	}
	return f
}

// Add searches a game, now or later. done reports that enough puzzles have been found.
func (f *Finder) Add(ctx context.Context, game *record.Game) (done bool, err error) {
	f.waiting = append(f.waiting, *game)
	if len(f.waiting) < gamesPerWorker*len(f.solvers) {
		return false, nil
	}
	return f.Flush(ctx)
}

// Flush searches the games that wait.
func (f *Finder) Flush(ctx context.Context) (done bool, err error) {
	found := make([][]Puzzle, len(f.waiting))
	var group errgroup.Group
	for worker, solvers := range f.solvers {
		group.Go(func() error {
			for i := worker; i < len(f.waiting) && ctx.Err() == nil; i += len(f.solvers) {
				var err error
				if found[i], err = f.search(ctx, solvers, &f.waiting[i]); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return false, err
	}
	for _, list := range found {
		if len(f.found) == f.config.Count {
			break
		}
		f.games++
		f.take(list)
	}
	f.waiting = f.waiting[:0]
	return len(f.found) == f.config.Count, nil
}

// take keeps those of a game's puzzles that are new.
func (f *Finder) take(list []Puzzle) {
	for _, p := range list {
		if !f.seen[p.ID] && len(f.found) < f.config.Count {
			f.seen[p.ID] = true
			f.found = append(f.found, p)
		}
	}
}

// Found returns the puzzles in the order of their games.
func (f *Finder) Found() []Puzzle { return f.found }

// Games returns the number of games that were looked through.
func (f *Finder) Games() int { return f.games }

// search returns the puzzles of one game. The continuation of a puzzle counts as the same puzzle.
func (f *Finder) search(ctx context.Context, solvers map[boardKind]*solver, game *record.Game) (list []Puzzle, err error) {
	on := boardKind{game.Size, game.Rule}
	if solvers[on] == nil {
		if solvers[on], err = newSolver(on.size, on.rule, f.config.Nodes); err != nil {
			return nil, err
		}
	}
	next, last := [2]int{}, game.LegalMoves() // next: [colour], first ply of its next puzzle
	for ply := game.Opening; ply <= last; ply++ {
		b, err := game.Board(ply)
		if err != nil {
			return nil, err
		}
		if b.Outcome() != board.Ongoing || ply < next[b.SideToMove()] {
			continue
		}
		if p, ok := solvers[on].puzzle(ctx, b); ok {
			list = append(list, p)
			next[b.SideToMove()] = ply + p.Plies
		}
	}
	return list, ctx.Err()
}

// maxPlayedOut bounds the fours that are played out before a puzzle.
const maxPlayedOut = 8

// puzzle returns the puzzle of a position; ok is false if the position is not a puzzle. A four that also wins, because it only delays the
// win, is played out with its answer, and the position after both is looked at instead.
func (s *solver) puzzle(ctx context.Context, b *board.Board) (p Puzzle, ok bool) {
	s.killer = board.NoCell
	for range maxPlayedOut {
		if hasFive(b, board.Black) || hasFive(b, board.White) {
			return p, false // the move is forced
		}
		found, kind := s.win(ctx, b)
		if !found.Win || found.Plies < leastPlies || found.Plies != len(found.Line) {
			return p, false
		}
		rival, unique := s.unique(ctx, b, found.Line)
		if unique {
			return newPuzzle(b, kind, found), ctx.Err() == nil
		}
		if rival == board.NoCell {
			return p, false
		}
		if b = playedOut(b, rival); b == nil {
			return p, false
		}
	}
	return p, false
}

// playedOut returns the position after a four and the only answer to it, nil where the move is another.
func playedOut(b *board.Board, four board.Cell) *board.Board {
	mover, next := b.SideToMove(), b.Clone()
	next.Play(four)
	fives := next.AtLeast(mover, pattern.CellFive, nil)
	if next.Outcome() != board.Ongoing || len(fives) != 1 || hasFive(next, mover.Other()) || next.Legal(fives[0]) != nil {
		return nil
	}
	next.Play(fives[0])
	if next.Outcome() != board.Ongoing {
		return nil
	}
	return next
}

// hasFive reports whether the side could make five.
func hasFive(b *board.Board, side board.Colour) bool { return b.Counts(side)[pattern.CellFive] > 0 }

func newPuzzle(b *board.Board, kind Kind, found search.Solution) Puzzle {
	return Puzzle{
		Format: Format, ID: id(b), Rule: b.Rule().String(), Size: b.Size(), Moves: board.FormatMoves(b.Moves()), Turn: b.SideToMove().String(),
		Kind: kind, Best: found.Line[0].String(), Solution: analysis.Names(found.Line), Plies: found.Plies, Nodes: found.Nodes,
		Level: level(found.Plies, found.Nodes),
	}
}

// id names a position under its rule: the same for its eight images, whatever the order of the moves.
func id(b *board.Board) string {
	return fmt.Sprintf("%v%d-%016x", b.Rule(), b.Size(), board.CanonicalKey(b.Moves(), b.Size()))
}
