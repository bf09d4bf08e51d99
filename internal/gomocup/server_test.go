package gomocup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"quintune/board"
	"quintune/internal/swap2"
	"quintune/pattern"
)

// TestAnswers sends lines to a fresh engine and wants these lines back; "ERROR …" stands for an
// ERROR that holds the rest.
func TestAnswers(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine)
	for name, c := range map[string]struct{ send, want string }{
		"start, sizes":               {"START 5|START 22|START 4|START 23", "OK|OK|ERROR …size 4 is outside 5 to 22|ERROR …20"},
		"start, no number":           {"START|START x|START 15 15|START -15", "ERROR …START wants a size|ERROR …START wants|ERROR …START wants|ERROR …-15"},
		"start refused drops board":  {"START 15|START 99|BEGIN", "OK|ERROR …99|ERROR …START comes first"},
		"no board":                   {"BEGIN|TURN 1,1|BOARD|DONE|TAKEBACK 1,1|RESTART|SWAP2BOARD|DONE|YXBOARD|DONE", "ERROR …START|ERROR …START|ERROR …START|ERROR …START|ERROR …START|ERROR …START|ERROR …START"},
		"rectangle":                  {"RECTSTART 20,15|START 15|TURN 7,7|RECTSTART 15,20|TURN 9,7|RECTSTART 20,20|BEGIN", "ERROR …20 by 15|OK|8,7|ERROR …15 by 20|10,7|OK|10,10"},
		"rectangle, no sizes":        {"RECTSTART|RECTSTART 15|RECTSTART 15,x|RECTSTART 99,99", "ERROR …width and a height|ERROR …2 numbers|ERROR …\"x\"|ERROR …size 99 is outside"},
		"restart":                    {"START 15|BEGIN|RESTART|BEGIN", "OK|7,7|OK|7,7"},
		"any case":                   {"start 15|Turn 7,7|bOaRd|7,7,1|Done|rEsTaRt|begin", "OK|8,7|8,7|OK|7,7"},
		"blanks":                     {"  START   15  |\tTURN\t 7 , 7 |BOARD |7, 7, 1|  8 ,7,2  |DONE", "OK|8,7|9,7"},
		"begin goes on":              {"START 15|BEGIN|BEGIN", "OK|7,7|8,7"},
		"turn, off the board":        {"START 15|TURN 15,0|TURN 0,15|TURN -1,0|TURN 99999999999999999999,1", "OK|ERROR …15,0 is outside|ERROR …0,15|ERROR …-1,0|ERROR …whole number"},
		"turn, no cell":              {"START 15|TURN|TURN 7|TURN 7,7,1|TURN a,b|TURN 7;7", "OK|ERROR …2 numbers|ERROR …2 numbers|ERROR …2 numbers|ERROR …\"a\"|ERROR …2 numbers"},
		"takeback, bad":              {"START 15|TAKEBACK|TAKEBACK 7,7|TAKEBACK 15,15", "OK|ERROR …2 numbers|ERROR …no stone|ERROR …outside"},
		"takeback of a middle stone": {"START 15|BOARD|1,1,1|2,2,2|DONE|TAKEBACK 2,2|TURN 2,2", "OK|7,7|OK|8,7"},
		"board, dead cell":           {"START 15|BOARD|7,7,3|6,7,3|8,7,2|DONE", "OK|MESSAGE BOARD: dead cells are ignored, a move may go there|7,7"},
		"board, bad owner":           {"START 15|BOARD|7,7,0|DONE|BOARD|7,7,4|DONE", "OK|ERROR …owner 0|ERROR …owner 4"},
		"board, twice the same":      {"START 15|BOARD|7,7,1|7,7,2|DONE", "OK|ERROR …7,7 comes twice"},
		"board, outside":             {"START 15|BOARD|15,7,1|DONE", "OK|ERROR …15,7 is outside"},
		"board, no numbers":          {"START 15|BOARD|7,7|DONE|BOARD|hello|DONE", "OK|ERROR …3 numbers|ERROR …hello"},
		"board, refused: unchanged":  {"START 15|TURN 7,7|BOARD|x|DONE|TURN 9,7", "OK|8,7|ERROR …\"x\"|10,7"},
		"board, over: unchanged":     {"START 15|TURN 7,7|BOARD|1,1,1|2,1,1|3,1,1|4,1,1|5,1,1|DONE|TURN 9,7", "OK|8,7|ERROR …the game is over|10,7"},
		"board, not ended":           {"START 15|BOARD|7,7,1|START 20|BEGIN", "OK|ERROR …BOARD was not ended by DONE|OK|10,10"},
		"board, info inside":         {"START 15|BOARD|7,7,1|INFO timeout_turn 9|8,8,2|DONE", "OK|8,7"},
		"board, long line":           {"START 15|BOARD|" + long + "|DONE|BEGIN", "OK|ERROR …longer than 4096|7,7"},
		"done alone":                 {"DONE", "UNKNOWN DONE"},
		"yxboard":                    {"START 15|YXBOARD|7,7,1|8,7,2|DONE|ABOUT|BEGIN", "OK|name=|9,7"},
		"yxboard, bad":               {"START 15|YXBOARD|7,7,9|DONE", "OK|ERROR …owner 9"},
		"stop while idle":            {"STOP|YXSTOP|START 15|STOP|BEGIN|YXSTOP", "OK|7,7"},
		"unknown":                    {"FOO|foo bar|\x1b[2J|éé|1,1", "UNKNOWN FOO|UNKNOWN FOO|UNKNOWN ?[2J|UNKNOWN ??|UNKNOWN 1,1"},
		"play":                       {"PLAY 1,1|START 15|PLAY 7,7|BEGIN", "ERROR …no move was suggested|OK|ERROR …no move was suggested|7,7"},
		"forbidden points":           {"YXSHOWFORBID|START 15|YXSHOWFORBID|INFO rule 4|YXBOARD|7,7,1|0,0,2|8,7,1|0,2,2|9,8,1|0,4,2|9,9,1|0,6,2|DONE|YXSHOWFORBID|BEGIN", "ERROR …START|OK|FORBID .|FORBID 0907.|9,7"},
		"renju, foul on the board":   {"START 15|INFO rule 4|BOARD|7,7,2|0,0,1|8,7,2|0,2,1|9,8,2|0,4,1|9,9,2|0,6,1|9,7,2|DONE", "OK|10,7"},
		"long unknown":               {long + "|ABOUT", "UNKNOWN " + strings.Repeat("X", 40) + "|name="},
		"long known":                 {"TURN 7,7" + strings.Repeat(" 7", maxLine) + "|ABOUT", "ERROR …TURN: the line is longer than 4096 bytes|name="},
		"long info":                  {"INFO folder " + long + "|START 15|BEGIN", "OK|7,7"},
		"swap2 without support":      {"START 15|SWAP2BOARD|DONE", "OK|ERROR …not supported"},
		"info, never answered":       {"INFO|INFO x|INFO x y|INFO evaluate 3,4|INFO folder|INFO game_type 9|INFO TIMEOUT_TURN 7|ABOUT", "name="},
		"info, held back":            {"INFO timeout_turn abc|START 15|BEGIN", "OK|MESSAGE INFO ignored: timeout_turn is \"abc\", not a whole number of 64 bits|7,7"},
		"info, negative":             {"INFO timeout_turn -1|INFO max_memory -1|START 15|TURN 7,7", "OK|MESSAGE INFO ignored: timeout_turn is -1, below 0|MESSAGE INFO ignored: max_memory is -1, below 0|8,7"},
		"info, corrected":            {"INFO timeout_turn abc|INFO timeout_turn 5|START 15|BEGIN", "OK|7,7"},
		"info, held back for board":  {"START 15|INFO max_memory|BOARD|7,7,1|DONE|BOARD|7,7,1|DONE", "OK|MESSAGE INFO ignored: max_memory is \"\", not a whole number of 64 bits|8,7|8,7"},
		"info, bad thread_num":       {"START 15|INFO thread_num x|BEGIN", "OK|MESSAGE INFO ignored: thread_num is \"x\", not a whole number of 64 bits|7,7"},
		"info, bad timeout_match":    {"START 15|INFO timeout_match 1e9|BEGIN", "OK|MESSAGE INFO ignored: timeout_match is \"1e9\", not a whole number of 64 bits|7,7"},
		"info, bad rule":             {"START 15|INFO rule x|BEGIN|BEGIN", "OK|ERROR …rule is \"x\"|7,7"},
		"info, rules":                {"START 15|INFO rule 8|BEGIN|INFO rule 2|BEGIN|INFO rule 77|BEGIN|INFO rule 1|BEGIN", "OK|ERROR …8 (caro)|ERROR …2 (continuous game)|ERROR …rule 77|7,7"},
		"info, the last game's rule": {"START 15|INFO rule 8|RESTART|BEGIN|START 15|INFO rule 0|BEGIN", "OK|OK|ERROR …8 (caro)|OK|7,7"},
	} {
		t.Run(name, func(t *testing.T) {
			m := serve(t, &fakeEngine{quiet: true}, ServeOptions{})
			m.send(strings.Split(c.send, "|")...)
			for _, want := range strings.Split(c.want, "|") {
				if part, ok := strings.CutPrefix(want, "ERROR …"); ok {
					m.expectError(part)
				} else if got := m.next(); got != want && (want != "name=" || !strings.HasPrefix(got, want)) {
					t.Fatalf("the engine wrote %q, not %q", got, want)
				}
			}
			m.end()
		})
	}
}

