package play

import (
	"net/http"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/record"
	"quintune/internal/review"
	"quintune/search"
	"quintune/weights"
)

// reviewRequest asks for a review of the game.
type reviewRequest struct {
	Weights string `json:"weights"`
	Nodes   int64  `json:"nodes"` // node limit for each position, 0: reviewNodes
}

// Limits of each position of a review.
const (
	reviewNodes = 20_000
	reviewVCF   = 10_000
)

// reviewStep is one step of a review: the progress, or the result.
type reviewStep struct {
	Left   int         `json:"left"` // positions still to be reviewed
	Review *reviewView `json:"review,omitempty"`
}

// reviewView is a reviewed game.
type reviewView struct {
	Moves   []string    `json:"moves"`             // that were reviewed
	Notes   []noteView  `json:"notes"`             // one for each move
	Sides   [2]sideView `json:"sides"`             // [colour]
	Instead string      `json:"instead,omitempty"` // which weights these replace, and why
}

// sideView is the summary of one side.
type sideView struct {
	Accuracy     *float64 `json:"accuracy"` // in [0, 100], null where it has not moved
	Inaccuracies int      `json:"inaccuracies"`
	Mistakes     int      `json:"mistakes"`
	Blunders     int      `json:"blunders"`
	Missed       int      `json:"missed"` // missed wins by continuous fours
}

// noteView is the review of one move.
type noteView struct {
	Verdict string   `json:"verdict"` // "" for a move that is fine
	Loss    float64  `json:"loss"`    // lost chance to win, in [0, 1]
	Score   string   `json:"score"`   // score of the move, for people
	Best    string   `json:"best"`
	Better  string   `json:"better"` // score of the best, for people
	Line    []string `json:"line"`   // best first
	Missed  []string `json:"missed"` // missed win by continuous fours, null for none
}

// review streams the review of all moves of a game.
func (s *Server) review(h *hosted, w http.ResponseWriter, r *http.Request) error {
	var want reviewRequest
	if err := receive(r, &want); err != nil {
		return err
	}
	nodes, err := positionNodes(want.Nodes, reviewNodes)
	if err != nil {
		return err
	}
	game, id, set, instead, err := s.lineOf(h, want.Weights)
	if err != nil {
		return err
	}
	thinker, giveBack, err := s.pool.lend(r.Context(), h.id)
	if err != nil {
		return err
	}
	defer giveBack()
	out := newStream(w)
	limits := review.Limits{Search: search.Limits{Nodes: nodes}, VCF: reviewVCF}
	found, err := thinker.Review(r.Context(), set, id, game, limits, func(left int) { out.send(reviewStep{Left: left}) })
	if err != nil {
		return err
	}
	h.note(game, set, found)
	v := viewReview(game, found)
	v.Instead = instead
	out.send(reviewStep{Review: v})
	return nil
}

// lineOf returns all moves of the game as a record, and the weights that review them.
func (s *Server) lineOf(h *hosted, name string) (game *record.Game, id uint64, set *weights.Set, instead string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if set, instead, err = s.roster.weights(name, h.game.Board()); err != nil {
		return nil, 0, nil, "", err
	}
	if game = h.game.Whole(); len(game.Moves) == 0 {
		return nil, 0, nil, "", refusef(http.StatusConflict, "there is no move to review yet")
	}
	return game, h.game.ID, set, instead, nil
}

// note records the evaluations of a review for positions that have no better ones.
func (h *hosted) note(game *record.Game, set *weights.Set, found *review.Review) {
	h.mu.Lock()
	defer h.mu.Unlock()
	last, err := game.Board(len(game.Moves))
	if err != nil || !h.game.StillLeadsTo(last) {
		return
	}
	for ply := range found.Notes {
		h.game.Eval(ply, set, found.Notes[ply].BestScore, 0)
	}
	if found.Last != nil {
		h.game.Eval(len(found.Notes), set, found.Last.Score, found.Last.Depth)
	}
}

func viewReview(game *record.Game, found *review.Review) *reviewView {
	v := &reviewView{Moves: analysis.Names(game.Cells())}
	for i := range found.Notes {
		n := &found.Notes[i]
		note := noteView{
			Verdict: string(n.Verdict), Loss: n.Loss, Score: review.ScoreText(n.Score), Best: n.Best.String(),
			Better: review.ScoreText(n.BestScore), Line: analysis.Names(n.Line),
		}
		if n.Verdict != review.Fine && n.MissedVCF != nil {
			note.Missed = analysis.Names(n.MissedVCF)
			v.Sides[record.Colour(i)].Missed++
		}
		v.Notes = append(v.Notes, note)
	}
	for _, side := range []board.Colour{board.Black, board.White} {
		s := &v.Sides[side]
		count := func(v review.Verdict) int { return found.Count(side, v) }
		s.Inaccuracies, s.Mistakes, s.Blunders = count(review.Inaccurate), count(review.Mistaken), count(review.Blundered)
		if accuracy, ok := found.Accuracy(side, game.Opening); ok {
			s.Accuracy = &accuracy
		}
	}
	return v
}
