package gomocup

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// settings is what INFO lines have set. The zero value is a manager that has sent none.
type settings struct {
	turn      time.Duration
	turnKnown bool
	match     time.Duration // 0 for no clock of the game
	used      time.Duration // of match, by our own account
	left      time.Duration // by the manager's account
	leftKnown bool
	increment time.Duration

	nodes   int64
	depth   int
	threads int
	memory  int64
	hash    int64
	rule    int // as sent

	bad []badValue
}

// badValue is a value that could not be used: the one before stays. The protocol forbids to answer INFO, so that the
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
	"time_left":      {noMin, unlimitedMillis, func(s *settings, v int64) { s.left, s.leftKnown = millis(v), true }},
	"time_increment": {0, unlimitedMillis - 1, func(s *settings, v int64) { s.increment = millis(v) }},
	"max_memory":     {0, 1 << 50, func(s *settings, v int64) { s.memory = v }},
	"hash_size":      {0, 1 << 40, func(s *settings, v int64) { s.hash = v << 10 }}, // KiB
	"max_node":       {noMin, 1 << 62, func(s *settings, v int64) { s.nodes = max(v, 0) }},
	"max_depth":      {noMin, 1 << 20, func(s *settings, v int64) { s.depth = int(max(v, 0)) }},
	"thread_num":     {0, 1 << 10, func(s *settings, v int64) { s.threads = int(v) }},
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
	s.forgive(key)
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

// forgive drops the held-back complaint about a key that is set again.
func (s *settings) forgive(key string) {
	kept := s.bad[:0]
	for _, b := range s.bad {
		if b.key != key {
			kept = append(kept, b)
		}
	}
	s.bad = kept
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
