// Package swap2 is the opening rule of the Gomoku world championships, and an engine's choices under it.
//
// The opener puts three stones, black, white and black. The responder takes Black; or stays White and puts the
// fourth stone; or puts a white and a black stone, after which the opener takes Black, or stays White and puts the
// sixth. Opening keeps the course of an opening; Chooser makes the choices, by searched balance.
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

// Phase is a step of an opening: who chooses, and between what.
type Phase uint8

const (
	Propose Phase = iota // the opener puts three stones
	Respond              // the responder takes Black, stays White with the fourth stone, or puts two stones
	Pick                 // the opener takes Black, or stays White with the sixth stone
	Settled              // both have a colour
)

// stones is the number of stones on the board at [Phase].
var stones = [...]int{Propose: 0, Respond: 3, Pick: 5}

// allowed are the numbers of stones that may be put at [Phase], bit n for n.
var allowed = [...]uint{Propose: 1 << 3, Respond: 1<<1 | 1<<2, Pick: 1 << 1}

// Stones returns the number of stones on the board when the phase begins; Settled has none of its own.
func (p Phase) Stones() int { return stones[p] }

// PhaseWith returns the phase that begins with the number of stones on the board. It is an error for other numbers than
// none, three and five.
func PhaseWith(n int) (Phase, error) {
	phase := slices.Index(stones[:], n)
	if phase < 0 {
		return 0, fmt.Errorf("swap2: %d stones are on the board, not 0, 3 or 5", n)
	}
	return Phase(phase), nil
}

// Chooser returns who is to choose; nobody is, once the opening is settled.
func (p Phase) Chooser() Party {
	if p == Respond {
		return Responder
	}
	return Opener
}

// Choice is what a party does: it takes Black, or puts the stones that follow on the board.
type Choice struct {
	Swap  bool // take Black; not allowed at Propose
	Moves []board.Cell
}

// Check returns an error unless the phase allows the choice. It does not check that the moves can be played.
func (c Choice) Check(p Phase) error {
	switch {
	case p == Settled:
		return errSettled
	case c.Swap && (p == Propose || len(c.Moves) > 0):
		return fmt.Errorf("swap2: the %v takes a colour, but is to put stones", p.Chooser())
	case !c.Swap && allowed[p]>>len(c.Moves)&1 == 0:
		return fmt.Errorf("swap2: the %v puts %d stones with %d on the board", p.Chooser(), len(c.Moves), p.Stones())
	}
	return nil
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
	phase, err := PhaseWith(len(moves))
	if err != nil {
		return nil, err
	}
	b, err := board.New(size, rule)
	if err != nil {
		return nil, fmt.Errorf("swap2: %w", err)
	}
	o := &Opening{board: b, phase: phase}
	return o, o.put(moves)
}

// Phase returns the present step.
func (o *Opening) Phase() Phase { return o.phase }

// Chooser returns who is to choose; nobody is, once the opening is settled.
func (o *Opening) Chooser() Party { return o.phase.Chooser() }

// Black returns who plays Black, once the opening is settled.
func (o *Opening) Black() Party { return o.black }

// Board returns the position, for looking only. Once the opening is settled, it is that of an ordinary game with
// White or Black to move.
func (o *Opening) Board() *board.Board { return o.board }

// Apply does what the chooser chose. After an error, which names what is wrong with the choice, nothing has
// changed.
func (o *Opening) Apply(c Choice) error {
	if err := c.Check(o.phase); err != nil {
		return err
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
		o.settle(o.Chooser())
	default:
		o.settle(o.Chooser().Other())
	}
	return nil
}

// StayWhite settles the opening for a chooser who stays White. The stone that White then puts is the first move of the
// game. It is an error at Propose and once the opening is settled.
func (o *Opening) StayWhite() error {
	if o.phase != Respond && o.phase != Pick {
		return fmt.Errorf("swap2: no colour is to be taken with %d stones on the board", o.board.Stones())
	}
	o.settle(o.Chooser().Other())
	return nil
}

func (o *Opening) settle(black Party) { o.phase, o.black = Settled, black }

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
