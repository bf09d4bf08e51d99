package tutorial

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"quintune/weights"
)

var update = flag.Bool("update", false, "write the schema numbers of docs/add-a-weight.md anew")

// The schema numbers in docs/add-a-weight.md follow every new schema.
var (
	since   = regexp.MustCompile(`since\(\d+\)`)
	outside = regexp.MustCompile(`Schema \d+ is out`)
)

// withSchema returns the page for a schema of the given number.
func withSchema(page string, number int) (string, error) {
	for _, place := range []struct {
		pattern *regexp.Regexp
		text    string
	}{
		{since, fmt.Sprintf("since(%d)", number+1)},
		{outside, fmt.Sprintf("Schema %d is out", number)},
	} {
		if !place.pattern.MatchString(page) {
			return "", fmt.Errorf("the page has no place for %q", place.text)
		}
		page = place.pattern.ReplaceAllLiteralString(page, place.text)
	}
	return page, nil
}

// TestSchemaIsFresh writes the schema numbers of docs/add-a-weight.md anew.
func TestSchemaIsFresh(t *testing.T) {
	path := filepath.Join(root, "docs", "add-a-weight.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := withSchema(string(page), weights.SchemaNumber())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(page) {
		t.Errorf("%s is stale: go test ./internal/tutorial -update", path)
	}
}

func TestWithSchema(t *testing.T) {
	const (
		page = "Schema 2 is out, since(3), and since(3),\n"
		want = "Schema 3 is out, since(4), and since(4),\n"
	)
	if got, err := withSchema(page, 3); err != nil || got != want {
		t.Errorf("%q (%v)", got, err)
	}
	if _, err := withSchema("nothing", 3); err == nil {
		t.Error("a page without a place is taken")
	}
}
