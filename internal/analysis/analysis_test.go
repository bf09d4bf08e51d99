package analysis_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/evaluator"
	"quintune/internal/analysis"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights/weightstest"
)

func engine(t *testing.T, rule pattern.Rule) *search.Engine {
	t.Helper()
	e, err := search.NewEngine(weightstest.Preset(t, "huang"), 15, rule, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestLines(t *testing.T) {
	tests := []struct {
		name  string
		rule  pattern.Rule
		moves string
		n     int
		best  int // plies to the win by the first line, 0: none claimed
		worst int // the same by the last line
	}{
		{"opening", pattern.Freestyle, "h8i9", 5, 0, 0},
		{"one line", pattern.Freestyle, "h8i9", 1, 0, 0},
		{"a five beside other moves", pattern.Freestyle, "h8a1i8a2j8a3k8a15", 4, 1, 5},
		{"one answer to a four, others lose", pattern.Freestyle, "h8g8i8a2j8a3k8", 3, 0, -2},
		{"two moves make the same four", pattern.Freestyle, "h8a1i8a15j8o1", 2, 3, 3},
		{"an empty board", pattern.Freestyle, "", 3, 0, 0},
		{"renju", pattern.Renju, "h8i9h9g7", 4, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := boardtest.SetUp(t, 15, test.rule, test.moves)
			r := analysis.Lines(context.Background(), engine(t, test.rule), b, search.Limits{Nodes: 20_000}, test.n, nil)
			if len(r.Lines) != test.n {
				t.Fatalf("%d lines, want %d", len(r.Lines), test.n)
			}
			seen := map[board.Cell]bool{}
			for _, l := range r.Lines {
				if b.Legal(l.Move()) != nil || seen[l.Move()] {
					t.Errorf("move %v is illegal or told twice", l.Move())
				}
				seen[l.Move()] = true
			}
			if !slices.IsSortedFunc(r.Lines, func(a, b analysis.Line) int { return int(b.Score) - int(a.Score) }) {
				t.Errorf("the lines are not best first: %v", r.Lines)
			}
			if got := search.PliesToWin(r.Lines[0].Score); got != test.best {
				t.Errorf("the best line wins in %d, want %d", got, test.best)
			}
			if got := search.PliesToWin(r.Lines[test.n-1].Score); got != test.worst && test.worst != 5 {
				t.Errorf("the last line wins in %d, want %d", got, test.worst)
			}
			if r.Nodes > 20_000+100 {
				t.Errorf("%d nodes, more than the limit", r.Nodes)
			}
		})
	}
}

// The first line is what the engine plays with half of the limits, and the results repeat.
func TestLinesRepeatAndBeginWithTheSearch(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9h9h10g8")
	lines := func() []analysis.Line {
		return analysis.Lines(context.Background(), engine(t, pattern.Freestyle), b, search.Limits{Nodes: 10_000}, 4, nil).Lines
	}
	first, again := lines(), lines()
	for i := range first {
		if !slices.Equal(first[i].PV, again[i].PV) || first[i].Score != again[i].Score {
			t.Errorf("line %d: %v and %v", i, first[i], again[i])
		}
	}
	r := engine(t, pattern.Freestyle).Search(context.Background(), b, search.Limits{Nodes: 5_000}, nil)
	if first[0].Move() != r.Best || first[0].Score != r.Score || first[0].Depth != r.Depth {
		t.Errorf("the first line is %v, the search found %v", first[0], r)
	}
	for _, l := range first[1:] {
		if l.Depth > first[0].Depth {
			t.Errorf("%v is deeper than the best line", l)
		}
	}
}

// On an empty board the first line is the first stone that the engine puts without a search.
func TestLinesOfAnEmptyBoardBeginInTheMiddle(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "")
	r := analysis.Lines(context.Background(), engine(t, pattern.Freestyle), b, search.Limits{Nodes: 20_000}, 4, nil)
	if got, want := r.Lines[0].Move(), board.At(7, 7); got != want {
		t.Errorf("the first line begins with %v, want %v: %v", got, want, r.Lines)
	}
}

func TestLinesReport(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9")
	most, nodes := 0, int64(0)
	analysis.Lines(context.Background(), engine(t, pattern.Freestyle), b, search.Limits{Nodes: 20_000}, 3, func(r analysis.Report) {
		if r.Nodes < nodes {
			t.Errorf("%d nodes after %d", r.Nodes, nodes)
		}
		nodes, most = r.Nodes, max(most, len(r.Lines))
	})
	if most != 3 {
		t.Errorf("at most %d lines are reported, want 3", most)
	}
}

func TestLinesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9")
	r := analysis.Lines(ctx, engine(t, pattern.Freestyle), b, search.Limits{}, 5, nil)
	if len(r.Lines) == 0 || b.Legal(r.Lines[0].Move()) != nil {
		t.Errorf("%v", r)
	}
}

