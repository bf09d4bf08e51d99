package book

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"quintune/board"
	"quintune/pattern"
)

// builtIn lists the built-in books with the openings that each must have at least. A gate takes up to
// 10000 pairs on the board that runs tune for by default.
var builtIn = []struct {
	rule        pattern.Rule
	size        int
	total, gate int
	expert      int
	hash        string // a changed book would make stored results incomparable
}{
	{pattern.Freestyle, 15, 24000, 10000, 118, "406b2e7158f68ba2"},
	{pattern.Freestyle, 20, 12000, 5000, 349, "8a4dbd76ea7a49e7"},
	{pattern.Standard, 15, 12000, 5000, 134, "c5b0e42889b1a69e"},
	{pattern.Standard, 20, 8000, 3000, 0, "8f999c84dcd46cf1"},
	{pattern.Renju, 15, 12000, 5000, 66, "5eaeb1915de92c05"},
	{pattern.Renju, 20, 4000, 1500, 0, "ee920382aa2f50a0"},
}

// Embedded panics unless the openings of a book are legal and distinct, so this test need not check that.
func TestEmbeddedBooks(t *testing.T) {
	for _, want := range builtIn {
		t.Run(fmt.Sprintf("%s%d", want.rule, want.size), func(t *testing.T) {
			b := Embedded(want.rule, want.size)
			if b == nil {
				t.Fatal("there is none")
			}
			if b.Rule != want.rule || b.Size != want.size || len(b.Openings) != want.total {
				t.Errorf("%s %d has %d openings, want %d", b.Rule, b.Size, len(b.Openings), want.total)
			}
			if got := b.Hash(); got != want.hash {
				t.Errorf("hash %s, want %s", got, want.hash)
			}
			if got := len(b.Part(Gate).Openings); got < want.gate {
				t.Errorf("%d gate openings, want at least %d", got, want.gate)
			}
			for p := range Part(NumParts) {
				if got := len(b.Part(p).Openings); got < want.total/5 {
					t.Errorf("%d %s openings, want at least a fifth of %d", got, p, want.total)
				}
			}
			position, err := board.New(b.Size, b.Rule)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range b.Openings {
				if !play(position, o.Moves) || !position.Quiet() {
					t.Fatalf("%s is over or not quiet", board.FormatMoves(o.Moves))
				}
			}
			expert := Expert(want.rule, want.size)
			if want.expert == 0 {
				if expert != nil {
					t.Error("there are expert openings")
				}
				return
			}
			if expert == nil || len(expert.Openings) != want.expert {
				t.Fatalf("expert openings %v, want %d", expert, want.expert)
			}
			if err := b.CheckDisjoint(expert); err != nil {
				t.Error(err)
			}
		})
	}
	if Embedded(pattern.Freestyle, 13) != nil || Expert(pattern.Freestyle, 13) != nil {
		t.Error("there is a book for 13×13")
	}
}

// headerOf describes how the openings of the configuration are made.
func headerOf(t *testing.T, cfg Config) string {
	t.Helper()
	cfg, err := cfg.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	around := ""
	if points := tilt(cfg.Rule); points != 0 {
		around = fmt.Sprintf(" around %d for Black", points)
	}
	return fmt.Sprintf("%d balanced openings, %s %d×%d\nseed %d, window %d points of %s%s, %d nodes",
		cfg.Count, cfg.Rule, cfg.Size, cfg.Size, cfg.Seed, cfg.Window, cfg.Set.Name, around, cfg.Nodes)
}

// The header says how the book was made.
func TestEmbeddedBooksHaveHeaders(t *testing.T) {
	for _, want := range builtIn {
		data, err := files.ReadFile(fmt.Sprintf("openings/%s%d.txt", want.rule, want.size))
		if err != nil {
			t.Fatal(err)
		}
		header := headerOf(t, Config{Rule: want.rule, Size: want.size, Count: want.total, Seed: builtInSeed})
		for line := range strings.Lines(header + "\n") {
			if !strings.Contains(string(data), "# "+line) {
				t.Errorf("%s %d: the header does not say %q", want.rule, want.size, line)
			}
		}
	}
}

func TestForOtherSizes(t *testing.T) {
	for _, want := range []Book{
		{Rule: pattern.Freestyle, Size: board.MinSize},
		{Rule: pattern.Standard, Size: board.MaxSize},
	} {
		t.Run(fmt.Sprint(want.Rule, want.Size), func(t *testing.T) {
			b, err := For(context.Background(), want.Rule, want.Size, 2, nil)
			if err != nil {
				t.Errorf("%s %d: %v", want.Rule, want.Size, err)
				return
			}
			if len(b.Openings) != 2 || b.Size != want.Size || b.Rule != want.Rule {
				t.Errorf("%d openings of %s %d, want 2 of %s %d", len(b.Openings), b.Rule, b.Size, want.Rule, want.Size)
			}
		})
	}
	built, err := For(context.Background(), pattern.Freestyle, 15, 10, nil)
	if err != nil || built.Hash() != Embedded(pattern.Freestyle, 15).Hash() {
		t.Errorf("freestyle 15 is not the embedded book (error %v)", err)
	}
}

func TestValidation(t *testing.T) {
	own := mustParse(t, "h8i9g7", "a1b2c3")
	first, err := Validation(context.Background(), own, 9, 6, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*Book{
		"the run's":    own,
		"the embedded": Embedded(own.Rule, own.Size),
		"the expert":   Expert(own.Rule, own.Size),
	} {
		t.Run(name, func(t *testing.T) {
			if err := first.CheckDisjoint(other); err != nil {
				t.Errorf("with %s book: %v", name, err)
			}
		})
	}
	// If the run's own book contains openings that validation would choose, validation makes others.
	own = &Book{Rule: own.Rule, Size: own.Size, Openings: first.Openings[:3]}
	second, err := Validation(context.Background(), own, 9, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	if keysOf(second.Openings) != keysOf(first.Openings[3:]) {
		t.Error("the run's openings are not left out, or more than these")
	}
	third, err := Validation(context.Background(), own, 10, 3, nil)
	if err != nil || third.Hash() == second.Hash() {
		t.Errorf("another seed makes the same openings (error %v)", err)
	}
}

// What a user makes is not what weights are tuned on, not even with the seed of the built-in books.
func TestOwnOpeningsAreNotBuiltIn(t *testing.T) {
	cfg := Config{Rule: pattern.Freestyle, Size: 15, Count: 8, Seed: builtInSeed}
	same, err := Generate(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	embedded := Embedded(cfg.Rule, cfg.Size)
	if same.CheckDisjoint(embedded) == nil {
		t.Error("the streams of the embedded book make none of its openings: the test shows nothing")
	}
	own, err := Own(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := own.CheckDisjoint(embedded); err != nil || len(own.Openings) != cfg.Count {
		t.Errorf("%d openings: %v", len(own.Openings), err)
	}
	cfg.Size = 9 // without an embedded book, runs have the one that For makes
	runs, err := For(context.Background(), cfg.Rule, cfg.Size, cfg.Count, nil)
	if err != nil {
		t.Fatal(err)
	}
	if own, err = Own(context.Background(), cfg, nil); err != nil || own.CheckDisjoint(runs) != nil {
		t.Errorf("on a board without a book: %v, %v", err, own.CheckDisjoint(runs))
	}
}
