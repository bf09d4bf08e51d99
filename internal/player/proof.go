package player

import (
	"fmt"

	"quintune/internal/text"
	"quintune/weights"
)

// Proven says in one line what was proven of a set, by its provenance.
func Proven(set *weights.Set) string {
	p := set.Provenance
	if p == nil {
		return "nothing proven: no run made these weights"
	}
	run := fmt.Sprintf("run %s from %s, %d games", p.Run, p.Start, p.Games)
	v := p.Validation
	switch {
	case v != nil && p.Proven:
		return fmt.Sprintf("%s (%s)", validated(v), run)
	case v != nil:
		return fmt.Sprintf("did not pass its gate; %s (%s)", validated(v), run)
	case p.Proven:
		return fmt.Sprintf("passed its gate, not validated (%s)", run)
	}
	return fmt.Sprintf("nothing proven: a candidate that passed no gate (%s)", run)
}

// validated tells a validation, such as "+52.0 Elo [30.1, 75.2] against huang, 400 games at 1000 nodes a move".
func validated(v *weights.Validation) string {
	return fmt.Sprintf("%s against %s, %d games at %d nodes a move",
		text.Elo(v.Elo, v.EloLow, v.EloHigh), v.Opponent, v.Games, v.Nodes)
}
