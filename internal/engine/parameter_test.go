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
		{Parameter{Name: "even", Kind: Int, Start: 4, Min: 1, Max: 9, Step: 2}, []float64{2, 4, 6, 8}},
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
