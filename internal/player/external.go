package player

import (
	"fmt"
	"os"
	"strings"

	"quintune/internal/engine"
	"quintune/internal/gomocup"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/search"
)

// parseExternal returns the player of a Gomocup engine.
func parseExternal(argument string) (*Player, error) {
	command := strings.TrimPrefix(argument, gomocupPrefix)
	if _, err := gomocup.SplitCommand(command); err != nil {
		return nil, argumentError{fmt.Errorf("player %.80q: %w", argument, err)}
	}
	return &Player{Name: text.Ends(argument, maxName), Unit: engineUnit, command: command}, nil
}

// cutValues splits FILE@VALUES; given is false for FILE alone. Folders may have the mark in their names: the first one behind the
// name of a file counts.
func cutValues(text string) (path, values string, given bool) {
	for i := range text {
		if strings.HasPrefix(text[i:], valuesMark) && fileExists(text[:i]) {
			return text[:i], text[i+len(valuesMark):], true
		}
	}
	if fileExists(text) {
		return text, "", false
	}
	return strings.Cut(text, valuesMark)
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// parseTuned returns the player of an engine file, with its start values or those of a values file.
func parseTuned(argument string) (*Player, error) {
	path, result, given := cutValues(strings.TrimPrefix(argument, enginePrefix))
	f, err := engine.Read(path)
	if err != nil {
		return nil, fmt.Errorf("player %.80q: %w", argument, err)
	}
	p := &Player{Name: text.Ends(argument, maxName), tuned: f, values: f.Start()}
	if f.Time == 0 {
		p.Unit = engineUnit
	}
	if given {
		r, err := f.ReadResult(result)
		if err != nil {
			return nil, fmt.Errorf("player %.80q: %w", argument, err)
		}
		p.values = r.Values
	}
	return p, nil
}

// External reports whether the player is an engine in a process of its own, behind the Gomocup protocol.
func (p *Player) External() bool { return p.command != "" || p.tuned != nil }

// testMemory is the limit of memory of a command line's engine under test, bytes: for our own builds it leaves a TT as large
// as that of self-play beside the 32 MiB of the program.
const testMemory = 32<<20 + search.DefaultTableEntries*search.EntryBytes

// UnderTest returns the player for tests of many games with a node limit. The engine of a command line gets as much
// memory for its TT as our own has in self-play. A win that it announces ends the game if our solvers confirm it. For
// an engine file its own memory and wins count, and other players are not changed.
func (p *Player) UnderTest() *Player {
	tested := *p
	tested.underTest = true
	return &tested
}

// conditions are those of the games of an external engine.
func (p *Player) conditions(size int, rule pattern.Rule, limits search.Limits, control TimeControl) engine.Conditions {
	c := engine.Conditions{Size: size, Rule: rule, Limits: gomocup.GameLimits{
		Turn: control.Move, Match: control.Game, Increment: control.Increment,
		Nodes: limits.Nodes, Threads: control.Threads,
	}}
	if p.underTest { // an engine file replaces both
		c.Limits.Memory, c.Wins = testMemory, engine.Confirmed
	}
	return c
}
