package weights

import (
	"flag"
	"testing"

	"quintune/pattern"
)

var update = flag.Bool("update", false, "rewrite docs/weights.md and the pinned fingerprint")

// TestEvolvedFiles: what ships as evolved is proven, and for the board that its name says.
func TestEvolvedFiles(t *testing.T) {
	made := map[string]struct {
		rule pattern.Rule
		size int
	}{
		"default": {pattern.Freestyle, 15}, "freestyle20": {pattern.Freestyle, 20}, "standard15": {pattern.Standard, 15},
		"renju15": {pattern.Renju, 15},
	}
	for _, name := range evolvedNames() {
		s, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if p := s.Provenance; p == nil || !p.Proven || p.Start != "huang" || p.Validation == nil || p.Validation.EloLow <= 0 {
			t.Errorf("%s: nothing is proven of it: %+v", name, p)
		}
		if m, known := made[name]; !known || s.Rule != m.rule || s.Size != m.size {
			t.Errorf("%s is for %v on %d×%d", name, s.Rule, s.Size, s.Size)
		}
	}
}
