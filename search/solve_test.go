package search

import (
	"context"
	"testing"
)

// The solvers find what the puzzles promise: every victory by fours with its least length, and a
// line that wins on the board.
func TestSolversOnPuzzles(t *testing.T) {
	total, solved := 0, 0
	for _, p := range readPuzzles(t) {
		b := p.position(t)
		e := newEngine(t, b)
		switch p.Kind {
		case "vcf", "double_threat", "win1":
			s := e.SolveVCF(context.Background(), b, 50000)
			if want := 2*p.Length - 1; !s.Win || s.Plies != want {
				t.Errorf("%s: %+v, want a win in %d plies", p.ID, s, want)
				continue
			}
			checkFours(t, b, s)
		case "vct":
			if s := e.SolveVCF(context.Background(), b, 50000); s.Win || !s.Exhausted {
				t.Errorf("%s: there is no victory by fours, but %+v", p.ID, s)
			}
			total++
			s := e.SolveVCT(context.Background(), b, 50000)
			if !s.Win {
				t.Logf("%s %+v", p.ID, s)
				continue
			}
			solved++
			t.Logf("%s %d %d", p.ID, s.Plies, s.Nodes)
			checkLine(t, b, s)
		}
	}
	t.Logf("%d of %d victories by threats", solved, total)
}
