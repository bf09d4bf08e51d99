package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// step matches the head of a step in the search node: number and name.
var step = regexp.MustCompile(`(?m)^\s*// Step (\d+)\. ([^:.(,]+)`)

// TestStepsAreTold compares the steps of the search node with docs/how-the-search-works.md.
func TestStepsAreTold(t *testing.T) {
	root := filepath.Join("..", "..")
	code, err := os.ReadFile(filepath.Join(root, "search", "search.go"))
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join(root, "docs", "how-the-search-works.md"))
	if err != nil {
		t.Fatal(err)
	}
	steps := step.FindAllStringSubmatch(string(code), -1)
	if len(steps) < 10 {
		t.Fatalf("search/search.go has %d steps", len(steps))
	}
	_, list, _ := strings.Cut(string(document), "## The steps of a node")
	rest := list
	for _, s := range steps {
		head := "\n" + s[1] + ". **" + strings.TrimSpace(s[2])
		at := strings.Index(rest, head)
		if at < 0 {
			t.Errorf("docs/how-the-search-works.md lacks step %s, %q, after the one before it", s[1], s[2])
			continue
		}
		rest = rest[at+len(head):]
	}
}
