package gomocup

import (
	"math"
	"time"
)

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

// threadMargin is added to the margin for each thread beyond the first: under load eight threads came to rest 50 to 110 ms
// after the deadline, one within 30 ms. No more than mostMargins of them count.
const (
	threadMargin = 12 * time.Millisecond
	mostMargins  = 16
)

// limits returns the limits of a move whose command was read at started.
func (s *settings) limits(started time.Time, margin time.Duration) Limits {
	if margin > 0 {
		margin += time.Duration(max(0, min(s.threads-1, mostMargins))) * threadMargin
	}
	return Limits{
		Started: started, MoveTime: s.moveTime(margin), GameTimeLeft: s.gameTimeLeft(), Increment: s.increment,
		MaxNodes: s.nodes, MaxDepth: s.depth, Threads: s.threads,
		MemoryBytes: s.memory, HashBytes: s.hash,
	}
}

// moveTime returns how long a move may take: the limit of a move or of the game, with the margin
// kept free, or half of the limit where that is less.
func (s *settings) moveTime(margin time.Duration) time.Duration {
	left := s.gameTimeLeft()
	hard := min(s.turnTime(left), left)
	if hard == NoLimit {
		return NoLimit
	}
	return max(hard-min(margin, hard/2), instant)
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
	s.used += d - s.increment
	if s.leftKnown && s.left != NoLimit {
		s.left += s.increment - d
	}
}

// newGame winds the game's clock up again.
func (s *settings) newGame() { s.used, s.left, s.leftKnown = 0, 0, false }
