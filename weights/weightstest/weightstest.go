// Package weightstest gives tests the shipped sets of weights.
package weightstest

import (
	"testing"

	"quintune/weights"
)

// Preset returns a shipped set.
func Preset(t testing.TB, name string) *weights.Set {
	t.Helper()
	set, err := weights.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return set
}
