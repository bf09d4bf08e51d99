// Package record holds games as they are written down, and reads and writes them: psq of Piskvork,
// SGF (GM[4]), plain moves in pos notation, and JSON lines, one game a line. Gomotur's .rec and
// Gomocup's offset lines are read only.
//
// Reading is strict: what is not a game of the format is refused with the line and the bound. Texts
// of files (names, comments) lose their control characters, so that they are safe on a terminal.
//
// Sources: the files that Piskvork and GomocupJudge write, c-gomoku-cli's SGF, and SGF FF[4]
// (www.red-bean.com/sgf).
package record

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"quintune/board"
	"quintune/pattern"
)

// Game is one game. The zero value has no board; Size is needed.
type Game struct {
	Size    int // of the board, cells on a side
	Rule    pattern.Rule
	Players [2]string // names by [colour], "" where unknown
	Event   string    // what it was played for, "" where unknown
	Moves   []Move    // Black first, colours in turn
	Opening int       // how many of the moves were set before the players moved
	Outcome board.Outcome
	Reason  Reason // why it ended so, ReasonUnknown where nothing says

	Variations []Variation // of Moves, by Ply; SGF alone keeps them
}

// Variation is a line of legal moves that was not played.
type Variation struct {
	Ply        int         // index of the move that its first move replaces
	Moves      []Move      // at least one
	Variations []Variation // of Moves, by Ply, which counts from the first move of the game
}

// Move is one move of a game.
type Move struct {
	Cell    board.Cell
	Time    time.Duration // that it took; files keep whole milliseconds, 0 is unknown
	Score   *int32        // points for the side that moves, nil where unknown
	Win     int           // plies to its proven win, this move counted; negative to its loss; 0 for neither
	Comment string        // lines of printable text
}

// Colour returns the colour of the move with the index.
func Colour(index int) board.Colour { return board.Colour(index & 1) }

// Bounds of what is read.
const (
	MaxGames   = 100_000 // of one file
	MaxName    = 200     // bytes of a player's name or an event
	MaxComment = 4096    // bytes of a move's comment
)

// Conditions are the size and rule of a game whose record does not state them.
type Conditions struct {
	Size int
	Rule pattern.Rule
}

// DefaultConditions are freestyle on 15 by 15 cells.
func DefaultConditions() Conditions { return Conditions{Size: 15, Rule: pattern.Freestyle} }

// Check returns an error for a game that has other conditions, in the words of the options --size and --rule. size and rule choose
// what is compared.
func (c Conditions) Check(g *Game, size, rule bool) error {
	switch {
	case size && g.Size != c.Size:
		return fmt.Errorf("the size is %d, not %d as --size says", g.Size, c.Size)
	case rule && g.Rule != c.Rule:
		return fmt.Errorf("the rule is %v, not %v as --rule says", g.Rule, c.Rule)
	}
	return nil
}

// Cells returns the moves without what is known of them.
func (g *Game) Cells() []board.Cell {
	cells := make([]board.Cell, len(g.Moves))
	for i, m := range g.Moves {
		cells[i] = m.Cell
	}
	return cells
}

// Shared returns how many moves two lines have in common, from the first on.
func Shared(a, b []Move) int {
	n := 0
	for n < min(len(a), len(b)) && a[n].Cell == b[n].Cell {
		n++
	}
	return n
}

// Board returns the position after the first moves, ply in [0, len(Moves)]. The error names the
// first move that is not legal, or the bound that size, rule or ply breaks. Black's last move may be
// forbidden, as it ended a game of renju: see Fouled.
func (g *Game) Board(ply int) (*board.Board, error) {
	if ply < 0 || ply > len(g.Moves) {
		return nil, fmt.Errorf("record: ply %d is outside [0, %d]", ply, len(g.Moves))
	}
	b, err := board.New(g.Size, g.Rule)
	if err != nil {
		return nil, err
	}
	for i, m := range g.Moves[:ply] {
		err := b.Legal(m.Cell)
		if errors.Is(err, board.ErrForbidden) && i == len(g.Moves)-1 {
			err = nil
		}
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		b.Play(m.Cell)
	}
	return b, nil
}

// Fouled reports whether the last move of a game of renju is Black's on a forbidden cell, by which White
// has won though no row shows it. The game must be legal.
func (g *Game) Fouled() bool {
	last := len(g.Moves) - 1
	if last < 0 || g.Rule != pattern.Renju {
		return false
	}
	b, err := g.Board(last)
	return err == nil && errors.Is(b.Legal(g.Moves[last].Cell), board.ErrForbidden)
}