func TestEndsOfLines(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n", "\r", "\n\n", "\r\n \r\n"} {
		t.Run(eol, func(t *testing.T) {
			m := serve(t, &fakeEngine{quiet: true}, ServeOptions{})
			m.eol = eol
			m.send("START 15", "BOARD", "7,7,1", "DONE")
			m.expect("OK", "8,7")
			m.end()
		})
	}
}

// Colours of BOARD are found by counting, whatever the numbers and the order.
func TestBoardColours(t *testing.T) {
	for name, c := range map[string]struct {
		lines  string
		toMove board.Colour
		stones string // colours in order
	}{
		"empty":               {"", board.Black, ""},
		"equal":               {"1,1,1|2,2,2", board.Black, "bw"},
		"equal, theirs first": {"2,2,2|1,1,1", board.Black, "wb"},
		"opponent first":      {"1,1,2|2,2,1|3,3,2", board.White, "bwb"},
		"out of order":        {"1,1,2|3,3,2|2,2,1", board.White, "bbw"},
		"only theirs":         {"1,1,2|2,2,2|3,3,2", board.White, "bbb"},
		"only ours":           {"1,1,1|2,2,1", board.Black, "bb"},
		"dead cells":          {"1,1,3|2,2,2|3,3,3", board.White, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			e := &fakeEngine{quiet: true}
			m := serve(t, e, ServeOptions{})
			m.send("START 15")
			m.send(strings.Split("BOARD|"+c.lines+"|DONE", "|")...)
			m.expect("OK")
			if name == "dead cells" {
				m.expect("MESSAGE BOARD: dead cells are ignored, a move may go there")
			}
			m.expect("7,7")
			p := e.lastAsked()
			colours := ""
			for _, s := range p.Stones {
				colours += s.Colour.String()[:1]
			}
			if p.SideToMove != c.toMove || colours != c.stones {
				t.Errorf("%v to move, stones %q; want %v, %q", p.SideToMove, colours, c.toMove, c.stones)
			}
			b, err := p.Board()
			if err != nil || b.SideToMove() != c.toMove || b.Stones() != len(c.stones) {
				t.Errorf("board: %v, %v", b, err)
			}
			m.end()
		})
	}
}

