package report

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"quintune/internal/run"
)

// Curve is a run's strength by games.
type Curve struct {
	Title     string
	Checks    []run.Point // in the order of the games
	Validated *run.Point  // the validation, whose figure alone is quoted; nil where there is none
}

// Render returns the picture in one of Formats; equal curves give equal bytes.
func (c *Curve) Render(format string) ([]byte, error) {
	p, err := c.plot()
	if err != nil {
		return nil, err
	}
	return render(p, format, height)
}

func (c *Curve) plot() (*plot.Plot, error) {
	p := empty(c.Title, "Elo against the start")
	legendRight(p, false) // a rating rises: that corner is free
	start := series{{}}
	if err := add(p, "check matches", append(start, c.Checks...), colour(0), true); err != nil {
		return nil, err
	}
	if c.Validated != nil {
		if err := add(p, "validation", series{*c.Validated}, colour(1), false); err != nil {
			return nil, err
		}
	}
	makeRoom(p, 2, height)
	return p, nil
}

// series is points with error bars, as gonum's plotters take them.
type series []run.Point

func (s series) Len() int                { return len(s) }
func (s series) XY(i int) (x, y float64) { return float64(s[i].Games), s[i].Elo }
func (s series) YError(i int) (low, high float64) {
	return s[i].Elo - s[i].Low, s[i].High - s[i].Elo
}

// add draws a series, joined by a line or not.
func add(p *plot.Plot, name string, s series, c color.Color, joined bool) error {
	dots, err := plotter.NewScatter(s)
	if err != nil {
		return fmt.Errorf("report: %s: %w", name, err)
	}
	dots.Color, dots.Shape, dots.Radius = c, draw.CircleGlyph{}, vg.Points(2.5)
	bars, err := plotter.NewYErrorBars(s)
	if err != nil {
		return fmt.Errorf("report: %s: %w", name, err)
	}
	bars.Color = c
	p.Add(dots, bars)
	p.Legend.Add(name, dots)
	if !joined {
		return nil
	}
	line, err := plotter.NewLine(s)
	if err != nil {
		return fmt.Errorf("report: %s: %w", name, err)
	}
	line.Color, line.Width = c, vg.Points(1.2)
	p.Add(line)
	return nil
}
