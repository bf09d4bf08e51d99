package play

import (
	"net/http"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/session"
	"quintune/search"
	"quintune/weights"
)

// taskRequest asks for an analysis of the position after ply moves.
type taskRequest struct {
	Ply     int    `json:"ply"`
	Weights string `json:"weights"`
	Lines   int    `json:"lines"`
	Nodes   int64  `json:"nodes"`
	Time    int64  `json:"time"` // ms
	Solver  string `json:"solver"`
}

// task is a taskRequest that has been checked.
type task struct {
	session.Task
	instead string // reason why Weights is not the requested set, "" where it is
	ply     int
	lines   int
	solver  session.Solver
}

// task reads a request about the game's position, which must be ongoing.
func (s *Server) task(h *hosted, r *http.Request) (t task, err error) {
	var want taskRequest
	if err := receive(r, &want); err != nil {
		return t, err
	}
	strength, err := strengthView{Nodes: want.Nodes, Time: want.Time}.strength()
	if err != nil {
		return t, err
	}
	if want.Lines < 0 || want.Lines > analysis.MaxLines {
		return t, badField("lines", int64(want.Lines), analysis.MaxLines)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.Weights, t.instead, err = s.roster.weights(want.Weights, h.game.Board()); err != nil {
		return t, err
	}
	if err := h.at(want.Ply); err != nil {
		return t, err
	}
	if h.game.Over() {
		return t, refusef(http.StatusConflict, "the game is over")
	}
	t.ply, t.lines, t.solver = want.Ply, max(want.Lines, 1), session.Solver(want.Solver)
	t.Task = session.Task{Weights: t.Weights, Position: h.game.Board().Clone(), Game: h.game.ID, Limits: strength.Limits()}
	return t, nil
}

// analysisView is one step of an analysis. Parts that have not changed since the last step are left out.
type analysisView struct {
	Ply      int                `json:"ply"`
	Heat     map[string]float64 `json:"heat,omitempty"` // of each cell, in [0, 1]
	Lines    []analysis.View    `json:"lines,omitempty"`
	Nodes    int64              `json:"nodes,omitempty"`
	Solution *solutionView      `json:"solution,omitempty"`
	Done     bool               `json:"done,omitempty"`
	Instead  string             `json:"instead,omitempty"` // which weights these replace, and why
}

// solutionView is the result of a solver.
type solutionView struct {
	Solver    string   `json:"solver"`
	Win       bool     `json:"win"`
	Plies     int      `json:"plies"`
	Line      []string `json:"line"`
	Exhausted bool     `json:"exhausted"`
	Nodes     int64    `json:"nodes"`
}

// Limits of the solver searches that are part of every analysis.
const (
	glanceNodes = 30_000
	glanceTime  = time.Second
)

// analyze streams the heat map, then short forced wins, then the lines of each finished depth.
func (s *Server) analyze(h *hosted, w http.ResponseWriter, r *http.Request) error {
	t, err := s.task(h, r)
	if err != nil {
		return err
	}
	thinker, giveBack, err := s.pool.lend(r.Context(), h.id)
	if err != nil {
		return err
	}
	defer giveBack()
	out := newStream(w)
	out.send(analysisView{Ply: t.ply, Heat: heat(t.Weights, t.Position), Instead: t.instead})
	glance := t.Task
	glance.Limits = search.Limits{Nodes: glanceNodes, Time: glanceTime}
	for _, solver := range []session.Solver{session.VCF, session.VCT} {
		found, err := thinker.Solve(r.Context(), glance, solver)
		if err != nil {
			return err
		}
		if found.Win {
			out.send(analysisView{Ply: t.ply, Solution: viewSolution(solver, found)})
			break
		}
	}
	report, err := thinker.Lines(r.Context(), t.Task, t.lines, func(report analysis.Report) {
		out.send(viewReport(t, report))
	})
	if err != nil {
		return err
	}
	if err := r.Context().Err(); err != nil && report.Nodes < curveNodes {
		return err // too little for a judgement: the curve would pass over the position
	}
	h.judge(t, report)
	last := viewReport(t, report)
	last.Done = true
	out.send(last)
	return nil
}

// judge records the result of an analysis and returns what is now known of the position. ok is false where the
// game has changed meanwhile.
func (h *hosted) judge(t task, report analysis.Report) (known session.Judgement, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.game.StillLeadsTo(t.Position) {
		return known, false
	}
	best := report.Lines[0]
	h.game.Eval(t.ply, t.Weights, best.Score, best.Depth)
	return h.game.Judgements()[t.ply], true
}

func viewReport(t task, report analysis.Report) analysisView {
	return analysisView{Ply: t.ply, Nodes: report.Nodes, Lines: report.Views(t.Weights)}
}

func viewSolution(solver session.Solver, s search.Solution) *solutionView {
	return &solutionView{string(solver), s.Win, s.Plies, analysis.Names(s.Line), s.Exhausted, s.Nodes}
}

// heat returns the engine's move scores, scaled from 0 for the median to 1 for the best. Cells at or below the
// median are left out.
func heat(set *weights.Set, position *board.Board) map[string]float64 {
	scores := analysis.Heat(set, position)
	if len(scores) == 0 {
		return nil
	}
	low, high := analysis.Spread(scores)
	cells := map[string]float64{}
	for _, s := range scores {
		if s.Score > low {
			cells[s.Cell.String()] = float64(s.Score-low) / float64(high-low)
		}
	}
	return cells
}

// solve searches a forced win with all of the limits in the request.
func (s *Server) solve(h *hosted, w http.ResponseWriter, r *http.Request) error {
	t, err := s.task(h, r)
	if err != nil {
		return err
	}
	if t.solver != session.VCF && t.solver != session.VCT {
		return refusef(http.StatusBadRequest, "solver is %.20q, not %s or %s", t.solver, session.VCF, session.VCT)
	}
	thinker, giveBack, err := s.pool.lend(r.Context(), h.id)
	if err != nil {
		return err
	}
	defer giveBack()
	found, err := thinker.Solve(r.Context(), t.Task, t.solver)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, viewSolution(t.solver, found))
}
