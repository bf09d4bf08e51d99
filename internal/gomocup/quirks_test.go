package gomocup

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintune/board"
)

// The quirks of managers, numbered as in the notes on the protocol.

func TestQuirk01AboutBeforeStart(t *testing.T) {
	m := serve(t, &fakeEngine{}, ServeOptions{})
	m.send("ABOUT")
	if got := m.next(); !strings.HasPrefix(got, `name="Quintune", version="1.0"`) {
		t.Errorf("ABOUT: %q", got)
	}
	m.end()
}

func TestQuirk02StartResetsEverything(t *testing.T) {
	e := &fakeEngine{quiet: true}
	m := serve(t, e, ServeOptions{})
	m.send("START 15", "INFO rule 1", "INFO time_left 0", "TURN 7,7")
	m.expect("OK", "8,7")
	m.send("START 20", "INFO rule 0", "BEGIN")
	m.expect("OK", "10,10")
	p := e.lastAsked()
	if p.Size != 20 || p.Rule != 0 || len(p.Stones) != 0 || p.SideToMove != board.Black {
		t.Errorf("after the second START: %+v", p)
	}
	if left := e.lastLimits().GameTimeLeft; left != NoLimit {
		t.Errorf("time left of the game before: %v", left)
	}
	if got, want := strings.Join(e.games, ";"), "15 freestyle;15 standard;20 standard;20 freestyle"; got != want {
		t.Errorf("games %s, not %s", got, want)
	}
	m.end()
}

func TestQuirk03OwnAnswerIsOnTheBoardAfterBoard(t *testing.T) {
	e := &fakeEngine{quiet: true}
	m := serve(t, e, ServeOptions{})
	m.send("START 15", "BOARD", "0,0,1", "1,1,2", "DONE")
	m.expect("OK", "7,7")
	m.send("TURN 7,7")
	m.expectError("occupied")
	m.send("TURN 8,7")
	m.expect("9,7")
	want := []Stone{{board.Black, board.At(0, 0)}, {board.White, board.At(1, 1)}, {board.Black, board.At(7, 7)}, {board.White, board.At(8, 7)}}
	sameStones(t, e.lastAsked().Stones, want)
	m.end()
}

func TestQuirk04InfoBlockIsReadWhileAnswersWait(t *testing.T) {
	m := serve(t, &fakeEngine{quiet: true}, ServeOptions{})
	lines := []string{"START 15"}
	for range 300 {
		lines = append(lines, "INFO timeout_turn 1000", "FOO")
	}
	m.send(append(lines, "BEGIN")...) // blocks if the engine stops reading
	m.expect("OK")
	for range 300 {
		m.expect("UNKNOWN FOO")
	}
	m.expect("7,7")
	m.end()
}

func TestQuirk05SecondEngineGetsFirstMoveInBoard(t *testing.T) {
	e := &fakeEngine{quiet: true}
	m := serve(t, e, ServeOptions{})
	m.send("START 15", "BOARD", "7,7,2", "DONE")
	m.expect("OK", "8,7")
	if p := e.lastAsked(); p.SideToMove != board.White {
		t.Errorf("%v to move", p.SideToMove)
	}
	m.end()
}

func TestQuirk06TimeoutTurnZeroWhileThinkingMeansNow(t *testing.T) {
	e := &fakeEngine{slow: true, quiet: true, thinking: make(chan struct{}, 1)}
	m := serve(t, e, ServeOptions{})
	m.send("START 15", "INFO timeout_turn 600000", "BEGIN")
	m.expect("OK")
	<-e.thinking
	m.send("INFO timeout_turn 0", "INFO timeout_turn 600000")
	m.expect("7,7")
	m.send("TURN 0,0", "YXSTOP")
	m.expect("8,7")
	if got := e.lastLimits().MoveTime; got != 600*time.Second-greatestMargin {
		t.Errorf("the old limit is %v afterwards", got)
	}
	m.end()
}

func TestQuirk07TakeBackThenTurnOrRestartAndBoard(t *testing.T) {
	e := &fakeEngine{quiet: true}
	m := serve(t, e, ServeOptions{})
	m.send("START 15", "TURN 7,7")
	m.expect("OK", "8,7")
	m.send("TAKEBACK 8,7", "TAKEBACK 7,7", "TURN 6,6")
	m.expect("OK", "OK", "7,7")
	sameStones(t, e.lastAsked().Stones, []Stone{{board.Black, board.At(6, 6)}})
	m.send("TAKEBACK 1,1")
	m.expectError("no stone")
	m.send("RESTART", "BOARD", "3,3,2", "DONE")
	m.expect("OK", "7,7")
	m.end()
}

