package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"

	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/weights"
)

// purposeSensitivity is the purpose of the matches of a sensitivity, which one journal keeps together.
const purposeSensitivity = "sensitivity"

// OpenSensitivity opens the journal of the matches that show which weights of a run mattered, with a number of games in all.
// It is named by the run, how far that has come, the games and the engine; its batches are kept in their order.
func OpenSensitivity(runs string, of *run.Summary, games int, engine, commit string) (*Journal, error) {
	record, err := json.Marshal(matchRecord{
		Purpose: purposeSensitivity, Players: [2]matchPlayer{{of.Name, fmt.Sprintf("%s after %d steps", of.Hash, of.Steps)}},
		Rule: of.Rule, Size: of.Size, Nodes: of.Nodes, Seed: of.Seed, Pairs: games / 2, Engine: engine,
	})
	if err != nil {
		return nil, fmt.Errorf("sensitivity: %w", err)
	}
	id := ID(record)
	name := purposeSensitivity + "-" + id
	return Open(runs, &Entry{
		Kind: store.KindMatch, Record: record,
		Row: run.Summary{
			Name: name, Hash: id, Engine: engine, Schema: weights.Fingerprint(), Commit: commit, GoArch: runtime.GOARCH,
			Start: of.Name, Rule: of.Rule, Size: of.Size, Nodes: of.Nodes, Seed: of.Seed, Budget: games / 2 * 2, Begun: time.Now(),
		},
		Check: func(stored []byte) error {
			if !bytes.Equal(stored, record) {
				return errors.New(name + " holds other matches: name another folder with --runs")
			}
			return nil
		},
	})
}
