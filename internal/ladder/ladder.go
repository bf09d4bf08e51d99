// Package ladder ranks players by a tournament: everybody against everybody, or one player against all, in pairs
// over balanced openings. A journal stores the finished pairs, so an interrupted ladder can continue. The
// standing is a function of the finished pairs only.
package ladder

import (
	"context"
	"errors"
	"fmt"

	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/selfplay"
)

// Player is a player of the ladder.
type Player struct {
	Argument string // as given, different for all players of a ladder
	Name     string // for people
	Identity string // identifies what plays under the argument, such as a hash of weights
	Unit     string // what a node limit counts, "" for a player that ignores it
	// Contestant plays. Its games are a function of seed and opening where the limit is of nodes.
	Contestant selfplay.Contestant
}

// AllPlayAll is the Gauntlet of a round robin.
const AllPlayAll = -1

// Config describes a ladder.
type Config struct {
	Players     []Player // at least 2
	Gauntlet    int      // index of the player that meets all others, while they do not meet each other, or AllPlayAll
	Pairs       int      // of every pairing
	Rule        pattern.Rule
	Size        int                // cells on a side
	Nodes       int64              // limit a move, 0: none
	TimeControl player.TimeControl // time and threads that the contestants were made for
	Seed        uint64
	Book        *book.Book // every pairing draws its openings from it, none twice
	Engine      string     // signature of our engine
	Commit      string     // of the program; does not affect games
}

// Pairing is two players that meet, by index.
type Pairing struct{ A, B int }

// Ladder is a tournament that is played or will be. Not safe for concurrent use.
type Ladder struct {
	config   Config
	pairings []Pairing
	openings [][]book.Opening // [pairing][pair]
	seeds    [][]uint64       // [pairing][pair]
	played   map[place]*selfplay.Result
}

// place is a pair of a ladder.
type place struct{ pairing, pair int }

// New returns a ladder before its first game. Its error names what is wrong with the configuration, such as more pairs
// than the book has openings.
func New(c Config) (*Ladder, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	l := &Ladder{config: c, pairings: c.pairings(), played: map[place]*selfplay.Result{}}
	for _, p := range l.pairings {
		purpose := fmt.Sprintf("ladder %s against %s", c.Players[p.A].Argument, c.Players[p.B].Argument)
		openings, err := c.Book.Series(c.Seed, purpose, c.Pairs)
		if err != nil {
			return nil, err
		}
		l.openings = append(l.openings, openings)
		rng := stream.New(c.Seed, "seeds %s", purpose)
		seeds := make([]uint64, c.Pairs)
		for i := range seeds {
			seeds[i] = rng.Uint64()
		}
		l.seeds = append(l.seeds, seeds)
	}
	return l, nil
}

func (c *Config) check() error {
	if len(c.Players) < 2 {
		return fmt.Errorf("ladder: %d players, fewer than 2", len(c.Players))
	}
	seen := map[string]bool{}
	for _, p := range c.Players {
		if seen[p.Argument] {
			return fmt.Errorf("ladder: player %s is given twice", p.Name)
		}
		seen[p.Argument] = true
	}
	if c.Gauntlet < AllPlayAll || c.Gauntlet >= len(c.Players) {
		return fmt.Errorf("ladder: the gauntlet is of player %d, outside [0, %d)", c.Gauntlet, len(c.Players))
	}
	if c.Pairs < 1 {
		return fmt.Errorf("ladder: %d pairs of every pairing, fewer than 1", c.Pairs)
	}
	if (c.Nodes > 0) == (c.TimeControl.Move > 0 || c.TimeControl.Game > 0) {
		return errors.New("ladder: a move needs either a limit of nodes or one of time")
	}
	return nil
}

// pairings returns the pairings of all players.
func (c *Config) pairings() []Pairing {
	var list []Pairing
	for b := range c.Players {
		for a := range b {
			switch c.Gauntlet {
			case AllPlayAll, a:
				list = append(list, Pairing{a, b})
			case b:
				list = append(list, Pairing{b, a})
			}
		}
	}
	return list
}

// Pairs returns the number of pairs that are finished, and of all.
func (l *Ladder) Pairs() (finished, all int) {
	return len(l.played), len(l.pairings) * l.config.Pairs
}

// Play plays the remaining pairs and stores every finished pair in the journal, if there is one. watch, if not
// nil, is called after each pair. When ctx is done it returns its error; finished pairs stay.
//
// Games are played to the end: a side that can prove a win might not have won.
func (l *Ladder) Play(ctx context.Context, runner selfplay.Runner, j *Journal, watch func()) error {
	batch, places := l.all()
	left := *batch
	left.Pairings = nil
	var indices []int // in the whole batch
	for i, at := range places {
		if l.played[at] == nil {
			left.Pairings = append(left.Pairings, batch.Pairings[i])
			indices = append(indices, i)
		}
	}
	if len(indices) == 0 {
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var failed error
	_, err := runner.Run(ctx, &left, func(k int, r *selfplay.Result) {
		if failed != nil {
			return
		}
		i := indices[k]
		if j != nil {
			if failed = j.add(i, batch.Pairings[i], r); failed != nil {
				stop()
				return
			}
		}
		l.played[places[i]] = r
		if watch != nil {
			watch()
		}
	})
	if failed != nil {
		return failed
	}
	return err
}

// all returns all pairs and their places. The first pair of every pairing comes first, then the second of every
// pairing, so an interrupted ladder treats all players alike. The index of a pair does not depend on the number
// of pairs.
func (l *Ladder) all() (*selfplay.Batch, []place) {
	c := &l.config
	b := &selfplay.Batch{
		Rule: c.Rule, Size: c.Size, Nodes: max(1, c.Nodes), // a batch has a node limit, which players under a clock ignore
		PlayOut: true, Purpose: "ladder",
	}
	for _, p := range c.Players {
		b.Contestants = append(b.Contestants, p.Contestant)
	}
	var places []place
	for pair := range c.Pairs {
		for i, p := range l.pairings {
			b.Pairings = append(b.Pairings, selfplay.Pairing{A: p.A, B: p.B, Opening: l.openings[i][pair].Moves, Seed: l.seeds[i][pair]})
			places = append(places, place{i, pair})
		}
	}
	return b, places
}

// tally counts the finished pairs of a pairing, seen from A.
func (l *Ladder) tally(pairing int) match.Tally {
	var t match.Tally
	for pair := range l.config.Pairs {
		if r := l.played[place{pairing, pair}]; r != nil {
			t.Add(r)
		}
	}
	return t
}

// Games returns the games of the finished pairs as they are written down, pairing by pairing.
func (l *Ladder) Games() []record.Game {
	c := &l.config
	var games []record.Game
	for i, p := range l.pairings {
		m := match.Match{
			A: match.Side{Name: c.Players[p.A].Name}, B: match.Side{Name: c.Players[p.B].Name},
			Rule: c.Rule, Size: c.Size, Nodes: c.Nodes, TimeControl: c.TimeControl, Openings: l.openings[i], Purpose: "ladder",
		}
		for pair := range c.Pairs {
			if r := l.played[place{i, pair}]; r != nil {
				games = append(games, m.Games(pair, r)...)
			}
		}
	}
	return games
}
