package report

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ladder is the ratings of players.
type Ladder struct {
	Title string
	Rungs []Rung // the highest rating first
}

// Rung is a player's rating with its 95 % interval, Elo.
type Rung struct {
	Name           string
	Elo, Low, High float64
}

// Height of a ladder's picture: of each rung, and of title and axis.
const (
	rungHeight  = 8 * vg.Millimeter
	frameHeight = 25 * vg.Millimeter
)

// Render returns the picture in one of Formats: a row for every player, the rating as a dot and the interval as
// a bar. Equal ladders give equal bytes. Without players it is an error.
func (l *Ladder) Render(format string) ([]byte, error) {
	p, err := l.plot()
	if err != nil {
		return nil, err
	}
	return render(p, format, l.height())
}

func (l *Ladder) height() vg.Length { return frameHeight + vg.Length(len(l.Rungs))*rungHeight }

func (l *Ladder) plot() (*plot.Plot, error) {
	if len(l.Rungs) == 0 {
		return nil, errors.New("report: a ladder without players cannot be drawn")
	}
	p := plot.New()
	p.Title.Text = l.Title
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text = "Elo, 95 % interval"
	p.X.Tick.Marker = plainTicks{}
	dots, err := plotter.NewScatter(rungs(l.Rungs))
	if err != nil {
		return nil, fmt.Errorf("report: ladder: %w", err)
	}
	dots.Color, dots.Shape, dots.Radius = colour(0), draw.CircleGlyph{}, vg.Points(2.5)
	bars, err := plotter.NewXErrorBars(rungs(l.Rungs))
	if err != nil {
		return nil, fmt.Errorf("report: ladder: %w", err)
	}
	bars.Color = colour(0)
	p.Add(plotter.NewGrid(), dots, bars)
	names := make([]string, len(l.Rungs))
	for i, r := range l.Rungs {
		names[len(names)-1-i] = r.Name
	}
	p.NominalY(names...)
	sans(p)
	p.Y.Min, p.Y.Max = -0.5, float64(len(names))-0.5
	return p, nil
}

// rungs is a ladder from below, as gonum's plotters take points with error bars.
type rungs []Rung

func (r rungs) at(i int) Rung           { return r[len(r)-1-i] }
func (r rungs) Len() int                { return len(r) }
func (r rungs) XY(i int) (x, y float64) { return r.at(i).Elo, float64(i) }
func (r rungs) XError(i int) (low, high float64) {
	return r.at(i).Elo - r.at(i).Low, r.at(i).High - r.at(i).Elo
}
