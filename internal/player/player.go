// Package player turns a player argument of the command line into an engine that plays.
//
// A player is a preset (a bare name is always one), a weights file (anything that ends in .json),
// baseline:NAME, gomocup:COMMAND LINE, or engine:FILE with @VALUES behind it.
package player

import (
	"errors"
	"fmt"
	"strings"

	"quintune/internal/baseline"
	"quintune/internal/engine"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights"
)

// Player is a parsed argument. It holds no process and no engine yet.
type Player struct {
	Name      string         // for people: printable, at most maxName bytes
	Weights   *weights.Set   // nil for baselines and external engines
	Proven    string         // what was proven of the weights, "" where there are none
	Unit      string         // what a limit of nodes counts, such as "play-outs"; "" for a player that ignores it
	off       search.Feature // features of our own engine that are switched off
	baseline  string         // name of a system of the literature, "" for others
	command   string         // of an external engine, "" for others
	tuned     *engine.File   // engine file of an external engine with parameters, nil for others
	values    engine.Values  // values of the parameters in tuned
	underTest bool           // see UnderTest
	file      string         // that the weights are from, so they play only boards that they are made for; "": none
	found     bool           // the user did not name the file; see givesWay
	chosen    *Player        // the player that this one replaces, nil: none
}

// engineUnit is the unit of our own engine and of most external engines.
const engineUnit = "nodes"

const (
	fileEnding    = ".json"
	gomocupPrefix = "gomocup:"
	enginePrefix  = "engine:"
	valuesMark    = "@" // between an engine file and a values file
	maxName       = 80
)

// argumentError is an error of an argument itself.
type argumentError struct{ error }

func (e argumentError) Unwrap() error { return e.error }

// Misused reports whether an error is one of what the user typed, not of a file that it names.
func Misused(err error) bool { return errors.As(err, new(argumentError)) }

// Parse returns the player that the argument names. Files are read now, commands started when the
// player is opened and asked for a game. Errors name the argument; see Misused.
func Parse(argument string) (*Player, error) {
	switch {
	case strings.HasPrefix(argument, gomocupPrefix):
		return parseExternal(argument)
	case strings.HasPrefix(argument, enginePrefix):
		return parseTuned(argument)
	case strings.HasPrefix(argument, baseline.Prefix):
		return parseBaseline(argument)
	}
	set, err := Weights(argument)
	if err != nil {
		return nil, err
	}
	if IsFile(argument) {
		return OfFile(argument, set), nil
	}
	return Of(argument, set), nil
}

// Of returns the player with the weights, under the given name.
func Of(name string, set *weights.Set) *Player {
	return &Player{Name: text.Ends(name, maxName), Weights: set, Proven: Proven(set), Unit: engineUnit}
}

// Without returns the player with features of the search switched off, and with their names in its own. It is an
// error unless the player is our own engine.
func (p *Player) Without(off search.Feature) (*Player, error) {
	if p.Weights == nil {
		return nil, fmt.Errorf("player %.80q is not weights, so no feature of its search can be switched off", p.Name)
	}
	without := *p
	without.off = off
	without.Name = text.Ends(p.Name+" without "+off.String(), maxName)
	return &without, nil
}

// OfFile is Of for the weights of a file, which count for boards of their rule and class of sizes; see OnBoard.
func OfFile(file string, set *weights.Set) *Player {
	p := Of(file, set)
	p.file = file
	return p
}

// OnBoard returns the player that plays on a board in place of p: p itself or the embedded set of the board. It
// is the latter in two cases. The player's weights are from a file for another rule or class of sizes; or the
// user did not name the file and it was measured to be weaker.
func (p *Player) OnBoard(size int, rule pattern.Rule) (*Player, error) {
	embedded := weights.EvolvedFor(rule, size)
	if p.file == "" || p.embedded() == embedded && !p.givesWay() {
		return p, nil
	}
	set, err := weights.Preset(embedded)
	if err != nil {
		return nil, err
	}
	instead := Of(embedded, set)
	instead.chosen = p
	return instead, nil
}

// Chosen returns the player that was asked for: the one that p replaces, or p itself.
func (p *Player) Chosen() *Player {
	if p.chosen != nil {
		return p.chosen
	}
	return p
}

// Instead returns a sentence about the player that this one replaces, with the reason; "" if this one was asked for.
func (p *Player) Instead() string {
	if p.chosen == nil {
		return ""
	}
	if p.chosen.embedded() == p.Name {
		return p.chosen.Weaker()
	}
	set := p.chosen.Weights
	return fmt.Sprintf("%s is for %v %d×%d: the embedded set %s plays here", p.chosen.Name, set.Rule, set.Size, set.Size, p.Name)
}

