package play

import (
	"context"
	"errors"
	"net/http"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/session"
	"quintune/search"
	"quintune/weights"
)

// thinkRequest asks the engine whose turn it is for its move in the position after ply moves.
type thinkRequest struct {
	Ply int `json:"ply"`
}

// thinkView is the game after the engine's move, with what it thought of.
type thinkView struct {
	Game  gameView `json:"game"`
	PV    []string `json:"pv"`
	Nodes int64    `json:"nodes"`
	Spent int64    `json:"spent"` // ms
}

// think lets the engine move. A change of the game ends the thought, which is 409 then.
func (s *Server) think(h *hosted, w http.ResponseWriter, r *http.Request) error {
	var want thinkRequest
	if err := receive(r, &want); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	own := &thinking{cancel}
	question, err := h.begin(want.Ply, own)
	if err != nil {
		return err
	}
	answer, err := s.ask(ctx, h.id, question)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.thinking != own {
		return refusef(http.StatusConflict, "the game went on while the engine thought")
	}
	h.thinking = nil
	if err != nil {
		return err
	}
	if err := h.game.Take(answer); err != nil {
		return err
	}
	t := answer.Thought
	return send(w, http.StatusOK, thinkView{Game: s.viewGame(h), PV: names(t.PV), Nodes: t.Nodes, Spent: t.Elapsed.Milliseconds()})
}

// begin returns what the engine is to think about, and notes that it thinks.
func (h *hosted) begin(ply int, own *thinking) (session.Question, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch err := h.at(ply); {
	case err != nil:
		return session.Question{}, err
	case h.game.Over():
		return session.Question{}, refusef(http.StatusConflict, "the game is over")
	case h.game.Turn().Person():
		return session.Question{}, refusef(http.StatusConflict, "it is a person's turn")
	case h.thinking != nil:
		return session.Question{}, refusef(http.StatusConflict, "the engine thinks already")
	}
	h.thinking = own
	return h.game.Ask(), nil
}

// ask asks an engine of the pool.
func (s *Server) ask(ctx context.Context, id string, q session.Question) (session.Answer, error) {
	thinker, giveBack, err := s.pool.lend(ctx, id)
	if err != nil {
		return session.Answer{}, err
	}
	defer giveBack()
	return thinker.Answer(ctx, q)
}

// taskRequest asks what weights think of the position after ply moves.
type taskRequest struct {
	Ply     int    `json:"ply"`
	Weights string `json:"weights"`
	Lines   int    `json:"lines"`
	Nodes   int64  `json:"nodes"`
	Time    int64  `json:"time"` // ms
	Solver  string `json:"solver"`
}

// task is a checked taskRequest.
type task struct {
	session.Task
	set    *weights.Set
	ply    int
	lines  int
	solver session.Solver
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
	if t.set, err = s.roster.weights(want.Weights); err != nil {
		return t, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.at(want.Ply); err != nil {
		return t, err
	}
	if h.game.Over() {
		return t, refusef(http.StatusConflict, "the game is over")
	}
	t.ply, t.lines, t.solver = want.Ply, max(want.Lines, 1), session.Solver(want.Solver)
	t.Task = session.Task{Weights: t.set, Position: h.game.Board().Clone(), Game: h.game.ID, Limits: strength.Limits()}
	return t, nil
}

// lineView is one move with its line; scores are for the side to move.
type lineView struct {
	Move    string   `json:"move"`
	Score   int32    `json:"score"`
	Win     int      `json:"win"`
	Chances float64  `json:"chances"`
	Depth   int      `json:"depth"`
	PV      []string `json:"pv"`
}

// analysisView is one step of an analysis; what has not changed is left out.
type analysisView struct {
	Ply      int                `json:"ply"`
	Heat     map[string]float64 `json:"heat,omitempty"` // of each cell, in [0, 1]
	Lines    []lineView         `json:"lines,omitempty"`
	Nodes    int64              `json:"nodes,omitempty"`
	Solution *solutionView      `json:"solution,omitempty"`
	Done     bool               `json:"done,omitempty"`
	Error    string             `json:"error,omitempty"`
}

// solutionView is what a solver found.
type solutionView struct {
	Solver    string   `json:"solver"`
	Win       bool     `json:"win"`
	Plies     int      `json:"plies"`
	Line      []string `json:"line"`
	Exhausted bool     `json:"exhausted"`
	Nodes     int64    `json:"nodes"`
}

// Limits of the solvers that go with every analysis.
const (
	glanceNodes = 30_000
	glanceTime  = time.Second
)

// analyze streams the heat map, forced wins at a glance, and ever deeper lines.
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
	out.send(analysisView{Ply: t.ply, Heat: heat(t.set, t.Position)})
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
	h.judge(t, report)
	last := viewReport(t, report)
	last.Done = true
	out.send(last)
	return nil
}

