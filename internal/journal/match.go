package journal

import (
	"context"
	"encoding/json"
	"fmt"

	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/internal/store"
	"quintune/selfplay"
)

// Match is a match with its stored pairs.
type Match struct {
	*match.Match
	Test   stats.SPRT // zero: all pairs are played
	Engine string     // signature of our engine
	Commit string     // of the program; does not affect games
}

// matchRecord is the stored form of everything that a match depends on.
type matchRecord struct {
	Purpose string         `json:"purpose"`
	Players [2]matchPlayer `json:"players"`
	Rule    string         `json:"rule"`
	Size    int            `json:"size"`
	Nodes   int64          `json:"nodes"` // limit a move, 0: none
	Limits
	Seed     uint64     `json:"seed"`
	Pairs    int        `json:"pairs"`
	Openings string     `json:"openings"`         // their hash
	Test     [2]float64 `json:"test"`             // bounds in nElo, both 0: all pairs are played
	Engine   string     `json:"engine"`           // signature
	Budget   string     `json:"budget,omitempty"` // of a sensitivity: the requested time, in place of Pairs
}

type matchPlayer struct {
	Name     string `json:"name"`
	Identity string `json:"identity"`
}

// OpenMatch opens the journal of a match in the database of all runs in a folder. The name of the match is a
// hash of everything that it depends on.
func OpenMatch(runs string, m *Match) (*Journal, error) {
	record, err := json.Marshal(matchRecord{
		Purpose: m.Purpose, Players: [2]matchPlayer{{m.A.Name, m.A.Identity}, {m.B.Name, m.B.Identity}},
		Rule: m.Rule.String(), Size: m.Size, Nodes: m.Nodes, Limits: LimitsOf(m.TimeControl), Seed: m.Seed,
		Pairs: len(m.Openings), Openings: book.Hash(m.Rule, m.Size, m.Openings),
		Test: [2]float64{m.Test.NElo0, m.Test.NElo1}, Engine: m.Engine,
	})
	if err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	return Open(runs, &Entry{
		Kind: store.KindMatch, Record: record,
		Row: run.Summary{
			Name: "match-" + ID(record), Engine: m.Engine, Commit: m.Commit,
			Start: m.A.Name, Rule: m.Rule.String(), Size: m.Size, Nodes: m.Nodes, Seed: m.Seed, Budget: 2 * len(m.Openings),
		},
	})
}

// Runner returns a runner that reads the stored pairs of a match from the journal. inner plays the others, which
// are then stored. begins, if not nil, is called before the first of these, with the number of stored pairs and
// of all.
func (j *Journal) Runner(inner selfplay.Runner, begins func(stored, all int)) selfplay.Runner {
	return &runner{j, inner, begins}
}

type runner struct {
	journal *Journal
	inner   selfplay.Runner
	begins  func(stored, all int)
}

// Run plays what is not stored of a batch; see selfplay.Runner.
func (r *runner) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	return r.journal.session.Runner(&rest{r, len(b.Pairings)}).Run(ctx, b, done)
}

// rest is the runner for the pairs of a batch that are not stored.
type rest struct {
	runner *runner
	all    int // pairs of the batch
}

// Run plays a batch; see selfplay.Runner.
func (r *rest) Run(ctx context.Context, left *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	if begins := r.runner.begins; begins != nil {
		begins(r.all-len(left.Pairings), r.all)
	}
	return r.runner.inner.Run(ctx, left, done)
}
