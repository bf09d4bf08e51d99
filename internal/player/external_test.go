package player

import (
	"testing"

	"quintune/internal/engine"
	"quintune/pattern"
	"quintune/search"
)

// An engine under test has a referee and the memory of self-play; another has neither.
func TestUnderTest(t *testing.T) {
	p, err := Parse(engineCommand(t, "sound"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		player *Player
		memory int64
	}{{p, 0}, {p.UnderTest(), testMemory}} {
		c := test.player.conditions(15, pattern.Freestyle, search.Limits{Nodes: 1}, TimeControl{})
		if (c.Wins == engine.Confirmed) != (test.memory > 0) || c.Limits.Memory != test.memory {
			t.Errorf("announced wins %q, memory %d, want %d", c.Wins, c.Limits.Memory, test.memory)
		}
	}
}
