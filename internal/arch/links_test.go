package arch

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// linkTarget matches what a Markdown link or picture points to, without the anchor.
var linkTarget = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)

// TestLinks finds the links of the documents to files that are not there.
func TestLinks(t *testing.T) {
	wrong, err := deadLinks(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wrong {
		t.Error(w)
	}
}

// deadLinks returns the relative links of the Markdown files below root that lead to no file or folder.
func deadLinks(root string) ([]string, error) {
	var wrong []string
	err := walkFiles(root, []string{".md"}, func(file string, data []byte) error {
		for _, match := range linkTarget.FindAllStringSubmatch(string(data), -1) {
			target := match[1]
			if strings.Contains(target, ":") {
				continue // http:, mailto:
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(path.Join(path.Dir(file), target)))); err != nil {
				wrong = append(wrong, fmt.Sprintf("%s: the link to %s is dead", file, target))
			}
		}
		return nil
	})
	return wrong, err
}

func TestDeadLinks(t *testing.T) {
	root := t.TempDir()
	writeFiles(t, root, map[string]string{
		"README.md":   "[a](docs/a.md#part) [b](https://example.org) ![c](docs/c.svg) [d](docs)",
		"docs/a.md":   "[back](../README.md) [gone](gone.md#x)",
		".git/x.md":   "[gone](gone.md)",
		"docs/more.x": "[gone](gone.md)",
	})
	got, err := deadLinks(root)
	want := []string{"README.md: the link to docs/c.svg is dead", "docs/a.md: the link to gone.md is dead"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got  %q, %v\nwant %q", got, err, want)
	}
}
