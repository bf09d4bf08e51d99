package gomocup

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// settings is what INFO lines have set. The zero value is a manager that has sent none.
type settings struct {
	turn      time.Duration
	turnKnown bool
	match     time.Duration // 0 for no clock of the game
	used      time.Duration // used part of match, by our own clock
	left      time.Duration // by the manager's account
	leftKnown bool
	leftSpent bool // a move was made since the manager named left
	increment time.Duration

	nodes   int64
	depth   int
	threads int
	memory  int64
	hash    int64

	processors int // see ServeOptions

	rule  int  // as sent
	brief bool // only the last MESSAGE of a search is wanted

	lateness time.Duration // by which a recent move came after its time; see answered

	bad []badValue
}

// badValue is a value that could not be used: the one before stays. The protocol allows no answer to INFO, so the
// complaint waits for the next command that asks for a move.
type badValue struct {
	key string
	err error
}

// ruleKey is the key whose bad value makes moves errors: a game under an unknown rule is not worth playing. Other bad
// values are told in a MESSAGE beside the move.
const ruleKey = "rule"

// infoKey declares which values a key takes and where they go.
type infoKey struct {
	min, max int64 // a value above max counts as max, one below min is an error
	set      func(*settings, int64)
}

const noMin = -1 << 62

var infoKeys = map[string]infoKey{
	"timeout_turn": {0, unlimitedMillis, func(s *settings, v int64) { s.turn, s.turnKnown = millis(v), true }},
	"timeout_match": {0, unlimitedMillis, func(s *settings, v int64) {
		if s.match = millis(v); s.match == NoLimit {
			s.match = 0
		}
	}},
	"time_left":      {noMin, unlimitedMillis, func(s *settings, v int64) { s.left, s.leftKnown, s.leftSpent = millis(v), true, false }},
	"time_increment": {0, unlimitedMillis - 1, func(s *settings, v int64) { s.increment = millis(v) }},
	"max_memory":     {0, 1 << 50, func(s *settings, v int64) { s.memory = v }},
	"hash_size":      {0, 1 << 40, func(s *settings, v int64) { s.hash = v << 10 }}, // KiB
	"max_node":       {noMin, 1 << 62, func(s *settings, v int64) { s.nodes = max(v, 0) }},
	"max_depth":      {noMin, 1 << 20, func(s *settings, v int64) { s.depth = int(max(v, 0)) }},
	"thread_num":     {0, 1 << 10, func(s *settings, v int64) { s.threads = int(v) }},
	"show_detail":    {0, 1 << 20, func(s *settings, v int64) { s.brief = v == 0 }},
	ruleKey:          {0, 1 << 20, func(s *settings, v int64) { s.rule = int(v) }},
}

// millis returns a number of milliseconds; the largest that managers send means no limit, and a
// very negative one is cut to the same distance from zero.
func millis(v int64) time.Duration {
	if v >= unlimitedMillis {
		return NoLimit
	}
	return time.Duration(max(v, -unlimitedMillis)) * time.Millisecond
}

// info takes the arguments of one INFO line. Unknown keys are ignored, as the protocol asks.
func (s *settings) info(args string) {
	key, value := cutWord(args)
	key = strings.ToLower(key)
	k, ok := infoKeys[key]
	if !ok {
		return
	}
	s.bad = slices.DeleteFunc(s.bad, func(b badValue) bool { return b.key == key }) // it is set again
	v, err := strconv.ParseInt(value, 10, 64)
	switch {
	case err != nil:
		s.bad = append(s.bad, badValue{key, fmt.Errorf("%s is %.40q, not a whole number of 64 bits", key, value)})
	case v < k.min:
		s.bad = append(s.bad, badValue{key, fmt.Errorf("%s is %d, below %d", key, v, k.min)})
	default:
		k.set(s, min(v, k.max))
	}
}

// complaints returns the held-back errors and forgets them: the others, and that of the rule, nil when there is none.
func (s *settings) complaints() (others []error, rule error) {
	for _, b := range s.bad {
		if b.key == ruleKey {
			rule = b.err
		} else {
			others = append(others, b.err)
		}
	}
	s.bad = nil
	return others, rule
}

// hurry reports whether the manager wants the move at once.
func (s *settings) hurry() bool { return s.turnKnown && s.turn == 0 }

// NoLimit is a duration that stands for no limit.
const NoLimit time.Duration = math.MaxInt64

