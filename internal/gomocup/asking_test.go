package gomocup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintune/board"
	"quintune/pattern"
)

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