// Stones may come in another order than they were played in, also where some of them would win without the others.
func TestStonesInAnotherOrder(t *testing.T) {
	for name, test := range map[string]struct {
		stones string // columns of Black's stones in a row, in order
		rule   pattern.Rule
		want   string // the board's moves, "" for an error
	}{
		"six, the end last":    {"abcdef", pattern.Standard, "a1b1c1d1f1e1"},
		"six, from the right":  {"fedcba", pattern.Standard, "f1e1d1c1a1b1"},
		"six, as it is played": {"abdefc", pattern.Standard, "a1b1d1e1f1c1"},
		"six, both ends last":  {"bcdeaf", pattern.Standard, "a1f1b1c1d1e1"},
		"ten":                  {"abcdefghij", pattern.Standard, "a1b1c1d1f1g1h1i1e1j1"},
		"five":                 {"abcdeg", pattern.Standard, ""},
		"six that win":         {"abcdef", pattern.Freestyle, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := Position{Size: 15, Rule: test.rule, SideToMove: board.White}
			for _, column := range test.stones {
				p.Stones = append(p.Stones, Stone{board.Black, board.At(int(column-'a'), 0)})
			}
			switch b, err := p.Board(); {
			case test.want == "":
				if err == nil || !strings.Contains(err.Error(), "the game is over (black wins)") {
					t.Errorf("error %v", err)
				}
			case err != nil:
				t.Error(err)
			default:
				if got := board.FormatMoves(b.Moves()); got != test.want || b.SideToMove() != board.White {
					t.Errorf("got %s, %v to move; want %s", got, b.SideToMove(), test.want)
				}
			}
		})
	}
}

