package stream

import "testing"

func TestStreamsDependOnSeedAndPurposeAlone(t *testing.T) {
	first := New(7, "gen %d/pair %d", 12, 40).Uint64()
	if again := New(7, "gen 12/pair 40").Uint64(); again != first {
		t.Errorf("the same purpose gives %d, then %d", first, again)
	}
	for name, other := range map[string]uint64{
		"another seed":    New(8, "gen 12/pair 40").Uint64(),
		"another purpose": New(7, "gen 12/pair 41").Uint64(),
	} {
		t.Run(name, func(t *testing.T) {
			if other == first {
				t.Errorf("%s gives the same number", name)
			}
		})
	}
	// Stored runs are continued with the same numbers by later versions.
	if want := uint64(12757432344169793361); first != want {
		t.Errorf("the first number is %d, want %d", first, want)
	}
}
