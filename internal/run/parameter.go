package run

import (
	"math"
	"slices"

	"quintune/internal/strictmath"
	"quintune/weights"
)

// Parameter is one number that a run may tune.
type Parameter struct {
	Name  string  `json:"name"`
	Group string  `json:"group"`
	Doc   string  `json:"doc"` // what it means, for people
	Start float64 `json:"start"`
	Ref   float64 `json:"ref"` // above 0: unit for changes of a value that is not positive; see Value.Distance
	Tuned bool    `json:"-"`   // false: it keeps its start
	Idle  bool    `json:"-"`   // has an effect only under another rule
}

// Value is a parameter with its present value.
type Value struct {
	Parameter
	Now float64 `json:"now"`
}

// Factor returns the value by the start; false where one of them is not positive.
func (v *Value) Factor() (float64, bool) {
	if v.Start > 0 && v.Now > 0 {
		return v.Now / v.Start, true
	}
	return 0, false
}

// Distance returns how far the value is from the start, in doublings: 1 is a factor of 2 between positive values.
// For other values it is the distance on the curve that encodes signed weights, where Ref is the unit near zero.
func (v *Value) Distance() float64 {
	if factor, positive := v.Factor(); positive {
		return math.Abs(strictmath.Log(factor)) / math.Ln2
	}
	return math.Abs(strictmath.Asinh(v.Now/v.Ref)-strictmath.Asinh(v.Start/v.Ref)) / math.Ln2
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
