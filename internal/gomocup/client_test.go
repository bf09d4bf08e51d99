package gomocup

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintune/board"
	"quintune/pattern"
)

// scripted returns a client whose engine is the function, which reads commands and writes answers.
func scripted(t *testing.T, options ClientOptions, engine func(in *bufio.Scanner, out io.Writer)) *Client {
	commands, to := io.Pipe()
	from, answers := io.Pipe()
	go func() {
		engine(bufio.NewScanner(commands), answers)
		commands.Close()
		answers.Close()
	}()
	c := newTestClient(from, to, options)
	t.Cleanup(c.Kill)
	return c
}

// launched starts the test binary as an engine and its first game.
func launched(t *testing.T, behaviour string, options ClientOptions, limits GameLimits) *Client {
	t.Helper()
	c, err := Launch(launchLine(t, behaviour), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	if err := c.Start(t.Context(), 15, pattern.Freestyle, limits); err != nil {
		t.Fatal(err)
	}
	return c
}

// What the client writes, line by line, is what c-gomoku-cli writes.
func TestClientWrites(t *testing.T) {
	var got []string
	done := make(chan struct{})
	c := scripted(t, ClientOptions{}, func(in *bufio.Scanner, out io.Writer) {
		defer close(done)
		for in.Scan() {
			got = append(got, in.Text())
			switch word, _ := cutWord(in.Text()); word {
			case "START", "RESTART", "TAKEBACK":
				io.WriteString(out, "OK\n")
			case "BEGIN", "TURN", "DONE":
				io.WriteString(out, "7,7\n")
			case "END":
				return
			}
		}
	})
	ctx := t.Context()
	limits := GameLimits{Turn: 100 * time.Millisecond, Nodes: 5000, Memory: 1 << 20, Threads: 2}
	steps := []error{
		c.Start(ctx, 15, pattern.Standard, limits),
		second(c.Begin(ctx)),
		second(c.Turn(ctx, board.At(3, 4))),
		c.NewGame(ctx),
		second(c.Board(ctx, []Stone{{board.Black, board.At(1, 2)}, {board.White, board.At(3, 4)}, {board.Black, board.At(5, 6)}}, board.White)),
		c.Start(ctx, 20, pattern.Freestyle, GameLimits{}),
		second(c.Begin(ctx)),
		c.Quit(),
	}
	if err := errors.Join(steps...); err != nil {
		t.Fatal(err)
	}
	<-done
	want := strings.Split("START 15|INFO rule 1|INFO game_type 1|INFO timeout_turn 100|INFO timeout_match 0|"+
		"INFO max_node 5000|INFO max_memory 1048576|INFO thread_num 2|BEGIN|TURN 3,4|RESTART|"+
		"BOARD|1,2,2|3,4,1|5,6,2|DONE|START 20|INFO rule 0|INFO game_type 1|INFO timeout_match 0|BEGIN|END", "|")
	if !slices.Equal(got, want) {
		t.Errorf("wrote\n%q, not\n%q", got, want)
	}
}

func second(_ Answer, err error) error { return err }

func TestClientTellsTheTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		c := scripted(t, ClientOptions{}, func(in *bufio.Scanner, out io.Writer) {
			for in.Scan() {
				switch word, args := cutWord(in.Text()); {
				case word == "START":
					io.WriteString(out, "OK\n")
				case word == "BEGIN" || word == "TURN":
					time.Sleep(400 * time.Millisecond)
					io.WriteString(out, "7,7\n")
				case strings.HasPrefix(args, "time"):
					got = append(got, args)
				}
			}
		})
		ctx := t.Context()
		err := c.Start(ctx, 15, pattern.Freestyle, GameLimits{Match: time.Second})
		for range 3 { // the last is late, but within half of the tolerance
			err = errors.Join(err, second(c.Turn(ctx, board.At(1, 1))))
		}
		if late := second(c.Turn(ctx, board.At(1, 1))); late == nil || !strings.Contains(late.Error(), "overdrawn by 600 ms") {
			t.Errorf("the fourth move: %v", late)
		}
		err = errors.Join(err, c.Start(ctx, 15, pattern.Freestyle, GameLimits{Match: time.Second, Increment: 300 * time.Millisecond}))
		for range 2 {
			err = errors.Join(err, second(c.Turn(ctx, board.At(1, 1))))
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Kill()
		want := []string{
			"timeout_match 1000", "time_left 1000", "time_left 600", "time_left 200", "time_left -200",
			"timeout_match 1000", "time_increment 300", "time_left 1000", "time_left 900",
		}
		if !slices.Equal(got, want) {
			t.Errorf("wrote %q, not %q", got, want)
		}
	})
}

