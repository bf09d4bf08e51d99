package puzzle

import (
	"context"
	"errors"
	"os"
	"reflect"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/record"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// testGames returns the games of testdata: all rules, with and without puzzles.
func testGames(t *testing.T) []record.Game {
	t.Helper()
	data, err := os.ReadFile("testdata/games.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	games, err := record.Parse(data, record.JSON, record.DefaultConditions())
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// found returns the first puzzles of the games of testdata.
func found(t *testing.T, count, workers int) []Puzzle {
	t.Helper()
	return foundIn(t, testGames(t), count, workers)
}

func foundIn(t *testing.T, games []record.Game, count, workers int) []Puzzle {
	t.Helper()
	f := NewFinder(Config{Count: count, Nodes: 20_000, Workers: workers})
	for i := range games {
		done, err := f.Add(t.Context(), &games[i])
		if err != nil {
			t.Fatal(err)
		}
		if done {
			return f.Found()
		}
	}
	if _, err := f.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f.Found()
}

const all = 1000

func TestFind(t *testing.T) {
	puzzles := found(t, all, 2)
	rules, kinds := map[string]int{}, map[Kind]int{}
	for _, p := range puzzles {
		rules[p.Rule]++
		kinds[p.Kind]++
		if err := p.check(); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}
	}
	if len(rules) != pattern.NumRules || len(kinds) != 2 {
		t.Errorf("%d puzzles of the rules %v and the kinds %v", len(puzzles), rules, kinds)
	}
}

// The number of workers changes nothing, and a smaller count gives the first part of a greater one's puzzles.
func TestFindRepeats(t *testing.T) {
	want := found(t, all, 1)
	for _, test := range []struct {
		name           string
		count, workers int
	}{{"three workers", all, 3}, {"two puzzles", 2, 1}, {"two puzzles of three workers", 2, 3}} {
		t.Run(test.name, func(t *testing.T) {
			if got := found(t, test.count, test.workers); !reflect.DeepEqual(got, want[:min(test.count, len(want))]) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// A game and its images give each puzzle once.
func TestFindNoImages(t *testing.T) {
	games := testGames(t)[:2]
	want := foundIn(t, games, all, 1)
	for s := range board.NumSymmetries {
		image := games[s%2]
		image.Moves = nil
		for _, c := range boardtest.Transform(games[s%2].Cells(), s, image.Size) {
			image.Moves = append(image.Moves, record.Move{Cell: c})
		}
		games = append(games, image)
	}
	if got := foundIn(t, games, all, 2); len(got) != len(want) {
		t.Errorf("%d puzzles with all images, %d without", len(got), len(want))
	}
}

func TestFindEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	games := testGames(t)
	f := NewFinder(Config{Count: 1, Nodes: 1000, Workers: 1})
	if _, err := f.Add(ctx, &games[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

// After a foul of Black's there is nothing left to win.
func TestFindNothingAfterAFoul(t *testing.T) {
	const before = "f3f2j4g2i3g5h3a1e15o1f15a15g15o15i15d15j15k15" // White has a win by threats
	for _, test := range []struct {
		name, last string
		want       int
	}{{"a legal move", "o8", 1}, {"an overline", "h15", 0}} {
		t.Run(test.name, func(t *testing.T) {
			games, err := record.Parse([]byte(before+test.last), record.Plain, record.Conditions{Size: 15, Rule: pattern.Renju})
			if err != nil {
				t.Fatal(err)
			}
			games[0].Opening = len(games[0].Moves)
			if got := foundIn(t, games, all, 1); len(got) != test.want {
				t.Errorf("got %+v, want %d puzzles", got, test.want)
			}
		})
	}
}

// Positions that look like puzzles and are none.
func TestNoPuzzle(t *testing.T) {
	for _, test := range []struct{ name, moves string }{
		{"an open three, won at either end", "h8a1i8a15j8o1"},
		{"a five to make", "h8a1i8a15j8o1k8o15"},
		{"a five to stop", "a1h8a15i8o1j8c3k8"},
		{"nothing there", "h8i9"},
		{"two double threes", "g8a1h8a15i10o1i11o15g2a8h2a7i4h15i5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := newSolver(15, pattern.Freestyle, 20_000)
			if err != nil {
				t.Fatal(err)
			}
			if p, ok := s.puzzle(t.Context(), boardtest.SetUp(t, 15, pattern.Freestyle, test.moves)); ok {
				t.Errorf("%+v", p)
			}
		})
	}
}

// checkUnique checks a puzzle the slow plain way, with an engine of its own and greater limits: the best move wins, and
// every other legal move has some legal answer after which threats do not win, or after which the other side has won.
func checkUnique(t *testing.T, p *Puzzle) {
	t.Helper()
	b, err := p.Position()
	if err != nil {
		t.Fatal(err)
	}
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	e, err := search.NewEngine(set, b.Size(), b.Rule(), search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const limit = 50_000
	vcf, vct := e.SolveVCF(t.Context(), b, limit), e.SolveVCT(t.Context(), b, limit)
	if vcf.Win != (p.Kind == VCF) || !vct.Win || vct.Line[0].String() != p.Best {
		t.Errorf("%s: the solvers find %v and %v, not %s", p.ID, vcf, vct, p.Best)
	}
	killer := vct.Line[0]
	wins := func(b *board.Board) bool { return e.SolveVCT(t.Context(), b, limit).Win }
	for _, c := range boardtest.LegalMoves(b) {
		if c.String() == p.Best {
			continue
		}
		b.Play(c)
		if killer = refutation(b, killer, wins); killer == board.NoCell {
			t.Errorf("%s: %v wins too, not only %s", p.ID, c, p.Best)
		}
		b.Undo()
	}
}

// refutation returns a legal answer that leaves the other side without a win, NoCell where there is none. The killer is
// tried first.
func refutation(b *board.Board, killer board.Cell, wins func(*board.Board) bool) board.Cell {
	if b.Outcome() == board.Draw {
		return killer
	}
	cells := boardtest.LegalMoves(b)
	if i := slices.Index(cells, killer); i >= 0 {
		cells[0], cells[i] = cells[i], cells[0]
	}
	for _, c := range cells {
		b.Play(c)
		stops := b.Outcome() != board.Ongoing || !wins(b)
		b.Undo()
		if stops {
			return c
		}
	}
	return board.NoCell
}

func TestUnique(t *testing.T) {
	puzzles := found(t, all, 2)
	for i := range puzzles {
		if i%plainStep == 0 {
			t.Run(puzzles[i].ID, func(t *testing.T) { checkUnique(t, &puzzles[i]) })
		}
	}
}
