// Package swap2 is the opening rule of the Gomoku world championships, and an engine's choices under it.
//
// The opener puts three stones, black, white and black. The responder takes Black; or stays White and puts the
// fourth stone; or puts a white and a black stone, after which the opener takes Black, or stays White and puts the
// sixth. Opening is the course of that, for whoever plays by it; Chooser chooses by searched balance.
package swap2

import (
	"fmt"
	"slices"

	"quintune/board"
	"quintune/pattern"
)

// Party is one of the two who play an opening, before they have colours.
type Party uint8

const (
	Opener    Party = iota // puts the first three stones
	Responder              // chooses first
)

// Other returns the other party.
func (p Party) Other() Party { return p ^ 1 }

// String returns "opener" or "responder".
func (p Party) String() string { return [...]string{"opener", "responder"}[p&1] }

// Phase says what is to be chosen.
type Phase uint8

const (
	Propose Phase = iota // the opener puts three stones
	Respond              // the responder takes Black, stays White with the fourth stone, or puts two stones
	Pick                 // the opener takes Black, or stays White with the sixth stone
	Settled              // both have a colour
)

// stones is the number of stones on the board at [Phase].
var stones = [...]int{Propose: 0, Respond: 3, Pick: 5}

// allowed is how many stones may be put at [Phase], bit n for n.
var allowed = [...]uint{Propose: 1 << 3, Respond: 1<<1 | 1<<2, Pick: 1 << 1}

// Choice is what a party does: it takes Black, or puts the stones that follow on the board.
type Choice struct {
	Swap  bool // take Black; not to be had at Propose
	Moves []board.Cell
}

// Opening is the course of one opening. It is not safe for concurrent use.
type Opening struct {
	board *board.Board
	phase Phase
	black Party
}

// New returns an opening before its first stone. The error is that of board.New.
func New(size int, rule pattern.Rule) (*Opening, error) { return Resume(size, rule, nil) }

// Resume returns the opening with the stones that are on the board, in their order: none, three or five. It is an
// error when there are others, or they cannot be played.
func Resume(size int, rule pattern.Rule, moves []board.Cell) (*Opening, error) {
	phase := slices.Index(stones[:], len(moves))
	if phase < 0 {
		return nil, fmt.Errorf("swap2: %d stones are on the board, not 0, 3 or 5", len(moves))
	}
	b, err := board.New(size, rule)
	if err != nil {
		return nil, fmt.Errorf("swap2: %w", err)
	}
	o := &Opening{board: b, phase: Phase(phase)}
	return o, o.put(moves)
}

// Phase returns what is to be chosen.
func (o *Opening) Phase() Phase { return o.phase }

// Chooser returns who is to choose; nobody is, once the opening is settled.
func (o *Opening) Chooser() Party {
	if o.phase == Respond {
		return Responder
	}
	return Opener
}

// Black returns who plays Black, once the opening is settled.
func (o *Opening) Black() Party { return o.black }

// Board returns the position, for looking only. Once the opening is settled, it is that of an ordinary game with
// White or Black to move.
func (o *Opening) Board() *board.Board { return o.board }

// Apply does what the chooser chose. After an error, which says what is wrong with the choice, nothing has
// changed.
func (o *Opening) Apply(c Choice) error {
	switch {
	case o.phase == Settled:
		return fmt.Errorf("swap2: the opening is settled")
	case c.Swap && (o.phase == Propose || len(c.Moves) > 0):
		return fmt.Errorf("swap2: the %v takes a colour, but is to put stones", o.Chooser())
	case !c.Swap && allowed[o.phase]>>len(c.Moves)&1 == 0:
		return fmt.Errorf("swap2: the %v puts %d stones with %d on the board", o.Chooser(), len(c.Moves), o.board.Stones())
	}
	if err := o.put(c.Moves); err != nil {
		return err
	}
	switch {
	case o.phase == Propose:
		o.phase = Respond
	case len(c.Moves) == 2:
		o.phase = Pick
	case c.Swap:
		o.phase, o.black = Settled, o.Chooser()
	default:
		o.phase, o.black = Settled, o.Chooser().Other()
	}
	return nil
}

// put plays the moves, or none of them.
func (o *Opening) put(moves []board.Cell) error {
	before := o.board.Ply()
	for _, m := range moves {
		err := o.board.Legal(m)
		if err == nil {
			if o.board.Play(m); o.board.Outcome() == board.Ongoing {
				continue
			}
			err = fmt.Errorf("%v ends the game", m)
		}
		for o.board.Ply() > before {
			o.board.Undo()
		}
		return fmt.Errorf("swap2: %w", err)
	}
	return nil
}
