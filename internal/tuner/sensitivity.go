package tuner

import (
	"context"
	"math"
	"slices"

	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/run"
)

const (
	mostAblations      = 10
	leastAblationPairs = 50
)

// Sensitivity compares what the run recommends with its start, weight by weight, and plays matches with at most the number
// of games in all: the recommended weights against the same with a whole group set back, and then with one of the greatest
// changes. Groups have half of the matches at most. Without games the costs are left out. watch, if not nil, is called after each
// pair of a match. Equal calls play equal batches in the same order, so that a runner may keep their pairs.
func (r *Run) Sensitivity(ctx context.Context, s Setting, games int, watch func(name string, t match.Tally)) (*run.Sensitivity, error) {
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
	list := ablations(result, games/2/leastAblationPairs)
	if len(list) == 0 {
		return result, nil
	}
	openings, err := r.judging((games/2 + len(list) - 1) / len(list))
	if err != nil {
		return nil, err
	}
	for k, a := range list {
		m, err := r.ablation(genes, a.name, a.back)
		if err != nil {
			return nil, err
		}
		pairs := games / 2 / len(list)
		if k < games/2%len(list) {
			pairs++ // what is left over
		}
		m.Openings = openings[:min(pairs, len(openings))]
		t, err := m.Play(ctx, s.Runner, func(t match.Tally) {
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

// ablation is a match to be played for a sensitivity.
type ablation struct {
	name string
	back func(parameter *run.Parameter) bool // reports whether a parameter is set back
	cost **match.Report
}

// ablations returns at most a number of the matches of a sensitivity: those of the groups, which have half of them at most,
// and those of the greatest changes.
func ablations(s *run.Sensitivity, most int) []ablation {
	var list []ablation
	for i := range s.Groups[:min(len(s.Groups), most/2)] {
		g := &s.Groups[i]
		list = append(list, ablation{"group " + g.Name, func(p *run.Parameter) bool { return p.Group == g.Name }, &g.Cost})
	}
	for i := range s.Changes[:min(mostAblations, most-len(list), len(s.Changes))] {
		if c := &s.Changes[i]; c.Change != 0 {
			list = append(list, ablation{c.Name, func(p *run.Parameter) bool { return p.Name == c.Name }, &c.Cost})
		}
	}
	return list
}

// groupChanges returns the groups with changes, that of the greatest change first; none where all changes are of one group.
func (r *Run) groupChanges(changes []run.WeightChange) []run.GroupChange {
	list := []run.GroupChange{}
	for _, c := range changes {
		if c.Change == 0 {
			continue
		}
		name := r.parameterOf(c.Name).Group
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

// parameterOf returns the parameter that a gene is named after: every gene is.
func (r *Run) parameterOf(gene string) *run.Parameter {
	return &r.parameters[slices.IndexFunc(r.parameters, func(p run.Parameter) bool { return p.Name == gene })]
}

// changes returns the tuned weights, the greatest change first, then by name.
func (r *Run) changes(genes []float64, tuned *point) ([]run.WeightChange, error) {
	start, err := r.subject.decode(r.subject.start())
	if err != nil {
		return nil, err
	}
	spread := r.spreads()
	var list []run.WeightChange
	for i, g := range r.subject.genes() {
		c := run.WeightChange{Name: g.Name, Change: genes[i] - r.subject.start()[i]}
		place := slices.IndexFunc(r.parameters, func(p run.Parameter) bool { return p.Name == g.Name }) // every gene is named after what it sets
		c.Start, c.Tuned = start.values[place], tuned.values[place]
		if spread != nil {
			c.Spread = &spread[i]
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b run.WeightChange) int {
		switch x, y := math.Abs(a.Change), math.Abs(b.Change); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return list, nil
}

const (
	pathShare = .3 // share of the check matches, at the end, whose champions show the spread
	leastPath = 3
)

// spreads returns the sd of each gene in the last population, or over the end of the champion's path; nil where
// there is too little of either.
func (r *Run) spreads() []float64 {
	points := [][]float64(nil)
	if p, able := r.optimizer.(interface{ Population() [][]float64 }); able {
		points = p.Population()
	}
	if points == nil {
		checks := r.state.Checks
		for _, c := range checks[len(checks)-max(min(leastPath, len(checks)), int(pathShare*float64(len(checks)))):] {
			points = append(points, c.Genes)
		}
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

// ablation returns the match of a genome against the same with the genes set back to the start's that setBack reports.
func (r *Run) ablation(genes []float64, name string, setBack func(*run.Parameter) bool) (*match.Match, error) {
	back := slices.Clone(genes)
	for i, g := range r.subject.genes() {
		if setBack(r.parameterOf(g.Name)) {
			back[i] = r.subject.start()[i]
		}
	}
	without, err := r.subject.decode(back)
	if err != nil {
		return nil, err
	}
	tuned, err := r.subject.decode(genes)
	if err != nil {
		return nil, err
	}
	return r.pairing(tuned, without.side("without "+name), "ablation of "+name), nil
}

// judging returns openings, at most a number of them, that the evolution has not used, the same for all matches.
func (r *Run) judging(most int) ([]book.Opening, error) {
	part := r.config.part(book.Match)
	if r.config.gates != nil || len(part.Openings) == 0 {
		part = r.config.part(book.Gate)
	}
	return part.Series(r.config.Seed, "sensitivity", min(most, len(part.Openings)))
}
