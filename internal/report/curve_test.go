package report

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

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
