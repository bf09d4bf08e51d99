package search

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/weights/weightstest"
)

// puzzle is a position with a task. testdata/README.md explains its fields.
type puzzle struct {
	ID, Rule, Moves, Kind string
	Size, Length          int
	Best                  []string
	Also                  []string
	Wins                  map[string]int
}

func readPuzzles(t testing.TB) (list []puzzle) {
	t.Helper()
	data, err := os.ReadFile("testdata/puzzles.json")
	if err != nil {
		t.Fatal(err)
	}
	var raw []struct {
		puzzle
		Also json.RawMessage
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	for _, r := range raw {
		p := r.puzzle
		var one string
		if json.Unmarshal(r.Also, &one) == nil && one != "" {
			p.Also = []string{one}
		} else {
			_ = json.Unmarshal(r.Also, &p.Also)
		}
		list = append(list, p)
	}
	return list
}

// position returns a board with the puzzle's position.
func (p puzzle) position(t testing.TB) *board.Board {
	t.Helper()
	rule, err := pattern.ParseRule(p.Rule)
	if err != nil {
		t.Fatal(err)
	}
	b := boardtest.New(t, p.Size, rule)
	for _, m := range boardtest.Moves(t, p.Moves) {
		if err := b.Legal(m); err != nil {
			t.Fatalf("%s: %v", p.ID, err)
		}
		b.Play(m)
	}
	return b
}

// solved reports whether the result solves the puzzle.
func (p puzzle) solved(r Result) bool {
	move := r.Best.String()
	if slices.Contains(p.Best, move) || slices.Contains(p.Also, move) || p.Wins[move] > 0 {
		return true
	}
	return p.Kind == "vct" && PliesToWin(r.Score) > 0
}

// newEngine returns an engine of one thread for the board, with the preset huang.
func newEngine(t testing.TB, b *board.Board) *Engine {
	t.Helper()
	return newTeam(t, b, 1)
}

// newTeam returns an engine of the number of threads for the board, with the preset huang.
func newTeam(t testing.TB, b *board.Board, threads int) *Engine {
	t.Helper()
	set := weightstest.Preset(t, "huang")
	e, err := NewEngine(set, b.Size(), b.Rule(), Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestPuzzles(t *testing.T) {
	checkPuzzles(t, 20000, map[string]float64{"win1": 1, "block": 1, "double_threat": 1, "vcf": .98, "vct": .98, "defend": .98})
}

// checkPuzzles searches every puzzle with the given nodes. It compares the share of solved puzzles of each kind
// with the least that is expected.
func checkPuzzles(t *testing.T, nodes int64, shares map[string]float64) {
	t.Helper()
	total, right := map[string]int{}, map[string]int{}
	for _, p := range readPuzzles(t) {
		b := p.position(t)
		total[p.Kind]++
		r := newEngine(t, b).Search(context.Background(), b, Limits{Nodes: nodes}, nil)
		if p.solved(r) {
			right[p.Kind]++
		} else {
			t.Logf("%s: %v, score %d", p.ID, r.Best, r.Score)
		}
	}
	for kind, share := range shares {
		t.Logf("%s: %d of %d", kind, right[kind], total[kind])
		if float64(right[kind]) < share*float64(total[kind]) {
			t.Errorf("%s: %d of %d solved, want %.0f %%", kind, right[kind], total[kind], 100*share)
		}
	}
}
