package tuner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quintune/internal/engine"
	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// Without a gate a run that got a greater budget replaces what it delivered before, also if it was interrupted in between, when its
// champion had moved. It does not replace what somebody else has written meanwhile.
func TestInterruptedExtensionReplacesItsOwnResult(t *testing.T) {
	c := smallConfig(t, 500)
	c.NoGate = true
	elo := matchtest.Hill(t, 20)
	path := filepath.Join(t.TempDir(), "weights.json")
	// part plays a run until a number of steps is stored, 0: to its end. It returns the last state as it is read again.
	part := func(r *Run, steps int) (d Delivery, state run.State) {
		t.Helper()
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		store := &runtest.Store{OnSave: func(saves int) {
			if saves == steps {
				cancel(errStopped)
			}
		}}
		d = r.Delivery(path)
		_, err := r.Run(ctx, Environment{Runner: &matchtest.Runner{Elo: elo}, Store: store, Deliver: d.Deliver})
		if (err != nil) != (steps > 0) || err != nil && !errors.Is(err, errStopped) {
			t.Fatal(err)
		}
		data, err := json.Marshal(store.States[len(store.States)-1])
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &state); err != nil {
			t.Fatal(err)
		}
		return d, state
	}
	restore := func(c *Config, state run.State) *Run {
		t.Helper()
		r, err := Restore(c, state)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	d, state := part(newRun(t, c), 0)
	if !d.Done {
		t.Fatal("the first budget delivered nothing")
	}
	longer, err := c.Extend(state, 3000)
	if err != nil {
		t.Fatal(err)
	}
	delivered := restore(longer, state).optimizer.Champion()
	_, state = part(restore(longer, state), 4)
	if slices.Equal(restore(longer, state).optimizer.Champion(), delivered) {
		t.Fatal("the champion has not moved before the interruption")
	}
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d, _ = part(restore(longer, state), 0); !d.Done || d.Kept {
		t.Errorf("the extended run replaced its own result: %v, kept it: %v", d.Done, d.Kept)
	}
	if kept, err := os.ReadFile(path + ".bak"); string(kept) != string(old) {
		t.Errorf("the first result is not in .bak: %v", err)
	}
	if err := os.WriteFile(path, longer.Anchors[0].Weights, 0o600); err != nil {
		t.Fatal(err)
	}
	if d, _ = part(restore(longer, state), 0); d.Done || !d.Kept {
		t.Errorf("the weights of somebody else were replaced: %v, kept: %v", d.Done, d.Kept)
	}
}

// After a rollback on a cluster another Run has come to the result than the one that the delivery was made by.
func TestDeliveryAsksTheRunOfTheResult(t *testing.T) {
	c := smallConfig(t, 500)
	c.NoGate = true
	path := filepath.Join(t.TempDir(), "weights.json")
	d := newRun(t, c).Delivery(path)
	deliver := func(o *Outcome) error {
		if err := os.WriteFile(path, o.File, 0o600); err != nil { // as before a kill, after which it is delivered again
			return err
		}
		return d.Deliver(o)
	}
	if _, err := newRun(t, c).Run(t.Context(), Environment{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, Store: &runtest.Store{}, Deliver: deliver}); err != nil {
		t.Fatal(err)
	}
	if d.Kept || !d.Done {
		t.Errorf("the file holds the result: kept %v, done %v", d.Kept, d.Done)
	}
}

// Where somebody writes the numbers of the start while the run is played, they are the start's only on the same board.
func TestEqualNumbersOfAnotherBoardAreKept(t *testing.T) {
	start := weightstest.Preset(t, "huang")
	board := func(size int) []byte {
		set := *start
		set.Size = size
		data, err := weights.Marshal(&set)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var other engine.Result
	for i, v := range start.Floats() {
		other.Values = append(other.Values, engine.Value{Name: fmt.Sprintf("p%d", i), Number: v})
	}
	values, err := other.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		file []byte
		kept bool
	}{
		{"the start", board(15), false},
		{"another board", board(20), true},
		{"another engine", values, true},
	} {
		for _, resumed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, resumed %v", test.name, resumed), func(t *testing.T) {
				c := smallConfig(t, 500)
				c.NoGate = true
				path := filepath.Join(t.TempDir(), "weights.json")
				write := func() {
					if err := os.WriteFile(path, test.file, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if resumed { // the file is there when the run goes on
					write()
				}
				r := newRun(t, c)
				d := r.Delivery(path)
				write()
				if _, err := r.Run(t.Context(), Environment{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, Store: &runtest.Store{}, Deliver: d.Deliver}); err != nil {
					t.Fatal(err)
				}
				if d.Kept != test.kept || d.Done == test.kept {
					t.Errorf("kept: %v, replaced: %v, want kept: %v", d.Kept, d.Done, test.kept)
				}
			})
		}
	}
}
