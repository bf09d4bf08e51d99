package gomocup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
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

// wantFault fails the test unless the error is a fault of the kind with the part in its text.
func wantFault(t *testing.T, err error, kind FaultKind, part string) {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) || f.Kind != kind || !strings.Contains(f.Text, part) {
		t.Fatalf("got %v, not a fault %v with %q", err, kind, part)
	}
}

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

// A move that is late by less than half of the tolerance counts; then comes YXSTOP; after all of
// the tolerance the engine is ended.
func TestClientOnLateMoves(t *testing.T) {
	const limit, tolerance = 100 * time.Millisecond, time.Second
	for _, c := range []struct {
		after   time.Duration
		fault   string // "" for none
		stopped bool
		alive   bool
	}{
		{50 * time.Millisecond, "", false, true},
		{limit, "", false, true},
		{limit + tolerance/2 - 1, "", false, true},
		{limit + tolerance/2 + 1, "moved after 600 ms, limit 100 ms", true, true},
		{limit + tolerance - 1, "moved after 1099 ms", true, true},
		{limit + tolerance + 1, "no answer to BEGIN within 1100 ms", true, false},
	} {
		t.Run(c.fault, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stopped := make(chan struct{}, 1)
				client := scripted(t, ClientOptions{Tolerance: tolerance}, func(in *bufio.Scanner, out io.Writer) {
					for in.Scan() {
						switch word, _ := cutWord(in.Text()); word {
						case "START":
							io.WriteString(out, "OK\n")
						case "BEGIN":
							go func() {
								time.Sleep(c.after)
								io.WriteString(out, "7,7\n")
							}()
						case "YXSTOP":
							stopped <- struct{}{}
						}
					}
				})
				if err := client.Start(t.Context(), 15, pattern.Freestyle, GameLimits{Turn: limit}); err != nil {
					t.Fatal(err)
				}
				answer, err := client.Begin(t.Context())
				synctest.Wait()
				if c.fault != "" {
					wantFault(t, err, FaultTimeout, c.fault)
				} else if err != nil || answer.Cell != board.At(7, 7) || answer.Elapsed != c.after {
					t.Errorf("after %v: %v, %v", c.after, answer, err)
				}
				if got := len(stopped) == 1; got != c.stopped {
					t.Errorf("after %v: YXSTOP %v", c.after, got)
				}
				if client.Alive() != c.alive {
					t.Errorf("after %v: alive %v", c.after, client.Alive())
				}
				client.Kill()
				time.Sleep(time.Second)
			})
		})
	}
}

// An ERROR to a parameter names it, whatever command waits for its answer. Many parameters may be UNKNOWN.
func TestClientOnRefusedParameters(t *testing.T) {
	for _, c := range []struct{ name, parameter, answer, fault string }{
		{"named", "INFO width 3", "ERROR unknown parameter width", "INFO width 3 was answered with ERROR unknown parameter width"},
		{"not named", "INFO width 3", "ERROR no such thing", "INFO or BEGIN was answered with ERROR no such thing"},
		{"unknown", strings.Repeat("INFO width 3\n", maxGarbage) + "INFO width 3", "UNKNOWN width", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := scripted(t, ClientOptions{}, func(in *bufio.Scanner, out io.Writer) {
				for in.Scan() {
					switch word, rest := cutWord(in.Text()); {
					case word == "START":
						io.WriteString(out, "OK\n")
					case word == "BEGIN" || word == "TURN":
						io.WriteString(out, "7,7\n")
					case strings.HasPrefix(rest, "width"):
						fmt.Fprintln(out, c.answer)
					}
				}
			})
			if err := client.Start(t.Context(), 15, pattern.Freestyle, GameLimits{}); err != nil {
				t.Fatal(err)
			}
			client.Tell(strings.Split(c.parameter, "\n")...)
			_, err := client.Begin(t.Context())
			if c.fault != "" {
				wantFault(t, err, FaultProtocol, c.fault)
			} else if err != nil {
				t.Error(err)
			}
			client.Kill()
		})
	}
}

