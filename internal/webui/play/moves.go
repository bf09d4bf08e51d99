package play

import (
	"net/http"
	"time"

	"quintune/board"
	"quintune/internal/record"
	"quintune/internal/session"
	"quintune/internal/text"
	"quintune/pattern"
)

// Bounds of a search of the page.
const (
	MaxTime  = 5 * time.Minute
	MaxNodes = 1_000_000_000
)

// badField refuses a number outside [0, most].
func badField(name string, value, most int64) error {
	return refusef(http.StatusBadRequest, "%s is %d, outside [0, %d]", name, value, most)
}

// newRequest asks for a game.
type newRequest struct {
	Size  int            `json:"size"`
	Rule  string         `json:"rule"`
	Moves string         `json:"moves"` // pos notation
	Black string         `json:"black"` // stones of a position that is set up, in pos notation; moves must be empty then
	White string         `json:"white"`
	Swap2 bool           `json:"swap2"` // begin with a swap2 opening, of which moves are the stones so far; the player in Black's seat is the opener
	Seats [2]seatRequest `json:"seats"` // [colour]
	Names [2]string      `json:"names"` // of people, [colour]
}

// seatRequest names a player of the roster, "" for a person.
type seatRequest struct {
	Player string `json:"player"`
	strengthView
}

// create begins a game.
func (s *Server) create(w http.ResponseWriter, r *http.Request) error {
	var want newRequest
	if err := receive(r, &want); err != nil {
		return err
	}
	rule, err := pattern.ParseRule(want.Rule)
	if err != nil {
		return refuse(http.StatusBadRequest, err)
	}
	moves, err := want.moves(rule)
	if err != nil {
		return err
	}
	game, err := session.New(s.games.next(), want.Size, rule)
	if err != nil {
		return refuse(http.StatusBadRequest, err)
	}
	if game.Seats, err = s.seats(want.Seats, want.Size, rule); err != nil {
		return err
	}
	for colour, name := range want.Names {
		game.Names[colour] = text.Line(name, record.MaxName)
	}
	load := game.Load
	if want.Swap2 {
		if err := game.BeginSwap2(); err != nil {
			return refuse(http.StatusBadRequest, err)
		}
		load = game.LoadOpening
	}
	if err := load(moves); err != nil {
		return refuse(http.StatusUnprocessableEntity, err)
	}
	return s.keep(w, game)
}

// moves returns the moves of a new game: those of the request, or moves that lead to the stones of the request.
func (r *newRequest) moves(rule pattern.Rule) ([]board.Cell, error) {
	var cells [3][]board.Cell
	for i, text := range []string{r.Moves, r.Black, r.White} {
		var err error
		if cells[i], err = board.ParseMoves(text); err != nil {
			return nil, refuse(http.StatusBadRequest, err)
		}
	}
	if len(cells[1])+len(cells[2]) == 0 {
		return cells[0], nil
	}
	if len(cells[0]) > 0 {
		return nil, refusef(http.StatusBadRequest, "moves and stones exclude each other")
	}
	moves, err := record.Arrange(r.Size, rule, cells[1], cells[2])
	return moves, refuse(http.StatusUnprocessableEntity, err)
}

// keep adds a new game and answers with it.
func (s *Server) keep(w http.ResponseWriter, game *session.Game) error {
	return send(w, http.StatusCreated, s.host(game))
}

// host adds a new game and returns its view.
func (s *Server) host(game *session.Game) gameView {
	h := s.games.add(game)
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.viewGame(h)
}

// seats returns the seats that are asked for.
func (s *Server) seats(want [2]seatRequest, size int, rule pattern.Rule) (seats [2]session.Seat, err error) {
	for colour, seat := range want {
		if seat.Player == "" {
			continue
		}
		l, err := s.roster.find(seat.Player)
		if err != nil {
			return seats, err
		}
		seats[colour].Player = l.player
		if seats[colour].Strength, err = seat.strength(); err != nil {
			return seats, err
		}
		if seats[colour], err = seats[colour].OnBoard(size, rule); err != nil {
			return seats, refuse(http.StatusBadRequest, err)
		}
	}
	return seats, nil
}