func TestPositionThatIsNoGame(t *testing.T) {
	five := []Stone{}
	for x := range 5 {
		five = append(five, Stone{board.White, board.At(x, 0)})
	}
	for name, p := range map[string]Position{
		"size":          {Size: 4},
		"a row":         {Size: 15, Stones: five},
		"one cell":      {Size: 15, Stones: []Stone{{board.Black, board.At(1, 1)}, {board.White, board.At(1, 1)}}},
		"off the board": {Size: 5, Stones: []Stone{{board.Black, board.At(5, 1)}}},
	} {
		t.Run(name, func(t *testing.T) {
			if b, err := p.Board(); err == nil {
				t.Errorf("%+v became %v", p, b)
			}
		})
	}
}

// Where Black may not play on any empty cell, the game is a draw whatever the order of the stones.
func TestBlackWithoutAMove(t *testing.T) {
	p := Position{Size: 6, Rule: pattern.Renju, SideToMove: board.Black}
	for y, row := range []string{"XOXOXO", "OO_XOO", "XOXXXX", "OXXOXX", "OOXOOX", "XOXXXX"} {
		for x := range row {
			if colour := strings.IndexByte("XO", row[x]); colour >= 0 {
				p.Stones = append(p.Stones, Stone{board.Colour(colour), board.At(x, y)})
			}
		}
	}
	for _, colour := range []board.Colour{board.Black, board.White} {
		t.Run(colour.String()+" last", func(t *testing.T) {
			slices.SortStableFunc(p.Stones, func(a, b Stone) int {
				return strings.Compare(fmt.Sprint(a.Colour == colour), fmt.Sprint(b.Colour == colour))
			})
			if _, err := p.Board(); err == nil || !strings.Contains(err.Error(), "the game is over (draw)") {
				t.Errorf("%v is the last: error %v, want that the game is over (draw)", colour, err)
			}
		})
	}
}

func TestFullBoard(t *testing.T) {
	m := serve(t, &fakeEngine{quiet: true}, ServeOptions{})
	m.send("START 5", "BEGIN")
	m.expect("OK", "2,2")
	for i := 13; i < 36; i += 2 { // the engine fills from the centre, the opponent one ahead
		m.send("TURN " + formatCell(board.At(i%25%5, i%25/5)))
		if i+1 < 37 {
			m.expect(formatCell(board.At((i+1)%25%5, (i+1)%25/5)))
		}
	}
	m.send("BEGIN")
	m.expectError("the board is full")
	m.end()
}

func TestEngineErrorsAreShown(t *testing.T) {
	e := &fakeEngine{quiet: true, newGame: func(size int, rule pattern.Rule) error {
		if size == 19 || rule == pattern.Standard {
			return errors.New("weights.json:\nno table")
		}
		return nil
	}}
	m := serve(t, e, ServeOptions{})
	m.send("START 19", "START 15", "INFO rule 1", "BEGIN")
	m.expect("ERROR weights.json:?no table", "OK", "ERROR weights.json:?no table")
	m.send("START 15", "BEGIN", "RESTART", "BEGIN", "START 19", "BEGIN", "START 15")
	m.expect("OK", "ERROR weights.json:?no table", "ERROR weights.json:?no table", "ERROR there is no board: START comes first",
		"ERROR weights.json:?no table", "ERROR there is no board: START comes first", "OK")
	for _, move := range []board.Cell{board.NoCell, board.At(7, 7), board.At(15, 0)} {
		e.move = func(Position) (board.Cell, error) { return move, nil }
		m.send("INFO rule 0", "BOARD", "7,7,2", "DONE")
		m.expectError("the engine chose")
	}
	e.move = func(Position) (board.Cell, error) { return board.NoCell, errors.New("lost my mind") }
	m.send("BEGIN")
	m.expect("ERROR lost my mind")
	m.end()
}