func TestHeat(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Renju, "h8a1i8a2g9a3g10a4") // g8 is a double three of Black
	scores := analysis.Heat(weightstest.Preset(t, "huang"), b)
	fouls := b.AllForbidden(nil)
	if len(fouls) == 0 || len(scores) != 15*15-b.Stones()-len(fouls) {
		t.Errorf("%d scores with %d stones and %d forbidden cells", len(scores), b.Stones(), len(fouls))
	}
	for _, s := range scores {
		if slices.Contains(fouls, s.Cell) {
			t.Errorf("%v is forbidden and has a score", s.Cell)
		}
	}
	middle, best := analysis.Spread(scores)
	if middle >= best {
		t.Errorf("the middle is %d, the best %d", middle, best)
	}
	if middle, best := analysis.Spread([]analysis.CellScore{{Score: 7}}); middle != 7 || best != 8 {
		t.Errorf("one score spreads from %d to %d", middle, best)
	}
}

func TestChances(t *testing.T) {
	set := weightstest.Preset(t, "huang")
	tests := []struct {
		score int32
		want  float64
	}{{0, 0.5}, {search.Win - 7, 1}, {7 - search.Win, 0}}
	for _, test := range tests {
		t.Run(fmt.Sprintf("score %d", test.score), func(t *testing.T) {
			if got := analysis.Chances(set, test.score); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("%d: %v, want %v", test.score, got, test.want)
			}
		})
	}
	if a, b := analysis.Chances(set, 1000), analysis.Chances(set, -1000); a <= 0.5 || a >= 1 || math.Abs(a+b-1) > 1e-9 {
		t.Errorf("1000 gives %v, -1000 gives %v", a, b)
	}
}

// The score of a move is that of the position after it from the other side, in plies from the move on.
func TestScoresOfAMoveAndItsPosition(t *testing.T) {
	for _, test := range []struct{ after, move int32 }{
		{0, 0}, {35, -35}, {-35, 35}, {8 - search.Win, search.Win - 9}, {search.Win - 7, 8 - search.Win}, {-1<<27 - 1, 1<<27 + 1},
	} {
		t.Run(fmt.Sprint(test.after), func(t *testing.T) {
			if move, after := analysis.ScoreBefore(test.after), analysis.ScoreAfter(test.move); move != test.move || after != test.after {
				t.Errorf("move %d, want %d; position %d, want %d", move, test.move, after, test.after)
			}
		})
	}
}

// The other moves are searched to depth 2 at least, where the first line may have 1.
func TestLinesAtDepthOne(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9h9")
	r := analysis.Lines(context.Background(), engine(t, pattern.Freestyle), b, search.Limits{Depth: 1}, 3, nil)
	if len(r.Lines) != 3 || r.Lines[0].Depth != 1 || r.Lines[2].Depth != 2 {
		t.Errorf("%+v", r.Lines)
	}
}

func TestExpected(t *testing.T) {
	for score, want := range map[int32]string{
		0: "", evaluator.MaxScore: "", -evaluator.MaxScore: "", search.Win - 9: "", 8 - search.Win: "",
		evaluator.MaxScore + 1: "win", -evaluator.MaxScore - 1: "loss",
		search.Win - search.MaxWin - 1: "win", search.MaxWin + 1 - search.Win: "loss",
	} {
		t.Run(fmt.Sprintf("score %d", score), func(t *testing.T) {
			if got := analysis.Expected(score); got != want {
				t.Errorf("%d: %q, want %q", score, got, want)
			}
			points, win := analysis.Written(score)
			if plies := search.PliesToWin(score); win != plies || (points != nil) != (plies == 0 && want == "") {
				t.Errorf("%d is written down with points %v, win in %d", score, points != nil, win)
			}
			if points != nil && *points != score {
				t.Errorf("%d is written down as %d points", score, *points)
			}
		})
	}
}

// A proven win is told to its end.
func TestLinesOfWinsEndWithTheFive(t *testing.T) {
	for moves, plies := range map[string]int{"h8a1i8a2j8a3k8a15": 1, "h8a1i8a2j8c13": 3, "h8a1i8a2j8o1h9a15h10c13": 3} {
		b := boardtest.SetUp(t, 15, pattern.Freestyle, moves)
		best := analysis.Lines(context.Background(), engine(t, pattern.Freestyle), b, search.Limits{Nodes: 5_000}, 1, nil).Lines[0]
		if got := search.PliesToWin(best.Score); got != plies || len(best.PV) != plies {
			t.Errorf("%s: a win in %d plies by %v, want %d", moves, got, best.PV, plies)
		}
		for _, c := range best.PV {
			if err := b.Legal(c); err != nil {
				t.Fatalf("%s: %v", moves, err)
			}
			b.Play(c)
		}
		if b.Outcome() != board.BlackWins {
			t.Errorf("%s: %v ends with %v", moves, best.PV, b.Outcome())
		}
	}
}
