package report

import (
	"bytes"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Formats lists the kinds of pictures that Render draws.
func Formats() []string { return []string{"svg", "png"} }

// Size of a picture.
const (
	width  = 20 * vg.Centimeter
	height = 9 * vg.Centimeter
	margin = 3 * vg.Millimeter
	// legendRoom is where a legend on the right begins, from that side.
	legendRoom = 6 * vg.Centimeter
)

// colour returns the k-th of eight colours that are easy to tell apart on white, also for people who are
// colour-blind.
func colour(k int) color.Color {
	return [...]color.RGBA{
		{0x1f, 0x5f, 0xa8, 0xff},
		{0xb8, 0x4a, 0x1c, 0xff},
		{0x22, 0x73, 0x3c, 0xff},
		{0x8b, 0x3a, 0x94, 0xff},
		{0x8a, 0x6a, 0x00, 0xff},
		{0x0b, 0x7a, 0x7f, 0xff},
		{0xa8, 0x32, 0x5c, 0xff},
		{0x5b, 0x5b, 0x8f, 0xff},
	}[k%8]
}

// empty returns a plot by games without lines.
func empty(title, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text = "games of the evolution"
	p.Y.Label.Text = y
	p.X.Tick.Marker, p.Y.Tick.Marker = plainTicks{}, plainTicks{}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.Padding = vg.Points(3)
	p.Add(plotter.NewGrid())
	sans(p)
	return p
}

// sans sets all texts of a plot in the face of the page.
func sans(p *plot.Plot) {
	for _, style := range []*text.Style{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle,
	} {
		style.Font.Variant = "Sans"
	}
}

// legendRight puts the legend to the right, at the top or the bottom. The marks stay before the words, which a
// viewer's font may make longer than they are here.
func legendRight(p *plot.Plot, top bool) {
	p.Legend.Top, p.Legend.XOffs = top, width-2*margin-legendRoom
}

// Heights of what is not curves: a line of a legend, and the axis with its labels.
const (
	legendLine = 5.6 * vg.Millimeter
	axisHeight = 18 * vg.Millimeter
)

// makeRoom widens the axis of the values of a finished plot of a height at the legend's end, so that no curve lies below the
// legend of a number of lines.
func makeRoom(p *plot.Plot, lines int, height vg.Length) {
	share := float64((vg.Length(lines) + .5) * legendLine / (height - axisHeight))
	room := share / (1 - share) * (p.Y.Max - p.Y.Min)
	if p.Legend.Top {
		p.Y.Max += room
	} else {
		p.Y.Min -= room
	}
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
	return bytes.ReplaceAll(picture.Bytes(), []byte("font-family:Liberation Sans;"), []byte(fonts)), err
}

// fonts are those that a viewer of an SVG may take: gonum names the first alone, by whose widths it places words. The next two have
// the same ones. The page has them too.
const fonts = "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"

// addLine adds a curve to a plot.
func addLine(p *plot.Plot, name string, points plotter.XYs, c color.Color) error {
	line, err := plotter.NewLine(points)
	if err != nil {
		return fmt.Errorf("report: %s: %w", name, err)
	}
	line.Color, line.Width = c, vg.Points(1.2)
	p.Add(line)
	p.Legend.Add(name, line)
	return nil
}

// plainTicks labels gonum's ticks with the values where they stand: gonum rounds its labels, 1.04 to 1.
type plainTicks struct{}

// tickDigits are those of a label: fewer than a sum of steps is exact to.
const tickDigits = 10

func (plainTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'g', tickDigits, 64)
		}
	}
	return ticks
}
