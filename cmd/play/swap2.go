package main

import (
	"context"
	"fmt"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/internal/swap2"
)

// Swap2 answers SWAP2BOARD by searched balance. Each game that it opens begins with another opening.
func (b *brain) Swap2(ctx context.Context, p gomocup.Position, l gomocup.Limits, report func(string)) (gomocup.Swap2Choice, error) {
	moves := make([]board.Cell, len(p.Stones))
	for i, s := range p.Stones {
		moves[i] = s.Cell
	}
	opening, err := swap2.Resume(p.Size, p.Rule, moves)
	if err != nil {
		return gomocup.Swap2Choice{}, err
	}
	if opening.Phase() == swap2.Propose {
		b.games++
	}
	chooser, err := swap2.NewChooser(b.playing.Weights, p.Size, p.Rule, b.games)
	if err != nil {
		return gomocup.Swap2Choice{}, err
	}
	start := time.Now()
	choice, err := chooser.Choose(ctx, opening, limitsUnder(l, start))
	if err != nil {
		return gomocup.Swap2Choice{}, err
	}
	report(fmt.Sprintf("Swap2 | %v of %d stones | Time %dms", opening.Chooser(), len(moves), time.Since(start).Milliseconds()))
	return gomocup.Swap2Choice{Swap: choice.Swap, Moves: choice.Moves}, nil
}