func TestDeadlineEndsTheSearch(t *testing.T) {
	for _, c := range []struct {
		info string
		want time.Duration
	}{
		{"timeout_turn 100", 87500 * time.Microsecond},
		{"timeout_turn 300000", 300*time.Second - 30*time.Millisecond},
		{"game_type 1", 5*time.Second - 30*time.Millisecond},
	} {
		t.Run(c.info, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := serve(t, &fakeEngine{slow: true, quiet: true}, ServeOptions{})
				m.send("START 15", "INFO "+c.info)
				m.expect("OK")
				start := time.Now()
				io.WriteString(m.to, "BEGIN\n")
				if line := <-m.lines; line != "7,7" {
					t.Errorf("answer %q", line)
				}
				if took := time.Since(start); took != c.want {
					t.Errorf("%s: moved after %v, not %v", c.info, took, c.want)
				}
				m.end()
			})
		})
	}
}

// The clock runs from the reading of BOARD, not from DONE.
func TestClockStartsWithTheCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &fakeEngine{slow: true, quiet: true}
		m := serve(t, e, ServeOptions{})
		m.send("START 15", "INFO timeout_turn 1000", "BOARD", "7,7,2")
		m.expect("OK")
		start := time.Now()
		time.Sleep(400 * time.Millisecond)
		m.send("DONE")
		m.expect("8,7")
		if took := time.Since(start); took != 970*time.Millisecond {
			t.Errorf("moved %v after BOARD", took)
		}
		m.end()
	})
}

// A command that waited for a search has the whole of its time.
func TestClockOfAWaitingCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := serve(t, &fakeEngine{slow: true, quiet: true}, ServeOptions{})
		m.send("START 15", "INFO timeout_turn 1000", "BEGIN", "TURN 0,0")
		m.expect("OK", "7,7")
		start := time.Now()
		m.expect("8,7")
		if took := time.Since(start); took != 970*time.Millisecond {
			t.Errorf("moved after %v", took)
		}
		m.end()
	})
}

func TestStopAnswersAtOnce(t *testing.T) {
	for _, stop := range []string{"YXSTOP", "STOP", "stop"} {
		t.Run(stop, func(t *testing.T) {
			e := &fakeEngine{slow: true, quiet: true, thinking: make(chan struct{}, 1)}
			m := serve(t, e, ServeOptions{})
			m.send("START 15", "INFO timeout_turn 600000", "BEGIN")
			m.expect("OK")
			<-e.thinking
			m.send(stop)
			m.expect("7,7")
			m.end()
		})
	}
}

// What replaces the position ends a search.
func TestNewPositionsEndTheSearch(t *testing.T) {
	for _, next := range []string{"START 15", "RECTSTART 15,15", "RESTART"} {
		e := &fakeEngine{slow: true, quiet: true, thinking: make(chan struct{}, 2)}
		m := serve(t, e, ServeOptions{})
		m.send("START 15", "INFO timeout_turn 600000", "BEGIN")
		m.expect("OK")
		<-e.thinking
		m.send(next)
		m.expect("7,7", "OK")
		m.end()
	}
}

// STOP that comes behind a waiting TURN is for that TURN, too.
func TestStopBehindAWaitingTurn(t *testing.T) {
	e := &fakeEngine{slow: true, quiet: true, thinking: make(chan struct{}, 2)}
	m := serve(t, e, ServeOptions{})
	m.send("START 15", "INFO timeout_turn 600000", "BEGIN")
	m.expect("OK")
	<-e.thinking
	m.send("TURN 0,0", "STOP")
	m.expect("7,7", "8,7")
	m.end()
}

// A manager that writes without end while the engine thinks is made to wait, and loses nothing.
func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := serve(t, &fakeEngine{slow: true, quiet: true}, ServeOptions{})
		m.send("START 15", "BEGIN")
		m.expect("OK")
		const lines = 2 * maxQueue
		written := 0
		go func() {
			for range lines {
				m.send("FOO")
				written++
			}
		}()
		synctest.Wait()
		if written < maxQueue || written > maxQueue+100 {
			t.Errorf("%d lines were read while the engine thought, bound %d", written, maxQueue)
		}
		m.expect("7,7")
		for range lines {
			m.expect("UNKNOWN FOO")
		}
		m.end()
	})
}