// unlimitedMillis is INFO time_left's way to say that the game has no clock.
const unlimitedMillis = math.MaxInt32

const (
	// instant is the time of a move that should come at once.
	instant = 500 * time.Microsecond
	// defaultTurn is the time of a move when the manager limits nothing.
	defaultTurn = 5 * time.Second
)

// Limits is what one move may cost at the most: which share of the game's time it is worth, the
// engine decides. A zero of the integer fields means no limit, or for Threads the engine's own choice.
type Limits struct {
	Started      time.Time     // when the command was read: the manager's clock runs from here
	MoveTime     time.Duration // all that the manager allows from Started, the margin taken off; above 0; NoLimit (292 years) for none
	GameTimeLeft time.Duration // of the whole game, at Started; 0 or negative when used up; NoLimit for none
	Increment    time.Duration // what each move adds to the game's time
	MaxNodes     int64
	MaxDepth     int // plies
	Threads      int
	MemoryBytes  int64 // of the whole process
	HashBytes    int64 // of the transposition table alone
}

// On a quiet machine a move comes within 2 ms of its time, and what is kept free of a short limit costs strength
// (docs/results/attacks.md).
const (
	marginShare    = 8
	leastMargin    = 5 * time.Millisecond
	greatestMargin = 30 * time.Millisecond
)

// threadMargin is added to the margin for each thread beyond the first: under load eight threads came to rest 50 to 110 ms
// after the deadline, one within 30 ms. No more than mostMargins of them count.
const (
	threadMargin = 12 * time.Millisecond
	mostMargins  = 16
)

// On a busy machine a program gets the processor late, however it waits: among twenty others one that only slept came late every
// twentieth time, by up to 250 ms (docs/results/attacks.md). So the greatest lateness is added to the margin, up to mostLateness,
// and each move forgets 1/latenessMoves of it.
const (
	mostLateness  = 200 * time.Millisecond
	latenessMoves = 16
)

// answered notes by how much a move came after its time; a negative number says before.
func (s *settings) answered(after time.Duration) {
	s.lateness = max(min(after, mostLateness), s.lateness-s.lateness/latenessMoves)
}

// limits returns the limits of a move whose command was read at started.
func (s *settings) limits(started time.Time) Limits {
	return Limits{
		Started: started, MoveTime: s.moveTime(), GameTimeLeft: s.gameTimeLeft(), Increment: s.increment,
		MaxNodes: s.nodes, MaxDepth: s.depth, Threads: s.threads,
		MemoryBytes: s.memory, HashBytes: s.hash,
	}
}

// moveTime returns how long a move may take: the limit of a move or of the game, less what is kept free of it.
func (s *settings) moveTime() time.Duration {
	left := s.gameTimeLeft()
	limit := min(s.turnTime(left), left)
	if limit == NoLimit {
		return NoLimit
	}
	return max(limit-s.keptFree(limit), instant)
}

// keptFree returns how much of a limit is not searched: 1/marginShare of it within [leastMargin, greatestMargin], more for many threads
// and after late moves, at most half.
func (s *settings) keptFree(limit time.Duration) time.Duration {
	kept := min(max(limit/marginShare, leastMargin), greatestMargin)
	kept += time.Duration(max(0, min(s.threads-1, s.processors-1, mostMargins)))*threadMargin + s.lateness
	return min(kept, limit/2)
}

// turnTime returns the limit of one move, of its own accord only where nothing else limits it.
func (s *settings) turnTime(left time.Duration) time.Duration {
	switch {
	case s.turnKnown:
		return s.turn
	case left == NoLimit && s.nodes == 0 && s.depth == 0:
		return defaultTurn
	}
	return NoLimit
}

// gameTimeLeft returns the rest of the game's clock by the manager's last word, or by our own
// account where it gives none.
func (s *settings) gameTimeLeft() time.Duration {
	switch {
	case s.leftKnown:
		return s.left
	case s.match > 0:
		return s.match - s.used
	}
	return NoLimit
}

// spend takes the time of a move off the game's clock, until the manager corrects it.
func (s *settings) spend(d time.Duration) {
	s.used, s.leftSpent = s.used+d-s.increment, true
	if s.leftKnown && s.left != NoLimit {
		s.left += s.increment - d
	}
}

// newGame winds the game's clock up again. What the manager named since the last move is of the new game.
func (s *settings) newGame() { s.used, s.leftKnown = 0, s.leftKnown && !s.leftSpent }
