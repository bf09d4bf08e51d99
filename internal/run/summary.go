// Package run describes runs of the tuner: what a run is asked to do (Spec, Record), its progress (Summary), its
// results (State with Outcome), a closed generation, and events while it is played (Event, Game). Each of these
// is one type with JSON tags, which is stored, streamed, shown and reported.
package run

import (
	"time"

	"quintune/internal/stats"
)

// Summary is a run in a list: what it was asked to do, by which program, and how far it has come. Its fields are the columns of
// the table runs of the database.
type Summary struct {
	Name      string    `json:"name"`
	Hash      string    `json:"run"`                     // of the specification
	Parent    string    `json:"parent"`                  // the run that it was forked from, "" for none
	Engine    string    `json:"engine"`                  // signature
	Schema    string    `json:"schema"`                  // fingerprint of the declared weights
	Commit    string    `json:"commit" column:"program"` // that began it
	GoArch    string    `json:"goarch"`
	GoLevel   string    `json:"golevel"` // GOAMD64 and the like, "" for none
	Start     string    `json:"start"`   // player it began with
	Rule      string    `json:"rule"`
	Size      int       `json:"size"`  // cells on a side
	Nodes     int64     `json:"nodes"` // limit a move
	Optimizer string    `json:"optimizer"`
	Seed      uint64    `json:"seed"`
	Budget    int       `json:"budget"` // games
	Begun     time.Time `json:"begun"`  // for people; nothing is ordered by it
	Progress
}

// Progress is how far a run has come.
type Progress struct {
	Steps       int  `json:"steps"`           // closed
	Games       int  `json:"games"`           // of closed steps
	Generations int  `json:"generations"`     // closed
	Done        bool `json:"done"`            // no step is left
	Open        int  `json:"open" column:"-"` // stored games of steps that are not closed: the open one and generations in flight; counted
}

// AllGames returns the stored games, those of open steps included.
func (p Progress) AllGames() int { return p.Games + p.Open }

// Judgement is the result of a run's gates and validation.
type Judgement struct {
	Verdict string          `json:"verdict"`  // of its gates in the words for people, see match.GateReport.Plain; "" before the first
	Against string          `json:"against"`  // opponent of the validation that is quoted; "" before it
	Measure *stats.Estimate `json:"measured"` // by that validation; null before it
	Played  int64           `json:"measured_games"`
}
