package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"quintune/internal/stats"
)

// Budget is the length of a run. Exactly one field is above zero, or none where an optional budget is not set.
type Budget struct {
	Time        time.Duration
	Games       int64
	Generations int64
}

// MaxBudget is the longest run.
const MaxBudget = 10000 * time.Hour

// String returns the budget as the command line takes it.
func (b Budget) String() string {
	switch {
	case b.Games > 0:
		return fmt.Sprintf("%dgames", b.Games)
	case b.Generations > 0:
		return fmt.Sprintf("%dgens", b.Generations)
	}
	return b.Time.String()
}

// Spending is a budget: a duration (8h), games from low to high (400games) or generations (40gens).
func Spending(low, high int64) Kind[Budget] {
	return spending(low, high, "10m, 400games, 40gens")
}

// spending is Spending with examples of what is taken.
func spending(low, high int64, examples string) Kind[Budget] {
	shape := form{placeholder: "BUDGET", bounds: "such as " + examples}
	return Kind[Budget]{form: shape, read: func(text string) (Budget, error) {
		if number, ok := strings.CutSuffix(text, "games"); ok {
			n, err := count(number, "games", low, high)
			return Budget{Games: n}, err
		}
		if number, ok := strings.CutSuffix(text, "gens"); ok {
			n, err := count(number, "generations", 1, high)
			return Budget{Generations: n}, err
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return Budget{}, fmt.Errorf("is %.40q, not a budget %s", text, shape.bounds)
		}
		if d < time.Second || d > MaxBudget {
			return Budget{}, fmt.Errorf("is %v, not in [%v, %v]", d, time.Second, MaxBudget)
		}
		return Budget{Time: d}, nil
	}}
}

// GamesOrTime is Spending for matches, which have no generations.
func GamesOrTime(low, high int64) Kind[Budget] {
	k := spending(low, high, "10m, 400games")
	read := k.read
	k.read = func(text string) (Budget, error) {
		if strings.HasSuffix(text, "gens") {
			return Budget{}, fmt.Errorf("is %.40q, but matches have no generations: give games or a time", text)
		}
		return read(text)
	}
	return k
}

// count reads a number of games or generations from low to high.
func count(text, of string, low, high int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("is %.40q %s, not a whole number in [%d, %d]", text, of, low, high)
	}
	if n < low || n > high {
		return 0, fmt.Errorf("is %d %s, not in [%d, %d]", n, of, low, high)
	}
	return n, nil
}

// Bounds is a pair of bounds in normalised Elo of a sequential test, Low < High; zero where an optional pair is not set.
type Bounds struct {
	Low, High float64 // normalised Elo
}

// NEloBounds is LOW,HIGH of a sequential test.
func NEloBounds() Kind[Bounds] {
	return Kind[Bounds]{form: form{placeholder: "LOW,HIGH"}, read: func(text string) (Bounds, error) {
		low, high, _ := strings.Cut(text, ",")
		var b Bounds
		var err1, err2 error
		b.Low, err1 = strconv.ParseFloat(low, 64)
		b.High, err2 = strconv.ParseFloat(high, 64)
		if err1 != nil || err2 != nil || math.IsNaN(b.Low) || math.IsNaN(b.High) {
			return Bounds{}, fmt.Errorf("is %.40q, not two numbers LOW,HIGH", text)
		}
		if b.Low >= b.High || b.Low < -stats.MaxHypothesis || b.High > stats.MaxHypothesis {
			return Bounds{}, fmt.Errorf("is %v,%v, not rising within [%d, %d]", b.Low, b.High, -stats.MaxHypothesis, stats.MaxHypothesis)
		}
		return b, nil
	}}
}

// GameClock is the clock of a game, zero where an optional one is not set.
type GameClock struct {
	Game      time.Duration // for all moves of a side
	Increment time.Duration // that every move adds
}

// Bounds of the clock of a game.
const (
	minClock     = 10 * time.Millisecond
	MaxClock     = 24 * time.Hour
	MaxIncrement = time.Hour
)

// Clock is TIME or TIME+INCREMENT, such as 60s+0.1s.
func Clock() Kind[GameClock] {
	shape := form{placeholder: "TIME[+TIME]", bounds: "such as 60s+0.1s"}
	return Kind[GameClock]{form: shape, read: func(text string) (tc GameClock, err error) {
		game, increment, two := strings.Cut(text, "+")
		var err1, err2 error
		tc.Game, err1 = time.ParseDuration(game)
		if two {
			tc.Increment, err2 = time.ParseDuration(increment)
		}
		switch {
		case err1 != nil || err2 != nil:
			return tc, fmt.Errorf("is %.40q, not the clock of a game, such as 60s or 60s+0.1s", text)
		case tc.Game < minClock || tc.Game > MaxClock:
			return tc, fmt.Errorf("is %v for a game, not in [%v, %v]", tc.Game, minClock, MaxClock)
		case tc.Increment < 0 || tc.Increment > MaxIncrement:
			return tc, fmt.Errorf("adds %v a move, not in [0s, %v]", tc.Increment, MaxIncrement)
		}
		return tc, nil
	}}
}

// TimeOfDay is an hour and minute of the local clock.
type TimeOfDay struct{ Hour, Minute int }

// After returns the first time after now at which the local clock shows t; the zero time for nil.
func (t *TimeOfDay) After(now time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	at := time.Date(now.Year(), now.Month(), now.Day(), t.Hour, t.Minute, 0, 0, now.Location())
	if !at.After(now) {
		at = time.Date(now.Year(), now.Month(), now.Day()+1, t.Hour, t.Minute, 0, 0, now.Location())
	}
	return at
}

// LocalTime is an hour and minute of the local clock, such as 07:00; nil where none is set.
func LocalTime() Kind[*TimeOfDay] {
	return Optional(Kind[*TimeOfDay]{form: form{placeholder: "HH:MM"}, read: func(text string) (*TimeOfDay, error) {
		clock, err := time.Parse("15:04", text)
		if err != nil {
			return nil, fmt.Errorf("is %.40q, not a time of the day such as 07:00", text)
		}
		return &TimeOfDay{clock.Hour(), clock.Minute()}, nil
	}})
}
