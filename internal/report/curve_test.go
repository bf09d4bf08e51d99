package report

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"quintune/internal/run"
	"quintune/internal/stats"
)

func point(games int, elo, low, high float64) run.Point {
	return run.Point{Games: games, Estimate: stats.Estimate{Elo: elo, Low: low, High: high}}
}

func sample() *Curve {
	last := point(2500, 70, 60, 81)
	return &Curve{
		Title:     "r-huang-7",
		Checks:    []run.Point{point(1000, 10, -20, 40), point(2000, 60, 30, 92)},
		Validated: &last,
	}
}

func TestPicturesHoldTheCurve(t *testing.T) {
	svg, err := sample().Render("svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<svg", "r-huang-7", "check matches", "validation", "games of the evolution"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(string(svg), want) {
				t.Errorf("the picture lacks %q", want)
			}
		})
	}
	again, err := sample().Render("svg")
	if err != nil || !bytes.Equal(svg, again) {
		t.Errorf("equal curves give different pictures (%v)", err)
	}
	moved := sample()
	moved.Checks[1].Elo = 20
	if other, err := moved.Render("svg"); err != nil || bytes.Equal(svg, other) {
		t.Errorf("another curve gives the same picture (%v)", err)
	}
	data, err := sample().Render("png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		t.Errorf("no PNG: %v", err)
	}
}

// Every label is the value where it stands, on both axes.
func TestLabelsAreTheirValues(t *testing.T) {
	p := empty("", "")
	for _, test := range []struct {
		low, high float64
		want      string
	}{
		{.9, 1.17, "[0.92 1.04 1.16]"},
		{-1, 1, "[-1 0 1]"},
		{0, 1.4e6, "[0 400000 800000 1200000]"},
		{.05, .35, "[0.1 0.2 0.3]"},
	} {
		t.Run(test.want, func(t *testing.T) {
			for _, axis := range []plot.Axis{p.X, p.Y} {
				var labels []string
				for _, tick := range axis.Tick.Marker.Ticks(test.low, test.high) {
					if tick.Label != "" {
						labels = append(labels, tick.Label)
					}
				}
				if got := fmt.Sprint(labels); got != test.want {
					t.Errorf("%v to %v is labelled %s, want %s", test.low, test.high, got, test.want)
				}
			}
		})
	}
}

func TestEmptyCurveIsDrawn(t *testing.T) {
	if _, err := (&Curve{}).Render("svg"); err != nil {
		t.Error(err)
	}
}

func TestUnknownFormatIsRefused(t *testing.T) {
	if _, err := sample().Render("doc"); err == nil || !strings.Contains(err.Error(), "svg") {
		t.Errorf("error %v, want one that lists the formats", err)
	}
}
