package report

import (
	"fmt"

	"quintune/internal/text"
)

// Headline says in one sentence what the run has gained.
func (r *Run) Headline() string {
	if len(r.Validations) == 0 {
		return "What the weights gained has not been measured: " + r.unmeasured()
	}
	v := &r.Validations[0]
	switch {
	case v.Low > 0:
		return fmt.Sprintf("The weights gained %s Elo over %s.", elo(v.Elo), v.Opponent)
	case v.High < 0:
		return fmt.Sprintf("The weights lost %s Elo against %s.", elo(-v.Elo), v.Opponent)
	}
	return fmt.Sprintf("No difference from %s was measured: %s Elo, and the interval holds 0.", v.Opponent, text.Signed(v.Elo))
}

// unmeasured says why there is no validation.
func (r *Run) unmeasured() string {
	if r.Done {
		return "the run was played without gate and validation."
	}
	return "the run is not finished. The check matches below are for watching only."
}

// Basis says what the headline rests on.
func (r *Run) Basis() string {
	if len(r.Validations) == 0 {
		return fmt.Sprintf("%s of %s games have been played.", text.Thousands(r.Games), text.Thousands(r.Budget))
	}
	v := &r.Validations[0]
	return fmt.Sprintf("Measured in %s games on openings made for this run: %s Elo, 95 %% interval [%s, %s]; %s won, %s drawn, %s lost. The run took %s games in all.",
		text.Thousands(v.Games), text.Signed(v.Elo), text.Signed(v.Low), text.Signed(v.High), text.Thousands(v.Wins), text.Thousands(v.Draws), text.Thousands(v.Losses), text.Thousands(r.Games))
}

// Words says how the gate ended and what that means.
func (g *Gate) Words() string {
	kind := "An interim gate"
	if g.Final {
		kind = "The final gate"
	}
	figures := fmt.Sprintf("%s Elo [%s, %s] after %s pairs", text.Signed(g.Elo), text.Signed(g.Low), text.Signed(g.High), text.Thousands(g.Pairs))
	switch {
	case g.Passed:
		return fmt.Sprintf("%s against %s was passed: %s. The log-likelihood ratio %s reached %s, so the candidate is stronger; "+
			"if it were no stronger at all, a gate like this would be passed by chance in at most %s of cases.",
			kind, g.Opponent, figures, ratio(g.LLR), ratio(g.Upper), percent(g.Alpha))
	case g.Pairs == 0:
		return fmt.Sprintf("%s against %s was failed without a game: the weights are the same.", kind, g.Opponent)
	case g.LLR <= g.Lower:
		return fmt.Sprintf("%s against %s was failed: %s. The log-likelihood ratio %s reached %s, so the candidate is not stronger by %.0f nElo.",
			kind, g.Opponent, figures, ratio(g.LLR), ratio(g.Lower), g.NElo1)
	}
	return fmt.Sprintf("%s against %s was not passed: %s. The log-likelihood ratio %s stayed between %s and %s until the games were used up, so nothing is proven.",
		kind, g.Opponent, figures, ratio(g.LLR), ratio(g.Lower), ratio(g.Upper))
}

// Words says what the validation has measured.
func (v *Validation) Words() string {
	meaning := "The interval holds 0: no difference is shown."
	switch {
	case v.Low > 0:
		meaning = "The interval is above 0: the tuned weights are stronger."
	case v.High < 0:
		meaning = "The interval is below 0: the tuned weights are weaker."
	}
	return fmt.Sprintf("%s Elo [%s, %s] against %s at %s nodes a move, in %s games (%s won, %s drawn, %s lost; openings %s). %s",
		text.Signed(v.Elo), text.Signed(v.Low), text.Signed(v.High), v.Opponent, text.Thousands(v.Nodes), text.Thousands(v.Games),
		text.Thousands(v.Wins), text.Thousands(v.Draws), text.Thousands(v.Losses), v.Openings, meaning)
}

// Change says how a weight changed.
func (w *Weight) Change() string {
	if w.Start == w.Final {
		return "="
	}
	if f, ok := w.Factor(); ok {
		return fmt.Sprintf("×%.2f", f)
	}
	return fmt.Sprintf("%+d", w.Final-w.Start)
}

func elo(v float64) string { return fmt.Sprintf("%.0f", v) }

// ratio writes a log-likelihood ratio.
func ratio(v float64) string { return text.Minus(fmt.Sprintf("%.2f", v)) }

func percent(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }
