package tuner

import (
	"context"
	"fmt"

	"quintune/internal/book"
	"quintune/internal/match"
	"quintune/internal/run"
)

// deeper is the node limit of the second validation, as a multiple of the tuning nodes. It shows whether the
// gain depends on the search depth of the tuning games.
const deeper = 4

// validationMatch is one match of the validation.
type validationMatch struct {
	opponent match.Side
	nodes    int64
	pairs    int
}

// validationMatches returns the validations of a run: against the start, which is the reported one; against the start at
// more nodes; against the previous champion; against the anchors; against the shipped set. They depend on which
// gates were passed.
func (r *Run) validationMatches() []validationMatch {
	p, nodes := &r.plan, r.config.nodes()
	list := []validationMatch{{r.config.start(), nodes, p.validationPairs}}
	if p.deeperPairs > 0 {
		list = append(list, validationMatch{r.config.start(), deeper * nodes, p.deeperPairs})
	}
	champions := r.opponents[1+len(r.config.Anchors):]
	if p.previousPairs > 0 && len(champions) > 1 {
		list = append(list, validationMatch{champions[len(champions)-2], nodes, p.previousPairs})
	}
	for i := range p.validatedAnchors {
		list = append(list, validationMatch{r.opponents[1+i], nodes, p.anchorPairs})
	}
	if p.shippedPairs > 0 {
		list = append(list, validationMatch{r.shipped, nodes, p.shippedPairs})
	}
	return list
}

// validate does one of the validations of the recommended set: it is played, unless the opponent has the same weights.
func (r *Run) validate(ctx context.Context, number int) error {
	candidate, err := r.recommended()
	if err != nil {
		return err
	}
	v := r.validationMatches()[number]
	r.enter(run.StageValidation, v.opponent.Name, 2*v.pairs)
	m := r.newMatch(candidate, v.opponent, fmt.Sprintf("validation %d", number))
	m.Nodes, m.Seed = v.nodes, r.validationSeed()
	report := m.Report(match.Tally{})
	report.EloLow, report.EloHigh = 0, 0 // equal players are certainly equal
	if !m.Same() {
		if report, err = r.playValidation(ctx, m, v.pairs); err != nil {
			return err
		}
	}
	if number == 0 {
		r.state.Validation = &report
	} else {
		r.state.Further = append(r.state.Further, report)
	}
	r.closeStep(report.Played())
	return nil
}

// playValidation plays a validation with openings that no book holds.
func (r *Run) playValidation(ctx context.Context, m *match.Match, pairs int) (match.Report, error) {
	made, err := r.validationOpenings(ctx)
	if err != nil {
		return match.Report{}, err
	}
	m.Openings = made[:pairs]
	t, err := r.playMatch(ctx, m, func(t match.Tally) {
		r.meter.judged(t.Pairs, nil)
		r.pairPlayed()
	})
	if err != nil {
		return match.Report{}, err
	}
	r.addFaults(m.A.Name, m.B.Name, &t)
	return m.Report(t), nil
}

// validationSeed is the seed of the run, changed by each extension: an extended run has already been tested on
// the earlier openings.
func (r *Run) validationSeed() uint64 { return r.config.Seed + uint64(len(r.config.Extended)) }

// validationOpenings returns the openings of all validations. They are made before the first one and stored.
func (r *Run) validationOpenings(ctx context.Context) ([]book.Opening, error) {
	if r.state.Openings != nil {
		b, err := readBook(r.state.Openings, "the run's validation openings", r.config.rule, r.config.Size)
		if err != nil {
			return nil, err
		}
		return b.Openings, nil
	}
	made, err := r.MakeOpenings(ctx, r.config.used(), r.validationSeed(), r.plan.validationPairs, nil)
	if err != nil {
		return nil, err
	}
	r.state.Openings = Lines(made)
	return made.Openings, nil
}
