package session

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"quintune/internal/player"
	"quintune/pattern"
	"quintune/search"
)

// Seat says who plays a colour. The zero value is a person.
type Seat struct {
	Player   *player.Player // nil: a person
	Strength Strength       // of the player
}

// Person reports whether a person plays, who enters the moves.
func (s Seat) Person() bool { return s.Player == nil }

// Name returns the player's name, which is fit for a terminal, with the strength; "a person" for people.
func (s Seat) Name() string {
	if s.Person() {
		return "a person"
	}
	return fmt.Sprintf("%s, %v", Label(s.Player), s.Strength)
}

// Label returns a player's name as boards show it: weights by their own name, and where they come from.
func Label(p *player.Player) string {
	if chosen := p.Chosen(); chosen != p {
		return fmt.Sprintf("%s in place of %s", p.Name, chosen.Name)
	}
	if p.Weights == nil || p.Weights.Name == "" || p.Weights.Name == p.Name {
		return p.Name
	}
	return fmt.Sprintf("%s (%s)", p.Weights.Name, p.Name)
}

// OnBoard returns the seat as it plays on such a board; see player.OnBoard. It is an error when the player cannot play so.
func (s Seat) OnBoard(size int, rule pattern.Rule) (Seat, error) {
	if s.Person() {
		return s, nil
	}
	var err error
	if s.Player, err = s.Player.OnBoard(size, rule); err != nil {
		return s, err
	}
	return s, s.check(size, rule)
}

// check returns an error when the player cannot play so on such a board.
func (s Seat) check(size int, rule pattern.Rule) error {
	if err := s.Strength.Check(); err != nil {
		return err
	}
	if s.Player.Weights != nil {
		return nil
	}
	if s.Strength.weak() {
		return fmt.Errorf("%s has no levels: they are of our own engine", s.Player.Name)
	}
	if s.Player.External() {
		return nil // its process refuses the board when the game begins
	}
	rival, err := s.Player.Open(size, rule, s.Strength.Limits())
	return errors.Join(err, closePlayer(rival))
}

// Strength is how well an engine may play: all of its limits count.
type Strength struct {
	Level search.Level  // 1 to search.MaxLevel; 0: MaxLevel, which adds no limit
	Nodes int64         // a move, 0: no limit
	Time  time.Duration // a move, 0: no limit
}

// Bounds of a strength.
const (
	DefaultTime = time.Second // where nothing limits a move
	MaxTime     = time.Hour
)

// Limits returns the limits of a move; DefaultTime where there would be none.
func (s Strength) Limits() search.Limits {
	l := search.Limits{Nodes: s.Nodes, Time: s.Time}
	if l.Nodes == 0 && l.Time == 0 {
		l.Time = DefaultTime
	}
	return l
}

func (s Strength) level() search.Level {
	if s.Level == 0 {
		return search.MaxLevel
	}
	return s.Level
}

// weak reports whether the level is below the limits.
func (s Strength) weak() bool { return s.level() < search.MaxLevel }

// Check returns an error that names the bound which the strength breaks.
func (s Strength) Check() error {
	switch {
	case s.Level < 0 || s.Level > search.MaxLevel:
		return fmt.Errorf("level is %d, outside [1, %d]", s.Level, search.MaxLevel)
	case s.Nodes < 0:
		return fmt.Errorf("nodes are %d, less than 0", s.Nodes)
	case s.Time < 0 || s.Time > MaxTime:
		return fmt.Errorf("time a move is %v, outside [0, %v]", s.Time, MaxTime)
	}
	return nil
}

// String returns the strength for people: "level 3", "20000 nodes", "1s a move".
func (s Strength) String() string {
	var parts []string
	if s.weak() {
		parts = append(parts, fmt.Sprintf("level %d", s.Level))
	}
	if s.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("%d nodes", s.Nodes))
	}
	if s.Time > 0 || len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("%v a move", s.Limits().Time))
	}
	return strings.Join(parts, ", ")
}
