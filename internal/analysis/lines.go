// Package analysis prepares the results of a search for people: several moves with their lines, the value of
// every cell for move ordering, and the chances of a position.
package analysis

import (
	"cmp"
	"context"
	"slices"
	"time"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
)

// Line is a move with what follows it.
type Line struct {
	Score int32        // points from the side to move; see search.PliesToWin
	Depth int          // plies that were searched, the move included; 0: none was needed
	PV    []board.Cell // the move first; never empty
}

// Move returns the first move of the line.
func (l *Line) Move() board.Cell { return l.PV[0] }

// Report is what is known of a position.
type Report struct {
	Lines []Line // best first, each another move
	Nodes int64  // made moves so far
}

// MaxLines bounds the lines of a report.
const MaxLines = 32

// Lines searches the best n moves, at most MaxLines. The position is as for Engine.Search, and the first line
// has the move and score of that search, unless another move wins sooner. For more than one line this search gets
// half of the limits. The rest is for the other moves: all of them at small depth, then fewer and better ones at
// greater depth ("successive halving"), never deeper than a first line whose search proved no end, or than 2 plies where that is
// deeper. There are fewer lines where there are fewer moves, or where a limit is reached first. report, if not nil, is called with every
// better state of the answer, and so with the answer itself where no limit ended the work on it.
func Lines(ctx context.Context, engine *search.Engine, position *board.Board, limits search.Limits, n int, report func(Report)) Report {
	first := limits
	if n > 1 {
		first.Nodes, first.Time = (limits.Nodes+1)/2, (limits.Time+1)/2
		if limits.Time > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limits.Time)
			defer cancel()
		}
	}
	r := engine.Search(ctx, position, first, func(r search.Result) {
		if report != nil {
			report(ReportOf(r))
		}
	})
	found := ReportOf(r)
	found.Lines[0] = finished(position, found.Lines[0])
	if n > 1 {
		h := newHalving(engine, position, &found, limits.Nodes)
		h.run(ctx, min(n, MaxLines), report)
	}
	return found
}

// ReportOf returns the report of one search, with one line.
func ReportOf(r search.Result) Report {
	return Report{Lines: []Line{lineOf(r)}, Nodes: r.Nodes}
}

func lineOf(r search.Result) Line {
	pv := r.PV
	if len(pv) == 0 {
		pv = []board.Cell{r.Best}
	}
	return Line{Score: r.Score, Depth: r.Depth, PV: pv}
}

// halving searches all moves except the best one.
type halving struct {
	engine *search.Engine
	child  *board.Board
	report *Report
	best   Line
	others []Line // that were searched, best first
	cells  []board.Cell
	budget int64 // nodes in all, 0: no limit
}

func newHalving(engine *search.Engine, position *board.Board, found *Report, budget int64) *halving {
	h := &halving{engine: engine, report: found, best: found.Lines[0], child: position.Clone(), budget: budget}
	h.cells = position.Near(nil)
	if len(h.cells) <= 1 {
		h.cells = position.AllEmpty(nil)
	}
	h.cells = slices.DeleteFunc(h.cells, func(c board.Cell) bool { return c == h.best.Move() || position.Legal(c) != nil })
	return h
}

// settledDepth is how deep the other moves are searched where the best one needed no search, plies.
const settledDepth = 4

// run deepens the search of the others and keeps the n-1 best of them beside the best move.
func (h *halving) run(ctx context.Context, n int, report func(Report)) {
	target := h.best.Depth
	if target == 0 || search.PliesToWin(h.best.Score) != 0 {
		target = max(target, settledDepth)
	}
	for depth := 1; depth < max(target, 2) && len(h.cells) > 0; depth++ {
		kept := max(n-1, len(h.cells)/2)
		if !h.deepen(ctx, depth) {
			break
		}
		h.cells = h.cells[:min(len(h.cells), kept)]
		h.publish(n)
		if report != nil {
			report(Report{Lines: slices.Clone(h.report.Lines), Nodes: h.report.Nodes})
		}
	}
	h.publish(n)
}

// publish puts the best lines into the report: the best move first, unless another one wins sooner. The search
// found every other move no better than the best one. So a higher score of another search is cut down to the
// best score, which is 0 on an empty board.
func (h *halving) publish(n int) {
	lines := append([]Line{h.best}, h.others[:min(n-1, len(h.others))]...)
	for i := range lines {
		if search.PliesToWin(lines[i].Score) <= 0 {
			lines[i].Score = min(lines[i].Score, h.best.Score)
		}
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(b.Score, a.Score) })
	h.report.Lines = lines
}