func TestEndOfInputAnswersWhatWasAsked(t *testing.T) {
	m := serve(t, &fakeEngine{slow: true, quiet: true}, ServeOptions{})
	io.WriteString(m.to, "START 15\nINFO timeout_turn 600000\nBEGIN\nTURN 0,0") // no end of line
	m.to.Close()
	m.expect("OK", "7,7", "8,7")
	m.silentEnd()
}

// deafEngine goes on thinking whatever happens.
type deafEngine struct {
	fakeEngine
	release chan struct{}
}

func (e *deafEngine) Think(context.Context, Position, Limits, func(string)) (board.Cell, error) {
	<-e.release
	return board.At(0, 0), nil
}

func TestEndAnswersWhatWasAsked(t *testing.T) {
	in := strings.NewReader("START 15\nINFO timeout_turn 600000\nBEGIN\nTURN 0,0\nEND\nTURN 1,1\n")
	var out strings.Builder
	if err := Serve(t.Context(), in, &out, &fakeEngine{slow: true, quiet: true}, ServeOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "OK\n7,7\n8,7\n" {
		t.Errorf("wrote %q", got)
	}
}

func TestDeafEngineDoesNotHoldTheEnd(t *testing.T) {
	for _, end := range []string{"END\n", ""} {
		t.Run(end, func(t *testing.T) {
			e := &deafEngine{release: make(chan struct{})}
			in := strings.NewReader("START 15\nBEGIN\n" + end)
			var out strings.Builder
			err := Serve(context.Background(), in, &out, e, ServeOptions{Grace: 20 * time.Millisecond})
			if (err == nil) != (end != "") || out.String() != "OK\n" {
				t.Errorf("after %q: %v, wrote %q", end, err, out.String())
			}
			close(e.release)
		})
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, to := io.Pipe()
	defer to.Close()
	e := &fakeEngine{slow: true, quiet: true, thinking: make(chan struct{}, 1)}
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, in, io.Discard, e, ServeOptions{}) }()
	io.WriteString(to, "START 15\nBEGIN\n")
	<-e.thinking
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve: %v", err)
	}
}

func TestBrokenStreams(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("START 15\nBEGIN\n"), iotest.ErrReader(broken))
	var out strings.Builder
	if err := Serve(context.Background(), in, &out, &fakeEngine{quiet: true}, ServeOptions{}); !errors.Is(err, broken) {
		t.Errorf("broken input: %v", err)
	}
	if out.String() != "OK\n7,7\n" {
		t.Errorf("before it broke: %q", out.String())
	}
	_, closed := io.Pipe()
	closed.CloseWithError(broken)
	if err := Serve(context.Background(), strings.NewReader("START 15\nBEGIN\n"), closed, &fakeEngine{}, ServeOptions{}); err == nil {
		t.Error("broken output: no error")
	}
}

// A message that cannot be written ends the search, since nobody reads its move.
func TestBrokenOutputEndsTheSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, to := io.Pipe()
		from, out := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- Serve(context.Background(), in, out, &fakeEngine{slow: true}, ServeOptions{}) }()
		io.WriteString(to, "START 15\n")
		bufio.NewReader(from).ReadString('\n')
		broken := errors.New("broken")
		from.CloseWithError(broken)
		start := time.Now()
		io.WriteString(to, "INFO timeout_turn 60000\nBEGIN\n")
		if err := <-done; !errors.Is(err, broken) || time.Since(start) > 0 {
			t.Errorf("%v after %v, want %v at once", err, time.Since(start), broken)
		}
		to.Close() // or the reader of commands waits on
	})
}

func TestMessagesAreCleanAndEndWithTheMove(t *testing.T) {
	var report func(string)
	e := &reportingEngine{report: &report}
	m := serve(t, e, ServeOptions{})
	m.send("START 15", "BEGIN")
	m.expect("OK", "MESSAGE depth 1?3,4 ?[2J", "MESSAGE "+strings.Repeat("x", maxAnswer-len("MESSAGE ")), "7,7")
	report("too late")
	m.end()
}

type reportingEngine struct {
	fakeEngine
	report *func(string)
}

func (e *reportingEngine) Think(_ context.Context, p Position, _ Limits, report func(string)) (board.Cell, error) {
	report("depth 1\n3,4 \x1b[2J")
	report(strings.Repeat("x", 2*maxAnswer))
	*e.report = report
	return firstEmpty(p), nil
}

