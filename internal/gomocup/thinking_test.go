package gomocup

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	"quintune/board"
)

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
