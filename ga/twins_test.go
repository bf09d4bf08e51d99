package ga

import (
	"errors"
	"testing"

	"github.com/MaxHalford/eaopt"
)

// Eaopt's own crossover leaves the second child marked as evaluated, with its parent's fitness. Here every twin must earn its own,
// whatever its centre has earned, and the centre keeps what it has.
func TestTwinsCarryNoFitness(t *testing.T) {
	centre := &twin{point: make([]float64, 10), away: make([]float64, 10), score: .25, played: true}
	pop := eaopt.Population{Individuals: eaopt.Individuals{{Genome: centre}}}
	model := &coupling{seed: 1, generation: 1, widths: []float64{.1, .1, .05}}
	if err := model.Apply(&pop); err != nil {
		t.Fatal(err)
	}
	if len(pop.Individuals) != 6 {
		t.Fatalf("%d twins of three couples, want 6", len(pop.Individuals))
	}
	for i := range pop.Individuals {
		if err := pop.Individuals[i].Evaluate(); !errors.Is(err, errUnplayed) {
			t.Errorf("twin %d evaluates to %v without games (error %v)", i, pop.Individuals[i].Fitness, err)
		}
	}
	if fitness, err := centre.Evaluate(); err != nil || fitness != -.25 {
		t.Errorf("the centre evaluates to %v, error %v, want -.25", fitness, err)
	}
}

// The operators themselves drop what was earned, on both sides, also when eaopt calls them.
func TestOperatorsDropScoresOnBothSides(t *testing.T) {
	couple := make([]*twin, 2)
	for i := range couple {
		couple[i] = &twin{point: make([]float64, 5), away: make([]float64, 5), width: .1, score: .5, played: true}
	}
	rng := streamV1(1, "test")
	individual := eaopt.Individual{Genome: couple[0]}
	individual.Mutate(rng)
	individual.Crossover(eaopt.Individual{Genome: couple[1]}, rng)
	for i, twin := range couple {
		if twin.played || twin.score != 0 {
			t.Errorf("twin %d kept a score of %v", i, twin.score)
		}
	}
}
