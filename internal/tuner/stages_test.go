package tuner

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/selfplay"
)

func TestStages(t *testing.T) {
	for _, test := range []struct {
		name         string
		first, nodes int64
		want         []stage
	}{
		{"none", 0, 1000, []stage{{1000, 7000}}},
		{"one", 1000, 1000, []stage{{1000, 7000}}},
		{"two", 1000, 4000, []stage{{1000, 4666}, {4000, 7000}}},
		{"three", 1000, 16_000, []stage{{1000, 4000}, {4000, 6000}, {16_000, 7000}}},
		{"no power of four", 1000, 10_000, []stage{{1000, 4000}, {4000, 6000}, {10_000, 7000}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := smallConfig(t, 7000)
			c.FirstNodes, c.Nodes = test.first, test.nodes
			if got := c.stages(7000); !slices.Equal(got, test.want) {
				t.Errorf("from %d to %d nodes: %v, want %v", test.first, test.nodes, got, test.want)
			}
		})
	}
}

// noting notes the node limit of every batch by its purpose.
type noting struct {
	selfplay.Runner
	nodes map[string]int64
}

func (n *noting) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	n.nodes[b.Purpose] = b.Nodes
	return n.Runner.Run(ctx, b, done)
}

// staged plays a run, from the state after a number of its steps, and returns the nodes of its batches.
func staged(t *testing.T, c *Config, store *runtest.Store, after int) map[string]int64 {
	t.Helper()
	r := newRun(t, c)
	if after > 0 {
		var err error
		if r, err = Restore(c, store.States[after-1]); err != nil {
			t.Fatal(err)
		}
		r.MakeOpenings, store = matchtest.Openings, &runtest.Store{}
	}
	n := &noting{&matchtest.Runner{Elo: matchtest.Hill(t, 30)}, map[string]int64{}}
	o, err := r.Run(t.Context(), Environment{Runner: n, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	if p := o.Set.Provenance; p.FirstNodes != c.FirstNodes || p.Nodes != c.Nodes {
		t.Errorf("the provenance has %d to %d nodes, want %d to %d", p.FirstNodes, p.Nodes, c.FirstNodes, c.Nodes)
	}
	return n.nodes
}

// Nodes rise from generation to generation, what proves and measures has those of the end, and a stop changes none.
func TestNodesRiseInStages(t *testing.T) {
	for _, inFlight := range []int{0, 3} {
		c := inFlightConfig(t, 1000, inFlight)
		c.FirstNodes, c.Nodes = 100, 1600
		store := &runtest.Store{}
		nodes := staged(t, c, store, 0)
		games := map[int64]int{}
		for i := range store.States[1:] {
			before, after := &store.States[i], &store.States[i+1]
			if n := after.Evolution - before.Evolution; n > 0 {
				games[c.nodesAfter(before.Evolution)] += n
				generation := fmt.Sprintf("generation %d", before.Generations)
				if limit, want := nodes[generation], c.nodesAfter(before.Evolution); limit != want {
					t.Errorf("%d in flight: %s with %d nodes, want %d after %d games", inFlight, generation, limit, want, before.Evolution)
				}
			}
		}
		if !(games[100] > games[400] && games[400] > games[1600] && games[1600] > 0) {
			t.Errorf("%d in flight: games by nodes %v, want half of the games for four times the nodes", inFlight, games)
		}
		seen := map[int64]bool{}
		for purpose, limit := range nodes {
			if generation := strings.TrimPrefix(purpose, "self-check of "); strings.HasPrefix(generation, "generation ") {
				if seen[limit] = true; limit != nodes[generation] {
					t.Errorf("%d in flight: %s with %d nodes, the generation with %d", inFlight, purpose, limit, nodes[generation])
				}
			} else if limit != c.Nodes && limit != deeper*c.Nodes {
				t.Errorf("%d in flight: %s with %d nodes, want %d", inFlight, purpose, limit, c.Nodes)
			}
		}
		if want := map[int64]bool{100: true, 400: true, 1600: true}; !maps.Equal(seen, want) {
			t.Errorf("%d in flight: generations with %v nodes, want %v", inFlight, seen, want)
		}
		for after := 1; after < len(store.States); after += 7 {
			for purpose, limit := range staged(t, c, store, after) {
				if limit != nodes[purpose] {
					t.Errorf("%d in flight, resumed after step %d: %s with %d nodes, want %d", inFlight, after, purpose, limit, nodes[purpose])
				}
			}
		}
	}
}

// In the same time a run with stages plays more games.
func TestStagesCostLess(t *testing.T) {
	c := smallConfig(t, 7000)
	c.Nodes, c.Budget = 16_000, 0 // as before a run has a budget
	alone := c.affordable(10_000)
	c.FirstNodes = 1000
	if cost := c.stageCost(7000); cost != 1750 {
		t.Errorf("4 000 games of 1 000 nodes, 2 000 of 4 000 and 1 000 of 16 000 cost %v of 16 000, want 1 750", cost)
	}
	staged := c.affordable(10_000)
	if staged < 3*alone/2 {
		t.Errorf("%d games with stages, %d without, want half as many more", staged, alone)
	}
	c.WarmStart = .5 // its labels are of the first stage, too
	if fitted := c.affordable(10_000); fitted >= staged || fitted < staged*9/10 {
		t.Errorf("%d games with a fit, %d without, want a tenth fewer at most", fitted, staged)
	}
}

// A greater budget goes on with the nodes of the end.
func TestStagesOfAGreaterBudget(t *testing.T) {
	c := smallConfig(t, 7000)
	c.FirstNodes, c.Nodes = 1000, 4000
	evolution := c.plan(c.Budget).evolution
	cost := c.stageCost(evolution)
	longer, err := c.Extend(run.State{}, 70_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, games := range []int{0, evolution / 2, evolution - 1, evolution, 2 * evolution} {
		if got, want := longer.nodesAfter(games), c.nodesAfter(games); got != want {
			t.Errorf("%d nodes after %d games, before the extension %d", got, games, want)
		}
	}
	if got := longer.stageCost(evolution + 1000); got != cost+1000 {
		t.Errorf("1 000 games more cost %v, want 1 000", got-cost)
	}
}

func TestStagesAreRefused(t *testing.T) {
	for name, first := range map[string]int64{"below": -1, "above the last": 2000} {
		t.Run(name, func(t *testing.T) {
			c := smallConfig(t, 2000)
			c.Nodes, c.FirstNodes = 1000, first
			if _, err := New(c); err == nil || !strings.Contains(err.Error(), "outside [0, 1000]") {
				t.Errorf("first nodes %d: error %v", first, err)
			}
		})
	}
}

// A fit alone would leave little of the stages and is refused in a new run. A stored one goes on.
func TestStagesOfAFitAloneAreRefused(t *testing.T) {
	for _, test := range []struct {
		name, optimizer string
		first           int64
		want            string // part of the error; "": none
	}{
		{"fit alone", "fit", 250, "not for optimizer fit"},
		{"fit alone, one stage", "fit", 1000, ""},
		{"fit alone, no stages", "fit", 0, ""},
		{"another optimizer", "spsa", 250, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := smallConfig(t, 2000).Spec
			s.Optimizer, s.Nodes, s.FirstNodes = test.optimizer, 1000, test.first
			Complete(&s, s.Engine, nil)
			c := open(t, s, nil)
			if err := Check(&c.Spec, nil); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if _, err := New(c); err != nil {
				t.Errorf("stored: %v", err)
			}
		})
	}
}
