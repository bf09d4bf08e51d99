// Package weightstest provides the shipped sets of weights, and files of sets, for tests.
package weightstest

import (
	"os"
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

// Save writes a set to a file.
func Save(t testing.TB, path string, set *weights.Set) {
	t.Helper()
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
