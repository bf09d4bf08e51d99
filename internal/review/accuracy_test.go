package review

import (
	"math"
	"testing"

	"quintune/board"
)

func TestAccuracy(t *testing.T) {
	for _, test := range []struct {
		name    string
		losses  []float64
		side    board.Colour
		opening int
		want    float64
		ok      bool
	}{
		{"nothing lost", []float64{0, .5, 0, .5}, board.Black, 0, 100, true},
		{"half lost", []float64{0, .5, 0, .5}, board.White, 0, 8.5, true},
		{"everything lost once", []float64{0, 1, 0, 0}, board.White, 0, 50, true},
		{"the opening does not count", []float64{1, 1, 0}, board.Black, 2, 100, true},
		{"no move", []float64{0}, board.White, 0, 0, false},
		{"no move after the opening", []float64{0, 0}, board.Black, 2, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Review{}
			for _, loss := range test.losses {
				r.Notes = append(r.Notes, Note{Loss: loss})
			}
			if got, ok := r.Accuracy(test.side, test.opening); ok != test.ok || math.Abs(got-test.want) > .1 {
				t.Errorf("got %v (%v), want %v (%v)", got, ok, test.want, test.ok)
			}
		})
	}
}