func TestQuirk08CaroIsRefusedByNameAtTheNextMove(t *testing.T) {
	for _, ask := range []string{"BEGIN", "TURN 7,7", "BOARD\nDONE", "SWAP2BOARD\nDONE"} {
		t.Run(ask, func(t *testing.T) {
			m := serve(t, &fakeEngine{quiet: true}, ServeOptions{})
			m.send("START 15", "INFO rule 8")
			m.expect("OK")
			m.send(ask)
			m.expectError("rule 8 (caro) is not supported")
			m.send("INFO rule 0", "START 15", "BEGIN")
			m.expect("OK", "7,7")
			m.end()
		})
	}
}

func TestQuirk09TurnOntoAStone(t *testing.T) {
	m := serve(t, &fakeEngine{quiet: true}, ServeOptions{})
	m.send("START 15", "TURN 7,7")
	m.expect("OK", "8,7")
	m.send("TURN 8,7")
	m.expectError("8,7 is occupied")
	m.send("TURN 7,7")
	m.expectError("7,7 is occupied")
	m.send("TURN 0,0")
	m.expect("9,7")
	m.end()
}

func TestQuirk10EndWhileThinking(t *testing.T) {
	e := &fakeEngine{slow: true, quiet: true, thinking: make(chan struct{}, 1)}
	m := serve(t, e, ServeOptions{})
	m.send("START 15", "INFO timeout_turn 600000", "BEGIN")
	m.expect("OK")
	<-e.thinking
	m.send("END")
	m.expect("7,7") // fails after a minute, long before the ten minutes of the turn
	m.silentEnd()
}

func TestQuirk11NoTimeLeft(t *testing.T) {
	for _, left := range []string{"0", "-1", "-250000", "-99999999999"} {
		t.Run(left, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := serve(t, &fakeEngine{slow: true, quiet: true}, ServeOptions{})
				m.send("START 15", "INFO timeout_turn 30000", "INFO timeout_match 180000", "INFO time_left "+left)
				m.expect("OK")
				start := time.Now()
				m.send("BEGIN")
				m.expect("7,7")
				if took := time.Since(start); took > time.Millisecond {
					t.Errorf("time_left %s: moved after %v", left, took)
				}
				m.end()
			})
		})
	}
}

// A manager that writes the very moment it has read a move must not be overheard.
func TestQuirk12NoCommandIsDropped(t *testing.T) {
	m := serve(t, &fakeEngine{quiet: true}, ServeOptions{})
	for range 200 {
		m.send("START 15", "INFO timeout_turn 1", "BEGIN")
		m.expect("OK", "7,7")
		m.send("TURN 0,0")
		m.expect("8,7")
	}
	m.end()
}

// The same when the engine still thinks.
func TestQuirk12CommandsWhileThinkingWait(t *testing.T) {
	e := &fakeEngine{slow: true, quiet: true, thinking: make(chan struct{}, 4)}
	m := serve(t, e, ServeOptions{})
	m.send("START 15", "INFO timeout_turn 600000", "BEGIN")
	m.expect("OK")
	<-e.thinking
	m.send("FOO", "START 20", "INFO timeout_turn 1", "TURN 0,0")
	m.expect("7,7", "UNKNOWN FOO", "OK", "10,10")
	if p := e.lastAsked(); p.Size != 20 || len(p.Stones) != 1 {
		t.Errorf("asked %+v", p)
	}
	m.end()
}

func TestQuirk13SmallLimits(t *testing.T) {
	for ms := 1; ms <= 50; ms++ {
		synctest.Test(t, func(t *testing.T) {
			m := serve(t, &fakeEngine{slow: true, quiet: true}, ServeOptions{})
			m.send("START 15", "INFO timeout_turn "+strconv.Itoa(ms))
			m.expect("OK")
			start := time.Now()
			m.send("BEGIN")
			m.expect("7,7")
			limit := time.Duration(ms) * time.Millisecond
			if took := time.Since(start); took >= limit || took < limit/3 {
				t.Errorf("limit %v: moved after %v", limit, took)
			}
			m.end()
		})
	}
}

func sameStones(t *testing.T, got, want []Stone) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("stones %v, not %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("stones %v, not %v", got, want)
		}
	}
}
