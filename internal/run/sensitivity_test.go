package run

import (
	"testing"

	"quintune/internal/match"
	"quintune/internal/stats"
)

// The more costs are measured, the clearer the greatest has to be.
func TestGreatestCost(t *testing.T) {
	little, much, nothing := stats.Pentanomial{25, 0, 100, 0, 42}, stats.Pentanomial{20, 0, 100, 0, 60}, stats.Pentanomial{30, 0, 100, 0, 30}
	for _, test := range []struct {
		name                           string
		costs                          []stats.Pentanomial
		best                           int // index, -1: none
		played, insignificant, unclear int
	}{
		{"none", nil, -1, 0, 0, 0},
		{"one", []stats.Pentanomial{little}, 0, 1, 0, 0},
		{"the best of two", []stats.Pentanomial{little, nothing}, -1, 2, 1, 1},
		{"much", []stats.Pentanomial{little, much}, 1, 2, 1, 0},
		{"a gain", []stats.Pentanomial{{60, 0, 100, 0, 20}}, -1, 1, 0, 0},
		{"few pairs", []stats.Pentanomial{{0, 0, 0, 0, stats.FewestPairs - 1}}, -1, 1, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Sensitivity{Changes: []WeightChange{{Name: "not measured"}}}
			var want *match.Report
			for i, p := range test.costs {
				r := new(match.Match).Report(match.Tally{Pairs: p})
				s.Changes = append(s.Changes, WeightChange{Cost: &r})
				if i == test.best {
					want = &r
				}
			}
			best, played, insignificant, unclear := s.Greatest()
			if best != want || played != test.played || insignificant != test.insignificant || unclear != test.unclear {
				t.Errorf("best %+v, %d played, %d insignificant, %d unclear; want %+v, %d, %d, %d",
					best, played, insignificant, unclear, want, test.played, test.insignificant, test.unclear)
			}
		})
	}
}
