package play

import (
	"errors"
	"net/http"

	"quintune/board"
	"quintune/internal/session"
	"quintune/search"
	"quintune/weights"
)

// curveRequest asks for an evaluation of every position of the game that has none yet.
type curveRequest struct {
	Weights string `json:"weights"`
	Nodes   int64  `json:"nodes"` // for each position
}

// curveView is one point of the curve.
type curveView struct {
	Ply    int        `json:"ply"`
	Judged *judgeView `json:"judged"`
}

// curveNodes is the node limit for a position where the request sets none.
const curveNodes = 5000

// curve streams the evaluations of a game, position by position.
func (s *Server) curve(h *hosted, w http.ResponseWriter, r *http.Request) error {
	var want curveRequest
	if err := receive(r, &want); err != nil {
		return err
	}
	nodes, err := positionNodes(want.Nodes, curveNodes)
	if err != nil {
		return err
	}
	h.mu.Lock()
	set, _, err := s.roster.weights(want.Weights, h.game.Board())
	h.mu.Unlock()
	if err != nil {
		return err
	}
	thinker, giveBack, err := s.pool.lend(r.Context(), h.id)
	if err != nil {
		return err
	}
	defer giveBack()
	out := newStream(w)
	for _, t := range h.unjudged(set, nodes) {
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

// positionNodes returns the node limit for each position of a game: the requested one, or the usual one for 0.
func positionNodes(asked, usual int64) (int64, error) {
	if asked == 0 {
		return usual, nil
	}
	if asked < 0 || asked > MaxNodes/1000 {
		return 0, badField("nodes", asked, MaxNodes/1000)
	}
	return asked, nil
}

// unjudged returns the positions of the game without an evaluation.
func (h *hosted) unjudged(set *weights.Set, nodes int64) []task {
	h.mu.Lock()
	defer h.mu.Unlock()
	var tasks []task
	for ply, j := range h.game.Judgements() {
		position, err := h.game.Position(ply)
		if err != nil || j.Known || position.Outcome() != board.Ongoing {
			continue
		}
		tasks = append(tasks, task{ply: ply, Task: session.Task{
			Weights: set, Position: position, Game: h.game.ID, Limits: search.Limits{Nodes: nodes},
		}})
	}
	return tasks
}