// judge notes what an analysis found and returns what is known now; ok is false where the game has gone
// another way meanwhile.
func (h *hosted) judge(t task, report analysis.Report) (known session.Judgement, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.game.StillLeadsTo(t.Position) {
		return known, false
	}
	best := report.Lines[0]
	h.game.Judge(t.ply, best.Score, best.Depth)
	return h.game.Judgements()[t.ply], true
}

func viewReport(t task, report analysis.Report) analysisView {
	v := analysisView{Ply: t.ply, Nodes: report.Nodes}
	for _, l := range report.Lines {
		v.Lines = append(v.Lines, lineView{
			l.Move().String(), l.Score, search.PliesToWin(l.Score), analysis.Chances(t.set, l.Score), l.Depth, names(l.PV),
		})
	}
	return v
}

func viewSolution(solver session.Solver, s search.Solution) *solutionView {
	return &solutionView{string(solver), s.Win, s.Plies, names(s.Line), s.Exhausted, s.Nodes}
}

// heat returns the engine's move scores between the middle one, 0, and the best, 1; cells at or below the middle
// are left out.
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

// solve looks for a forced win with the whole limits of the request.
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

// curveRequest asks for the evaluation of every position of the game that has none.
type curveRequest struct {
	Weights string `json:"weights"`
	Nodes   int64  `json:"nodes"` // for each position
}

// curveView is one point of the curve.
type curveView struct {
	Ply    int        `json:"ply"`
	Judged *judgeView `json:"judged"`
}

// curveNodes is what a position of the curve gets where the request does not say.
const curveNodes = 5000

// curve streams the evaluations of a game, position by position.
func (s *Server) curve(h *hosted, w http.ResponseWriter, r *http.Request) error {
	var want curveRequest
	if err := receive(r, &want); err != nil {
		return err
	}
	if want.Nodes == 0 {
		want.Nodes = curveNodes
	}
	if want.Nodes < 0 || want.Nodes > maxNodes/1000 {
		return badField("nodes", want.Nodes, maxNodes/1000)
	}
	set, err := s.roster.weights(want.Weights)
	if err != nil {
		return err
	}
	thinker, giveBack, err := s.pool.lend(r.Context(), h.id)
	if err != nil {
		return err
	}
	defer giveBack()
	out := newStream(w)
	for _, t := range h.unjudged(set, want.Nodes) {
		report, err := thinker.Lines(r.Context(), t.Task, 1, nil)
		if err != nil || r.Context().Err() != nil {
			return errors.Join(err, r.Context().Err())
		}
		if judged, ok := h.judge(t, report); ok {
			out.send(curveView{t.ply, viewJudgement(s.config.Weights.Weights, judged)})
		}
	}
	return nil
}

// unjudged returns the positions of the game of which nothing is known.
func (h *hosted) unjudged(set *weights.Set, nodes int64) []task {
	h.mu.Lock()
	defer h.mu.Unlock()
	var tasks []task
	for ply, j := range h.game.Judgements() {
		position, err := h.game.Position(ply)
		if err != nil || j.Known || position.Outcome() != board.Ongoing {
			continue
		}
		tasks = append(tasks, task{set: set, ply: ply, Task: session.Task{
			Weights: set, Position: position, Game: h.game.ID, Limits: search.Limits{Nodes: nodes},
		}})
	}
	return tasks
}
