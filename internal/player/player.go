// Package player turns a player argument of the command line into an engine that plays.
//
// A player is a preset (a bare name is always one), a weights file (anything that ends in .json),
// baseline:NAME or gomocup:COMMAND LINE.
package player

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// Player is a parsed argument. It holds no process and no engine yet: its Contestant opens them.
type Player struct {
	Name       string       // for people: printable, at most maxName bytes
	Weights    *weights.Set // nil for engines from outside
	Proven     string       // what was proven of the weights, "" for engines from outside
	Contestant selfplay.Contestant
}

// Conditions are those of a match beside its node limit.
type Conditions struct {
	Time time.Duration // a move, for either kind of player, in place of nodes; 0: nodes count
}

const (
	fileEnding     = ".json"
	baselinePrefix = "baseline:"
	gomocupPrefix  = "gomocup:"
	maxName        = 80
)

// Parse returns the player that the argument names. Files are read now, commands started when the
// player is opened. Errors name the argument.
func Parse(argument string, conditions Conditions) (*Player, error) {
	switch {
	case strings.HasPrefix(argument, gomocupPrefix):
		return parseOutside(argument, conditions)
	case strings.HasPrefix(argument, baselinePrefix):
		return nil, fmt.Errorf("player %.80q: baselines are not built in this version", argument)
	}
	set, err := Weights(argument)
	if err != nil {
		return nil, err
	}
	p := &Player{Name: displayed(argument), Weights: set, Proven: Proven(set)}
	if conditions.Time > 0 {
		p.Contestant.Open = func(size int, rule pattern.Rule, _ int64) (selfplay.Player, error) {
			return newTimed(set, size, rule, conditions.Time)
		}
	} else {
		p.Contestant.Weights = set
	}
	return p, nil
}

// Weights returns the set of a preset or a weights file; other players have none, which is an error.
func Weights(argument string) (*weights.Set, error) {
	if strings.HasSuffix(argument, fileEnding) {
		return weights.Load(argument)
	}
	set, err := weights.Preset(argument)
	if err != nil {
		return nil, fmt.Errorf("player %.80q is no preset (%s), nor does it end in %s or begin with %s or %s",
			argument, strings.Join(weights.PresetNames(), ", "), fileEnding, baselinePrefix, gomocupPrefix)
	}
	return set, nil
}

// displayed returns a text fit for a terminal.
func displayed(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
	if len(text) > maxName {
		text = strings.ToValidUTF8(text[:maxName-3], "") + "..."
	}
	return text
}
