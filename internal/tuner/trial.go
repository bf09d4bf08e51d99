package tuner

import (
	"context"
	"fmt"

	"quintune/internal/book"
	"quintune/internal/stats"
	"quintune/selfplay"
	"quintune/weights"
)

// This file holds the matches of a run that judge: checks, gates, the validation.

// check plays the champion of the moment against the start weights on training openings.
func (r *Run) check(ctx context.Context) error {
	candidate, err := r.space.Decode(r.optimizer.Champion())
	if err != nil {
		return err
	}
	number := len(r.state.Checks)
	m, err := r.match(candidate, r.config.start(), book.Train, r.plan.checkPairs, fmt.Sprintf("check %d", number))
	if err != nil {
		return err
	}
	r.enter(StageCheck, 2*len(m.Openings))
	t, err := m.Play(ctx, r.setting.Runner, func(Tally) { r.pairPlayed() })
	if err != nil {
		return err
	}
	r.state.Checks = append(r.state.Checks, Check{Games: r.state.Evolution, Pairs: t.Pairs})
	r.closeStep(t.Games())
	return nil
}

// gate plays the champion of the moment against the best that passed before, at first the start.
func (r *Run) gate(ctx context.Context, final bool) error {
	genes := r.optimizer.Champion()
	candidate, err := r.space.Decode(genes)
	if err != nil {
		return err
	}
	s := &r.state
	opponent := r.config.start()
	if best := s.proven(); best != nil {
		opponent = Side{championName(best), selfplay.Contestant{Weights: r.anchors[len(r.anchors)-1]}}
	}
	most := r.plan.gateCap(len(s.Gates), s.gateGames(), final)
	m, err := r.match(candidate, opponent, book.Gate, most, fmt.Sprintf("gate %d", len(s.Gates)))
	if err != nil {
		return err
	}
	r.enter(StageGate, 2*len(m.Openings))
	report, err := m.Gate(ctx, r.setting.Runner, GateTest(r.plan.gates), func(t Tally, test *stats.Test) {
		r.meter.judged(t.Pairs, test)
		r.pairPlayed()
	})
	if err != nil {
		return err
	}
	record := GateRecord{Generation: s.Generations, Final: final, Genes: genes, Report: report}
	s.Gates = append(s.Gates, record)
	if report.Passed {
		r.anchors = append(r.anchors, candidate)
		r.optimizer.AddChampion(championName(&record))
		if s.Optimizer, err = r.optimizer.Checkpoint(); err != nil {
			return err
		}
	}
	r.closeStep(report.games())
	return nil
}

// candidateName is what the champion of the moment is called in matches.
const candidateName = "candidate"

func championName(g *GateRecord) string { return fmt.Sprintf("generation %d", g.Generation) }

// validate plays what the run recommends against the start weights on openings made for this run.
func (r *Run) validate(ctx context.Context) error {
	candidate, err := r.recommended()
	if err != nil {
		return err
	}
	r.enter(StageValidation, 2*r.plan.validationPairs)
	m := r.pairing(candidate, r.config.start())
	m.Seed += uint64(len(r.config.Extended)) // an extended run has been seen on the openings before
	made, err := r.validation(ctx, r.config.Book, m.Seed, r.plan.validationPairs, nil)
	if err != nil {
		return err
	}
	m.Openings = made.Openings
	t, err := m.Play(ctx, r.setting.Runner, func(t Tally) {
		r.meter.judged(t.Pairs, nil)
		r.pairPlayed()
	})
	if err != nil {
		return err
	}
	report := m.Report(t)
	r.state.Validation = &report
	r.closeStep(t.Games())
	return nil
}

// match returns a match over at most so many openings of a part, drawn for the purpose.
func (r *Run) match(a *weights.Set, b Side, part book.Part, most int, purpose string) (*Match, error) {
	from := r.config.Book.Part(part)
	m := r.pairing(a, b)
	var err error
	m.Openings, err = from.Series(r.config.Seed, purpose, min(most, len(from.Openings)))
	return m, err
}

// pairing returns a match under the conditions of the run, without openings.
func (r *Run) pairing(a *weights.Set, b Side) *Match {
	candidate := Side{Name: candidateName, Player: selfplay.Contestant{Weights: a}}
	return &Match{
		A: candidate, B: b, Rule: r.config.Rule, Size: r.config.Size,
		Nodes: r.config.Nodes, Seed: r.config.Seed,
	}
}

// recommended returns the last candidate that passed a gate, or else the champion of the moment.
func (r *Run) recommended() (*weights.Set, error) {
	if best := r.state.proven(); best != nil {
		return r.space.Decode(best.Genes)
	}
	return r.space.Decode(r.optimizer.Champion())
}
