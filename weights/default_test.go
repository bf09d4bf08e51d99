package weights

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/weights.md, the pinned fingerprint and an unproven default.json")

// TestDefaultFile holds the embedded default to the current schema and the canonical form. Until it
// comes from a run it is the huang table under another name.
func TestDefaultFile(t *testing.T) {
	if *update && !strings.Contains(string(defaultFile), `"run":`) {
		s, err := Preset("huang")
		if err != nil {
			t.Fatal(err)
		}
		s.Name = "default"
		data, err := Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("default.json", data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	s, err := Preset("default")
	if err != nil {
		t.Fatalf("%v; `go test ./weights -update` rewrites the file as long as no run made it", err)
	}
	data, err := Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if s.Provenance == nil && !bytes.Equal(data, defaultFile) {
		t.Error("default.json is not in canonical form")
	}
}