// UNKNOWN is the answer to a command where no line before it, or sent meanwhile, can be what it answers.
func TestClientOnUnknownCommands(t *testing.T) {
	stones := []Stone{{board.Black, board.At(1, 1)}, {board.White, board.At(2, 2)}}
	begin := func(ctx context.Context, c *Client) error { return second(c.Begin(ctx)) }
	turn := func(ctx context.Context, c *Client) error { return second(c.Turn(ctx, board.At(1, 1))) }
	position := func(ctx context.Context, c *Client) error { return second(c.Board(ctx, stones, board.Black)) }
	for _, c := range []struct {
		name    string
		unknown string // commands, each answered by the text behind =
		limits  GameLimits
		asks    []func(context.Context, *Client) error // the last is answered with the fault
		fault   string                                 // "" for none
	}{
		{"named", "BEGIN=UNKNOWN BEGIN", GameLimits{}, []func(context.Context, *Client) error{begin}, "BEGIN was answered with UNKNOWN BEGIN"},
		{"not named, behind others", "INFO=UNKNOWN command;BEGIN=UNKNOWN command", GameLimits{}, []func(context.Context, *Client) error{begin}, "BEGIN was answered with UNKNOWN command"},
		{"of a board", "BOARD=UNKNOWN command;1,1,1=UNKNOWN command;2,2,2=UNKNOWN command;DONE=UNKNOWN command", GameLimits{}, []func(context.Context, *Client) error{position}, "BOARD was answered with UNKNOWN command"},
		{"in a later move", "TURN=unknown command", GameLimits{}, []func(context.Context, *Client) error{begin, turn}, "TURN 1,1 was answered with unknown command"},
		{"of parameters alone", "INFO=UNKNOWN INFO", GameLimits{Match: time.Minute}, []func(context.Context, *Client) error{begin, turn, position}, ""},
		{"in doubt", "BEGIN=UNKNOWN command", GameLimits{Turn: time.Second}, []func(context.Context, *Client) error{begin}, "no answer to BEGIN within 2000 ms, but its line \"UNKNOWN command\" may be one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := scripted(t, ClientOptions{}, func(in *bufio.Scanner, out io.Writer) {
					for in.Scan() {
						word, _ := cutWord(in.Text())
						_, answer, known := strings.Cut(";"+c.unknown+";", ";"+word+"=")
						switch {
						case known:
							answer, _, _ = strings.Cut(answer, ";")
							fmt.Fprintln(out, answer)
						case word == "START":
							fmt.Fprintln(out, "OK")
						case word == "BEGIN" || word == "TURN" || word == "DONE":
							fmt.Fprintln(out, "7,7")
						}
					}
				})
				if err := client.Start(t.Context(), 15, pattern.Freestyle, c.limits); err != nil {
					t.Fatal(err)
				}
				for i, ask := range c.asks {
					err := ask(t.Context(), client)
					if i == len(c.asks)-1 && c.fault != "" {
						var f *Fault
						if !errors.As(err, &f) || !strings.Contains(f.Text, c.fault) {
							t.Errorf("request %d: %v, want %s", i, err, c.fault)
						}
					} else if err != nil {
						t.Errorf("request %d: %v", i, err)
					}
				}
				client.Kill()
			})
		})
	}
}

// An engine that does not know YXSTOP may say so after its move, which is in the wait for the next.
func TestClientOnUnknownStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := scripted(t, ClientOptions{}, func(in *bufio.Scanner, out io.Writer) {
			for in.Scan() {
				switch word, _ := cutWord(in.Text()); word {
				case "START":
					fmt.Fprintln(out, "OK")
				case "BEGIN":
					time.Sleep(1700 * time.Millisecond)
					fmt.Fprintln(out, "7,7")
				case "TURN":
					fmt.Fprintln(out, "UNKNOWN command\n8,8")
				}
			}
		})
		err := c.Start(t.Context(), 15, pattern.Freestyle, GameLimits{Turn: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Begin(t.Context())
		wantFault(t, err, FaultTimeout, "moved after 1700 ms")
		if next, err := c.Turn(t.Context(), board.At(0, 0)); err != nil || next.Cell != board.At(8, 8) {
			t.Errorf("after YXSTOP: %v, %v", next.Cell, err)
		}
		c.Kill()
	})
}