// deepen searches the remaining moves to a depth, in plies after the move, and reports whether there was time for all.
func (h *halving) deepen(ctx context.Context, depth int) bool {
	for _, c := range h.cells {
		line, ok := h.try(ctx, c, depth)
		if ok {
			h.note(line)
		}
		if ctx.Err() != nil || h.budget > 0 && h.report.Nodes >= h.budget {
			h.sort()
			return false
		}
	}
	h.sort()
	h.cells = h.cells[:0]
	for i := range h.others {
		h.cells = append(h.cells, h.others[i].Move())
	}
	return true
}

// note keeps the deepest line of each move.
func (h *halving) note(line Line) {
	i := slices.IndexFunc(h.others, func(l Line) bool { return l.Move() == line.Move() })
	if i < 0 {
		h.others = append(h.others, line)
	} else if line.Depth >= h.others[i].Depth {
		h.others[i] = line
	}
}

// sort puts better moves first. Deeper results come before shallower ones, which are less reliable, unless the
// shallower one claims a win or the deeper one a loss.
func (h *halving) sort() {
	rank := func(l *Line) int {
		switch plies := search.PliesToWin(l.Score); {
		case plies > 0:
			return search.MaxDepth + 2 // above every searched depth
		case plies < 0:
			return -1
		}
		return l.Depth
	}
	slices.SortStableFunc(h.others, func(a, b Line) int {
		return cmp.Or(cmp.Compare(rank(&b), rank(&a)), cmp.Compare(b.Score, a.Score))
	})
}

// childNodes is the node limit of a move at depth 1; each ply triples it.
const childNodes = 600

// try searches the position after the move; ok is false where the limits came before the first answer.
func (h *halving) try(ctx context.Context, c board.Cell, depth int) (line Line, ok bool) {
	h.child.Play(c)
	defer h.child.Undo()
	switch h.child.Outcome() {
	case board.Ongoing:
	case board.Draw:
		return Line{Depth: depth + 1, PV: []board.Cell{c}}, true
	default:
		return Line{Score: search.Win - 1, Depth: depth + 1, PV: []board.Cell{c}}, true
	}
	limits := search.Limits{Depth: depth, Nodes: childNodes}
	for range depth - 1 {
		limits.Nodes = min(3*limits.Nodes, 1<<60) // which does not overflow
	}
	if h.budget > 0 {
		limits.Nodes = max(1, min(limits.Nodes, h.budget-h.report.Nodes))
	}
	r := h.engine.Search(ctx, h.child, limits, nil)
	h.report.Nodes += r.Nodes
	if r.Depth == 0 && search.PliesToWin(r.Score) == 0 {
		return line, false
	}
	return Line{Score: ScoreBefore(r.Score), Depth: r.Depth + 1, PV: append([]board.Cell{c}, lineOf(r).PV...)}, true
}

// Speed returns nodes a second.
func Speed(nodes int64, elapsed time.Duration) int64 {
	return int64(float64(nodes) / max(elapsed.Seconds(), 1e-6))
}

// Names returns the cells in pos notation, never nil.
func Names(cells []board.Cell) []string {
	list := make([]string, len(cells))
	for i, c := range cells {
		list[i] = c.String()
	}
	return list
}

// finished completes a line of continuous fours, from which the search leaves out the last two plies: the block
// of a five, and the other five.
func finished(position *board.Board, l Line) Line {
	if search.PliesToWin(l.Score) != len(l.PV)+2 {
		return l
	}
	b := position.Clone()
	for _, c := range l.PV {
		if b.Outcome() != board.Ongoing || b.Legal(c) != nil {
			return l
		}
		b.Play(c)
	}
	attacker := position.SideToMove()
	for _, block := range b.AtLeast(attacker, pattern.CellFive, nil) {
		if b.Legal(block) != nil {
			continue
		}
		b.Play(block)
		if last := b.AtLeast(attacker, pattern.CellFive, nil); len(last) > 0 && b.Outcome() == board.Ongoing {
			l.PV = append(slices.Clone(l.PV), block, last[0])
			return l
		}
		b.Undo()
	}
	return l
}
