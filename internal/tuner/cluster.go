package tuner

import (
	"context"
	"fmt"

	"quintune/internal/run"
	"quintune/selfplay"
)

// Cluster plays pairs on workers that may send false results. It may find that results which it has returned
// before are forged. Several batches may be played at the same time; their field Order decides which comes
// first.
type Cluster interface {
	selfplay.Runner
	// Mark stores a state to which Rewind can return.
	Mark(state []byte) error
	// Settle plays pairs in doubt again. Like Run, it returns an error that Rewind understands when results were forged.
	Settle(ctx context.Context) error
	// Rewind takes an error of Run or Settle. If it reports forged results, Rewind forgets what was played since the first
	// of them, and returns the last state marked before it. For other errors forged is false, and failure is the error.
	Rewind(err error) (state []byte, forged bool, failure error)
}

// RewindableStore is a Store that can return to an earlier state.
type RewindableStore interface {
	Store
	// Mark returns the state, with the number of closed steps, in the form that Rewind takes.
	Mark(s run.State) ([]byte, error)
	// Rewind returns to a mark, as if no later step had been played, and returns its state.
	Rewind(marked []byte) (run.State, error)
}

// RunOn plays the run on a cluster; see Run.Run. If accepted results turn out to be forged, the run returns to
// the last state before them.
func RunOn(ctx context.Context, c Cluster, r *Run, store RewindableStore, env Environment) (*Outcome, error) {
	marked := &markedStore{store, c}
	env.Runner, env.Audited, env.Overlap, env.Settle, env.Store = c, true, true, c.Settle, marked
	if err := marked.mark(r.state); err != nil {
		return nil, err
	}
	for {
		o, err := r.Run(ctx, env)
		if err == nil {
			return o, nil
		}
		data, forged, failure := c.Rewind(err)
		if failure != nil || !forged {
			return o, failure
		}
		if failure := dropLabels(env.Labels); failure != nil { // before the steps: a kill in between leaves no forged label
			return nil, failure
		}
		state, failure := store.Rewind(data)
		if failure != nil {
			return nil, failure
		}
		if env.Warn != nil {
			env.Warn(fmt.Sprintf("the run goes back to before the first forged result, after generation %d and %d games: %v", state.Generations, state.Games, err))
		}
		if r, failure = Restore(r.config, state); failure != nil {
			return nil, failure
		}
	}
}

// markedStore marks every stored state in the cluster, so that the run can return to it.
type markedStore struct {
	RewindableStore
	cluster Cluster
}

// SaveState closes a step; see Store.
func (m *markedStore) SaveState(s run.State, closed *run.Generation) error {
	if err := m.RewindableStore.SaveState(s, closed); err != nil {
		return err
	}
	return m.mark(s)
}

func (m *markedStore) mark(s run.State) error {
	data, err := m.Mark(s)
	if err != nil {
		return err
	}
	if err := m.cluster.Mark(data); err != nil {
		return fmt.Errorf("tuner: %w", err)
	}
	return nil
}
