package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"quintune/internal/strictmath"
	"quintune/weights"
)

// Kind is what a parameter's value is.
type Kind string

// Kinds of parameters.
const (
	Int   Kind = "int"   // a whole number
	Float Kind = "float" // a number, kept to digits significant digits
)

// Scale is the relation between a parameter's values and its gene.
type Scale string

// Scales of parameters.
const (
	Linear Scale = "linear" // equal steps of the gene add equal amounts
	Log    Scale = "log"    // equal steps of the gene multiply by equal factors
)

// Parameter is one number of an engine.
type Parameter struct {
	Name  string  `json:"name"`
	Group string  `json:"group"` // what belongs together; a run tunes all groups or some
	Kind  Kind    `json:"kind"`
	Scale Scale   `json:"scale"`
	Start float64 `json:"start"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Step  float64 `json:"step"` // least change that has an effect: values are the start and multiples of it more or less, and both bounds; 0: every change has an effect
}

// Description returns kind, bounds, scale, step where there is one, group and start for people.
func (p *Parameter) Description() string {
	step := ""
	if p.Step > 0 {
		step = fmt.Sprintf(", step %v", p.Step)
	}
	return fmt.Sprintf("%s in [%v, %v], %s scale%s, group %s, start %v", p.Kind, p.Min, p.Max, p.Scale, step, p.Group, p.Start)
}

// digits are the significant digits of a float parameter's values.
const digits = 9

// maxWhole bounds int parameters: all whole numbers up to it are exact.
const maxWhole = 1 << 53

// value returns the value nearest to v that the parameter can have.
func (p *Parameter) value(v float64) float64 {
	v = p.bounded(v)
	if p.Step > 0 {
		grid := p.bounded(p.Start + float64(math.Round((v-p.Start)/p.Step)*p.Step))
		for _, bound := range []float64{p.Min, p.Max} {
			if math.Abs(v-bound) < math.Abs(v-grid) {
				grid = bound
			}
		}
		v = grid
	}
	switch {
	case p.Kind == Int:
		v = math.Round(v)
	case v != p.Start:
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // a number that was just written
	}
	return p.bounded(v)
}

// bounded returns v, or the bound beyond which it is.
func (p *Parameter) bounded(v float64) float64 { return max(p.Min, min(p.Max, v)) }

// span returns the distance from the start to the farther bound, at which the gene is 1 or -1. It is measured in
// logarithms on a Log scale.
func (p *Parameter) span() float64 {
	if p.Scale == Log {
		return max(strictmath.Log(p.Start/p.Min), strictmath.Log(p.Max/p.Start))
	}
	return max(p.Start-p.Min, p.Max-p.Start)
}

// decode returns the value of gene z: the start for 0, the farther bound for -1 or 1. Values beyond the nearer
// bound become that bound.
func (p *Parameter) decode(z float64) float64 {
	z = max(-1, min(1, z))
	if p.Scale == Log {
		return p.value(p.Start * strictmath.Exp(z*p.span()))
	}
	return p.value(p.Start + float64(z*p.span()))
}

// encode returns the gene of a value.
func (p *Parameter) encode(v float64) float64 {
	z := (v - p.Start) / p.span()
	if p.Scale == Log {
		z = strictmath.Log(v/p.Start) / p.span()
	}
	return max(-1, min(1, z))
}

// fewValues returns the genes of all values of an integer, ascending, if there are at most weights.MostValues; see weights.Gene.
func (p *Parameter) fewValues() (genes []float64) {
	step := max(1, p.Step)
	least, most := math.Floor((p.Min-p.Start)/step), math.Ceil((p.Max-p.Start)/step) // steps from the start to each bound
	if p.Kind != Int || most-least >= weights.MostValues {
		return nil
	}
	for steps := least; steps <= most; steps++ {
		genes = append(genes, p.encode(p.bounded(p.Start+float64(steps*step))))
	}
	return genes
}

// Format returns a value in the form that engines read: without exponent. A float always has a point, since some
// configuration files distinguish the two kinds.
func (p *Parameter) Format(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if p.Kind == Float && !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// Check returns an error unless v is a possible value of the parameter.
func (p *Parameter) Check(v float64) error {
	switch {
	case math.IsNaN(v) || v < p.Min || v > p.Max:
		return fmt.Errorf("%s is %s, outside [%s, %s]", p.Name, number(v), number(p.Min), number(p.Max))
	case p.Kind == Int && v != math.Trunc(v):
		return fmt.Errorf("%s is %s, not a whole number", p.Name, number(v))
	}
	return nil
}

// number returns a number for people.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
