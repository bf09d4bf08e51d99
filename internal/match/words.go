package match

import (
	"fmt"

	"quintune/internal/text"
)

// Conclusion returns the result in one sentence: which side is stronger, and by how much.
func (r *Report) Conclusion() string {
	if r.Games == 0 {
		return fmt.Sprintf("Nothing is known of %s against %s: no pair was finished.", r.A, r.B)
	}
	figure := fmt.Sprintf("%s in %s games", text.Elo(r.Elo, r.EloLow, r.EloHigh), text.Thousands(r.Games))
	switch {
	case r.HoldsZero():
		return fmt.Sprintf("No difference is shown between %s and %s: %s, an interval that holds 0.", r.A, r.B, figure)
	case r.Elo > 0:
		return fmt.Sprintf("%s is stronger than %s: %s.", r.A, r.B, figure)
	}
	return fmt.Sprintf("%s is weaker than %s: %s.", r.A, r.B, figure)
}

// HoldsZero reports whether the Elo interval contains 0, so that no difference is shown.
func (r *Report) HoldsZero() bool { return r.EloLow <= 0 && r.EloHigh >= 0 }

// Conclusion returns in one sentence how the test ended.
func (g *GateReport) Conclusion() string {
	if g.Games == 0 {
		return fmt.Sprintf("The test of %s against %s is %s: no pair was finished.", g.A, g.B, g.Plain())
	}
	return fmt.Sprintf("The test of %s against %s is %s: %s in %s games.", g.A, g.B, g.Plain(), text.Elo(g.Elo, g.EloLow, g.EloHigh), text.Thousands(g.Games))
}