// An engine that comes back late gets less time for its next move.
func TestLateMovesGetLessTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &fakeEngine{quiet: true, move: func(p Position) (board.Cell, error) {
			time.Sleep(150 * time.Millisecond) // 62.5 ms after its time, see TestMoveTime
			return firstEmpty(p), nil
		}}
		m := serve(t, e, ServeOptions{})
		m.send("START 15", "INFO timeout_turn 100", "BEGIN")
		m.expect("OK", "7,7")
		m.send("INFO timeout_turn 1000", "TURN 0,0")
		m.next()
		if got, want := e.lastLimits().MoveTime, 970*time.Millisecond-62500*time.Microsecond; got != want {
			t.Errorf("after a move that came 62.5 ms after its time the next has %v, want %v", got, want)
		}
		m.end()
	})
}

func TestHashClear(t *testing.T) {
	e := &fakeEngine{quiet: true}
	m := serve(t, e, ServeOptions{})
	m.send("YXHASHCLEAR", "ABOUT")
	m.next()
	if e.cleared != 1 {
		t.Errorf("cleared %d times", e.cleared)
	}
	m.end()
}

func TestSwap2(t *testing.T) {
	three, five := "|6,7|7,7|8,8", "|6,7|7,7|8,8|9,9|5,5"
	moves := func(n int) (m []board.Cell) {
		for i := range n {
			m = append(m, board.At(i, 0))
		}
		return m
	}
	for name, c := range map[string]struct {
		stones string
		choice swap2.Choice
		want   string // "" for an ERROR
	}{
		"three moves":          {"", swap2.Choice{Moves: moves(3)}, "0,0 1,0 2,0"},
		"swap nothing":         {"", swap2.Choice{Swap: true}, ""},
		"two moves of three":   {"", swap2.Choice{Moves: moves(2)}, ""},
		"swap":                 {three, swap2.Choice{Swap: true}, "SWAP"},
		"stay":                 {three, swap2.Choice{Moves: moves(1)}, "0,0"},
		"put two":              {three, swap2.Choice{Moves: moves(2)}, "0,0 1,0"},
		"nothing":              {three, swap2.Choice{}, ""},
		"occupied":             {three, swap2.Choice{Moves: []board.Cell{board.At(7, 7)}}, ""},
		"the same twice":       {three, swap2.Choice{Moves: []board.Cell{board.At(0, 0), board.At(0, 0)}}, ""},
		"outside":              {three, swap2.Choice{Moves: []board.Cell{board.At(15, 7)}}, ""},
		"swap at five":         {five, swap2.Choice{Swap: true}, "SWAP"},
		"stay at five":         {five, swap2.Choice{Moves: moves(1)}, "0,0"},
		"two moves at five":    {five, swap2.Choice{Moves: moves(2)}, ""},
		"four stones":          {three + "|1,1", swap2.Choice{Swap: true}, ""},
		"a line with an owner": {"|6,7,1", swap2.Choice{Swap: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := &swappingEngine{fakeEngine: fakeEngine{quiet: true}, choice: c.choice}
			m := serve(t, e, ServeOptions{})
			m.send("START 15", "INFO rule 1")
			m.send(strings.Split("SWAP2BOARD"+c.stones+"|DONE", "|")...)
			m.expect("OK")
			got := m.next()
			for strings.HasPrefix(got, "MESSAGE") {
				got = m.next()
			}
			if got != c.want && (c.want != "" || !strings.HasPrefix(got, "ERROR ")) {
				t.Errorf("answer %q, not %q", got, c.want)
			}
			m.end()
		})
	}
}

// A SWAP2BOARD that is refused leaves the position as it was.
func TestRefusedSwap2Board(t *testing.T) {
	for name, e := range map[string]Engine{
		"one stone": &swappingEngine{fakeEngine: fakeEngine{quiet: true}}, "without support": &fakeEngine{quiet: true},
	} {
		t.Run(name, func(t *testing.T) {
			m := serve(t, e, ServeOptions{})
			m.send("START 15", "TURN 7,7", "SWAP2BOARD", "0,0", "DONE")
			m.expect("OK", "8,7")
			m.expectError("")
			m.send("TAKEBACK 8,7", "TAKEBACK 7,7")
			m.expect("OK", "OK")
			m.end()
		})
	}
}
