package run

import (
	"strings"
	"testing"
)

// The message about an engine that has changed names all that its hash covers and no other message compares.
func TestSameNamesWhatTheHashCovers(t *testing.T) {
	was, now := EngineSpec{Hash: "a"}, EngineSpec{Hash: "b"}
	err := was.Same(&now)
	if err == nil {
		t.Fatal("another hash counts as the same engine")
	}
	for _, want := range []string{"command", "program", "template", "weights:", "reload", "memory", "wins", "hash b, not a"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %s", err, want)
		}
	}
	if err := was.Same(&was); err != nil {
		t.Error(err)
	}
}
