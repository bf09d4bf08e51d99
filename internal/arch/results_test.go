package arch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestResultsBeginWithASummary looks for the three lines with which each page of results begins: what, how
// much, and how to repeat it.
func TestResultsBeginWithASummary(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "results", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("pages %v (%v)", pages, err)
	}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		summary, _, _ := strings.Cut(strings.TrimSpace(afterTitle(string(data))), "\n\n")
		for _, begin := range []string{"**What:**", "**How much:**", "**Repeat:**"} {
			if !strings.Contains("\n"+summary, "\n"+begin) {
				t.Errorf("%s: no line of its first paragraph begins with %s", filepath.Base(page), begin)
			}
		}
	}
}

// afterTitle returns a page without its first line.
func afterTitle(page string) string {
	_, rest, _ := strings.Cut(page, "\n")
	return rest
}
