package session

import (
	"fmt"
	"strings"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
)

// begun returns a game of people with the moves.
func begun(t *testing.T, moves string) *Game {
	t.Helper()
	g, err := New(1, 15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Load(boardtest.Moves(t, moves)); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestSetLine(t *testing.T) {
	g := begun(t, "h8i9g7j10")
	g.Eval(2, nil, 35, 4)
	g.Eval(3, nil, 70, 4)
	if err := g.SetLine(boardtest.Moves(t, "h8i9k11a1b2"), 4); err != nil {
		t.Fatal(err)
	}
	if got := board.FormatMoves(g.Board().Moves()) + " of " + board.FormatMoves(g.Line()); got != "h8i9k11a1 of h8i9k11a1b2" {
		t.Errorf("the board has %s", got)
	}
	if j := g.Judgements(); len(j) != 6 || !j[2].Known || j[3].Known {
		t.Errorf("known are %+v", j)
	}
	if err := g.Play(boardtest.Moves(t, "c3")[0]); err != nil || len(g.Line()) != 5 {
		t.Errorf("%v: %d moves", err, len(g.Line()))
	}
}

func TestSetLineRefuses(t *testing.T) {
	for _, test := range []struct {
		name, moves string
		ply         int
		want        string
	}{
		{"a stone on a stone", "h8i9h8", 1, "move 3: "},
		{"a ply beyond", "h8", 2, "ply 2 is outside [0, 1]"},
		{"a ply below", "h8", -1, "outside"},
		{"a move after the end", "h8a1i8a2j8a3k8a4l8a5", 1, "move 10: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := begun(t, "h8i9")
			err := g.SetLine(boardtest.Moves(t, test.moves), test.ply)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
			if got := board.FormatMoves(g.Board().Moves()); got != "h8i9" {
				t.Errorf("the game has changed to %s", got)
			}
		})
	}
}

func TestReadDiagram(t *testing.T) {
	for _, test := range []struct {
		name, text, black, white string
		size                     int // 0: not a diagram
	}{
		{"as play draws it", "    a b c d e\n 1  . . . . .\n 2  .[X]. . .\n 3  . O *X* # .\n 4  . . . . .\n 5  . . . . .\nBlack to move\n", "b2c3", "b3", 5},
		{"bare", "x....\n.o...\n.....\n.....\n....x\n", "a1e5", "b2", 5},
		{"stones", "●○···\n·····\n·····\n·····\n·····", "a1", "b1", 5},
		{"not square", ".....\n.....\n.....\n", "", "", 0},
		{"ragged", ".....\n.....\n......\n.....\n.....\n", "", "", 0},
		{"moves", "h8i9g7", "", "", 0},
		{"a psq file", "Piskvorky 15x15, 11:11, 0\n8,8,0\n", "", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			size, black, white, ok := ReadDiagram(test.text)
			if ok != (test.size > 0) || size != test.size || board.FormatMoves(black) != test.black || board.FormatMoves(white) != test.white {
				t.Errorf("got %d, %v, %v (%v)", size, black, white, ok)
			}
		})
	}
}

// Another place on the same line leaves undone moves undone; a new line is there in full.
func TestSetLineAndUndoneMoves(t *testing.T) {
	const whole = "h8i9h9h10"
	for _, test := range []struct {
		line       string
		ply, moves int // moves of the record
	}{{whole, 1, 3}, {whole, 4, 4}, {"h8i9g7", 1, 3}} {
		t.Run(fmt.Sprintf("%s %d", test.line, test.ply), func(t *testing.T) {
			g := begun(t, whole)
			if !g.Undo() {
				t.Fatal("no move was taken back")
			}
			if err := g.SetLine(boardtest.Moves(t, test.line), test.ply); err != nil {
				t.Fatal(err)
			}
			if n := len(g.Record().Moves); n != test.moves || g.Ply() != test.ply {
				t.Errorf("the record has %d moves at ply %d, want %d at %d", n, g.Ply(), test.moves, test.ply)
			}
		})
	}
}
