package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// checkEnvironment refuses variables with our prefix that set nothing, and values that no command
// takes. All are looked at, in order of their names, whatever command runs.
func checkEnvironment() error {
	options := shared()
	environment := os.Environ()
	slices.Sort(environment)
	for _, entry := range environment {
		name, text, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(strings.ToUpper(name), variablePrefix) {
			continue
		}
		i := slices.IndexFunc(options, func(o Option) bool { return o.variable() == name })
		if i < 0 {
			return fmt.Errorf("unknown variable %.60s%s", name, suggest(name, options, (*Option).variable))
		}
		if err := checkAny(options[i].Name, text); err != nil {
			return fmt.Errorf("variable %s: %w", name, err)
		}
	}
	return nil
}

// maxDistance is how many letters a misspelt name may be off to be recognised.
const maxDistance = 2

// suggest names the option that was probably meant, or nothing.
func suggest(name string, options []Option, nameOf func(*Option) string) string {
	best, least := "", maxDistance+1
	for i := range options {
		candidate := nameOf(&options[i])
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < least {
			best, least = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (meant is %s?)", best)
}

// distance is the least number of letters to insert, delete, replace or swap with their neighbour
// (optimal string alignment).
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
