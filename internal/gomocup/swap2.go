package gomocup

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quintune/board"
	"quintune/internal/swap2"
)

// Swap2Engine is an Engine that can choose under the swap2 rule.
type Swap2Engine interface {
	// Swap2 chooses for a position of no, three or five stones. Context, limits and report are as
	// in Engine.Think.
	Swap2(ctx context.Context, p Position, l Limits, report func(line string)) (swap2.Choice, error)
}

// formatChoice returns the answer to SWAP2BOARD as the protocol writes it.
func formatChoice(c swap2.Choice) string {
	if c.Swap {
		return "SWAP"
	}
	moves := make([]string, len(c.Moves))
	for i, m := range c.Moves {
		moves[i] = formatCell(m)
	}
	return strings.Join(moves, " ")
}

// checkChoice returns an error when the choice is not one for the position.
func checkChoice(p Position, c swap2.Choice) error {
	phase, err := swap2.PhaseWith(len(p.Stones))
	if err == nil {
		err = c.Check(phase)
	}
	if err != nil {
		return err
	}
	p = p.copied()
	for _, m := range c.Moves {
		if m == board.NoCell || !m.On(p.Size) {
			return errors.New("the engine chose no cell of the board")
		}
		if err := p.put(m); err != nil {
			return fmt.Errorf("the engine chose an illegal move: %w", err)
		}
	}
	return nil
}
