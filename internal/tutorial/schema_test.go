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

var update = flag.Bool("update", false, "write what docs/add-a-weight.md says of the schema anew")

// What docs/add-a-weight.md says of the schema moves on with every schema.
var (
	pastList = regexp.MustCompile(`return \[\]string\{((?:"[0-9a-f]{16}"(?:, )?)+)\}`)
	removed  = regexp.MustCompile(`(?m)^-\treturn .*$`)
	added    = regexp.MustCompile(`(?m)^\+\treturn .*$`)
	since    = regexp.MustCompile(`Since: \d+`)
	outside  = regexp.MustCompile(`Schema \d+ is out`)
)

// withSchema returns the page for a schema of the given number and fingerprint; declared is the text of
// weights/declare.go, which lists those before it.
func withSchema(page, declared string, number int, fingerprint string) (string, error) {
	past := pastList.FindStringSubmatch(declared)
	if past == nil {
		return "", fmt.Errorf("weights/declare.go has no list that %v matches", pastList)
	}
	for _, place := range []struct {
		pattern *regexp.Regexp
		text    string
	}{
		{removed, "-\t" + past[0]},
		{added, fmt.Sprintf("+\treturn []string{%s, %q}", past[1], fingerprint)},
		{since, fmt.Sprintf("Since: %d", number+1)},
		{outside, fmt.Sprintf("Schema %d is out", number)},
	} {
		if !place.pattern.MatchString(page) {
			return "", fmt.Errorf("the page has no place for %q", place.text)
		}
		page = place.pattern.ReplaceAllLiteralString(page, place.text)
	}
	return page, nil
}

// TestSchemaIsFresh regenerates what docs/add-a-weight.md says of the schema.
func TestSchemaIsFresh(t *testing.T) {
	path := filepath.Join(root, "docs", "add-a-weight.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	declared, err := os.ReadFile(filepath.Join(root, "weights", "declare.go"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := withSchema(string(page), string(declared), weights.SchemaNumber(), weights.Fingerprint())
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
		declared = "func pastSchemas() []string {\n\treturn []string{\"0123456789abcdef\", \"1123456789abcdef\"}\n}\n"
		page     = "Schema 2 is out\n-\treturn []string{\"0123456789abcdef\"}\n+\treturn old\n Since: 3, and Since: 3,\n"
		want     = "Schema 3 is out\n-\treturn []string{\"0123456789abcdef\", \"1123456789abcdef\"}\n" +
			"+\treturn []string{\"0123456789abcdef\", \"1123456789abcdef\", \"2123456789abcdef\"}\n Since: 4, and Since: 4,\n"
	)
	if got, err := withSchema(page, declared, 3, "2123456789abcdef"); err != nil || got != want {
		t.Errorf("%q (%v)", got, err)
	}
	if _, err := withSchema("nothing", declared, 3, ""); err == nil {
		t.Error("a page without a place is taken")
	}
	if _, err := withSchema(page, "nothing", 3, ""); err == nil {
		t.Error("a declaration without a list is taken")
	}
}
