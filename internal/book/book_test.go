package book

import (
	"fmt"
	"strings"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/stream"
	"quintune/pattern"
)

// mustParse returns the book of the lines, freestyle 15 × 15.
func mustParse(t testing.TB, lines ...string) *Book {
	t.Helper()
	b, err := Parse(strings.NewReader(strings.Join(lines, "\n")), "test", pattern.Freestyle, 15)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// numbered returns a book of n different openings, freestyle 15 × 15.
func numbered(t testing.TB, n int) *Book {
	t.Helper()
	b := &Book{Rule: pattern.Freestyle, Size: 15}
	seen := map[uint64]bool{}
	for i := 0; len(b.Openings) < n; i++ {
		o := newOpening(draw(stream.New(1, "opening %d", i), 15), 15)
		if !seen[o.Key] {
			seen[o.Key] = true
			b.Openings = append(b.Openings, o)
		}
	}
	return b
}

func keysOf(openings []Opening) string {
	var keys []uint64
	for _, o := range openings {
		keys = append(keys, o.Key)
	}
	return fmt.Sprint(keys)
}

// The part of an opening is not stored in any file, so it must never change.
func TestPartsArePinned(t *testing.T) {
	for text, want := range map[string]Part{
		"h8i9g7": Train, "h8h9": Gate, "a1b2c3d4": Gate, "h8i8i9g7": Gate, "a1": Gate, "b5d6e7": Match,
	} {
		t.Run(text, func(t *testing.T) {
			if got := PartOf(mustParse(t, text).Openings[0].Key); got != want {
				t.Errorf("%s is in %v, want %v", text, got, want)
			}
		})
	}
}

func TestPartsAreDisjointUnderTheSymmetries(t *testing.T) {
	b := numbered(t, 4000)
	of := map[uint64]Part{}
	for p := range Part(NumParts) {
		part := b.Part(p)
		for _, o := range part.Openings {
			for s := range board.NumSymmetries {
				image := newOpening(boardtest.Transform(o.Moves, s, b.Size), b.Size)
				if before, ok := of[image.Key]; ok && before != p {
					t.Fatalf("image %d of %s is in %v and in %v", s, board.FormatMoves(o.Moves), before, p)
				}
				of[image.Key] = p
			}
		}
		share := float64(len(part.Openings)) / float64(len(b.Openings))
		if want := [NumParts]float64{.25, .5, .25}[p]; share < want-.03 || share > want+.03 {
			t.Errorf("%v has the share %.3f of the openings, want %.2f", p, share, want)
		}
	}
	if len(of) != len(b.Openings) {
		t.Errorf("the parts have %d openings, the book %d", len(of), len(b.Openings))
	}
}

func TestHash(t *testing.T) {
	b := mustParse(t, "h8i9g7", "h8h9")
	if got, want := b.Hash(), "3810049178cdf6a9"; got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	others := map[string]*Book{
		"order of openings": mustParse(t, "h8h9", "h8i9g7"),
		"order of moves":    mustParse(t, "g7i9h8", "h8h9"),
		"fewer":             mustParse(t, "h8i9g7"),
		"size":              {Rule: b.Rule, Size: 20, Openings: b.Openings},
		"rule":              {Rule: pattern.Standard, Size: 15, Openings: b.Openings},
	}
	for name, other := range others {
		if other.Hash() == b.Hash() {
			t.Errorf("%s changes nothing", name)
		}
	}
}

func TestCheckDisjoint(t *testing.T) {
	b := mustParse(t, "h8i9", "a1b2c3")
	tests := []struct {
		name  string
		other *Book
		want  string
	}{
		{"different", mustParse(t, "h8i9g7"), ""},
		{"mirrored", mustParse(t, "c1c2c3", "o1n2m3"), "a1b2c3"},
		{"the same of another size", &Book{Rule: b.Rule, Size: 20, Openings: b.Openings}, ""},
		{"itself", b, "h8i9"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			switch err := b.CheckDisjoint(test.other); {
			case test.want == "" && err != nil:
				t.Errorf("%v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want one that names %s", err, test.want)
			}
		})
	}
}
