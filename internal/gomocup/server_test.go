package gomocup

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"quintune/board"
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
