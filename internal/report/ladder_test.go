package report

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

func sampleLadder() *Ladder {
	return &Ladder{Title: "a round robin", Rungs: []Rung{
		{"default", 1500, 1400, 1650}, {"huang", 1000, 1000, 1000}, {"baseline:random", -400, -700, -200},
	}}
}

func TestLadderIsDrawn(t *testing.T) {
	svg, err := sampleLadder().Render("svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<svg", "a round robin", "default", "huang", "baseline:random", "95 % interval"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(string(svg), want) {
				t.Errorf("the picture lacks %q", want)
			}
		})
	}
	if strings.Index(string(svg), "default") < strings.Index(string(svg), "baseline:random") {
		t.Error("the best player is not at the top") // gonum draws the axis from below
	}
	wider := sampleLadder()
	wider.Rungs[0].High += 100
	if other, err := wider.Render("svg"); err != nil || bytes.Equal(svg, other) {
		t.Errorf("a wider interval gives the same picture (%v)", err)
	}
	data, err := sampleLadder().Render("png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		t.Errorf("no PNG: %v", err)
	}
}

func TestLadderRefusals(t *testing.T) {
	if _, err := new(Ladder).Render("svg"); err == nil {
		t.Error("a ladder without players is drawn")
	}
	if _, err := sampleLadder().Render("doc"); err == nil || !strings.Contains(err.Error(), "svg") {
		t.Errorf("error %v, want one that lists the formats", err)
	}
}
