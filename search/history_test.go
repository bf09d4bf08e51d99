package search

import "testing"

// Weights at their bounds correct the static score by the share that they say.
func TestCorrectionScoreAtTheBounds(t *testing.T) {
	const most, whole = 1_000_000, 4096 // bounds of search.correction_max and of both shares, 1/1024
	e := &Engine{params: params{correctionThreat: whole, correctionLastMove: whole}}
	for _, test := range []struct {
		name             string
		threat, lastMove int32
		want             int32
	}{
		{"greatest", most, most, 8 * most},
		{"least", -most, -most, -8 * most},
		{"one against the other", most, -most, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := e.correctionScore(correction{&test.threat, &test.lastMove}); got != test.want {
				t.Errorf("entries of %d and %d correct by %d, want %d", test.threat, test.lastMove, got, test.want)
			}
		})
	}
}
