package report

import (
	"fmt"
	"math"

	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/text"
)

// Headline returns in one sentence what the run has gained.
func (r *Run) Headline() string {
	v := r.State.Validation
	if v == nil {
		return "What the run gained has not been measured: " + r.unmeasured()
	}
	switch v.Shown() {
	case 1:
		end := "."
		if r.State.Proven() == nil {
			end = ", but no gate was passed."
		}
		return fmt.Sprintf("The run gained %s over %s", size(v), v.B) + end
	case -1:
		return fmt.Sprintf("The run lost %s against %s.", size(v), v.B)
	}
	return fmt.Sprintf("No difference from %s was measured: %s Elo, %s.", v.B, text.Signed(v.Elo), v.Doubt())
}

// size returns a difference that is shown, without its sign.
func size(v *match.Report) string {
	if least, only := v.Least(); only {
		return fmt.Sprintf("more than %.0f Elo", math.Abs(least))
	}
	return fmt.Sprintf("%.0f Elo", math.Abs(v.Elo))
}

// unmeasured returns why there is no validation.
func (r *Run) unmeasured() string {
	if r.Done {
		return "the run was played without gate and validation."
	}
	if len(r.State.Checks) == 0 {
		return "the run is not finished."
	}
	return "the run is not finished. The check matches below are for watching only."
}

// Basis returns what the headline rests on.
func (r *Run) Basis() string {
	v := r.State.Validation
	if v == nil || v.Unplayed() {
		return fmt.Sprintf("%s of %s games have been played.", text.Thousands(r.AllGames()), text.Thousands(r.Budget))
	}
	return fmt.Sprintf("Measured in %s games on openings that no book holds: %s (95 %% interval); %s won, %s drawn, %s lost. The run took %s games in all.",
		text.Thousands(v.Games), v.Figure(), text.Thousands(v.Wins), text.Thousands(v.Draws), text.Thousands(v.Losses), text.Thousands(r.AllGames()))
}

// gateWords returns how the gate ended and what that means.
func gateWords(gate *run.Gate) string {
	g := &gate.Report
	kind := "An earlier gate" // on the way, or the final one of a smaller budget
	if gate.Final {
		kind = "The final gate"
	}
	figures := fmt.Sprintf("%s after %s pairs", g.Figure(), text.Thousands(g.Pairs))
	switch {
	case g.Passed:
		return fmt.Sprintf("%s against %s was passed: %s. The log-likelihood ratio %s reached %s, so the candidate is stronger; "+
			"if it were no stronger at all, a gate like this would be passed by chance in at most %s of cases. A test that ends early exaggerates.",
			kind, g.B, figures, ratio(g.LLR), ratio(g.Upper), percent(g.Alpha))
	case g.Unplayed():
		return fmt.Sprintf("%s against %s was not passed, without a game: the values are the same.", kind, g.B)
	case g.Plain() == match.NotPassed:
		return fmt.Sprintf("%s against %s was not passed: %s. The log-likelihood ratio %s reached %s, so the candidate is not stronger by %.0f nElo; "+
			"if it were, a gate like this would refuse it by chance in at most %s of cases.",
			kind, g.B, figures, ratio(g.LLR), ratio(g.Lower), g.NElo1, percent(g.Beta))
	}
	return fmt.Sprintf("%s against %s was undecided: %s. The log-likelihood ratio %s stayed between %s and %s until the games were used up, so nothing is proven.",
		kind, g.B, figures, ratio(g.LLR), ratio(g.Lower), ratio(g.Upper))
}

// validationWords returns what the validation has measured.
func validationWords(v *match.Report) string {
	if v.Unplayed() {
		return fmt.Sprintf("No game was played against %s at %s: %s.", v.B, v.Limit(), v.Doubt())
	}
	meaning := fmt.Sprintf("It is %s: no difference is shown.", v.Doubt())
	switch v.Shown() {
	case 1:
		meaning = "The interval is above 0: the result is stronger."
	case -1:
		meaning = "The interval is below 0: the result is weaker."
	}
	return fmt.Sprintf("%s against %s at %s, in %s games (%s won, %s drawn, %s lost; openings %s). %s",
		v.Figure(), v.B, v.Limit(), text.Thousands(v.Games),
		text.Thousands(v.Wins), text.Thousands(v.Draws), text.Thousands(v.Losses), v.Openings, meaning)
}

// change returns how a weight changed.
func change(w *run.Value) string {
	if w.Start == w.Now {
		return "="
	}
	if f, ok := w.Factor(); ok {
		return fmt.Sprintf("×%.2f", f)
	}
	return fmt.Sprintf("%+.6g", w.Now-w.Start)
}

// ratio writes a log-likelihood ratio.
func ratio(v float64) string { return text.Minus(text.Hundredths(v)) }

func percent(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }
