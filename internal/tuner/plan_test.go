package tuner

import (
	"testing"
	"time"

	"quintune/internal/engine"
	"quintune/internal/run"
	"quintune/internal/stats"
)

// Check matches come at even distances. A generation that passes several of their points has one. After an
// extension, the points of the new plan that lie ahead count.
func TestChecksAreDue(t *testing.T) {
	for _, test := range []struct {
		name       string
		generation int // evolution games of each generation after the first
		first      int
		budgets    []int
		want       []int // number of checks after each budget
	}{
		{"small generations", 100, 100, []int{60_000}, []int{mostChecks}},
		{"a first one past four points", 100, 8_000, []int{60_000}, []int{mostChecks - 3}},
		{"great generations", 5_000, 5_000, []int{60_000}, []int{8}},
		{"twice the budget", 100, 100, []int{60_000, 120_000}, []int{mostChecks, 10}},
		{"eight times the budget", 100, 100, []int{60_000, 480_000}, []int{mostChecks, 17}},
		{"an odd budget", 100, 100, []int{60_001}, []int{mostChecks}},
		{"an odd share of the gates", 100, 100, []int{60_008}, []int{mostChecks}},
		{"too short for any", 10, 10, []int{200}, []int{0}},
		{"the greatest budget", 1_000_000, 1_000_000, []int{run.MaxBudget}, []int{mostChecks}},
	} {
		t.Run(test.name, func(t *testing.T) {
			evolution, done := 0, []run.Check(nil)
			for i, budget := range test.budgets {
				p, played := planFor(budget, true, 0, false), 0
				if p.evolution%2 != 0 {
					t.Errorf("a budget of %d leaves %d games for the evolution, which come in pairs", budget, p.evolution)
				}
				for step := test.first; evolution < p.evolution; step = test.generation {
					evolution += min(step, p.evolution-evolution)
					for p.checkDue(done, evolution) {
						done = append(done, run.Check{Games: evolution, Pairs: stats.Pentanomial{2: int64(p.checkPairs)}})
						played++
					}
				}
				if played != test.want[i] {
					t.Errorf("%s: %d check matches with a budget of %d, want %d", test.name, played, budget, test.want[i])
				}
			}
		})
	}
}

// Shares is what `tune engine check` promises: a run of an engine, with limited time or without, plays these games.
func TestSharesAreThoseOfARun(t *testing.T) {
	for name, limit := range map[string]time.Duration{"nodes": 0, "time": time.Second} {
		t.Run(name, func(t *testing.T) {
			c := &Config{Tuned: &Outside{File: &engine.File{Time: limit}}}
			p := c.plan(60_000)
			evolution, gates, validation := Shares(60_000, limit > 0)
			if evolution != p.evolution || gates != p.gateGames || validation != 2*p.validationPairs {
				t.Errorf("%d games of evolution, %d of gates, %d of the validation, want those of the plan %+v", evolution, gates, validation, p)
			}
		})
	}
}
