//go:build long

package puzzle

import (
	"os"
	"testing"
)

// plainStep is which puzzles of TestUnique are checked: each.
const plainStep = 1

// Every puzzle that the page has is one.
func TestEmbeddedAreUnique(t *testing.T) {
	f, err := os.Open("../webui/play/puzzles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	puzzles, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := range puzzles {
		t.Run(puzzles[i].ID, func(t *testing.T) { checkUnique(t, &puzzles[i]) })
	}
}