// Misbehaving engines in processes of their own. Those that answer have a minute, since the
// machine may be busy; TestClientOnLateMoves measures what comes after the limit.
func TestFaults(t *testing.T) {
	const turn, brief, patient = 100 * time.Millisecond, 300 * time.Millisecond, time.Minute
	for behaviour, want := range map[string]struct {
		tolerance time.Duration
		kind      FaultKind
		part      string
		alive     bool
	}{
		"crash":     {patient, FaultCrash, "exit status 5; stderr: segmentation?[2J fault", false},
		"traceback": {patient, FaultCrash, "exit status 1; stderr: Traceback (most recent call last): ... ValueError: no depth", false},
		"letters":   {5 * time.Second, FaultTimeout, "no answer to BEGIN within 5100 ms, and its line \"h8\" means nothing here", false},
		"closes":    {patient, FaultCrash, "closed its output and ran on", false},
		"hang":      {brief, FaultTimeout, "no answer to BEGIN within 400 ms", false},
		"deaf":      {brief, FaultTimeout, "no answer to BEGIN within 400 ms", false},
		"flood":     {brief, FaultTimeout, "no answer to BEGIN", false},
		"garbage":   {patient, FaultProtocol, "1005 lines that mean nothing, the last \"thinking...\"", false},
		"outside":   {patient, FaultIllegal, "15,3 is outside the board of size 15", true},
		"negative":  {patient, FaultIllegal, "-1,3 is outside", true},
		"error":     {patient, FaultProtocol, "BEGIN was answered with ERROR out of memory", true},
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			c := launched(t, behaviour, ClientOptions{Tolerance: want.tolerance}, GameLimits{Turn: turn})
			_, err := c.Begin(t.Context())
			wantFault(t, err, want.kind, want.part)
			if c.Alive() != want.alive {
				t.Errorf("alive: %v", c.Alive())
			}
			if _, again := c.Begin(t.Context()); !want.alive && !errors.Is(again, err) {
				t.Errorf("asked again: %v", again)
			}
			c.Kill()
			if _, err := c.Begin(t.Context()); err == nil {
				t.Error("a killed engine moved")
			}
		})
	}
}

func TestFaultsOfStarting(t *testing.T) {
	for _, line := range []string{"", `"open`, "/no/such/engine", "no-such-engine-anywhere --x"} {
		t.Run(line, func(t *testing.T) {
			_, err := Launch(line, ClientOptions{})
			wantFault(t, err, FaultStart, "")
		})
	}
	dead, err := Launch(launchLine(t, "dead"), ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, dead.Start(t.Context(), 15, pattern.Freestyle, GameLimits{}), FaultCrash, "exit status 3; stderr: no licence")

	c := launched(t, "good", ClientOptions{}, GameLimits{})
	wantFault(t, c.Start(t.Context(), 99, pattern.Freestyle, GameLimits{}), FaultStart, "START 99 was answered with ERROR size 99")
	wantFault(t, c.Start(t.Context(), 15, pattern.NumRules, GameLimits{}), FaultStart, "no number")
	if err := c.Quit(); err != nil {
		t.Errorf("Quit: %v", err)
	}

	silent := scripted(t, ClientOptions{StartTimeout: 20 * time.Millisecond}, func(in *bufio.Scanner, _ io.Writer) {
		for in.Scan() {
		}
	})
	wantFault(t, silent.Start(t.Context(), 15, pattern.Freestyle, GameLimits{}), FaultTimeout, "no answer to START 15 within 20 ms")
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

func TestQuit(t *testing.T) {
	c := launched(t, "stays", ClientOptions{QuitTimeout: 50 * time.Millisecond}, GameLimits{})
	wantFault(t, c.Quit(), FaultTimeout, "did not leave within 50 ms of END")
	if c.Alive() || c.Quit() != nil {
		t.Error("the engine was not ended by the first Quit")
	}
	select {
	case <-c.program.(*process).exited:
	default:
		t.Error("the process runs on")
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
