package ladder

import (
	"fmt"

	"quintune/board"
	"quintune/selfplay"
)

// entry is a finished pair as the journal keeps it.
type entry struct {
	Pairing   int     `json:"pairing"`
	Pair      int     `json:"pair"`
	Games     [2]game `json:"games"` // the first with A as Black
	Discarded []game  `json:"discarded,omitempty"`
}

// game is a finished game.
type game struct {
	Moves       string `json:"moves"`   // opening included, in pos notation
	Outcome     string `json:"outcome"` // as board.Outcome says
	Nodes       int64  `json:"nodes"`
	Adjudicated bool   `json:"adjudicated,omitempty"`
	Fault       *fault `json:"fault,omitempty"`
}

// fault is a player's failure.
type fault struct {
	Colour string `json:"colour"` // of the player
	Kind   string `json:"kind"`
	Text   string `json:"text"`
}

// maxFaultText bounds what is kept of a fault's text, bytes: engines from outside may say anything.
const maxFaultText = 300

func entryOf(at place, r *selfplay.Result) entry {
	e := entry{Pairing: at.pairing, Pair: at.pair}
	for i := range r.Games {
		e.Games[i] = gameOf(&r.Games[i])
	}
	for i := range r.Discarded {
		e.Discarded = append(e.Discarded, gameOf(&r.Discarded[i]))
	}
	return e
}

func gameOf(g *selfplay.Game) game {
	kept := game{Moves: board.FormatMoves(g.Moves), Outcome: g.Outcome.String(), Nodes: g.Nodes, Adjudicated: g.Adjudicated}
	if g.Fault != nil {
		text := g.Fault.Error()
		kept.Fault = &fault{g.Faulty.String(), selfplay.FaultKind(g.Fault), text[:min(len(text), maxFaultText)]}
	}
	return kept
}

// result returns the pair as it was played.
func (e *entry) result() (*selfplay.Result, error) {
	var r selfplay.Result
	var err error
	for i := range e.Games {
		if r.Games[i], err = e.Games[i].game(); err != nil {
			return nil, err
		}
	}
	for i := range e.Discarded {
		g, err := e.Discarded[i].game()
		if err != nil {
			return nil, err
		}
		r.Discarded = append(r.Discarded, g)
	}
	return &r, nil
}

func (g *game) game() (selfplay.Game, error) {
	moves, err := board.ParseMoves(g.Moves)
	if err != nil {
		return selfplay.Game{}, err
	}
	played := selfplay.Game{Moves: moves, Nodes: g.Nodes, Adjudicated: g.Adjudicated}
	if played.Outcome, err = parseOutcome(g.Outcome); err != nil {
		return selfplay.Game{}, err
	}
	if g.Fault != nil {
		played.Fault = &selfplay.Fault{Kind: g.Fault.Kind, Text: g.Fault.Text}
		if g.Fault.Colour == board.White.String() {
			played.Faulty = board.White
		}
	}
	return played, nil
}

// parseOutcome returns the end of a game by its name.
func parseOutcome(name string) (board.Outcome, error) {
	for _, o := range [3]board.Outcome{board.BlackWins, board.WhiteWins, board.Draw} {
		if o.String() == name {
			return o, nil
		}
	}
	return board.Ongoing, fmt.Errorf("outcome %.40q is no end of a game", name)
}
