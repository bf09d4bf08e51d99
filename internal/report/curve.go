// Package report draws what a run has come to.
package report

import (
	"bytes"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Point is a strength against the start of a run, with its 95 % interval, Elo.
type Point struct {
	Games          int // played by the evolution before
	Elo, Low, High float64
}

// Curve is a run's strength by games.
type Curve struct {
	Title     string
	Checks    []Point // in the order of the games
	Validated *Point  // the validation, whose figure alone is quoted; nil where there is none
}

// Formats lists the kinds of pictures that Render draws.
func Formats() []string { return []string{"svg", "png"} }

// Size of a picture.
const (
	width  = 20 * vg.Centimeter
	height = 9 * vg.Centimeter
	margin = 3 * vg.Millimeter
)

var (
	checkColour     = color.RGBA{R: 0x1f, G: 0x5f, B: 0xa8, A: 0xff}
	validatedColour = color.RGBA{R: 0xb8, G: 0x4a, B: 0x1c, A: 0xff}
)

// Render returns the picture in one of Formats; equal curves give equal bytes.
func (c *Curve) Render(format string) ([]byte, error) {
	p, err := c.plot()
	if err != nil {
		return nil, err
	}
	return render(p, format, height)
}

// render returns the picture of a plot in one of Formats.
func render(p *plot.Plot, format string, height vg.Length) ([]byte, error) {
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return nil, fmt.Errorf("report: format %q is not one of %s: %w", format, strings.Join(Formats(), ", "), err)
	}
	p.Draw(draw.Crop(draw.New(canvas), margin, -margin, margin, -margin))
	var picture bytes.Buffer
	_, err = canvas.WriteTo(&picture)
	return picture.Bytes(), err
}

func (c *Curve) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = c.Title
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text = "games of the evolution"
	p.Y.Label.Text = "Elo against the start, 95 % interval"
	p.X.Tick.Marker = wholeTicks{}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding = vg.Points(3)
	p.Add(plotter.NewGrid())
	start := series{{}}
	if err := add(p, "check matches", append(start, c.Checks...), checkColour, true); err != nil {
		return nil, err
	}
	if c.Validated != nil {
		if err := add(p, "validation", series{*c.Validated}, validatedColour, false); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// series is points with error bars, as gonum's plotters take them.
type series []Point

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

// wholeTicks labels gonum's ticks with plain numbers.
type wholeTicks struct{}

func (wholeTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'f', -1, 64)
		}
	}
	return ticks
}
