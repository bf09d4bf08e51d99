package session_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
)

func TestMain(m *testing.M) {
	if slices.Equal(os.Args[1:], []string{"occupied"}) {
		playOccupied()
		return
	}
	goleak.VerifyTestMain(m)
}

// playOccupied is an engine that always moves in the middle of the board.
func playOccupied() {
	answers := map[string]string{"START": "OK", "BEGIN": "7,7", "TURN": "7,7", "RESTART": "OK"}
	for in := bufio.NewScanner(os.Stdin); in.Scan() && in.Text() != "END"; {
		command, _, _ := strings.Cut(in.Text(), " ")
		if answer, ok := answers[command]; ok {
			fmt.Println(answer)
		}
	}
}

// begin returns a game with the moves; a person is Black, an engine White.
func begin(t *testing.T, rule pattern.Rule, moves string) *session.Game {
	t.Helper()
	g, err := session.New(1, 15, rule)
	if err != nil {
		t.Fatal(err)
	}
	g.Seats[board.White] = seat(t, "huang", session.Strength{Nodes: 300})
	if err := g.Load(boardtest.Moves(t, moves)); err != nil {
		t.Fatal(err)
	}
	return g
}

func seat(t *testing.T, name string, s session.Strength) session.Seat {
	t.Helper()
	p, err := player.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return session.Seat{Player: p, Strength: s}
}

func on(g *session.Game) string { return board.FormatMoves(g.Board().Moves()) }

func TestUndoAndRedo(t *testing.T) {
	tests := []struct {
		name, moves, steps, want string
		done                     bool // the last step did something
	}{
		{"to before the person's move", "h8i9h9h10", "u", "h8i9", true},
		{"when it is the engine's turn", "h8i9h9", "u", "h8i9", true},
		{"twice", "h8i9h9h10", "uu", "", true},
		{"of nothing", "", "u", "", false},
		{"and again", "h8i9h9h10", "ur", "h8i9h9h10", true},
		{"everything and one pair again", "h8i9h9h10", "uur", "h8i9", true},
		{"redo of nothing", "h8i9", "r", "h8i9", false},
		{"redo to the engine's turn at the end", "h8i9h9", "ur", "h8i9h9", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := begin(t, pattern.Freestyle, test.moves)
			done := false
			for _, step := range test.steps {
				if step == 'u' {
					done = g.Undo()
				} else {
					done = g.Redo()
				}
			}
			if on(g) != test.want || done != test.done || len(g.Line()) != len(boardtest.Moves(t, test.moves)) {
				t.Errorf("%s, done %v, of %d moves", on(g), done, len(g.Line()))
			}
		})
	}
	g := begin(t, pattern.Freestyle, "h8i9h9")
	if err := g.SwapSides(); err != nil { // the person is White now
		t.Fatal(err)
	}
	if !g.Undo() || on(g) != "h8" {
		t.Errorf("White takes back to %s", on(g))
	}
	g.Seats = [2]session.Seat{g.Seats[0], g.Seats[0]}
	if g.Redo(); on(g) != "h8i9" {
		t.Errorf("between engines redo goes to %s", on(g))
	}
}

func TestAnotherMoveForgetsTheUndoneOnes(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8i9h9h10")
	for ply := range 5 {
		g.Eval(ply, nil, int32(ply), 5)
	}
	if err := g.GoTo(2); err != nil {
		t.Fatal(err)
	}
	if err := g.Play(board.At(7, 8)); err != nil || len(g.Line()) != 4 { // the same move keeps them
		t.Errorf("the undone move played again gives %s of %s (%v), want the whole line of 4 moves", on(g), board.FormatMoves(g.Line()), err)
	}
	if err := g.GoTo(2); err != nil {
		t.Fatal(err)
	}
	if err := g.Play(board.At(0, 0)); err != nil || board.FormatMoves(g.Line()) != "h8i9a1" {
		t.Errorf("another move gives the line %s (%v), want h8i9a1", board.FormatMoves(g.Line()), err)
	}
	judged := g.Judgements()
	if len(judged) != 4 || !judged[2].Known || judged[3].Known {
		t.Errorf("judged are %v, want 4 positions, the third known and the last not", judged)
	}
	if err := g.GoTo(9); err == nil || !strings.Contains(err.Error(), "[0, 3]") {
		t.Errorf("ply 9: error %v, want the bounds [0, 3]", err)
	}
	if err := g.Play(board.At(0, 0)); !errors.Is(err, board.ErrOccupied) {
		t.Errorf("a move onto a stone: error %v, want %v", err, board.ErrOccupied)
	}
}

