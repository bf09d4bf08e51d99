package tuner

import (
	"context"
	"fmt"

	"quintune/internal/run"
	"quintune/selfplay"
)

// Cluster plays pairs on workers that may lie: it may find results forged that it has handed on before. Several batches may be played
// at the same time, in their Order.
type Cluster interface {
	selfplay.Runner
	// Mark keeps a state to come back to.
	Mark(state []byte) error
	// Settle plays again what is in doubt. Its error may stand for forged results, as those of Run may.
	Settle(ctx context.Context) error
	// Rewind forgets what was played since the first forged result that the error stands for, and returns the last
	// state that was marked before it. forged is false for an error that stands for something else.
	Rewind(err error) (state []byte, forged bool, failure error)
}

// Folder is a Store that can go back.
type Folder interface {
	Store
	// Mark returns the state with the number of closed steps, to come back to with Rewind.
	Mark(s run.State) ([]byte, error)
	// Rewind goes back to a mark, as if no later step had been played, and returns its state.
	Rewind(marked []byte) (run.State, error)
}

// RunOn plays the run on a cluster; see Run.Run. Where results of a worker turn out to be forged after they were accepted,
// the run goes back to the last state before them.
func RunOn(ctx context.Context, c Cluster, r *Run, f Folder, s Setting) (*Outcome, error) {
	marked := &markedStore{f, c}
	s.Runner, s.Audited, s.Overlap, s.Store = c, true, true, marked
	if err := marked.mark(r.state); err != nil {
		return nil, err
	}
	for {
		o, err := r.Run(ctx, s)
		if err == nil {
			err = c.Settle(ctx)
		}
		if err == nil {
			return o, nil
		}
		data, forged, failure := c.Rewind(err)
		if failure != nil || !forged {
			return o, failure
		}
		state, failure := f.Rewind(data)
		if failure != nil {
			return nil, failure
		}
		if s.Warn != nil {
			s.Warn(fmt.Sprintf("the run goes back to before the first forged result, after generation %d and %d games: %v", state.Generations, state.Games, err))
		}
		if r, failure = Restore(r.config, state); failure != nil {
			return nil, failure
		}
	}
}

// markedStore tells the cluster of every state that is stored, so that the run can come back to it.
type markedStore struct {
	Folder
	cluster Cluster
}

// SaveState closes a step; see Store.
func (m *markedStore) SaveState(s run.State, closed *run.Generation) error {
	if err := m.Folder.SaveState(s, closed); err != nil {
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
