// Package session is a game between people and engines as a board on a screen needs it: the
// position with undo and redo, who plays with which strength, what was thought of it, and the
// engines that think. The terminal and the page show the same sessions; nothing here draws.
package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"quintune/board"
	"quintune/internal/record"
	"quintune/pattern"
)

// Game is one game with its undone moves. It is not safe for concurrent use.
type Game struct {
	ID    uint64    // tells games apart; seeds the moves of weak levels
	Seats [2]Seat   // [colour]
	Names [2]string // of people, [colour]; "" where unknown

	board   *board.Board
	line    []board.Cell  // all moves; the first board.Ply() are on the board
	length  int           // number of them that belong to the game: those beyond were undone
	judged  []Judgement   // [plies played]: of each position of the line
	noted   []record.Move // [move]: its time, and its score by the engine that made it or the record that it was read from; no cell
	opening *opening      // nil without swap2
	source  *record.Game  // that FromRecord read, of its variations those with annotations; nil: none
}

// New returns a game on an empty board, with people on both seats. It is an error when size or rule
// are not played.
func New(id uint64, size int, rule pattern.Rule) (*Game, error) {
	b, err := board.New(size, rule)
	if err != nil {
		return nil, err
	}
	return &Game{ID: id, board: b, judged: make([]Judgement, 1)}, nil
}

// Load plays the moves of a game that was written down. The error names the first illegal one.
func (g *Game) Load(moves []board.Cell) error {
	for i, m := range moves {
		if err := g.Play(m); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return nil
}

// Board returns the position, for looking only.
func (g *Game) Board() *board.Board { return g.board }

// Line returns all moves, undone ones included.
func (g *Game) Line() []board.Cell { return slices.Clone(g.line) }

// Ply returns how many moves are on the board.
func (g *Game) Ply() int { return g.board.Ply() }

// Turn returns the seat that moves or chooses next: a person's where no stone can be put, below the end of an opening under
// swap2 whose sides are settled.
func (g *Game) Turn() Seat {
	switch {
	case g.Opening() != NoOpening:
		return g.opening.parties[g.Chooser()]
	case g.Ply() < g.lowest():
		return Seat{}
	}
	return g.Seats[g.board.SideToMove()]
}

// Over reports whether the game has ended on the board.
func (g *Game) Over() bool { return g.board.Outcome() != board.Ongoing }

// Play plays a move of the side to move. If it repeats the next undone move, the undone moves after it stay;
// otherwise they are dropped. For an illegal move the error is that of board.Legal.
func (g *Game) Play(c board.Cell) error {
	if err := g.board.Legal(c); err != nil {
		return err
	}
	if err := g.mayPut(c); err != nil {
		return err
	}
	ply := g.Ply()
	if ply >= len(g.line) || g.line[ply] != c {
		g.line = append(g.line[:ply], c)
		g.judged = append(g.judged[:ply+1], Judgement{})
		g.noted = append(g.noted[:ply], record.Move{})
	}
	g.board.Play(c)
	g.length = g.Ply()
	return g.advance()
}

// Spent notes how long the last move on the board took.
func (g *Game) Spent(d time.Duration) {
	if ply := g.Ply(); ply > 0 {
		g.noted[ply-1].Time = d
	}
}

// Length returns the number of moves of the game, wherever one looks. Undone moves are left out.
func (g *Game) Length() int { return g.length }

// GoTo shows the position after n moves of the line, within [0, len(Line())]; in an opening under swap2
// only the stones of the present step can be taken back, and are. Elsewhere no move is undone by that.
func (g *Game) GoTo(ply int) error {
	least := 0
	if g.Opening() != NoOpening {
		least = g.lowest()
	}
	if ply < least || ply > len(g.line) {
		return fmt.Errorf("ply %d is outside [%d, %d]", ply, least, len(g.line))
	}
	for g.Ply() > ply {
		g.board.Undo()
	}
	for g.Ply() < ply {
		g.board.Play(g.line[g.Ply()])
	}
	g.length = max(g.length, ply)
	if g.Opening() != NoOpening {
		g.length = ply
	}
	return nil
}

// undoTo goes to a position and undoes the moves after it.
func (g *Game) undoTo(ply int) bool {
	if g.GoTo(ply) != nil {
		return false
	}
	g.length = ply
	return true
}

// Position returns the position after n moves of the line, within [0, len(Line())], as a board of its own.
func (g *Game) Position(ply int) (*board.Board, error) {
	if ply < 0 || ply > len(g.line) {
		return nil, fmt.Errorf("ply %d is outside [0, %d]", ply, len(g.line))
	}
	return g.after(ply), nil
}

// after is Position within its bounds.
func (g *Game) after(ply int) *board.Board {
	b := g.board.Clone()
	for b.Ply() > ply {
		b.Undo()
	}
	for b.Ply() < ply {
		b.Play(g.line[b.Ply()])
	}
	return b
}

// StillLeadsTo reports whether the line begins with the moves of the position.
func (g *Game) StillLeadsTo(position *board.Board) bool {
	moves := position.Moves()
	return len(moves) <= len(g.line) && slices.Equal(moves, g.line[:len(moves)])
}

// Undo goes back to the position before a person's last move, or before the last move where only engines play. It
// returns false, and does nothing, where there is no such move.
func (g *Game) Undo() bool {
	if g.Opening() != NoOpening {
		return g.Turn().Person() && g.Ply() > g.lowest() && g.undoTo(g.Ply()-1)
	}
	return g.walk(-1, g.lowest())
}

// Redo redoes moves until it is a person's turn again. It returns false where none is undone.
func (g *Game) Redo() bool {
	if g.Opening() != NoOpening {
		return false
	}
	return g.walk(1, len(g.line))
}

// walk goes step by step to a ply at which it is a person's turn, or to the end.
func (g *Game) walk(step, end int) bool {
	for ply := g.Ply(); (end-ply)*step > 0; {
		ply += step
		person := g.Seats[ply&1].Person()
		if person || !g.anyPerson() || step > 0 && ply == end {
			if step > 0 {
				return g.GoTo(ply) == nil
			}
			return g.undoTo(ply)
		}
	}
	return false
}

func (g *Game) anyPerson() bool {
	return g.Seats[board.Black].Person() || g.Seats[board.White].Person()
}

// SwapSides changes the seats, and the parties of an opening. It is an error within a step of an opening, whose stones one party
// puts.
func (g *Game) SwapSides() error {
	if g.halfDone() {
		return errHalfDone
	}
	g.Seats[board.Black], g.Seats[board.White] = g.Seats[board.White], g.Seats[board.Black]
	g.Names[board.Black], g.Names[board.White] = g.Names[board.White], g.Names[board.Black]
	if g.opening != nil {
		g.opening.parties[0], g.opening.parties[1] = g.opening.parties[1], g.opening.parties[0]
	}
	return nil
}

// SetPlayers puts others on the seats. It is an error in an opening under swap2, where the seats are not those of colours yet.
func (g *Game) SetPlayers(seats [2]Seat) error {
	if g.Opening() != NoOpening {
		return errors.New("swap2: the players stay until the sides are settled")
	}
	g.Seats = seats
	return nil
}
