package tuner

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/selfplay"
)

// MostAblations is the number of single weights that a sensitivity measures at most.
const MostAblations = 10

const leastAblationPairs = 50 // of one match; chosen, not measured

// Sensitivity compares the recommended weights with the start, weight by weight. With games it also measures the
// cost of setting changes back, in matches of at most the given number of games in all. Each match is between
// the recommended weights and the same weights with one group, or one of the greatest changes, set back to the
// start. Groups get at most half of the matches. Without games there are no costs. watch, if not nil, is called
// after each pair of a match. Equal calls play equal batches in the same order, so a runner can store their
// pairs.
func (r *Run) Sensitivity(ctx context.Context, runner selfplay.Runner, games int, watch func(name string, t match.Tally)) (*run.Sensitivity, error) {
	genes := r.recommendedGenes()
	tuned, err := r.subject.decode(genes)
	if err != nil {
		return nil, err
	}
	result := &run.Sensitivity{Run: r.id}
	if result.Changes, err = r.changes(genes, tuned); err != nil {
		return nil, err
	}
	result.Groups = r.groupChanges(result.Changes)
	list, err := r.ablations(result, games/2/leastAblationPairs, genes, tuned)
	if err != nil || len(list) == 0 {
		return result, err
	}
	openings, err := r.unusedOpenings((games/2 + len(list) - 1) / len(list))
	if err != nil {
		return nil, err
	}
	for k, a := range list {
		m := r.newMatch(tuned, a.without.side("without "+a.name), "ablation of "+a.name)
		pairs := games / 2 / len(list)
		if k < games/2%len(list) {
			pairs++ // spread the remaining pairs over the first matches
		}
		m.Openings = openings[:min(pairs, len(openings))]
		result.UsedUp = result.UsedUp || len(openings) < pairs
		t, err := m.Play(ctx, runner, func(t match.Tally) {
			if watch != nil {
				watch(a.name, t)
			}
		})
		if err != nil {
			return nil, err
		}
		report := m.Report(t)
		*a.cost = &report
		result.Games += report.Played()
	}
	return result, nil
}

// ablation is one match of a sensitivity.
type ablation struct {
	name    string
	without *point
	cost    **match.Report
}

// ablations returns at most the given number of matches of a genome, which decodes to tuned: at most half of them for whole groups,
// the others for the greatest changes. A weight whose value has not changed has no match.
func (r *Run) ablations(s *run.Sensitivity, most int, genes []float64, tuned *point) ([]ablation, error) {
	var list []ablation
	for i := range s.Groups[:min(len(s.Groups), most/2)] {
		g := &s.Groups[i]
		without, err := r.without(genes, func(p *run.Parameter) bool { return p.Group == g.Name })
		if err != nil {
			return nil, err
		}
		list = append(list, ablation{"group " + g.Name, without, &g.Cost})
	}
	most = min(most, len(list)+MostAblations)
	for i := range s.Changes {
		c := &s.Changes[i]
		if len(list) == most || c.Start == c.Tuned {
			continue
		}
		without, err := r.without(genes, func(p *run.Parameter) bool { return p.Name == c.Name })
		if err != nil {
			return nil, err
		}
		if !slices.Equal(without.values, tuned.values) { // it may have moved with the class below it alone
			list = append(list, ablation{c.Name, without, &c.Cost})
		}
	}
	return list, nil
}

// groupChanges returns the groups with changes, in the order of their greatest change. It returns none where all
// changes are in one group.
func (r *Run) groupChanges(changes []run.WeightChange) []run.GroupChange {
	list := []run.GroupChange{}
	for _, c := range changes {
		if c.Start == c.Tuned {
			continue
		}
		name := r.parameters[r.placeOf(c.Name)].Group
		i := slices.IndexFunc(list, func(g run.GroupChange) bool { return g.Name == name })
		if i < 0 {
			i = len(list)
			list = append(list, run.GroupChange{Name: name})
		}
		list[i].Weights++
	}
	if len(list) < 2 {
		return []run.GroupChange{}
	}
	return list
}

// placeOf returns the index of the parameter that the gene sets. Genes are named after parameters.
func (r *Run) placeOf(gene string) int {
	return slices.IndexFunc(r.parameters, func(p run.Parameter) bool { return p.Name == gene })
}

// changes returns the tuned weights, the greatest change first, then in the order of the genes.
func (r *Run) changes(genes []float64, tuned *point) ([]run.WeightChange, error) {
	start, err := r.subject.decode(r.subject.start())
	if err != nil {
		return nil, err
	}
	spread := r.spreads()
	var list []run.WeightChange
	for i, g := range r.subject.genes() {
		c := run.WeightChange{Name: g.Name, Change: genes[i] - r.subject.start()[i]}
		place := r.placeOf(g.Name)
		c.Start, c.Tuned = start.values[place], tuned.values[place]
		if spread != nil {
			c.Spread = &spread[i]
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b run.WeightChange) int { return cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)) })
	return list, nil
}

const (
	pathShare = .3 // the share of the check matches, counted from the end, whose champions show the spread; chosen, not measured
	leastPath = 3  // champions; an sd of fewer says nothing
)

// spreads returns the sd of each gene over the end of the champion's path; nil where there is too little of it.
func (r *Run) spreads() []float64 {
	var points [][]float64
	checks := r.state.Checks
	for _, c := range checks[len(checks)-max(min(leastPath, len(checks)), int(pathShare*float64(len(checks)))):] {
		points = append(points, c.Genes)
	}
	if len(points) < leastPath {
		return nil
	}
	spread := make([]float64, len(points[0]))
	for i := range spread {
		mean, squares := 0.0, 0.0
		for _, p := range points {
			mean += p[i] / float64(len(points))
		}
		for _, p := range points {
			squares += float64((p[i] - mean) * (p[i] - mean))
		}
		spread[i] = math.Sqrt(squares / float64(len(points)-1))
	}
	return spread
}

// without returns what a genome decodes to with the genes that setBack selects taken from the start.
func (r *Run) without(genes []float64, setBack func(*run.Parameter) bool) (*point, error) {
	back := slices.Clone(genes)
	for i, g := range r.subject.genes() {
		if setBack(&r.parameters[r.placeOf(g.Name)]) {
			back[i] = r.subject.start()[i]
		}
	}
	return r.subject.decode(back)
}

// CheckSensitivity returns an error where the run has no openings for the matches of a sensitivity.
func (r *Run) CheckSensitivity() error {
	_, err := r.unusedOpenings(1)
	return err
}

// unusedOpenings returns at most the given number of openings that the evolution has not used, the same ones for all
// matches. It is an error if there are none.
func (r *Run) unusedOpenings(most int) ([]book.Opening, error) {
	part := r.config.part(book.Match)
	if r.config.gates != nil || len(part.Openings) == 0 {
		part = r.config.part(book.Gate)
	}
	if len(part.Openings) == 0 {
		return nil, errors.New("sensitivity: the run has no openings that its evolution has not used: all in its list are for training")
	}
	return part.Series(r.config.Seed, "sensitivity", min(most, len(part.Openings)))
}
