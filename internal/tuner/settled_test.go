package tuner

import (
	"context"
	"strings"
	"testing"

	"quintune/ga"
	"quintune/internal/match/matchtest"
	"quintune/internal/run/runtest"
)

// settling is an optimiser that reports after some generations that it has settled.
type settling struct {
	ga.Optimizer
	after int
}

func (s *settling) Progress() ga.Progress {
	p := s.Optimizer.Progress()
	p.Settled = p.Generation >= s.after
	return p
}

func TestRunEndsWhenNothingMoreIsToBeGained(t *testing.T) {
	c := inFlightConfig(t, 1000, 0)
	r := newRun(t, c)
	r.optimizer = &settling{r.optimizer, 4}
	store := &runtest.Store{}
	o, err := r.Run(context.Background(), Environment{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	last := store.States[len(store.States)-1]
	if !o.Settled || o.Generations != 5 || o.Ended != o.Evolution || last.FinalGate() == nil || o.Validation == nil {
		t.Errorf("settled %v after %d generations, ended at %d of %d games, want 5 generations, a final gate and a validation", o.Settled, o.Generations, o.Ended, o.Evolution)
	}
	if words := strings.Join(last.Verdict("", false).Words, " "); !strings.Contains(words, "twice the games gained less than 15 Elo") {
		t.Errorf("verdict %q", words)
	}
	longer, err := c.Extend(last, 2000)
	if err != nil {
		t.Fatal(err)
	}
	if n := longer.Extended[0].Evolution; n != 0 {
		t.Errorf("the extended run is repeated with an end after %d games, but settles by itself", n)
	}
	r, err = Restore(longer, last)
	if err != nil {
		t.Fatal(err)
	}
	r.MakeOpenings, r.optimizer = matchtest.Openings, &settling{r.optimizer, 4}
	if o, err = r.Run(context.Background(), Environment{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 10)}, Store: store}); err != nil || o.Generations < 8 {
		t.Errorf("with a greater budget the run ends after %d generations; error %v", o.Generations, err)
	}
	last = store.States[len(store.States)-1]
	if words := strings.Join(last.Verdict("", false).Words, " "); o.Settled || strings.Contains(words, "twice the games gained less than 15 Elo") {
		t.Errorf("a run that went on to the end of its budget has the verdict %q", words)
	}
}
