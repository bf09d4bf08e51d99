package engine

import (
	"slices"
	"testing"
)

// The genes that an integer lists are those of its values, in order; a float and a long range list none.
func TestFewValues(t *testing.T) {
	for _, c := range []struct {
		p    Parameter
		want []float64
	}{
		{Parameter{Name: "depth", Kind: Int, Start: 4, Min: 1, Max: 7}, []float64{1, 2, 3, 4, 5, 6, 7}},
		{Parameter{Name: "even", Kind: Int, Start: 4, Min: 1, Max: 9, Step: 2}, []float64{1, 2, 4, 6, 8, 9}},
		{Parameter{Name: "ends", Kind: Int, Start: 5, Max: 10, Step: 10}, []float64{0, 5, 10}},
		{Parameter{Name: "offset", Kind: Int, Start: 20, Min: 5, Max: 56, Step: 15}, []float64{5, 20, 35, 50, 56}},
		{Parameter{Name: "largest", Kind: Int, Start: maxWhole - 1, Min: maxWhole - 2, Max: maxWhole}, []float64{maxWhole - 2, maxWhole - 1, maxWhole}},
		{Parameter{Name: "factor", Kind: Int, Scale: Log, Start: 4, Min: 2, Max: 6}, []float64{2, 3, 4, 5, 6}},
		{Parameter{Name: "share", Kind: Float, Start: .5, Max: 1}, nil},
		{Parameter{Name: "points", Kind: Int, Start: 500, Max: 1000}, nil},
	} {
		var got []float64
		genes := c.p.fewValues()
		for _, z := range genes {
			got = append(got, c.p.decode(z))
		}
		if !slices.Equal(got, c.want) || !slices.IsSorted(genes) {
			t.Errorf("%s: values %v at %v, want %v", c.p.Name, got, genes, c.want)
		}
	}
}

// A parameter takes the nearest of the start, the steps from it, and both bounds.
func TestNearestValue(t *testing.T) {
	whole := Parameter{Kind: Int, Start: 20, Min: 5, Max: 56, Step: 15}
	part := Parameter{Kind: Float, Start: .5, Min: .15, Max: .9, Step: .3}
	for _, c := range []struct {
		p       *Parameter
		v, want float64
	}{
		{&whole, 52, 50},
		{&whole, 54, 56},
		{&whole, 60, 56},
		{&whole, 27, 20},
		{&whole, 28, 35},
		{&whole, 1, 5},
		{&part, .18, .2},
		{&part, .16, .15},
		{&part, .84, .8},
		{&part, .86, .9},
		{&part, .6, .5},
	} {
		if got := c.p.value(c.v); got != c.want {
			t.Errorf("%s: %v gives %v, want %v", c.p.Description(), c.v, got, c.want)
		}
	}
}

// A step is described where there is one.
func TestDescription(t *testing.T) {
	for want, p := range map[string]Parameter{
		"int in [5, 320], log scale, group eval, start 20":            {Kind: Int, Scale: Log, Group: "eval", Start: 20, Min: 5, Max: 320},
		"int in [0, 100], linear scale, step 5, group rest, start 10": {Kind: Int, Scale: Linear, Group: "rest", Start: 10, Max: 100, Step: 5},
	} {
		t.Run(want, func(t *testing.T) {
			if got := p.Description(); got != want {
				t.Errorf("got %q", got)
			}
		})
	}
}
