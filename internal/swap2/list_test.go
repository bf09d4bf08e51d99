package swap2

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/book"
	"quintune/pattern"
	"quintune/search"
)

var remake = flag.Bool("remake", false, "make openings.txt anew, which takes minutes")

// What the list is made of, for each rule and size: the first openings of the book are searched, the most
// balanced of them again and longer, and the most balanced of these are listed.
const (
	listLooked, listLookNodes   = 1000, 4_000
	listSearched, listNodes     = 400, 40_000
	listedOpenings, listedSizes = 200, 2
)

func TestList(t *testing.T) {
	if *remake {
		makeList(t)
		return
	}
	lines := strings.Count(openings, "\n")
	if want := listedOpenings * listedSizes * pattern.NumRules; lines != want {
		t.Errorf("%d openings are listed, want %d", lines, want)
	}
	for rule := range pattern.Rule(pattern.NumRules) {
		for _, size := range []int{15, 20} {
			keys := map[uint64]bool{}
			for _, moves := range listed(rule, size) {
				o, err := Resume(size, rule, moves)
				if err != nil || o.Phase() != Respond {
					t.Errorf("%v %d %s: phase %d, %v", rule, size, board.FormatMoves(moves), o.Phase(), err)
				}
				keys[board.CanonicalKey(moves, size)] = true
			}
			if len(keys) != listedOpenings {
				t.Errorf("%v %d: %d different openings, want %d", rule, size, len(keys), listedOpenings)
			}
		}
	}
	if listed(pattern.Standard, 13) != nil {
		t.Error("openings are listed for 13×13")
	}
}

func makeList(t *testing.T) {
	var text strings.Builder
	for rule := range pattern.Rule(pattern.NumRules) {
		for _, size := range []int{15, 20} {
			list := slices.DeleteFunc(book.Embedded(rule, size).Openings, func(o book.Opening) bool { return len(o.Moves) != 3 })
			c := newChooser(t, size, rule, 1)
			field := mostBalanced(t, c, size, rule, list[:min(len(list), listLooked)], listLookNodes)
			field = mostBalanced(t, c, size, rule, field[:listSearched], listNodes)
			for _, o := range field[:listedOpenings] {
				fmt.Fprintf(&text, "%v %d %s\n", rule, size, board.FormatMoves(o.Moves))
			}
		}
	}
	if err := os.WriteFile("openings.txt", []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// mostBalanced returns the openings, most balanced first, as searches of the given number of nodes find them.
func mostBalanced(t *testing.T, c *Chooser, size int, rule pattern.Rule, list []book.Opening, nodes int64) []book.Opening {
	t.Helper()
	distance := make(map[uint64]int32, len(list))
	for _, opening := range list {
		o, err := Resume(size, rule, opening.Moves)
		if err != nil {
			t.Fatal(err)
		}
		score := c.judge(context.Background(), o.board, search.Limits{Nodes: nodes}).Score
		distance[opening.Key] = max(score, -score)
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b book.Opening) int { return cmp.Compare(distance[a.Key], distance[b.Key]) })
	return list
}
