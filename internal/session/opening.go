package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quintune/board"
	"quintune/internal/swap2"
	"quintune/pattern"
)

// Step is where a game is in its opening under swap2.
type Step uint8

const (
	NoOpening Step = iota // an ordinary game, or the opening is settled
	Proposing             // the opener puts three stones: black, white, black
	Answering             // the responder takes Black, takes White, or is to put two stones
	Adding                // the responder puts a white and a black stone
	Picking               // the opener takes Black or White
)

var stepNames = [...]string{"", "propose", "answer", "add", "pick"}

// String returns the step's name, "" for NoOpening.
func (s Step) String() string { return stepNames[s] }

// Option is what can be chosen in an opening.
type Option string

// The options. A chooser who takes White puts White's next stone.
const (
	TakeBlack Option = "black"
	TakeWhite Option = "white"
	PutTwo    Option = "two"
)

// Options returns what can be chosen at the step, nil where stones are to be put.
func (s Step) Options() []Option {
	switch s {
	case Answering:
		return []Option{TakeBlack, TakeWhite, PutTwo}
	case Picking:
		return []Option{TakeBlack, TakeWhite}
	}
	return nil
}

// opening is a game's opening under swap2, put on the board stone by stone.
type opening struct {
	rules   *swap2.Opening
	adding  bool    // the responder puts two stones
	parties [2]Seat // [swap2.Party]
	floor   int     // stones on the board when the sides were settled
}

// Errors of an opening.
var (
	errNoChoice = errors.New("there is nothing to choose")
	errChoose   = errors.New("swap2: a side is to be chosen before the next stone")
	errHalfDone = errors.New("swap2: the stones of this step are to be put first")
	errBelow    = errors.New("swap2: the sides are settled; the opening cannot be played anew")
)

// BeginSwap2 lets the game begin with an opening under swap2: Black's seat is the opener's, White's the responder's,
// until the sides are settled. It is an error after the first move, and for engines that cannot choose.
func (g *Game) BeginSwap2() error {
	if len(g.line) > 0 {
		return fmt.Errorf("swap2: %d stones are on the board", len(g.line))
	}
	for _, seat := range g.Seats {
		if !seat.Person() && seat.Player.Weights == nil {
			return fmt.Errorf("swap2: %s has no weights to choose a side with", seat.Player.Name)
		}
	}
	rules, err := swap2.New(g.board.Size(), g.board.Rule())
	if err != nil {
		return err
	}
	g.opening = &opening{rules: rules, parties: g.Seats}
	return nil
}

// LoadOpening puts the stones of an opening under swap2 that has begun elsewhere. Where there are more than three, the
// responder has asked for two more. It is an error where a side must have been taken before the last stone, or an engine would have to
// end a step that has begun.
func (g *Game) LoadOpening(moves []board.Cell) error {
	for i, m := range moves {
		if g.Opening() == Answering {
			if err := g.Choose(PutTwo); err != nil {
				return err
			}
		}
		if err := g.Play(m); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	if g.halfDone() && !g.Turn().Person() {
		return errHalfDone
	}
	return nil
}

// halfDone reports whether a step of the opening has begun and its last stone is not on the board.
func (g *Game) halfDone() bool {
	step := g.Opening()
	return step == Proposing && g.Ply() > 0 || step == Adding
}

// Opening returns the step of the opening, NoOpening once the sides are settled.
func (g *Game) Opening() Step {
	if g.opening == nil {
		return NoOpening
	}
	switch phase := g.opening.rules.Phase(); {
	case phase == swap2.Propose:
		return Proposing
	case phase == swap2.Respond && g.opening.adding:
		return Adding
	case phase == swap2.Respond:
		return Answering
	case phase == swap2.Pick:
		return Picking
	}
	return NoOpening
}

// Chooser returns the party whose turn it is in the opening.
func (g *Game) Chooser() swap2.Party {
	if g.opening == nil {
		return swap2.Opener
	}
	return g.opening.rules.Chooser()
}

// Choose takes a side or asks for two stones. It is an error where the step does not offer the option.
func (g *Game) Choose(o Option) error {
	if !slices.Contains(g.Opening().Options(), o) {
		return fmt.Errorf("%.20q: %w", o, errNoChoice)
	}
	var err error
	switch o {
	case PutTwo:
		g.opening.adding = true
		return nil
	case TakeBlack:
		err = g.opening.rules.Apply(swap2.Choice{Swap: true})
	case TakeWhite:
		err = g.opening.rules.StayWhite()
	}
	if err == nil {
		g.settle()
	}
	return err
}

// settle seats the parties by the colours that they have.
func (g *Game) settle() {
	o := g.opening
	black := o.rules.Black()
	o.floor = g.Ply()
	g.Seats[board.Black], g.Seats[board.White] = o.parties[black], o.parties[black.Other()]
}

// mayPut returns an error when the opening allows no stone on the cell.
func (g *Game) mayPut(c board.Cell) error {
	switch step := g.Opening(); {
	case g.opening == nil:
		return nil
	case step == NoOpening && g.Ply() < g.opening.floor:
		return errBelow
	case step == Answering || step == Picking:
		return errChoose
	case step != NoOpening && g.board.Class(g.board.SideToMove(), c) == pattern.CellFive:
		return fmt.Errorf("%v: a five ends the game in its opening under swap2", c)
	}
	return nil
}

// advance applies the choice that a step's stones make, once the last of them is on the board.
func (g *Game) advance() error {
	var end int // stones on the board when the step is over
	switch g.Opening() {
	case Proposing:
		end = swap2.Respond.Stones()
	case Adding:
		end = swap2.Pick.Stones()
	}
	if end == 0 || g.Ply() < end {
		return nil
	}
	return g.opening.rules.Apply(swap2.Choice{Moves: g.line[g.lowest():end]})
}

// lowest returns the least ply to which moves can be taken back, which is the length of the opening: at most g.length.
func (g *Game) lowest() int {
	switch {
	case g.opening == nil:
		return 0
	case g.Opening() == NoOpening:
		return g.opening.floor
	}
	return g.opening.rules.Phase().Stones()
}

// applyChoice does what an engine chose in the opening.
func (g *Game) applyChoice(c swap2.Choice) error {
	switch step := g.Opening(); {
	case c.Swap:
		return g.Choose(TakeBlack)
	case step == Answering && len(c.Moves) == 2:
		if err := g.Choose(PutTwo); err != nil {
			return err
		}
	case step == Answering || step == Picking:
		if err := g.Choose(TakeWhite); err != nil {
			return err
		}
	}
	return g.Load(c.Moves)
}

// Open returns the choice of the seat's player in an opening. The board has no stone, three or five. The player must
// have weights.
func (t *Thinker) Open(ctx context.Context, seat Seat, position *board.Board, game uint64) (swap2.Choice, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o, err := swap2.Resume(position.Size(), position.Rule(), position.Moves())
	if err != nil {
		return swap2.Choice{}, err
	}
	chooser, err := swap2.NewChooser(seat.Player.Weights, position.Size(), position.Rule(), game)
	if err != nil {
		return swap2.Choice{}, err
	}
	choice, err := chooser.Choose(ctx, o, seat.Strength.Limits())
	if ctx.Err() != nil {
		return choice, ctx.Err()
	}
	if err != nil {
		return choice, fmt.Errorf("%s: %w", seat.Player.Name, err)
	}
	return choice, nil
}
