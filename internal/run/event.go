package run

import (
	"quintune/board"
	"quintune/internal/stats"
	"quintune/selfplay"
)

// Stage is what a run is doing.
type Stage string

// The stages of a run in their usual order; checks and interim gates come between generations. The labels are part of a
// generation that is fitted to: its games are played, and the fit waits for its positions.
const (
	StageEvolution  Stage = "evolution"
	StageLabels     Stage = "labels"
	StageCheck      Stage = "check"
	StageGate       Stage = "gate"
	StageValidation Stage = "validation"
	StageDone       Stage = "done"
)

// Stages of a run that another process plays, of which the database does not tell more, and of one that nobody plays now.
const (
	StagePlaying     Stage = "playing"
	StageInterrupted Stage = "interrupted"
)

// Event is the state of a run at one moment, for display. There is one at the start of each step, after every pair,
// at intervals during labelling, after every closed step, and at the end of the run; a step that a deadline alone makes has none.
// They come from one goroutine at a time.
type Event struct {
	Stage  Stage `json:"stage"`
	Closed bool  `json:"-"` // a step was closed; false: it has come further

	Phase      string `json:"phase"`      // of the optimiser: "fit", "ga", ...
	Generation int    `json:"generation"` // generations closed
	Games      int    `json:"games"`      // played so far, of all stages, before a resume too
	Evolution  int    `json:"-"`          // games of the closed generations
	Budget     int    `json:"budget"`     // games
	Figures           // of the last closed generation

	// Against is the strength of the optimiser's champion against the start weights, averaged over the champions of the
	// last check matches. It is measured at the tuning nodes and is for display only. AgainstPairs is the number of its
	// pairs, 0 before the first.
	Against      stats.Estimate `json:"against"`
	AgainstPairs int64          `json:"against_pairs"`

	Opponent string         `json:"opponent"` // of the candidate in the running or closed check, gate or validation; "" elsewhere
	Pairs    int64          `json:"pairs"`    // judged of the running or closed gate or validation
	Judged   stats.Estimate `json:"judged"`   // estimate of the candidate against Opponent, if Pairs is above 0
	Most     int64          `json:"most"`     // pairs that it takes at most
	LLR      float64        `json:"llr"`
	Lower    float64        `json:"lower"` // LLR at which the gate fails
	Upper    float64        `json:"upper"` // LLR at which it is passed

	Labelled  int `json:"labelled"`  // positions, of the open step's games; 0 except among the labels
	Positions int `json:"positions"` // to be labelled

	Verdict *Verdict `json:"-"` // how the run ended; nil before its last event. Read-only.

	Last *Generation `json:"-"` // the generation that was closed; nil where the event closes none. Read-only.
	Game *Game       `json:"-"` // one of the pair that was played last in the open step, nil before the first

	GamesPerSecond float64 `json:"games_per_second"` // since the run was started or resumed, labels left out; 0 before the first pair
	Left           float64 `json:"left"`             // seconds to the end, estimated; 0 when unknown
}

// Game is a finished game of a run, for showing. Read-only.
type Game struct {
	Number      int    `json:"number"` // rises from game to game that is kept; 0 before
	Black       string `json:"black"`  // "genome 7", "candidate", or the name of an opponent
	White       string `json:"white"`
	Stage       Stage  `json:"stage"`
	Rule        string `json:"rule"`
	Size        int    `json:"size"`    // cells on a side
	Moves       Moves  `json:"moves"`   // opening included
	Opening     int    `json:"opening"` // plies of the opening
	Outcome     string `json:"outcome"`
	Adjudicated bool   `json:"adjudicated"` // ended by a proven win, or because no five was possible any more
}

// NewGame returns a game for showing. The players are names by colour; opening is the number of its plies.
func NewGame(played *selfplay.Game, players [2]string, stage Stage, rule string, size, opening int) Game {
	return Game{
		Black: players[board.Black], White: players[board.White], Stage: stage, Rule: rule, Size: size,
		Moves: played.Moves, Opening: opening, Outcome: played.Outcome.String(), Adjudicated: played.Adjudicated,
	}
}

// Moves is a list of moves, in JSON a text in pos notation such as "h8i9".
type Moves []board.Cell

// MarshalText returns the moves in pos notation.
func (m Moves) MarshalText() ([]byte, error) { return []byte(board.FormatMoves(m)), nil }

// UnmarshalText reads what MarshalText returns.
func (m *Moves) UnmarshalText(text []byte) (err error) {
	*m, err = board.ParseMoves(string(text))
	return err
}
