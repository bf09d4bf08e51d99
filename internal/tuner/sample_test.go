package tuner

import (
	"context"
	"regexp"
	"testing"

	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
)

// TestEventsCarryGamesAndChampions plays a run with an interim gate, whose champion the final gate meets, against a rival.
func TestEventsCarryGamesAndChampions(t *testing.T) {
	t.Parallel()
	c := smallConfig(t, 30_000)
	c.Anchors[0].Rival = true
	r := newRun(t, c)
	genome := regexp.MustCompile(`^genome [1-9][0-9]*$`)
	names := map[run.Stage]map[string]int{}
	champions := 0
	watch := func(e run.Event) {
		if (e.Last != nil) != (e.Closed && e.Stage == run.StageEvolution) {
			t.Errorf("a champion %v with %+v", e.Last != nil, e)
		}
		if e.Last != nil {
			champions++
		}
		if e.Game == nil {
			return
		}
		if e.Game.Size != c.Size || e.Game.Opening < 1 {
			t.Fatalf("game %+v", e.Game)
		}
		for _, name := range []string{e.Game.Black, e.Game.White} {
			if names[e.Stage] == nil {
				names[e.Stage] = map[string]int{}
			}
			if genome.MatchString(name) {
				name = "genome"
			}
			names[e.Stage][name]++
		}
	}
	o, err := r.Run(context.Background(), Environment{Runner: &matchtest.Runner{Elo: matchtest.Hill(t, 20)}, Store: &runtest.Store{}, Watch: watch})
	if err != nil {
		t.Fatal(err)
	}
	if champions != o.Generations {
		t.Errorf("%d champions in %d generations", champions, o.Generations)
	}
	passed := ""
	for i := range r.state.Gates {
		if g := &r.state.Gates[i]; !g.Final && g.Report.Passed {
			passed = championName(g)
		}
	}
	for stage, want := range map[run.Stage][]string{
		run.StageEvolution:  {"genome", "shapes"},
		run.StageCheck:      {run.Candidate, "huang"},
		run.StageGate:       {run.Candidate, "huang", passed},
		run.StageValidation: {run.Candidate, "huang"},
	} {
		t.Run(string(stage), func(t *testing.T) {
			for _, name := range want {
				if names[stage][name] == 0 {
					t.Errorf("stage %s: nobody was called %q in %v", stage, name, names[stage])
				}
			}
		})
	}
}
