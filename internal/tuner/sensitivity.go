package tuner

import (
	"context"
	"math"
	"slices"

	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/weights"
)

const (
	mostAblations      = 10
	leastAblationPairs = 50
)

// Sensitivity compares what the run recommends with its start, weight by weight, and plays matches for the greatest
// changes, with at most the number of games in all: the recommended weights against the same with one change taken back.
// Without games the costs are left out. watch, if not nil, is called after each pair of a match.
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
	ablations := min(mostAblations, games/2/leastAblationPairs, len(result.Changes))
	if ablations == 0 {
		return result, nil
	}
	openings, err := r.judging(games / 2 / ablations)
	if err != nil {
		return nil, err
	}
	for k := range ablations {
		c := &result.Changes[k]
		if c.Change == 0 {
			break
		}
		m, err := r.ablation(genes, c.Name)
		if err != nil {
			return nil, err
		}
		m.Openings = openings
		t, err := m.Play(ctx, s.Runner, func(t match.Tally) {
			if watch != nil {
				watch(c.Name, t)
			}
		})
		if err != nil {
			return nil, err
		}
		report := m.Report(t)
		c.Cost = &report
		result.Games += report.Played()
	}
	return result, nil
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
	pathShare = .3 // of the check matches whose champions are the end of the path
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

// ablation returns the match of a genome against the same with one gene set back to the start's.
func (r *Run) ablation(genes []float64, name string) (*match.Match, error) {
	back := slices.Clone(genes)
	i := slices.IndexFunc(r.subject.genes(), func(g weights.Gene) bool { return g.Name == name })
	back[i] = r.subject.start()[i]
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
	if r.config.GateBook != nil || len(part.Openings) == 0 {
		part = r.config.part(book.Gate)
	}
	return part.Series(r.config.Seed, "sensitivity", min(most, len(part.Openings)))
}
