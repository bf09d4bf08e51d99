//go:build long

package baseline

import "testing"

// Two hundred legal games of every system: half against random, half against the next in the list.
func TestTwoHundredGames(t *testing.T) {
	names := Names()
	for i, name := range names {
		for _, size := range []int{15, 20} {
			for _, opponent := range []string{"random", names[(i+1)%len(names)]} {
				won := 0.0
				for _, r := range playPairs(t, name, opponent, size, 50, 200) {
					won += float64(r.Points()) / 4
				}
				t.Logf("%s against %s on size %d: %.2f of 50 pairs", name, opponent, size, won)
			}
		}
	}
}
