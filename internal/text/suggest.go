package text

import (
	"fmt"
	"strings"
)

// A misspelt name may differ from the one suggested in maxDistance letters, and in one of perLetters.
const (
	maxDistance = 2
	perLetters  = 3
)

// DidYouMean returns the end of an error that suggests the most similar name, "" where none is similar.
func DidYouMean(name string, names []string) string {
	best, least := "", maxDistance+1
	for _, candidate := range names {
		d := distance(strings.ToLower(name), strings.ToLower(candidate))
		if d < least && perLetters*d <= max(len(name), len(candidate)) {
			best, least = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(": did you mean %q?", best)
}

// distance returns the least number of letters to insert, delete, replace or swap with their neighbour (optimal
// string alignment).
func distance(a, b string) int {
	cost := make([][]int, len(a)+1) // [letters of a][letters of b]
	for i := range cost {
		cost[i] = make([]int, len(b)+1)
		for j := range cost[i] {
			if i == 0 || j == 0 {
				cost[i][j] = i + j
				continue
			}
			replace := cost[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			cost[i][j] = min(cost[i-1][j]+1, cost[i][j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cost[i][j] = min(cost[i][j], cost[i-2][j-2]+1)
			}
		}
	}
	return cost[len(a)][len(b)]
}
