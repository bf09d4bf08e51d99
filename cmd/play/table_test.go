package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// filler is a player that takes the first empty cell, row by row, or fails if it has an error.
type filler struct {
	*session.Thinker
	err error
}

func (f *filler) Answer(_ context.Context, q session.Question) (session.Answer, error) {
	return session.Answer{Thought: session.Thought{Move: q.Position.AllEmpty(nil)[0]}}, f.err
}

// sit returns a table of size 7 with a filler as opponent, and the buffer it writes to.
func sit(t *testing.T, human board.Colour, notation session.Notation) (*table, *bytes.Buffer) {
	t.Helper()
	game, err := session.New(1, 7, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	game.Seats[human.Other()] = session.Seat{Player: &player.Player{Name: "filler"}}
	nowhere, err := session.NewSaver(session.SaveNothing)
	if err != nil {
		t.Fatal(err)
	}
	out := new(bytes.Buffer)
	tb := &table{out: out, opponent: &filler{}, seated: &seated{
		game: game, own: player.Of("huang", set), adviser: session.NewThinker(search.Options{}),
		advice: session.Strength{Nodes: 200}, notation: notation, saver: nowhere,
	}}
	tb.introduce()
	if err := tb.reply(context.Background()); err != nil {
		t.Fatal(err)
	}
	return tb, out
}

// tell passes lines to the table, and fails the test when one of them ends the session.
func tell(t *testing.T, tb *table, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if err := tb.obey(context.Background(), line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

func TestTable(t *testing.T) {
	tests := []struct {
		name  string
		human board.Colour
		lines string // separated by semicolons
		moves string // on the board afterwards
		says  string // part of the output
	}{
		{"a move and the answer", board.Black, "d4", "d4a1", "filler plays a1"},
		{"the engine begins", board.White, "", "a1", "filler plays a1"},
		{"capitals and blanks", board.Black, " D4 ", "d4a1", ""},
		{"occupied", board.Black, "d4;d4", "d4a1", "occupied"},
		{"outside", board.Black, "h1", "", "outside"},
		{"nonsense", board.Black, "4d", "", "neither a move"},
		{"two moves in one line", board.Black, "d4e4", "", "neither a move"},
		{"undo", board.Black, "d4;e4;undo", "d4a1", ""},
		{"redo", board.Black, "d4;e4;undo;undo;redo", "d4a1", ""},
		{"redo of nothing", board.Black, "d4;redo", "d4a1", "No move is taken back"},
		{"undo of nothing", board.Black, "undo", "", "no move of yours"},
		{"undo of the engine's first move", board.White, "undo", "a1", "no move of yours"},
		{"undo as white", board.White, "d4;undo", "a1", ""},
		{"swap", board.Black, "d4;swap", "d4a1b1", "filler is black"},
		{"swap twice", board.Black, "swap;swap", "a1b1", ""},
		{"new", board.Black, "d4;new", "", "You are black"},
		{"help", board.Black, "help", "", "undo"},
		{"win", board.Black, "a7;b7;c7;d7;e7", "a7a1b7b1c7c1d7d1e7", "You win"},
		{"after the end", board.Black, "a7;b7;c7;d7;e7;f7", "a7a1b7b1c7c1d7d1e7", "the game is over"},
		{"hint after the end", board.Black, "a7;b7;c7;d7;e7;hint", "a7a1b7b1c7c1d7d1e7", "game is over"},
		{"undo of the win", board.Black, "a7;b7;c7;d7;e7;undo", "a7a1b7b1c7c1d7d1", ""},
		{"loss", board.White, "a7;b7;c7;e7", "a1a7b1b7c1c7d1e7e1", "filler wins"},
		{"undo of the loss", board.White, "a7;b7;c7;e7;undo", "a1a7b1b7c1c7d1", ""},
		{"hint", board.Black, "a7;b7;c7;d7;hint", "a7a1b7b1c7c1d7d1", "hint: e7 (score +M1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tb, out := sit(t, test.human, session.Pos)
			if test.lines != "" {
				out.Reset()
				tell(t, tb, strings.Split(test.lines, ";")...)
			}
			if got := board.FormatMoves(tb.game.Board().Moves()); got != test.moves {
				t.Errorf("the moves are %s, want %s", got, test.moves)
			}
			if !strings.Contains(out.String(), test.says) {
				t.Errorf("%q lacks %q", out.String(), test.says)
			}
		})
	}
}

// With rows numbered from the bottom, typed and printed moves are mirrored; records are not.
func TestTableInRenjuNotation(t *testing.T) {
	tb, out := sit(t, board.Black, session.Renju)
	tell(t, tb, "d7", "a7", "b9")
	if got := board.FormatMoves(tb.game.Board().Moves()); got != "d1a1" {
		t.Errorf("the moves are %s", got)
	}
	for _, part := range []string{"filler plays a7", "a7: the cell is occupied", "outside", "\n 7 [O]. . X", "\n 1  . ."} {
		t.Run(part, func(t *testing.T) {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%q is missing in %s", part, out)
			}
		})
	}
}

func TestTableRefusesForbiddenPoints(t *testing.T) {
	game, err := session.New(1, 15, pattern.Renju)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := board.ParseMoves("h8a1i8a2g9a3g10a15") // Black at g8 would make two open threes
	if err != nil {
		t.Fatal(err)
	}
	if err := game.Load(moves); err != nil {
		t.Fatal(err)
	}
	tb, out := sit(t, board.Black, session.Pos)
	game.Seats = tb.game.Seats
	tb.game = game
	tb.show()
	tell(t, tb, "g8")
	if game.Ply() != len(moves) || !strings.Contains(out.String(), "g8: the cell is forbidden for black (double three)") || !strings.Contains(out.String(), "# X X") {
		t.Errorf("%s", out)
	}
}

func TestTableEndsWithItsEngine(t *testing.T) {
	tests := []struct {
		err  error
		want int
	}{
		{errors.New("crash: it fell over"), config.ExitFailed},
		{context.Canceled, config.ExitInterrupted},
	}
	for _, test := range tests {
		t.Run(test.err.Error(), func(t *testing.T) {
			tb, _ := sit(t, board.Black, session.Pos)
			tb.opponent = &filler{err: test.err}
			err := tb.obey(context.Background(), "d4")
			if config.Exit(err) != test.want {
				t.Errorf("%v becomes %v", test.err, err)
			}
		})
	}
}

func TestDrawMarksLastMoveAndRow(t *testing.T) {
	tests := []struct {
		rule  pattern.Rule
		moves string
		want  string
	}{
		{pattern.Freestyle, "", "" +
			"    a b c d e f\n 1  . . . . . .\n 2  . . . . . .\n 3  . . . . . .\n 4  . . . . . .\n 5  . . . . . .\n 6  . . . . . .\n"},
		{pattern.Freestyle, "f6", "" +
			"    a b c d e f\n 1  . . . . . .\n 2  . . . . . .\n 3  . . . . . .\n 4  . . . . . .\n 5  . . . . . .\n 6  . . . . .[X]\n"},
		{pattern.Freestyle, "a1a6b1b6c1c6e1e6d1", "" +
			"    a b c d e f\n 1 *X*X*X[X]X*.\n 2  . . . . . .\n 3  . . . . . .\n 4  . . . . . .\n 5  . . . . . .\n 6  O O O . O .\n"},
		{pattern.Standard, "f1a1a2b2c2c3b1d4d2e5", "" +
			"    a b c d e f\n 1 *O*X . . . X\n 2  X*O*X X . .\n 3  . .*O*. . .\n 4  . . .*O*. .\n 5  . . . .[O].\n 6  . . . . . .\n"},
	}
	for _, test := range tests {
		t.Run(test.moves, func(t *testing.T) {
			games, err := record.Parse([]byte(test.moves), record.Plain, record.Conditions{Size: 6, Rule: test.rule})
			if err != nil {
				t.Fatal(err)
			}
			b, err := games[0].Board(len(games[0].Moves))
			if err != nil {
				t.Fatal(err)
			}
			if got := draw(b); got != test.want {
				t.Errorf("%v %s:\n%swant\n%s", test.rule, test.moves, got, test.want)
			}
		})
	}
}

// Under the standard rule a five is a winning row, an overline is not.
func TestDrawMarksNoOverline(t *testing.T) {
	b, err := board.New(15, pattern.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{"a1", "b1", "c1", "e1", "f1", "d2", "d3", "d4", "d5", "d1"} {
		t.Run(c, func(t *testing.T) {
			cell, err := board.ParseCell(c)
			if err != nil {
				t.Fatal(err)
			}
			b.Place(board.Black, cell)
		})
	}
	first, rest, _ := strings.Cut(draw(b)[strings.Index(draw(b), "\n")+1:], "\n")
	if !strings.HasPrefix(first, " 1  X X X[X]X X .") || strings.Count(rest, "*X*") != 4 {
		t.Errorf("%s\n%s", first, rest)
	}
}

func TestTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	out, log, status := play(t, "h8\nhint\nquit\nh9\n", "--nodes", "200", "--against", "zhang", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var last summary
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || status != 0 {
		t.Fatalf("status %d (%v): %s\n%s", status, err, out, log)
	}
	moves, err := board.ParseMoves(last.Moves)
	if err != nil || len(moves) != 2 || moves[0] != board.At(7, 7) || last.Outcome != "ongoing" || last.Against != "zhang" || last.You != "black" {
		t.Errorf("%+v (%v)", last, err)
	}
	if !strings.Contains(log, "from=default") || !strings.Contains(log, "from=zhang") || strings.Contains(out, "> ") {
		t.Errorf("%q and %q", out, log)
	}
}

// The summary is of the game, also while its board shows an earlier position.
func TestSummaryOfALookBack(t *testing.T) {
	g, err := session.New(1, 15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := board.ParseMoves(blunderGame)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(g.Load(moves), g.GoTo(2)); err != nil {
		t.Fatal(err)
	}
	if got, want := summaryOf(g), (summary{Moves: blunderGame, Outcome: "black wins", You: "both"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestTerminalAsWhiteEndsWithItsInput(t *testing.T) {
	t.Chdir(t.TempDir())
	out, _, status := play(t, "", "--nodes", "200", "--color", "white", "--size", "20")
	if status != 0 || !strings.Contains(out, "freestyle20 plays k11") || !strings.Contains(out, "[X]") {
		t.Errorf("status %d, %s", status, out)
	}
}

func TestTerminalEndsWithItsContext(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	in, feed := io.Pipe()
	defer feed.Close()
	go func() {
		feed.Write([]byte("h8\n"))
		feed.Write([]byte("\n")) // is read once the move is being played
		cancel()
	}()
	_, _, status := playIn(t, ctx, in, "--nodes", "200", "--record", "game.txt")
	if moves, err := os.ReadFile("game.txt"); status != config.ExitInterrupted || !strings.HasPrefix(string(moves), "h8") {
		t.Errorf("status %d, saved %q (%v)", status, moves, err)
	}
}

func TestTerminalAgainstAProgramThatIsNotThere(t *testing.T) {
	t.Chdir(t.TempDir())
	_, log, status := play(t, "h8\n", "--against", "gomocup:./absent", "--record", "game.txt")
	if moves, err := os.ReadFile("game.txt"); status != 1 || !strings.Contains(log, "absent") || !strings.HasPrefix(string(moves), "h8") {
		t.Errorf("status %d, %q, saved %q (%v)", status, log, moves, err)
	}
}

func TestTerminalEndsWithALongLine(t *testing.T) {
	t.Chdir(t.TempDir())
	_, log, status := play(t, "h8\n"+strings.Repeat("a", maxLine+1)+"\nh9\n", "--nodes", "200")
	if status != config.ExitFailed || !strings.Contains(log, "a line is longer than 4096 bytes") {
		t.Errorf("status %d, %q", status, log)
	}
}

// A file of settings may come from elsewhere, so it starts no program.
func TestSettingsStartNoProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("quintune.yaml", []byte("play:\n  against: gomocup:./absent\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, log, status := play(t, "h8\n"); status != config.ExitUsage || !strings.Contains(log, "not typed on this command line") {
		t.Errorf("status %d, %q", status, log)
	}
}

// failing is a writer that always fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("the pipe is closed") }

func TestTerminalEndsWithItsOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	err := run(context.Background(), []string{"--nodes", "100"}, strings.NewReader("h8\nh9\n"), failing{}, io.Discard)
	if config.Exit(err) != config.ExitFailed || !strings.Contains(err.Error(), "pipe") {
		t.Errorf("error is %v", err)
	}
}
