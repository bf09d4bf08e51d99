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

// longestNode is the greatest number of lines of the search node, which a reader takes in as one piece.
const longestNode = 200

func TestNodeIsShort(t *testing.T) {
	code, err := os.ReadFile("../../search/search.go")
	if err != nil {
		t.Fatal(err)
	}
	_, node, found := strings.Cut(string(code), "\nfunc (e *Engine) search(")
	node, _, ended := strings.Cut(node, "\n}\n")
	if lines := strings.Count(node, "\n") + 2; !found || !ended || lines > longestNode {
		t.Errorf("search/search.go: the node has %d lines (found: %v), at most %d are wanted", lines, found && ended, longestNode)
	}
}
