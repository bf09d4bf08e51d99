package ga

import "quintune/internal/stats"

// Two pairs in rivalEvery are those of a couple whose twins play a rival, where there are any, on the same opening: one couple in
// five. It costs twice the games of a couple whose twins play each other, and half the difference of the scores tells half as
// much; see docs/results/landscapes.md.
const rivalEvery = 6

// rivals returns the opponents of the couples of a generation that do not play each other, the first ones of its couples.
func (a *Adaptive) rivals(d *drawing, pairs int) []int {
	var all, turns []int
	for i, o := range a.config.Opponents {
		if o.Kind == Rival {
			all = append(all, i)
		}
	}
	for turn := d.Before / rivalEvery; len(all) > 0 && turn < (d.Before+d.Pairs)/rivalEvery && len(turns) < pairs/2; turn++ {
		turns = append(turns, all[turn%len(all)])
	}
	return turns
}

// score returns the score of the first twin of a couple, from −1/2 to 1/2, with its signal as a share of that of a pair between the twins,
// and false if a pair was void. Against a rival it is half the difference between the twins: that has half the signal and half
// the variance, so both have the same weight where they are added.
func (c couple) score(results []stats.Pentanomial) (score, signal float64, played bool) {
	first := results[c.pairing]
	if !c.rival {
		return first.Score() - .5, 1, first.Pairs() > 0
	}
	second := results[c.pairing+1]
	return (first.Score() - second.Score()) / 2, .5, first.Pairs() > 0 && second.Pairs() > 0
}