func TestChattyEngine(t *testing.T) {
	var heard []string
	c := launched(t, "chatty", ClientOptions{Report: func(line string) { heard = append(heard, line) }}, GameLimits{Turn: time.Minute})
	answer, err := c.Begin(t.Context())
	if err != nil || answer.Cell != board.At(7, 7) {
		t.Fatalf("answer %v, %v", answer, err)
	}
	want := []string{"Forbid none", "MESSAGE Depth 3", "7;7", "UNKNOWN x", "DEBUG ?[31mred", strings.Repeat("x", maxLine)}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %q", heard)
	}
	if err := c.Quit(); err != nil {
		t.Errorf("Quit: %v", err)
	}
}

// What an engine writes unasked is not the answer to the next command.
func TestMoveBeforeTheCommandIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := scripted(t, ClientOptions{}, func(in *bufio.Scanner, out io.Writer) {
			for in.Scan() {
				switch word, _ := cutWord(in.Text()); word {
				case "START":
					io.WriteString(out, "OK\n")
				case "BEGIN":
					io.WriteString(out, "7,7\nMESSAGE again\n7,7\nERROR none\n")
				case "TURN":
					io.WriteString(out, "8,8\n")
				}
			}
		})
		err := c.Start(t.Context(), 15, pattern.Freestyle, GameLimits{Turn: time.Second})
		first, err1 := c.Begin(t.Context())
		time.Sleep(time.Millisecond)
		next, err2 := c.Turn(t.Context(), board.At(0, 0))
		if err := errors.Join(err, err1, err2); err != nil || first.Cell != board.At(7, 7) || next.Cell != board.At(8, 8) {
			t.Errorf("moves %v and %v, %v", first.Cell, next.Cell, err)
		}
		c.Kill()
	})
}

func TestSuggestedMoveIsAccepted(t *testing.T) {
	c := launched(t, "suggest", ClientOptions{}, GameLimits{Turn: time.Minute})
	if answer, err := c.Begin(t.Context()); err != nil || answer.Cell != board.At(3, 4) {
		t.Errorf("answer %v, %v", answer, err)
	}
}

func TestStopAndCancelAndKillFromOutside(t *testing.T) {
	c := launched(t, "slowly", ClientOptions{}, GameLimits{Turn: time.Hour})
	begun := make(chan struct{})
	go func() {
		for { // a STOP before BEGIN is written is lost
			select {
			case <-begun:
				return
			case <-time.After(30 * time.Millisecond):
				c.Stop()
			}
		}
	}()
	answer, err := c.Begin(t.Context())
	close(begun)
	if err != nil || answer.Cell != board.At(7, 7) {
		t.Errorf("after Stop: %v, %v", answer, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := c.Turn(ctx, board.At(0, 0)); !errors.Is(err, context.DeadlineExceeded) || !c.Alive() {
		t.Errorf("after the end of the context: %v", err)
	}
	// the move of the search that was given up comes before OK
	if err := c.Start(t.Context(), 15, pattern.Freestyle, GameLimits{Turn: time.Hour}); err != nil {
		t.Errorf("Start: %v", err)
	}
	time.AfterFunc(30*time.Millisecond, c.Kill)
	_, err = c.Begin(t.Context())
	wantFault(t, err, FaultCrash, "")
}

func TestTailKeepsTheEnd(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		io.WriteString(w, strings.Repeat("x", 10*maxTail)+"the end")
		w.Close()
	}()
	var kept tail
	kept.fill(r)
	r.Close()
	if got := kept.String(); len(got) != maxTail || !strings.HasSuffix(got, "xthe end") {
		t.Errorf("kept %d bytes, %q", len(got), got)
	}
}

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string][]string{
		"engine":                           {"engine"},
		"  ./engine  -a\t--b=c \n":         {"./engine", "-a", "--b=c"},
		`"C:\Program Files\e.exe" -x`:      {`C:\Program Files\e.exe`, "-x"},
		`C:\engines\pbrain.exe`:            {`C:\engines\pbrain.exe`},
		`'a b'c"d e" ''`:                   {"a bcd e", ""},
		`e "it's" 'say "hi"'`:              {"e", "it's", `say "hi"`},
		"e $HOME *.txt `x` ; rm | cat > f": {"e", "$HOME", "*.txt", "`x`", ";", "rm", "|", "cat", ">", "f"},
		"wine pbrain-é.exe":                {"wine", "pbrain-é.exe"},
	} {
		t.Run(line, func(t *testing.T) {
			if got, err := SplitCommand(line); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q: %q, %v; want %q", line, got, err, want)
			}
		})
	}
	for _, line := range []string{"", "  \t", `"open`, `e 'open`, `"" x`, "e\x00x"} {
		t.Run(line, func(t *testing.T) {
			if got, err := SplitCommand(line); err == nil {
				t.Errorf("%q: %q without an error", line, got)
			}
		})
	}
}
