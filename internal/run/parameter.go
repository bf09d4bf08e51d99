package run

import (
	"math"
	"slices"

	"quintune/weights"
)

// Parameter is one number that a run may tune.
type Parameter struct {
	Name  string
	Group string
	Doc   string // what it means, for people
	Start float64
	Ref   float64 // above 0: what a change of a value that is not positive is measured by
	Tuned bool    // false: it keeps its start
	Idle  bool    // has an effect only under another rule
}

// Distance returns how far a value is from the start, in doublings: 1 is a factor of 2 between positive values.
// For other values it is the distance on the curve that encodes signed weights, where Ref is the unit near zero.
func (p *Parameter) Distance(value float64) float64 {
	if p.Start > 0 && value > 0 {
		return math.Abs(math.Log2(value / p.Start))
	}
	return math.Abs(math.Asinh(value/p.Ref)-math.Asinh(p.Start/p.Ref)) / math.Ln2
}

// Parameters returns all numbers that the run could tune, in the order of Generation.Values.
func (s *Spec) Parameters() ([]Parameter, error) {
	if s.Outside != nil {
		return s.Outside.parameters(s)
	}
	start, err := weights.Unmarshal(s.Start)
	if err != nil {
		return nil, err
	}
	var list []Parameter
	for d, value := range start.All() {
		list = append(list, Parameter{
			Name: d.Name, Group: d.Group, Doc: d.Doc, Start: float64(value), Ref: float64(max(1, d.Ref)),
			Tuned: d.Gene && slices.Contains(s.Groups, d.Group) && !slices.Contains(s.Frozen, d.Name), Idle: !d.Counts(start.Rule),
		})
	}
	return list, nil
}
