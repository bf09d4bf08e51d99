package play

import (
	"context"
	"net/http"

	"quintune/internal/analysis"
	"quintune/internal/session"
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
	if err := h.game.Apply(answer); err != nil {
		return err
	}
	t := answer.Thought
	return send(w, http.StatusOK, thinkView{Game: s.viewGame(h), PV: analysis.Names(t.PV), Nodes: t.Nodes, Spent: t.Elapsed.Milliseconds()})
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
