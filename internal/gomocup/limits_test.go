package gomocup

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMoveTime(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		info []string
		move time.Duration
		left time.Duration
	}{
		{nil, defaultTurn - greatestMargin, NoLimit},
		{[]string{"max_node 1000"}, NoLimit, NoLimit},
		{[]string{"max_depth 8"}, NoLimit, NoLimit},
		{[]string{"max_node 1000", "timeout_turn 500"}, 470 * ms, NoLimit},
		{[]string{"timeout_turn 0"}, instant, NoLimit},
		{[]string{"timeout_turn 1"}, 500 * time.Microsecond, NoLimit},
		{[]string{"timeout_turn 8"}, 4 * ms, NoLimit},
		{[]string{"timeout_turn 20"}, 15 * ms, NoLimit},
		{[]string{"timeout_turn 60"}, 52500 * time.Microsecond, NoLimit},
		{[]string{"timeout_turn 100"}, 87500 * time.Microsecond, NoLimit},
		{[]string{"timeout_turn 200"}, 175 * ms, NoLimit},
		{[]string{"timeout_turn 300000"}, 299970 * ms, NoLimit},
		{[]string{"timeout_turn 99999999999999"}, NoLimit, NoLimit},
		{[]string{"timeout_turn 5000", "timeout_match 0", "time_left 2147483647"}, 4970 * ms, NoLimit},
		{[]string{"timeout_turn 5000", "timeout_match 160000"}, 4970 * ms, 160000 * ms},
		{[]string{"timeout_turn 5000", "timeout_match 16000"}, 4970 * ms, 16000 * ms},
		{[]string{"timeout_turn 5000", "timeout_match 160000", "time_left 3000"}, 2970 * ms, 3000 * ms},
		{[]string{"timeout_match 16000"}, 15970 * ms, 16000 * ms},
		{[]string{"time_left 16000", "time_increment 500"}, 15970 * ms, 16000 * ms},
		{[]string{"time_left 40", "time_increment 5000"}, 35 * ms, 40 * ms},
		{[]string{"time_left 1"}, instant, 1 * ms},
		{[]string{"timeout_turn 5000", "time_left 0"}, instant, 0},
		{[]string{"timeout_turn 5000", "time_left -7"}, instant, -7 * ms},
		{[]string{"time_left -99999999999999999"}, instant, -unlimitedMillis * ms},
	} {
		var s settings
		for _, line := range c.info {
			s.info(line)
		}
		if others, rule := s.complaints(); rule != nil || others != nil {
			t.Errorf("%v: %v, %v", c.info, rule, others)
		}
		l := s.limits(time.Unix(0, 0))
		if l.MoveTime != c.move || l.GameTimeLeft != c.left {
			t.Errorf("%v: time %v, left %v; want %v, %v", c.info, l.MoveTime, l.GameTimeLeft, c.move, c.left)
		}
	}
}

// A move that came after its time makes the margin greater, which is forgotten within some dozens of moves.
func TestMarginOfLateMoves(t *testing.T) {
	const ms = time.Millisecond
	s := settings{turn: time.Second, turnKnown: true}
	moveTime := func() time.Duration { return s.limits(time.Unix(0, 0)).MoveTime }
	for _, test := range []struct {
		after, want time.Duration
	}{
		{-500 * ms, 970 * ms},
		{80 * ms, 890 * ms},
		{-ms, 895 * ms},
		{90 * ms, 880 * ms},
		{5 * time.Second, 770 * ms},
	} {
		if s.answered(test.after); moveTime() != test.want {
			t.Errorf("after a move %v after its time the next has %v, want %v", test.after, moveTime(), test.want)
		}
	}
	for range 100 {
		s.answered(-time.Second)
	}
	if got := moveTime(); got < 969*ms {
		t.Errorf("after 100 moves in time the next has %v, want at least %v", got, 969*ms)
	}
}

