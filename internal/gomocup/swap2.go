package gomocup

import (
	"context"
	"fmt"
	"strings"

	"quintune/board"
)

// Swap2Engine is an Engine that can choose under the swap2 rule.
type Swap2Engine interface {
	// Swap2 chooses for a position of no, three or five stones. Context, limits and report are as
	// in Engine.Think.
	Swap2(ctx context.Context, p Position, l Limits, report func(line string)) (Swap2Choice, error)
}

// Swap2Choice is the answer to SWAP2BOARD. With no stones on the board it is three moves; with
// three it is to swap, one move (stay White) or two (let the opener choose); with five it is to
// swap or one move.
type Swap2Choice struct {
	Swap  bool // take Black
	Moves []board.Cell
}

// swap2Moves is how many moves may be answered, bit n for n moves, by the number of stones.
var swap2Moves = map[int]uint{0: 1 << 3, 3: 1<<1 | 1<<2, 5: 1 << 1}

// String returns the answer as the protocol writes it.
func (c Swap2Choice) String() string {
	if c.Swap {
		return "SWAP"
	}
	moves := make([]string, len(c.Moves))
	for i, m := range c.Moves {
		moves[i] = formatCell(m)
	}
	return strings.Join(moves, " ")
}

// swap2Position reports whether the number of stones is one at which a choice is made.
func swap2Position(p Position) error {
	if _, ok := swap2Moves[len(p.Stones)]; !ok {
		return fmt.Errorf("SWAP2BOARD has %d stones, not 0, 3 or 5", len(p.Stones))
	}
	return nil
}

// check returns an error when the choice is not one for the position.
func (c Swap2Choice) check(p Position) error {
	if c.Swap {
		if len(p.Stones) == 0 {
			return fmt.Errorf("the engine swapped on an empty board")
		}
		return nil
	}
	if swap2Moves[len(p.Stones)]>>len(c.Moves)&1 == 0 {
		return fmt.Errorf("the engine chose %d moves with %d stones on the board", len(c.Moves), len(p.Stones))
	}
	p = p.copied()
	for _, m := range c.Moves {
		if m == board.NoCell || !m.On(p.Size) {
			return fmt.Errorf("the engine chose no cell of the board")
		}
		if err := p.put(m); err != nil {
			return fmt.Errorf("the engine chose an illegal move: %w", err)
		}
	}
	return nil
}