// show shows a game.
func (s *Server) show(h *hosted, _ *http.Request) (any, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.viewGame(h), nil
}

// playRequest asks for a person's move in the position after ply moves.
type playRequest struct {
	Cell string `json:"cell"`
	Ply  int    `json:"ply"`
}

// play plays a person's move. A cell that the rules refuse is 422 with the reason; a position that the
// game has left is 409.
func (s *Server) play(h *hosted, r *http.Request) (any, error) {
	var want playRequest
	if err := receive(r, &want); err != nil {
		return nil, err
	}
	cell, err := board.ParseCell(want.Cell)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.at(want.Ply); err != nil {
		return nil, err
	}
	if err := h.game.Play(cell); err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, err)
	}
	h.change()
	return s.viewGame(h), nil
}

// at refuses a request for a position other than the game's present one. The lock must be held.
func (h *hosted) at(ply int) error {
	if ply != h.game.Ply() {
		return refusef(http.StatusConflict, "the game is at move %d, not %d", h.game.Ply(), ply)
	}
	return nil
}

// goRequest asks for another position of the game. Exactly one of its fields must be set.
type goRequest struct {
	Ply *int   `json:"ply"`
	Way string `json:"way"` // "undo" or "redo", until it is a person's turn
}

// goTo undoes and redoes.
func (s *Server) goTo(h *hosted, r *http.Request) (any, error) {
	var want goRequest
	if err := receive(r, &want); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case want.Ply != nil && want.Way == "":
		if err := h.game.GoTo(*want.Ply); err != nil {
			return nil, refuse(http.StatusBadRequest, err)
		}
	case want.Ply == nil && want.Way == "undo":
		if !h.game.Undo() {
			return nil, refusef(http.StatusConflict, "there is no move to take back")
		}
	case want.Ply == nil && want.Way == "redo":
		if !h.game.Redo() {
			return nil, refusef(http.StatusConflict, "no move is undone")
		}
	default:
		return nil, refusef(http.StatusBadRequest, `either ply or way, which is "undo" or "redo", is wanted`)
	}
	h.change()
	return s.viewGame(h), nil
}

// lineRequest asks for another variation of the game, with the first ply moves played.
type lineRequest struct {
	Moves string `json:"moves"` // pos notation
	Ply   int    `json:"ply"`
}

// line switches to a position of another variation.
func (s *Server) line(h *hosted, r *http.Request) (any, error) {
	var want lineRequest
	if err := receive(r, &want); err != nil {
		return nil, err
	}
	moves, err := board.ParseMoves(want.Moves)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.game.SetLine(moves, want.Ply); err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, err)
	}
	h.change()
	return s.viewGame(h), nil
}

// seatsRequest asks for other players or strengths, or for the same ones and their names on the other sides.
type seatsRequest struct {
	Seats [2]seatRequest `json:"seats"` // [colour], not read where Swap is set
	Swap  bool           `json:"swap"`
}

// seat changes the players of a game, or their sides.
func (s *Server) seat(h *hosted, r *http.Request) (any, error) {
	var want seatsRequest
	if err := receive(r, &want); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	change := h.game.SwapSides
	if !want.Swap {
		b := h.game.Board()
		seats, err := s.seats(want.Seats, b.Size(), b.Rule())
		if err != nil {
			return nil, err
		}
		change = func() error { return h.game.SetPlayers(seats) }
	}
	if err := change(); err != nil {
		return nil, refuse(http.StatusConflict, err)
	}
	h.change()
	return s.viewGame(h), nil
}

// chooseRequest asks for a person's choice in an opening under swap2, in the position after ply moves.
type chooseRequest struct {
	Option string `json:"option"`
	Ply    int    `json:"ply"`
}

// choose takes a side in a swap2 opening, or asks for two more stones.
func (s *Server) choose(h *hosted, r *http.Request) (any, error) {
	var want chooseRequest
	if err := receive(r, &want); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.at(want.Ply); err != nil {
		return nil, err
	}
	if err := h.game.Choose(session.Option(want.Option)); err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, err)
	}
	h.change()
	return s.viewGame(h), nil
}