// More threads leave more of the limit unused, since they take longer to come to rest under load. Threads for which there is no processor
// do not search.
func TestMarginOfThreads(t *testing.T) {
	for _, test := range []struct {
		processors int
		info       []string
		want       time.Duration
	}{
		{100, []string{"timeout_turn 1000"}, 970 * time.Millisecond},
		{100, []string{"timeout_turn 1000", "thread_num 1"}, 970 * time.Millisecond},
		{100, []string{"timeout_turn 1000", "thread_num 8"}, 886 * time.Millisecond},
		{100, []string{"timeout_turn 1000", "thread_num 1000"}, 778 * time.Millisecond},
		{100, []string{"timeout_turn 100", "thread_num 8"}, 50 * time.Millisecond},
		{2, []string{"timeout_turn 1000", "thread_num 8"}, 958 * time.Millisecond},
		{1, []string{"timeout_turn 1000", "thread_num 8"}, 970 * time.Millisecond},
	} {
		t.Run(fmt.Sprintf("%d processors, %s", test.processors, strings.Join(test.info, ", ")), func(t *testing.T) {
			s := settings{processors: test.processors}
			for _, line := range test.info {
				s.info(line)
			}
			if got := s.limits(time.Unix(0, 0)).MoveTime; got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestOwnAccountOfTheClock(t *testing.T) {
	var s settings
	s.info("timeout_match 10000")
	s.info("time_increment 100")
	s.spend(3 * time.Second)
	if l := s.limits(time.Unix(0, 0)); l.GameTimeLeft != 7100*time.Millisecond || l.Increment != 100*time.Millisecond {
		t.Errorf("%v left and an increment of %v, want 7.1s and 100ms", l.GameTimeLeft, l.Increment)
	}
	s.newGame()
	if left := s.gameTimeLeft(); left != 10*time.Second {
		t.Errorf("a new game has %v", left)
	}
}

// What a manager says of the clock before START is of the game that begins; what it said before the last move is not.
func TestClockNamedBeforeTheGame(t *testing.T) {
	var s settings
	s.info("time_left 1000")
	s.newGame()
	if left := s.gameTimeLeft(); left != time.Second {
		t.Errorf("left %v", left)
	}
	s.spend(300 * time.Millisecond)
	s.newGame()
	if left := s.gameTimeLeft(); left != NoLimit {
		t.Errorf("left %v in the next game", left)
	}
}

func TestManagersWordOnTheClockIsKeptBetweenMoves(t *testing.T) {
	var s settings
	s.info("time_left 1000")
	s.info("time_increment 100")
	s.spend(300 * time.Millisecond)
	if left := s.gameTimeLeft(); left != 800*time.Millisecond {
		t.Errorf("left %v", left)
	}
	s.info("time_left 2147483647")
	s.spend(time.Hour)
	if left := s.gameTimeLeft(); left != NoLimit {
		t.Errorf("left %v of no limit", left)
	}
}

func TestIntegerLimits(t *testing.T) {
	for _, c := range []struct {
		line string
		want Limits
	}{
		{"max_node 12345", Limits{MaxNodes: 12345}},
		{"max_node -1", Limits{}},
		{"max_node 9223372036854775807", Limits{MaxNodes: 1 << 62}},
		{"max_depth 7", Limits{MaxDepth: 7}},
		{"max_depth -1", Limits{}},
		{"thread_num 3", Limits{Threads: 3}},
		{"max_memory 367001600", Limits{MemoryBytes: 367001600}},
		{"max_memory 0", Limits{}},
		{"hash_size 1024", Limits{HashBytes: 1 << 20}},
		{"hash_size 9223372036854775807", Limits{HashBytes: 1 << 50}},
		{"MAX_NODE\t 5", Limits{MaxNodes: 5}},
	} {
		t.Run(c.line, func(t *testing.T) {
			var s settings
			s.info(c.line)
			l := s.limits(time.Time{})
			l.MoveTime, l.GameTimeLeft = 0, 0
			if others, rule := s.complaints(); l != c.want || rule != nil || others != nil {
				t.Errorf("%s: %+v, not %+v", c.line, l, c.want)
			}
		})
	}
}

func TestRuleCodes(t *testing.T) {
	seen := slices.Clone(ruleCodes[:])
	slices.Sort(seen)
	if len(slices.Compact(seen)) != len(ruleCodes) {
		t.Errorf("two rules share a number: %v", ruleCodes)
	}
	for rule, code := range ruleCodes {
		if got, err := ruleOf(code); err != nil || int(got) != rule {
			t.Errorf("rule %d: %v, %v", code, got, err)
		}
		if name, ok := foreignRules[code]; ok {
			t.Errorf("rule %d is played and foreign (%s)", code, name)
		}
	}
}
