package report

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"quintune/internal/run"
	"quintune/internal/stats"
)

const (
	mostTraces    = 8
	mostAblations = 16
	mostDrawn     = 500 // points of a curve: more are not seen
)

// Picture is one picture of a report.
type Picture struct {
	Name    string // of its file, without ending
	Title   string
	Caption string
	draw    func() (*plot.Plot, error)
	height  vg.Length
}

// Render returns the picture in one of Formats; equal runs give equal bytes.
func (p *Picture) Render(format string) ([]byte, error) {
	drawn, err := p.draw()
	if err != nil {
		return nil, err
	}
	return render(drawn, format, p.height)
}

// Pictures returns the pictures that can be drawn of the run.
func (r *Run) Pictures() []Picture {
	var list []Picture
	if c := r.curve(); len(c.Checks) > 0 || c.Validated != nil {
		list = append(list, Picture{
			"curve", "Rating",
			"Each point is the last check matches, at most five, of the current champion against the start, with their 95 % interval. The validation, on openings of its own, is the figure to quote.",
			c.plot, height,
		})
	}
	if slices.ContainsFunc(r.Generations, func(g run.Generation) bool { return g.Rated() }) {
		list = append(list,
			Picture{"fitness", "Best against mean", "How far each generation's centre is above where the optimizer began, after the fit if there was one. Best and mean are the same but in runs of older programs. Good for watching, not for quoting.", r.fitness, height})
	}
	if len(r.Generations) > 1 {
		list = append(list,
			Picture{"spread", "Population spread", "Mean over the genes of the population's standard deviation, and the step of the search, both in gene units: genes range from −1 to 1.", r.spread, height})
	}
	if len(r.traced()) > 0 {
		list = append(list, Picture{"traces", "Weights on their way", "The champion's weights as a factor of the start: of those above 0 the ones that have changed most.", r.traces, r.tracesHeight()})
	}
	if len(r.ablations()) > 0 {
		l := r.costs()
		list = append(list, Picture{"sensitivity", "Sensitivity", "Elo lost by setting the genes of single weights back to the start, with 95 % intervals. One of many may miss 0 by chance, and the greatest cost is exaggerated.", l.plot, l.height()})
	}
	return list
}

// curve returns the rating curve.
func (r *Run) curve() *Curve {
	c := new(Curve)
	for _, check := range r.State.Pooled() {
		c.Checks = append(c.Checks, check.Point())
	}
	if v := r.State.Validation; v != nil && !v.Unplayed() {
		c.Validated = &run.Point{Games: r.State.Evolution, Pairs: v.Pairs, Estimate: stats.Estimate{Elo: v.Elo, Low: v.EloLow, High: v.EloHigh}}
	}
	return c
}

// by returns a figure of the generations by games.
func (r *Run) by(figure func(*run.Generation) float64) plotter.XYs {
	step := 1 + (len(r.Generations)-1)/mostDrawn
	var points plotter.XYs
	for i := range r.Generations {
		if g := &r.Generations[i]; i%step == 0 || i == len(r.Generations)-1 {
			points = append(points, plotter.XY{X: float64(g.Games), Y: figure(g)})
		}
	}
	return points
}

// of returns the run with those of its generations alone that are meant.
func (r *Run) of(meant func(*run.Generation) bool) *Run {
	return &Run{Generations: slices.DeleteFunc(slices.Clone(r.Generations), func(g run.Generation) bool { return !meant(&g) })}
}

// rated returns a rating of the generations that have one, by games.
func (r *Run) rated(rating func(*run.Generation) float64) plotter.XYs {
	return r.of((*run.Generation).Rated).by(rating)
}

func (r *Run) fitness() (*plot.Plot, error) {
	p := empty("", "Elo above the beginning")
	if err := addLine(p, "best", r.rated(func(g *run.Generation) float64 { return g.Best }), colour(0)); err != nil {
		return nil, err
	}
	if err := addLine(p, "mean", r.rated(func(g *run.Generation) float64 { return g.Mean }), colour(1)); err != nil {
		return nil, err
	}
	makeRoom(p, 2, height)
	return p, nil
}

func (r *Run) spread() (*plot.Plot, error) {
	p := empty("", "gene units")
	legendRight(p, true)
	if err := addLine(p, "spread", r.by(func(g *run.Generation) float64 { return g.Spread }), colour(0)); err != nil {
		return nil, err
	}
	if err := addLine(p, "step", r.by(func(g *run.Generation) float64 { return g.Sigma }), colour(1)); err != nil {
		return nil, err
	}
	makeRoom(p, 2, height)
	return p, nil
}

// traced returns the indices of the weights whose way is drawn.
func (r *Run) traced() []int {
	if !slices.ContainsFunc(r.Generations, func(g run.Generation) bool { return len(g.Values) == len(r.Weights) }) {
		return nil
	}
	list := slices.DeleteFunc(r.changed(), func(i int) bool { _, ok := r.Weights[i].Factor(); return !ok })
	return list[:min(len(list), mostTraces)]
}

func (r *Run) traces() (*plot.Plot, error) {
	p := empty("", "factor of the start")
	valued := r.of(func(g *run.Generation) bool { return len(g.Values) == len(r.Weights) })
	for k, i := range r.traced() {
		factors := valued.by(func(g *run.Generation) float64 { return g.Values[i] / r.Weights[i].Start })
		points := append(plotter.XYs{{X: 0, Y: 1}}, factors...)
		if err := addLine(p, r.Weights[i].Name, points, colour(k)); err != nil {
			return nil, err
		}
	}
	makeRoom(p, len(r.traced()), r.tracesHeight())
	return p, nil
}

// tracesHeight is the height of the picture of the weights: that of others, and what its legend has beyond theirs.
func (r *Run) tracesHeight() vg.Length {
	return height + vg.Length(max(0, len(r.traced())-2))*legendLine
}

// costs returns what single weights are worth, the most valuable first.
func (r *Run) costs() *Ladder {
	list := r.ablations()
	slices.SortStableFunc(list, func(a, b run.WeightChange) int { return cmp.Compare(b.Cost.Elo, a.Cost.Elo) })
	l := new(Ladder)
	for _, c := range list[:min(len(list), mostAblations)] {
		l.Rungs = append(l.Rungs, Rung{c.Name, c.Cost.Elo, c.Cost.EloLow, c.Cost.EloHigh})
	}
	return l
}
