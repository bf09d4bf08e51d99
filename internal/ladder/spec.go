package ladder

import (
	"fmt"
	"time"

	"quintune/internal/journal"
)

// Spec is the stored form of everything that the games of a ladder depend on. The number of pairs is not part of
// it, so a ladder can continue with more pairs.
type Spec struct {
	Players  []Entrant `json:"players"`
	Gauntlet string    `json:"gauntlet"` // argument of the player that meets all others, "" in a round robin
	Rule     string    `json:"rule"`
	Size     int       `json:"size"`
	Nodes    int64     `json:"nodes"` // limit a move, 0: none
	journal.Limits
	Seed     uint64 `json:"seed"`
	Openings string `json:"openings"` // hash of the book
	Engine   string `json:"engine"`   // signature
}

// Entrant is the stored form of a player.
type Entrant struct {
	Argument string `json:"argument"`
	Identity string `json:"identity"`
}

// Spec returns the stored form of the configuration.
func (c *Config) Spec() Spec {
	s := Spec{
		Rule: c.Rule.String(), Size: c.Size, Nodes: c.Nodes,
		Limits: journal.LimitsOf(c.TimeControl),
		Seed:   c.Seed, Openings: c.Book.Hash(), Engine: c.Engine,
	}
	for i, p := range c.Players {
		s.Players = append(s.Players, Entrant{p.Argument, p.Identity})
		if i == c.Gauntlet {
			s.Gauntlet = p.Argument
		}
	}
	return s
}

// differs returns the first difference between the stored ladder and the requested one, "" where there is none.
func (s *Spec) differs(wanted *Spec) string {
	if len(s.Players) != len(wanted.Players) {
		return fmt.Sprintf("%d players, not %d", len(s.Players), len(wanted.Players))
	}
	for i, p := range s.Players {
		q := wanted.Players[i]
		if p.Argument != q.Argument {
			return fmt.Sprintf("player %d %.80q, not %.80q", i+1, p.Argument, q.Argument)
		}
		if p.Identity != q.Identity {
			return fmt.Sprintf("another %.80q: %.80q, not %.80q", p.Argument, p.Identity, q.Identity)
		}
	}
	for _, f := range []struct {
		name       string
		was, wants any
	}{
		{"gauntlet", s.Gauntlet, wanted.Gauntlet},
		{"rule", s.Rule, wanted.Rule},
		{"size", s.Size, wanted.Size},
		{"nodes", s.Nodes, wanted.Nodes},
		{"time", milliseconds(s.TimeMS), milliseconds(wanted.TimeMS)},
		{"tc", milliseconds(s.GameMS), milliseconds(wanted.GameMS)},
		{"tc's increment", milliseconds(s.IncrementMS), milliseconds(wanted.IncrementMS)},
		{"threads", s.Threads, wanted.Threads},
		{"seed", s.Seed, wanted.Seed},
		{"openings", s.Openings, wanted.Openings},
		{"engine signature", s.Engine, wanted.Engine},
	} {
		if f.was != f.wants {
			return fmt.Sprintf("%s %v, not %v", f.name, f.was, f.wants)
		}
	}
	return ""
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
