package config

import (
	"fmt"
	"strings"
	"time"
)

// TimeControl is the clock of a game.
type TimeControl struct {
	Game      time.Duration // for all moves of a side
	Increment time.Duration // that every move adds
}

// maxClock bounds the clock of a game.
const maxClock = 24 * time.Hour

// Clock is TIME or TIME+INCREMENT, such as 60s+0.1s; read by Values.TimeControl.
func Clock() Kind {
	least := 10 * time.Millisecond
	return Kind{placeholder: "TIME[+TIME]", bounds: "such as 60s+0.1s", zero: TimeControl{}, read: func(text string) (any, error) {
		game, increment, two := strings.Cut(text, "+")
		var tc TimeControl
		var err1, err2 error
		tc.Game, err1 = time.ParseDuration(game)
		if two {
			tc.Increment, err2 = time.ParseDuration(increment)
		}
		switch {
		case err1 != nil || err2 != nil:
			return nil, fmt.Errorf("is %.40q, no clock of a game, such as 60s or 60s+0.1s", text)
		case tc.Game < least || tc.Game > maxClock:
			return nil, fmt.Errorf("is %v for a game, not in [%v, %v]", tc.Game, least, maxClock)
		case tc.Increment < 0 || tc.Increment > time.Hour:
			return nil, fmt.Errorf("adds %v a move, not in [0s, %v]", tc.Increment, time.Hour)
		}
		return tc, nil
	}}
}

// TimeControl returns a Clock option, zero where an optional one is not set.
func (v *Values) TimeControl(name string) TimeControl { return get[TimeControl](v, name) }
