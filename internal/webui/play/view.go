package play

import (
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/session"
	"quintune/search"
	"quintune/weights"
)

// gameView is a game as the page sees it. Cells are in pos notation.
type gameView struct {
	ID        string            `json:"id"`
	Size      int               `json:"size"`
	Rule      string            `json:"rule"`
	Moves     []string          `json:"moves"` // undone moves included
	Ply       int               `json:"ply"`   // moves on the board
	Turn      string            `json:"turn"`
	Outcome   string            `json:"outcome"`          // text of board.Outcome
	Recorded  *endView          `json:"recorded"`         // end that the imported record tells of this position, which the board does not decide; null for none
	Row       []string          `json:"row"`              // winning row
	Forbidden map[string]string `json:"forbidden"`        // reasons, by the cells that renju forbids to Black
	Seats     [2]seatView       `json:"seats"`            // [colour]
	Names     [2]string         `json:"names"`            // names of people, [colour], "" where unknown
	Mover     seatView          `json:"mover"`            // side that moves or chooses next
	Opening   string            `json:"opening"`          // step of a swap2 opening, in which the seats are opener and responder; "" in an ordinary game
	Options   []string          `json:"options"`          // choices of this step
	Judged    []*judgeView      `json:"judged"`           // evaluation of each position, by number of moves; null where there is none
	Tree      tree              `json:"tree,omitempty"`   // of an imported game with variations
	Fouled    string            `json:"fouled,omitempty"` // Black's last move of an imported game, which is left out as a foul
}

// endView is how a game ended.
type endView struct {
	Outcome string `json:"outcome"` // text of board.Outcome
	Reason  string `json:"reason"`  // "" where nothing says
}

// seatView is a seat; Player is "" for a person.
type seatView struct {
	Player string `json:"player"`
	Name   string `json:"name"`
	strengthView
}

// strengthView limits the strength; zeros mean no limits.
type strengthView struct {
	Level int   `json:"level"`
	Nodes int64 `json:"nodes"`
	Time  int64 `json:"time"` // ms
}

// judgeView is the evaluation of a position, from Black's side.
type judgeView struct {
	Score    int32   `json:"score"`
	Win      int     `json:"win"`      // plies to Black's win, negative to White's, 0 where neither is proven
	Expected string  `json:"expected"` // "win" or "loss" of Black that the score predicts without a proof, or ""
	Chances  float64 `json:"chances"`  // Black's chances to win, in [0, 1]
	Depth    int     `json:"depth"`
}

func viewStrength(s session.Strength) strengthView {
	return strengthView{int(s.Level), s.Nodes, s.Time.Milliseconds()}
}

// viewGame returns the game's view. The lock must be held.
func (s *Server) viewGame(h *hosted) gameView {
	b := h.game.Board()
	v := gameView{
		ID: h.id, Size: b.Size(), Rule: b.Rule().String(), Moves: analysis.Names(h.game.Line()), Ply: h.game.Ply(),
		Turn: b.SideToMove().String(), Outcome: b.Outcome().String(), Row: analysis.Names(session.WinningRow(b)), Forbidden: forbiddenCells(b),
		Names: h.game.Names, Mover: s.viewSeat(h.game.Turn()), Opening: h.game.Opening().String(), Options: []string{},
	}
	if outcome, reason := h.game.RecordedEnd(); outcome != board.Ongoing {
		v.Recorded = &endView{outcome.String(), string(reason)}
	}
	for _, o := range h.game.Opening().Options() {
		v.Options = append(v.Options, string(o))
	}
	for colour, seat := range h.game.Seats {
		v.Seats[colour] = s.viewSeat(seat)
	}
	for _, j := range h.game.Judgements() {
		v.Judged = append(v.Judged, viewJudgement(s.config.Weights.Weights, j))
	}
	return v
}

// forbiddenCells returns why cells are forbidden to Black, by the names of the cells. It is empty where the game
// is over.
func forbiddenCells(b *board.Board) map[string]string {
	why := map[string]string{}
	if b.Outcome() == board.Ongoing {
		for _, c := range b.AllForbidden(nil) {
			why[c.String()] = b.Foul(c).String()
		}
	}
	return why
}

func (s *Server) viewSeat(seat session.Seat) seatView {
	if seat.Person() {
		return seatView{}
	}
	return seatView{s.roster.nameOf(seat.Player), session.Label(seat.Player), viewStrength(seat.Strength)}
}

// viewJudgement returns the view of a judgement; its points are those of the program's own weights where their set is unknown.
func viewJudgement(own *weights.Set, j session.Judgement) *judgeView {
	if !j.Known {
		return nil
	}
	return &judgeView{j.Score, search.PliesToWin(j.Score), analysis.Expected(j.Score), j.Chances(own), j.Depth}
}

// strength checks and converts a strength; an error names the bound.
func (v strengthView) strength() (session.Strength, error) {
	const most = int64(MaxTime / time.Millisecond)
	if v.Time < 0 || v.Time > most {
		return session.Strength{}, badField("time", v.Time, most)
	}
	if v.Nodes < 0 || v.Nodes > MaxNodes {
		return session.Strength{}, badField("nodes", v.Nodes, MaxNodes)
	}
	if v.Level < 0 || v.Level > int(search.MaxLevel) {
		return session.Strength{}, badField("level", int64(v.Level), int64(search.MaxLevel))
	}
	return session.Strength{Level: search.Level(v.Level), Nodes: v.Nodes, Time: time.Duration(v.Time) * time.Millisecond}, nil
}
