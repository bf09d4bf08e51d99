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

	"quintune/internal/gomocup"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights"
)

// Player is a parsed argument. It holds no process and no engine yet.
type Player struct {
	Name    string       // for people: printable, at most maxName bytes
	Weights *weights.Set // nil for engines from outside
	Proven  string       // what was proven of the weights, "" for engines from outside
	command string       // of an engine from outside
}

const (
	fileEnding     = ".json"
	baselinePrefix = "baseline:"
	gomocupPrefix  = "gomocup:"
	maxName        = 80
)

// Parse returns the player that the argument names. Files are read now, commands started when the
// player is opened and asked for a game. Errors name the argument.
func Parse(argument string) (*Player, error) {
	switch {
	case strings.HasPrefix(argument, gomocupPrefix):
		return parseOutside(argument)
	case strings.HasPrefix(argument, baselinePrefix):
		return nil, fmt.Errorf("player %.80q: baselines are not built in this version", argument)
	}
	set, err := Weights(argument)
	if err != nil {
		return nil, err
	}
	return Of(argument, set), nil
}

// Of returns the player with the weights, under the given name.
func Of(name string, set *weights.Set) *Player {
	return &Player{Name: displayed(name), Weights: set, Proven: Proven(set)}
}

// Contestant returns the player as one side of pairings. Without a time a move, the batch's node
// limit counts, and games of our own engine are repeatable; with one, for either kind of player, it
// replaces the nodes.
func (p *Player) Contestant(move time.Duration) selfplay.Contestant {
	if p.Weights != nil && move == 0 {
		return selfplay.Contestant{Weights: p.Weights}
	}
	return selfplay.Contestant{Open: func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
		if move > 0 {
			return p.Open(size, rule, search.Limits{Time: move})
		}
		return p.Open(size, rule, search.Limits{Nodes: nodes})
	}}
}

// Open returns an engine that plays for the player within limits a move. It may be an io.Closer,
// to be closed after the last game.
func (p *Player) Open(size int, rule pattern.Rule, limits search.Limits) (selfplay.Player, error) {
	if p.Weights != nil {
		return newEngine(p.Weights, size, rule, limits)
	}
	return &outside{command: p.command, size: size, rule: rule, limits: gomocup.GameLimits{
		Turn: limits.Time, Nodes: limits.Nodes, Depth: limits.Depth,
	}}, nil
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