func TestJudgements(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8i9h9")
	if g.Judgement().Known {
		t.Error("something is known of a new game")
	}
	g.Eval(1, nil, 400, 6)
	g.Eval(1, nil, 500, 6) // White to move likes it; of two of one depth the later one stays
	g.Eval(1, nil, 900, 5) // shallower
	g.Eval(7, nil, 900, 5) // beyond the line
	if j := g.Judgement(); !j.Known || j.Score != -500 || j.Depth != 6 {
		t.Errorf("the judgement is %+v, want -500 at depth 6", j)
	}
	// Proofs stay, and shorter ones replace them.
	for _, c := range []struct{ score, want int32 }{{13 - search.Win, search.Win - 13}, {-700, search.Win - 13}, {15 - search.Win, search.Win - 13}, {9 - search.Win, search.Win - 9}} {
		g.Eval(3, nil, c.score, 1)
		if j := g.Judgement(); j.Score != c.want {
			t.Errorf("after %d the judgement is %d, want %d", c.score, j.Score, c.want)
		}
	}
	p, err := g.Position(2)
	if err != nil || board.FormatMoves(p.Moves()) != "h8i9" || on(g) != "h8i9h9" {
		t.Errorf("position 2 is %s (%v), the game %s; want h8i9 and h8i9h9", board.FormatMoves(p.Moves()), err, on(g))
	}
	if !g.StillLeadsTo(p) {
		t.Error("the game does not lead to its own position")
	}
	p.Undo()
	p.Play(board.At(0, 0))
	if g.StillLeadsTo(p) {
		t.Error("the game leads to another position")
	}
}

func TestWinningRow(t *testing.T) {
	tests := []struct {
		rule        pattern.Rule
		moves, want string
	}{
		{pattern.Freestyle, "h8i9", ""},
		{pattern.Freestyle, "h8a1i8a2j8a3k8a4l8", "h8i8j8k8l8"},
		{pattern.Freestyle, "h8a1i8a2j8a3l8a4m8a15k8", "h8i8j8k8l8m8"},
		{pattern.Renju, "o1h8o2i8o4j8o6l8a15m8a13k8", "h8i8j8k8l8m8"}, // White's overline wins
		{pattern.Standard, "h8a1i9a2j10a3k11a4l12", "h8i9j10k11l12"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%v %s", test.rule, test.moves), func(t *testing.T) {
			g := begin(t, test.rule, test.moves)
			if got := board.FormatMoves(session.WinningRow(g.Board())); got != test.want {
				t.Errorf("%v %s: %s, want %s", test.rule, test.moves, got, test.want)
			}
		})
	}
}

func TestNotation(t *testing.T) {
	tests := []struct {
		notation session.Notation
		size     int
		name     string
		cell     board.Cell
	}{
		{session.Pos, 15, "h8", board.At(7, 7)},
		{session.Pos, 15, "a1", board.At(0, 0)},
		{session.Renju, 15, "a1", board.At(0, 14)},
		{session.Renju, 20, "t20", board.At(19, 0)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := test.notation.Parse(test.name, test.size)
			if err != nil || c != test.cell || test.notation.Name(c, test.size) != test.name {
				t.Errorf("%s in notation %d is %v (%v)", test.name, test.notation, c, err)
			}
		})
	}
	for _, text := range []string{"", "8h", "p1", "a16", "h8i9", "h8\x1b[2J"} {
		if c, err := session.Renju.Parse(text, 15); err == nil {
			t.Errorf("%q is %v", text, c)
		}
	}
	for i, name := range session.NotationNames() {
		if n, err := session.ParseNotation(name); err != nil || int(n) != i {
			t.Errorf("%s is %d (%v)", name, n, err)
		}
	}
	if _, err := session.ParseNotation("chess"); err == nil {
		t.Error("there is a notation chess")
	}
}

// Only the cell that an error begins with is renamed: p2 is not the end of "swap2".
func TestErrorText(t *testing.T) {
	p2 := board.At(15, 1)
	for text, want := range map[string]string{
		"p2: the cell is occupied":      "p15: the cell is occupied",
		"swap2: a side is to be chosen": "swap2: a side is to be chosen",
	} {
		t.Run(text, func(t *testing.T) {
			if got := session.Renju.ErrorText(errors.New(text), p2, 16); got != want {
				t.Errorf("%q becomes %q, want %q", text, got, want)
			}
		})
	}
}

func TestClaim(t *testing.T) {
	for score, want := range map[int32]string{0: "", search.Win - 1: "", search.Win - 7: ", and wins in 7 plies", 4 - search.Win: ", and loses in 4 plies"} {
		t.Run(fmt.Sprintf("score %d", score), func(t *testing.T) {
			if got := session.Claim(score); got != want {
				t.Errorf("%d: %q", score, got)
			}
		})
	}
}
