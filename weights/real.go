package weights

import (
	"math"

	"quintune/internal/strictmath"
)

// Real returns the weights of a genome before rounding and limiting, indexed as in the declaration. They are a
// smooth function of the genes, for fits. genes must have the length of Genes.
func (sp *Space) Real(genes []float64) []float64 {
	values := sp.base.Floats()
	for _, st := range sp.steps {
		values[st.decl] = sp.real(st, values, genes)
	}
	for to, from := range sp.schema.mirrors(sp.base.Rule) {
		values[to] = values[from]
	}
	return values
}

// real returns the weight of a step, given the weights before it.
func (sp *Space) real(st step, values, genes []float64) float64 {
	if st.held {
		return float64(st.limit)
	}
	z, below, d := 0.0, 0.0, &sp.schema.decls[st.decl]
	if st.gene >= 0 {
		z = genes[st.gene]
	}
	if st.above >= 0 {
		below = values[st.above]
	}
	switch d.Scale {
	case Linear:
		return st.ref + float64(z*linearSpan(d))
	case Signed:
		return st.ref * strictmath.Sinh(z*signedSpan(d))
	}
	return below + float64(st.ref*strictmath.Exp(z*lnGeneReach))
}

// Nearest returns the genes whose Real values are nearest to the given ones, class by class from the weakest.
// values are numbers, indexed as in the declaration. Families whose groups are all tuned are first multiplied to the
// space's scale; see Encode. Where the anchor does not determine the factor, the family is made as large as its
// bounds allow, but not larger than it was.
func (sp *Space) Nearest(values []float64) []float64 {
	wanted := append([]float64(nil), values...)
	for _, a := range sp.anchors {
		factor, known := a.factor(values)
		for i, inFamily := range a.inFamily {
			if size := math.Abs(values[i]); !known && inFamily && size > 0 {
				factor = min(factor, float64(sp.schema.decls[i].Max)/size)
			}
		}
		for i, inFamily := range a.inFamily {
			if inFamily {
				wanted[i] *= factor
			}
		}
	}
	genes := make([]float64, len(sp.genes))
	real := make([]float64, len(wanted))
	for _, st := range sp.steps {
		below := 0.0
		if st.above >= 0 {
			below = real[st.above]
		}
		if st.gene >= 0 {
			genes[st.gene] = sp.encodeStep(st, wanted[st.decl]-below)
		}
		real[st.decl] = sp.real(st, real, genes)
	}
	return genes
}

// Reach is the range of one weight in a space.
type Reach struct {
	Place int // index in the declaration
	Above int // index of the weight over which Least and Most bound the increment; -1: they bound the weight itself
	Least float64
	Most  float64 // equal to Least where the weight fixes the scale of its family
}

// Reaches returns the ranges of all weights that have a gene or fix a scale, in the order of the declaration. A frozen weight has the
// range that it would have otherwise.
func (sp *Space) Reaches() []Reach {
	list := make([]Reach, len(sp.steps))
	for i, st := range sp.steps {
		d := &sp.schema.decls[st.decl]
		r := Reach{Place: st.decl, Above: st.above, Least: float64(d.Min), Most: float64(d.Max)}
		switch {
		case st.gene < 0:
			r.Least, r.Most = st.ref, st.ref
		case d.Scale == Log:
			r.Least, r.Most = st.ref/geneReach, st.ref*geneReach
		case d.Scale == Linear:
			r.Least, r.Most = max(r.Least, st.ref-linearSpan(d)), min(r.Most, st.ref+linearSpan(d))
		}
		list[i] = r
	}
	return list
}
