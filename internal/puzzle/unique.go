package puzzle

import (
	"context"
	"slices"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// solver looks for wins in positions of one size and rule.
type solver struct {
	engine *search.Engine
	nodes  int64 // limit of each solution
	killer board.Cell
}

// newSolver returns a solver for boards of the size under the rule. It uses the weights of a published table,
// which only order moves, so that puzzles do not change with the shipped weights.
func newSolver(size int, rule pattern.Rule, nodes int64) (*solver, error) {
	set, err := weights.Preset("huang")
	if err != nil {
		return nil, err
	}
	engine, err := search.NewEngine(set, size, rule, search.Options{})
	if err != nil {
		return nil, err
	}
	return &solver{engine: engine, nodes: nodes}, nil
}

// findShare divides the node limit for finding a win, so that the rest is left for refuting other moves. Most
// positions have no win. Where a win takes long to find, its rivals take too long to refute.
const findShare = 5

// win returns the win of the side to move that the solvers find: by fours where there is one, else by threats.
func (s *solver) win(ctx context.Context, b *board.Board) (found search.Solution, kind Kind) {
	nodes := max(1, s.nodes/findShare)
	if found = s.engine.SolveVCF(ctx, b, nodes); found.Win {
		return found, VCF
	}
	return s.engine.SolveVCT(ctx, b, nodes), VCT
}

// hopeless reports whether the side to move is proved to have no win by fours or threats: the solver has tried all of
// them within its limit.
func (s *solver) hopeless(ctx context.Context, b *board.Board) bool {
	found := s.engine.SolveVCT(ctx, b, s.nodes)
	return !found.Win && found.Exhausted
}

// unique reports whether no legal move but the first of the line begins a win. Every other move must be refuted.
// It is refuted by an answer after which the side has no win by fours or threats, or by an answer that begins a
// win of the other side. A move that the limits leave open counts as winning. In addition, a search of every
// other move must find no win. If unique is false because the solvers did not refute a move, rival is that move.
func (s *solver) unique(ctx context.Context, b *board.Board, line []board.Cell) (rival board.Cell, ok bool) {
	moves := b.AtLeast(b.SideToMove(), pattern.CellFour, nil) // the likeliest to win come first
	moves = append(moves, b.Near(nil)...)
	moves = append(moves, b.AllEmpty(nil)...)
	tried := map[board.Cell]bool{line[0]: true}
	var rivals []*board.Board
	for _, m := range moves {
		if tried[m] || b.Legal(m) != nil {
			continue
		}
		tried[m] = true
		next := b.Clone()
		next.Play(m)
		if !s.refuted(ctx, next, line) {
			return m, false
		}
		rivals = append(rivals, next)
	}
	s.engine.NewGame()
	return board.NoCell, !slices.ContainsFunc(rivals, func(next *board.Board) bool { return s.loses(ctx, next) })
}

// rivalNodes is the node limit of that additional search.
const rivalNodes = 1000

// loses reports whether a search proves that the side to move loses.
func (s *solver) loses(ctx context.Context, b *board.Board) bool {
	return b.Outcome() == board.Ongoing && search.PliesToWin(s.engine.Search(ctx, b, search.Limits{Nodes: rivalNodes}, nil).Score) < 0
}

// refuted reports whether the side to move has an answer after which the other side, which has just moved, has no win.
func (s *solver) refuted(ctx context.Context, b *board.Board, line []board.Cell) bool {
	defender := b.SideToMove()
	switch b.Outcome() {
	case board.Ongoing:
	case board.WinFor(defender.Other()):
		return false
	default:
		return true
	}
	if hasFive(b, defender) {
		return true
	}
	if fives := b.AtLeast(defender.Other(), pattern.CellFive, nil); len(fives) > 0 {
		return len(fives) == 1 && s.answers(ctx, b, fives[0])
	}
	if s.killer != board.NoCell && s.answers(ctx, b, s.killer) {
		return true
	}
	if s.engine.SolveVCF(ctx, b, s.nodes).Win {
		return true
	}
	for _, c := range s.defences(ctx, b, line) {
		if ctx.Err() == nil && s.answers(ctx, b, c) {
			s.killer = c
			return true
		}
	}
	return false
}

// answers reports whether the move is legal and leaves the other side without a win.
func (s *solver) answers(ctx context.Context, b *board.Board, c board.Cell) bool {
	if b.Legal(c) != nil {
		return false
	}
	next := b.Clone()
	next.Play(c)
	return next.Outcome() != board.Ongoing || s.hopeless(ctx, next)
}

// defences returns the cells that may stop the other side's threats: those of the line, those of the win that
// it would have if the side to move passed, and those that make a four.
func (s *solver) defences(ctx context.Context, b *board.Board, line []board.Cell) []board.Cell {
	passed := b.Clone()
	passed.Pass()
	threat := s.engine.SolveVCT(ctx, passed, s.nodes)
	cells := slices.Concat(line[:1], threat.Line, b.AtLeast(b.SideToMove(), pattern.CellFour, nil), line[1:])
	var once []board.Cell
	for _, c := range cells {
		if b.Empty(c) && !slices.Contains(once, c) {
			once = append(once, c)
		}
	}
	return once
}