// LegalMoves returns the number of moves without the foul that ended a game of renju; see Fouled.
func (g *Game) LegalMoves() int {
	if g.Fouled() {
		return len(g.Moves) - 1
	}
	return len(g.Moves)
}

// settle replays the game, takes the outcome from the board where the record says none, and
// returns an error when a move is illegal or the board contradicts the record.
func (g *Game) settle() error {
	if len(g.Moves) == 0 {
		return g.checkReason(board.Ongoing)
	}
	b, err := g.Board(len(g.Moves))
	if err != nil {
		return fmt.Errorf("%w (rule %v, size %d)", err, g.Rule, g.Size)
	}
	on, reason := b.Outcome(), ReasonBoard
	if g.Fouled() {
		on, reason = board.WhiteWins, ReasonForbidden
	}
	switch {
	case on == board.Ongoing || on == g.Outcome:
	case g.Outcome == board.Ongoing:
		g.Outcome = on
	default:
		return fmt.Errorf("the result is %v, but on the board %v (rule %v)", g.Outcome, on, g.Rule)
	}
	if err := g.checkReason(b.Outcome()); err != nil {
		return err
	}
	if on != board.Ongoing && (g.Reason == ReasonUnknown || g.Reason == ReasonForfeit) {
		g.Reason = reason
	}
	return nil
}

// alone settles the game and returns it as the only one of its file.
func (g *Game) alone() ([]Game, error) {
	if err := g.settle(); err != nil {
		return nil, err
	}
	return []Game{*g}, nil
}

// checkReason returns an error for a reason that the rule, the result or the outcome on the board contradicts. A record may lack the
// foul of ReasonForbidden.
func (g *Game) checkReason(onBoard board.Outcome) error {
	switch {
	case g.Reason == ReasonBoard && onBoard == board.Ongoing:
		return fmt.Errorf("the reason is %q, but the board has no winning row and an empty cell (rule %v)", g.Reason, g.Rule)
	case g.Reason == ReasonForbidden && (g.Rule != pattern.Renju || g.Outcome != board.WhiteWins):
		return fmt.Errorf("the reason is %q, by which White wins in renju, but the result is %v (rule %v)", g.Reason, g.Outcome, g.Rule)
	}
	return nil
}

// Reason says why a game ended as it did.
type Reason string

// Reasons that are written. The side that lost is the one at fault.
const (
	ReasonUnknown     Reason = ""
	ReasonBoard       Reason = "board"           // a winning row, or no empty cell
	ReasonProven      Reason = "proven win"      // ended early, since the end was proven
	ReasonDead        Reason = "no five left"    // ended early, since nobody could win any more
	ReasonAdjudicated Reason = "adjudicated"     // ended early by a manager
	ReasonResigned    Reason = "resigned"        // a player gave up
	ReasonTimeout     Reason = "timeout"         // a player was too slow
	ReasonIllegal     Reason = "illegal move"    // a player moved where it must not
	ReasonForbidden   Reason = "forbidden point" // Black moved onto one, in renju
	ReasonCrash       Reason = "crash"           // a player's program ended
	ReasonMemory      Reason = "memory"          // a player's program took too much
	ReasonProtocol    Reason = "protocol"        // a player's program answered nothing sensible
	ReasonStart       Reason = "start"           // a player's program could not be started
	ReasonForfeit     Reason = "forfeit"         // a player broke a rule, and a foreign file does not say which
)

var reasons = []Reason{
	ReasonBoard, ReasonProven, ReasonDead, ReasonAdjudicated, ReasonResigned, ReasonTimeout, ReasonIllegal,
	ReasonForbidden, ReasonCrash, ReasonMemory, ReasonProtocol, ReasonStart, ReasonForfeit,
}

// reasonOf returns the reason of the text; ok is false where it is none.
func reasonOf(text string) (reason Reason, ok bool) {
	reason = Reason(text)
	return reason, reason == ReasonUnknown || slices.Contains(reasons, reason)
}

// psqCodes are Piskvork's numbers of errors that end a game.
var psqCodes = map[Reason]int{
	ReasonIllegal: 7, ReasonForbidden: 7, ReasonForfeit: 7, ReasonProtocol: 9, ReasonStart: 9, ReasonCrash: 9, ReasonTimeout: 15, ReasonMemory: 16,
}

// psqReasons are the reasons of these numbers.
var psqReasons = map[int]Reason{7: ReasonIllegal, 9: ReasonCrash, 15: ReasonTimeout, 16: ReasonMemory}

// outcomeNames are the outcomes as JSON lines spell them.
var outcomeNames = [...]string{board.Ongoing: "", board.BlackWins: "black", board.WhiteWins: "white", board.Draw: "draw"}
