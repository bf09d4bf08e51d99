package play

import (
	"errors"
	"net/http"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/explorer"
	"quintune/internal/session"
	"quintune/search"
)

// exploreRequest asks what was played in the position after ply moves of the game.
type exploreRequest struct {
	Ply     int    `json:"ply"`
	Weights string `json:"weights"`
}

// exploreView is what was played in a position.
type exploreView struct {
	Ply   int            `json:"ply"`
	Games int            `json:"games"` // games of this size and rule
	Moves []exploredMove `json:"moves"` // most games first
}

// exploredMove is a move that was played. Its numbers are seen from the side that played it.
type exploredMove struct {
	Move     string   `json:"move"`
	Games    int      `json:"games"`
	Score    *float64 `json:"score"`    // share of the points, null where no game has a result
	Chances  float64  `json:"chances"`  // mean chances to win: from the games where they record them, else from a search
	Searched bool     `json:"searched"` // the chances are those of a search
}

// Bounds of an answer of the explorer, and limits of the search for moves without recorded chances.
const (
	mostExplored = 12
	exploreNodes = 2000
)

// explore sends what was played in the position.
func (s *Server) explore(h *hosted, w http.ResponseWriter, r *http.Request) error {
	var want exploreRequest
	if err := receive(r, &want); err != nil {
		return err
	}
	t, err := s.exploredTask(h, want)
	if err != nil {
		return err
	}
	v := exploreView{Ply: want.Ply, Games: s.config.Explorer.Games(t.Position.Size(), t.Position.Rule()), Moves: []exploredMove{}}
	list := s.config.Explorer.At(t.Position)
	list = list[:min(len(list), mostExplored)]
	if len(list) == 0 {
		return send(w, http.StatusOK, v)
	}
	thinker, giveBack, err := s.pool.lend(r.Context(), h.id)
	if err != nil {
		return err
	}
	defer giveBack()
	for i := range list {
		m := exploredMove{Move: list[i].Cell.String(), Games: list[i].Games, Chances: list[i].Chances, Searched: list[i].Told == 0}
		if score, ok := list[i].Score(); ok {
			m.Score = &score
		}
		if m.Searched {
			if m.Chances, err = chancesAfter(r, thinker, t, &list[i]); err != nil {
				return err
			}
		}
		v.Moves = append(v.Moves, m)
	}
	return send(w, http.StatusOK, v)
}

// exploredTask returns the position of a request.
func (s *Server) exploredTask(h *hosted, want exploreRequest) (t session.Task, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	set, _, err := s.roster.weights(want.Weights, h.game.Board())
	if err != nil {
		return t, err
	}
	position, err := h.game.Position(want.Ply) // the game may already have an engine's move more
	if err != nil {
		return t, refuse(http.StatusConflict, err)
	}
	return session.Task{Weights: set, Position: position, Game: h.game.ID, Limits: search.Limits{Nodes: exploreNodes}}, nil
}

// chancesAfter returns the chances of the side that plays the move. They come from a short search of the
// position after it.
func chancesAfter(r *http.Request, thinker *session.Thinker, t session.Task, m *explorer.Move) (float64, error) {
	mover := t.Position.SideToMove()
	t.Position = t.Position.Clone()
	t.Position.Play(m.Cell)
	switch outcome := t.Position.Outcome(); {
	case outcome == board.WinFor(mover):
		return 1, nil
	case outcome != board.Ongoing:
		return .5, nil
	}
	report, err := thinker.Lines(r.Context(), t, 1, nil)
	if err != nil || r.Context().Err() != nil {
		return 0, errors.Join(err, r.Context().Err())
	}
	return 1 - analysis.Chances(t.Weights, report.Lines[0].Score), nil
}
