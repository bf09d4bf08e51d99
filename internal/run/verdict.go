package run

import (
	"fmt"

	"quintune/internal/match"
	"quintune/internal/text"
)

// Verdict is how a run ended, for people.
type Verdict struct {
	Gate  string   `json:"gate"`  // how the last gate ended, see match.GateReport.Plain; "" where none was played
	Words []string `json:"words"` // what was found, in sentences
}

// SettledWords says, for people, why a run has settled.
const SettledWords = "twice the games gained less than 15 Elo (upper end of a 95 % interval)"

// Verdict returns how the run of a name has ended, interrupted or not.
func (s *State) Verdict(name string, interrupted bool) *Verdict {
	v := new(Verdict)
	if interrupted {
		v.add("The run was interrupted: %s goes on with it.", text.CommandLine("tune", "resume", text.Printable(name)))
	}
	if s.Settled {
		v.add("The evolution ended after %s games: %s. More nodes may still teach something.", text.Thousands(s.Evolution), SettledWords)
	}
	switch g, proven := s.LastGate(), s.Proven(); {
	case g != nil:
		v.Gate = g.Plain()
		after := "after " + text.Plural(g.Pairs, "pair")
		if g.Unplayed() {
			after = "without a game: the values are the same"
		}
		v.add("The gate against %s was %s %s.", text.Printable(g.B), v.Gate, after)
		if proven != nil && !g.Passed {
			v.add("The weights of generation %d passed a gate before.", proven.Generation)
		}
	case !interrupted:
		v.add("No gate was played: nothing is proven.")
	}
	for _, r := range s.Validations() {
		v.add("%s", measured(r))
	}
	return v
}

func (v *Verdict) add(format string, values ...any) {
	v.Words = append(v.Words, fmt.Sprintf(format, values...))
}

// measured returns what a validation found, in a sentence.
func measured(r *match.Report) string {
	if r.Unplayed() {
		return fmt.Sprintf("Validation against %s at %s without a game: %s.", text.Printable(r.B), r.Limit(), r.Doubt())
	}
	meaning := "no difference is shown: " + r.Doubt()
	switch r.Shown() {
	case 1:
		meaning = "the candidate is stronger"
	case -1:
		meaning = "the candidate is weaker"
	}
	return fmt.Sprintf("Validation against %s: %s in %s games at %s, so %s.",
		text.Printable(r.B), r.Figure(), text.Thousands(r.Games), r.Limit(), meaning)
}
