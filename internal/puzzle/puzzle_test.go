package puzzle

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// changed returns a puzzle as it stands in a file, after a change.
func changed(t *testing.T, p Puzzle, change func(*Puzzle)) string {
	t.Helper()
	change(&p)
	line, err := json.Marshal(&p)
	if err != nil {
		t.Fatal(err)
	}
	return string(line) + "\n"
}

func TestReadWrite(t *testing.T) {
	puzzles := found(t, 3, 1)
	var text bytes.Buffer
	if err := Write(&text, puzzles); err != nil {
		t.Fatal(err)
	}
	again, err := Read(strings.NewReader("\n" + text.String()))
	if err != nil || !reflect.DeepEqual(puzzles, again) {
		t.Errorf("%v: got %+v, want %+v", err, again, puzzles)
	}
}

func TestReadRefuses(t *testing.T) {
	good := found(t, 1, 1)[0]
	for _, test := range []struct {
		name   string
		change func(*Puzzle)
		want   string
	}{
		{"another format", func(p *Puzzle) { p.Format = "quintune.puzzle/9" }, "line 1: format is"},
		{"no id", func(p *Puzzle) { p.ID = "" }, "line 1: id is empty"},
		{"an unknown rule", func(p *Puzzle) { p.Rule = "caro" }, "caro"},
		{"a small board", func(p *Puzzle) { p.Size = 4 }, "4"},
		{"a stone on a stone", func(p *Puzzle) { p.Moves += p.Moves[:2] }, "moves: "},
		{"an unknown kind", func(p *Puzzle) { p.Kind = "vcx" }, "kind is"},
		{"the other side", func(p *Puzzle) { p.Turn = "nobody" }, "turn is"},
		{"another best move", func(p *Puzzle) { p.Best = "a1" }, "best is"},
		{"no solution", func(p *Puzzle) { p.Solution = []string{} }, "best is"},
		{"wrong plies", func(p *Puzzle) { p.Plies++ }, "plies is"},
		{"a level too high", func(p *Puzzle) { p.Level = 6 }, "level is 6, outside [1, 5]"},
		{"two moves in one", func(p *Puzzle) {
			p.Solution = append([]string{p.Best + p.Solution[1]}, p.Solution[2:]...)
			p.Best, p.Plies = p.Solution[0], len(p.Solution)
		}, "is not one cell"},
		{"an end without a win", func(p *Puzzle) { p.Solution, p.Plies = p.Solution[:1], 1 }, "solution: it ends"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(changed(t, good, test.change))); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestReadRefusesAnIDTwice(t *testing.T) {
	good := changed(t, found(t, 1, 1)[0], func(*Puzzle) {})
	if _, err := Read(strings.NewReader(good + "\n" + good)); err == nil || !strings.Contains(err.Error(), "line 3: id is") || !strings.Contains(err.Error(), "which line 1 has too") {
		t.Errorf("got error %v", err)
	}
}

func TestReadRefusesText(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"not JSON", "h8i9\n", "line 1"},
		{"a member too many", `{"format":"quintune.puzzle/1","colour":1}`, "colour"},
		{"a member too few", `{"format":"quintune.puzzle/1"}`, "id"},
		{"a long line", strings.Repeat(" ", maxLine+1), "longer than"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestLevel(t *testing.T) {
	for _, test := range []struct {
		name  string
		plies int
		nodes int64
		want  int
	}{
		{"the shortest", 5, 0, 1},
		{"a long chain of fours", 21, 30, 4},
		{"many nodes", 9, 4000, 3},
		{"long and many", 31, 4000, MaxLevel},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := level(test.plies, test.nodes); got != test.want {
				t.Errorf("level(%d, %d) is %d, want %d", test.plies, test.nodes, got, test.want)
			}
		})
	}
}
