package match

import (
	"fmt"

	"quintune/internal/text"
)

// Conclusion returns what the match found, in one sentence: who is stronger, and by how much.
func (r *Report) Conclusion() string {
	if r.Games == 0 {
		return fmt.Sprintf("Nothing is known of %s against %s: no pair was finished.", r.A, r.B)
	}
	found := fmt.Sprintf("No difference is shown between %s and %s", r.A, r.B)
	switch {
	case r.EloLow > 0:
		found = fmt.Sprintf("%s is stronger than %s", r.A, r.B)
	case r.EloHigh < 0:
		found = fmt.Sprintf("%s is weaker than %s", r.A, r.B)
	}
	return fmt.Sprintf("%s: %s in %s games%s.", found, text.Elo(r.Elo, r.EloLow, r.EloHigh), text.Thousands(r.Games), r.holdsZero())
}

// holdsZero adds to a figure that its interval holds 0, where it does.
func (r *Report) holdsZero() string {
	if r.EloLow <= 0 && r.EloHigh >= 0 {
		return ", an interval that holds 0"
	}
	return ""
}

// Conclusion returns how the test ended, in one sentence.
func (g *GateReport) Conclusion() string {
	if g.Games == 0 {
		return fmt.Sprintf("The test of %s against %s is %s: no pair was finished.", g.A, g.B, g.Plain())
	}
	return fmt.Sprintf("The test of %s against %s is %s: %s in %s games.", g.A, g.B, g.Plain(), text.Elo(g.Elo, g.EloLow, g.EloHigh), text.Thousands(g.Games))
}