// Contestant returns the player as one side of pairings under the time control. Without a limit of time the
// batch's node limit counts, and games of our own engine with one thread are repeatable; with one
// it replaces the nodes, for every kind of player.
func (p *Player) Contestant(control TimeControl) selfplay.Contestant {
	if p.Weights != nil && !control.timed() && control.Threads <= 1 {
		if p.off == 0 {
			return selfplay.Contestant{Weights: p.Weights, Name: p.Name}
		}
		return selfplay.Contestant{Name: p.Name, Open: func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
			return selfplay.NewEngine(p.Weights, size, rule, nodes, p.off)
		}}
	}
	c := selfplay.Contestant{Name: p.Name, Open: func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
		if control.timed() {
			nodes = 0
		}
		return p.open(size, rule, search.Limits{Nodes: nodes}, control)
	}}
	if p.baseline != "" && !control.timed() {
		c.Remote = baseline.Prefix + p.baseline
	}
	return c
}

// Open returns an engine that plays for the player within limits a move. It may be an io.Closer,
// to be closed after the last game.
func (p *Player) Open(size int, rule pattern.Rule, limits search.Limits) (selfplay.Player, error) {
	return p.open(size, rule, limits, TimeControl{Move: limits.Time})
}

func (p *Player) open(size int, rule pattern.Rule, limits search.Limits, control TimeControl) (selfplay.Player, error) {
	switch {
	case p.Weights != nil:
		return newEngine(p.Weights, size, rule, limits, control, p.off)
	case p.baseline != "":
		return openBaseline(p.baseline, size, rule, limits, control)
	}
	if p.tuned != nil {
		return p.tuned.Open(p.values, p.conditions(size, rule, limits, control))
	}
	return engine.NewPlayer(p.command, p.conditions(size, rule, limits, control))
}

// Names returns what a player argument may be or begin with: the presets, the baselines, and the
// beginning of an external engine; for a shell's completion.
func Names() []string {
	names := weights.PresetNames()
	for _, name := range baseline.Names() {
		names = append(names, baseline.Prefix+name)
	}
	return append(names, gomocupPrefix, enginePrefix)
}

// Weights returns the set of a preset or a weights file; other players have none, which is an error.
func Weights(argument string) (*weights.Set, error) {
	for _, prefix := range [...]string{baseline.Prefix, gomocupPrefix, enginePrefix} {
		if strings.HasPrefix(argument, prefix) {
			return nil, argumentError{fmt.Errorf("player %.80q has no weights: a preset (%s) or a file %s is wanted", argument, strings.Join(weights.PresetNames(), ", "), fileEnding)}
		}
	}
	if IsFile(argument) {
		return weights.Load(argument)
	}
	set, err := weights.Preset(argument)
	if err != nil {
		if meant := text.DidYouMean(argument, Names()); meant != "" {
			return nil, argumentError{fmt.Errorf("player %.80q is not a preset%s", argument, meant)}
		}
		return nil, argumentError{fmt.Errorf("player %.80q is not a preset (%s), nor does it end in %s or begin with %s, %s or %s",
			argument, strings.Join(weights.PresetNames(), ", "), fileEnding, baseline.Prefix, gomocupPrefix, enginePrefix)}
	}
	return set, nil
}

// Help tells people which player arguments there are: for the end of a command's help.
func Help() string {
	presets := weights.PresetNames()
	half := len(presets) / 2 // on one line they would be too long
	return fmt.Sprintf(`A PLAYER is a preset:
%s,
%s,
a weights file (anything that ends in %s), %sCOMMAND LINE (an engine behind the Gomocup
protocol), %sFILE or %sFILE@VALUES (an engine file, and a values file of a run) or
%sNAME, a system of the literature, with options behind the name
where it has any, such as '%shuang?depth=4&candidates=20':
%s`, strings.Join(presets[:half], ", "), strings.Join(presets[half:], ", "), fileEnding, gomocupPrefix, enginePrefix, enginePrefix, baseline.Prefix, baseline.Prefix, strings.TrimRight(baseline.Help(), "\n"))
}

// Proven says in one line what was proven of a set, by its provenance.
func Proven(set *weights.Set) string {
	p := set.Provenance
	if p == nil {
		return "nothing proven: no run made these weights"
	}
	run := fmt.Sprintf("run %s from %s, %d games", p.Run, p.Start, p.Games)
	v := p.Validation
	switch {
	case v != nil && p.Proven:
		return fmt.Sprintf("%s (%s)", validated(v), run)
	case v != nil:
		return fmt.Sprintf("did not pass its gate; %s (%s)", validated(v), run)
	case p.Proven:
		return fmt.Sprintf("passed its gate, not validated (%s)", run)
	}
	return fmt.Sprintf("nothing proven: a candidate that passed no gate (%s)", run)
}

// validated tells a validation, such as "+52.0 Elo [+30.1, +75.2] against huang, 400 games at 1000 nodes a move".
func validated(v *weights.Validation) string {
	return fmt.Sprintf("%s against %s, %d games at %d nodes a move",
		text.Elo(v.Elo, v.EloLow, v.EloHigh), v.Opponent, v.Games, v.Nodes)
}
