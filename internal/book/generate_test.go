package book

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// small is a configuration that takes some hundredths of a second.
func small() Config {
	return Config{Rule: pattern.Freestyle, Size: 15, Count: 12, Seed: 3, Nodes: 500, Workers: 1}
}

func mustGenerate(t testing.TB, cfg Config) []Opening {
	t.Helper()
	b, err := Generate(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b.Openings
}

func TestGeneratedOpeningsAreWhatTheyShouldBe(t *testing.T) {
	cfg := small()
	cfg.Count = 40
	openings := mustGenerate(t, cfg)
	if len(openings) != cfg.Count {
		t.Fatalf("%d openings, want %d", len(openings), cfg.Count)
	}
	cfg, err := cfg.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	position, err := board.New(15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := search.NewEngine(cfg.Set, 15, pattern.Freestyle, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := scorer{engine, position}
	seen := map[uint64]bool{}
	corner, centre := 0, 0
	for _, o := range openings {
		text := board.FormatMoves(o.Moves)
		if o.Key != board.CanonicalKey(o.Moves, 15) || seen[o.Key] {
			t.Errorf("%s has the key %x (seen %v)", text, o.Key, seen[o.Key])
		}
		seen[o.Key] = true
		if len(o.Moves) < minStones || len(o.Moves) > maxStones {
			t.Errorf("%s has %d stones", text, len(o.Moves))
		}
		if !play(position, o.Moves) || !position.Quiet() {
			t.Errorf("%s is over, or must be answered", text)
		}
		if !s.balanced(context.Background(), o, &cfg) {
			t.Errorf("%s is not balanced", text)
		}
		least := 15
		for _, m := range o.Moves {
			least = min(least, m.X(), m.Y(), 14-m.X(), 14-m.Y())
		}
		if least <= 1 {
			corner++
		}
		if least >= 4 {
			centre++
		}
	}
	if corner < 4 || centre < 4 {
		t.Errorf("of 40 openings %d are near the edge and %d in the centre, want some of both", corner, centre)
	}
}

func TestBalanced(t *testing.T) {
	cfg, err := small().withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	position, err := board.New(15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := search.NewEngine(cfg.Set, 15, pattern.Freestyle, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := scorer{engine, position}
	tests := []struct {
		name   string
		text   string
		window int32
		want   bool
	}{
		{"nothing but a tempo", "h8a1o15", 1 << 25, true},
		{"open three to move", "h8a1i8o1j8o15", 1 << 25, false},
		{"open three against", "h8a1i8o1j8", 1 << 25, true},
		{"two open threes against", "h8a1i8o1j8c15e4o14e5a14e6", 1 << 25, false},
		{"three against nothing", "h8a1i8o1i9", 100, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg.Window = test.window
			o := mustParse(t, test.text).Openings[0]
			if got := s.balanced(context.Background(), o, &cfg); got != test.want {
				t.Errorf("balanced within %d is %v, want %v", test.window, got, test.want)
			}
		})
	}
}

// What is generated depends on neither workers nor count, but on seed, purpose and what is excluded.
func TestGenerateIsDeterministic(t *testing.T) {
	first := mustGenerate(t, small())
	t.Run("workers", func(t *testing.T) {
		cfg := small()
		cfg.Workers = 3
		if keysOf(mustGenerate(t, cfg)) != keysOf(first) {
			t.Error("three workers make other openings than one")
		}
	})
	t.Run("count", func(t *testing.T) {
		cfg := small()
		cfg.Count = 20
		if keysOf(mustGenerate(t, cfg)[:12]) != keysOf(first) {
			t.Error("the first 12 of 20 openings are not those of 12")
		}
	})
	t.Run("defaults", func(t *testing.T) {
		set, err := weights.Preset("huang")
		if err != nil {
			t.Fatal(err)
		}
		cfg := small()
		cfg.Set, cfg.Window = set, DefaultWindow
		if keysOf(mustGenerate(t, cfg)) != keysOf(first) {
			t.Error("the defaults said aloud make other openings")
		}
	})
	t.Run("excluded", func(t *testing.T) {
		cfg := small()
		cfg.Exclude = func(key uint64) bool { return key == first[2].Key }
		without := append(append([]Opening{}, first[:2]...), first[3:]...)
		if keysOf(mustGenerate(t, cfg)[:11]) != keysOf(without) {
			t.Error("excluding one opening does more than to leave it out")
		}
	})
	for name, change := range map[string]func(*Config){
		"seed":    func(cfg *Config) { cfg.Seed++ },
		"purpose": func(cfg *Config) { cfg.Purpose = "validate" },
		"window":  func(cfg *Config) { cfg.Window = 700 },
	} {
		cfg := small()
		change(&cfg)
		if keysOf(mustGenerate(t, cfg)) == keysOf(first) {
			t.Errorf("another %s makes the same openings", name)
		}
	}
}

func TestGenerateReportsProgress(t *testing.T) {
	var found []int
	if _, err := Generate(context.Background(), small(), func(n int) { found = append(found, n) }); err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 || found[len(found)-1] != 12 {
		t.Errorf("progress %v, want it to end with 12", found)
	}
}

func TestGenerateErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"no count", func(c *Config) { c.Count = 0 }, "count of openings is 0, outside [1, "},
		{"negative window", func(c *Config) { c.Window = -5 }, "window of openings is -5"},
		{"window with wins", func(c *Config) { c.Window = search.Win }, "window"},
		{"many pairs", func(c *Config) { c.Pairs = 101 }, "pairs of openings is 101, outside [0, 100]"},
		{"few nodes", func(c *Config) { c.Nodes = 3 }, "nodes of openings is 3, outside [500, "},
		{"negative workers", func(c *Config) { c.Workers = -1 }, "workers"},
		{"size", func(c *Config) { c.Size = 4 }, "4"},
		{"rule", func(c *Config) { c.Rule = 99 }, "rule"},
		{"all excluded", func(c *Config) { c.Exclude = func(uint64) bool { return true }; c.Count = 1 }, "only 0 of 1 openings"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg := small()
			test.change(&cfg)
			if _, err := Generate(context.Background(), cfg, nil); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Generate(ctx, small(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

func TestDrawKeepsToTheBoard(t *testing.T) {
	for _, size := range []int{board.MinSize, 6, 7, 15, board.MaxSize} {
		for i := range 500 {
			moves := draw(stream.New(4, "%d", i), size)
			seen := map[board.Cell]bool{}
			for _, m := range moves {
				if !m.On(size) || seen[m] {
					t.Fatalf("size %d: %s", size, board.FormatMoves(moves))
				}
				seen[m] = true
			}
		}
	}
}
