package tuner

import (
	"context"
	"fmt"
	"slices"

	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
)

// Matches of a run that measure its champion: checks and gates. The validation is in validation.go.

// playCheck plays the current champion against the start weights on training openings.
func (r *Run) playCheck(ctx context.Context) error {
	genes := r.optimizer.Champion()
	candidate, err := r.subject.decode(genes)
	if err != nil {
		return err
	}
	m, err := r.match(candidate, r.config.start(), book.Train, r.plan.checkPairs, fmt.Sprintf("check %d", len(r.state.Checks)))
	if err != nil {
		return err
	}
	r.enter(run.StageCheck, m.B.Name, 2*len(m.Openings))
	t, err := r.playMatch(ctx, m, func(match.Tally) { r.pairPlayed() })
	if err != nil {
		return err
	}
	r.addFaults(m.A.Name, m.B.Name, &t)
	r.state.Checks = append(r.state.Checks, run.Check{Games: r.state.Evolution, Pairs: t.Pairs, Genes: genes})
	r.closeStep(t.Games())
	return nil
}

// gate plays the current champion against the last champion that passed a gate, or against the start where none
// has.
func (r *Run) gate(ctx context.Context, final bool) error {
	genes := r.optimizer.Champion()
	candidate, err := r.subject.decode(genes)
	if err != nil {
		return err
	}
	s := &r.state
	opponent := r.config.start()
	if best := s.Proven(); best != nil {
		opponent = r.opponents[len(r.opponents)-1]
	}
	most := r.plan.gateCap(len(s.Gates), s.GateGames(), final)
	m, err := r.match(candidate, opponent, book.Gate, most, run.GatePurpose(len(s.Gates)))
	if err != nil {
		return err
	}
	r.enter(run.StageGate, m.B.Name, 2*len(m.Openings))
	played := &recorder{Runner: r.env.Runner}
	var counted match.Tally
	report, err := m.Gate(ctx, played, r.gateTest(), func(t match.Tally, test *stats.Test) {
		counted = t
		r.meter.judged(t.Pairs, test)
		r.pairPlayed()
	})
	if err != nil {
		return err
	}
	if err := r.selfCheck(ctx, played.batch, played.results[:report.Played()/2]); err != nil {
		return err
	}
	r.addFaults(m.A.Name, m.B.Name, &counted)
	record := run.Gate{Generation: s.Generations, Final: final, Genes: genes, Report: report}
	s.Gates = append(s.Gates, record)
	if report.Passed {
		r.opponents = append(r.opponents, candidate.side(championName(&record)))
		r.optimizer.AddChampion(championName(&record))
		if s.Optimizer, err = r.optimizer.Checkpoint(); err != nil {
			return err
		}
	}
	r.closeStep(report.Played())
	return nil
}

// gateTest returns the test of the next gate.
func (r *Run) gateTest() stats.SPRT {
	before := 0
	for _, e := range r.config.Extended {
		if e.Ended {
			before++
		}
	}
	return match.GateTest(r.plan.gates, before)
}

func championName(g *run.Gate) string { return fmt.Sprintf("generation %d", g.Generation) }

// playMatch plays all pairs of a match of the run, and replays a share of them as a self-check.
func (r *Run) playMatch(ctx context.Context, m *match.Match, watch func(match.Tally)) (match.Tally, error) {
	played := &recorder{Runner: r.env.Runner}
	t, err := m.Play(ctx, played, watch)
	if err != nil {
		return t, err
	}
	return t, r.selfCheck(ctx, played.batch, played.results)
}

// match returns a match over at most the given number of openings of a part, drawn at random for the purpose.
func (r *Run) match(a *point, b match.Side, part book.Part, most int, purpose string) (*match.Match, error) {
	from := r.config.part(part)
	m := r.newMatch(a, b, purpose)
	var err error
	m.Openings, err = from.Series(r.config.Seed, purpose, min(most, len(from.Openings)))
	return m, err
}

// newMatch returns a match under the conditions of the run, without openings.
func (r *Run) newMatch(a *point, b match.Side, purpose string) *match.Match {
	return &match.Match{
		A: a.side(run.Candidate), B: b, Rule: r.config.rule, Size: r.config.Size,
		Nodes: r.config.nodes(), TimeControl: r.config.control(), Seed: r.config.Seed, Purpose: purpose,
	}
}

// recommended returns the last candidate that passed a gate, or the current champion where none has.
func (r *Run) recommended() (*point, error) { return r.subject.decode(r.recommendedGenes()) }

// supersedes reports whether the result of the run may replace the values. They are the start, the result itself, what the run
// delivered without a gate before it got a greater budget, or a champion that passed a gate: every later one had to win against it.
func (r *Run) supersedes(values []float64) bool {
	known := [][]float64{r.config.startValues()}
	add := func(genes []float64) {
		if p, err := r.subject.decode(genes); err == nil {
			known = append(known, p.values)
		}
	}
	for i := range r.state.Gates {
		if g := &r.state.Gates[i]; g.Report.Passed {
			add(g.Genes)
		}
	}
	add(r.state.Delivered)
	add(r.recommendedGenes())
	return slices.ContainsFunc(known, func(k []float64) bool { return slices.Equal(k, values) })
}

func (r *Run) recommendedGenes() []float64 {
	if best := r.state.Proven(); best != nil {
		return best.Genes
	}
	return r.optimizer.Champion()
}
