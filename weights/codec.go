package weights

import (
	"fmt"
	"math"
	"slices"

	"quintune/internal/strictmath"
	"quintune/pattern"
)

// Projection is the result of encoding a set in a Space: the genome, the set that it decodes to, and how that
// set differs from the given one.
type Projection struct {
	Genes  []float64 // one for each gene of the space, in [-1, 1]
	Set    *Set      // what the genes decode to
	Scaled []Rescale // families that were multiplied to the space's scale: their scores compare as before, but for the margins of the search
	Moved  []Move    // weights that differ from the given ones times the factor of their family, in order
}

// Rescale records that all weights of a family that are genes were multiplied by a factor.
type Rescale struct {
	Family string
	Factor float64 // in [1/8, 8], never 1
}

// Move records how the constraints of a Space changed one weight.
type Move struct {
	Name   string
	From   int32 // as given
	Scaled int32 // times the factor of its family, rounded; equal to From where the family has none
	To     int32 // in the projected set
}

// Decode returns the set of a genome. Every genome gives a valid set in which each class is worth more than the
// class below it. Genes outside [-1, 1] count as -1 or 1. It is an error when the number of genes is wrong or a
// gene is NaN. The set has no provenance; its name, rule and size are those of the base.
func (sp *Space) Decode(genes []float64) (*Set, error) {
	if len(genes) != len(sp.genes) {
		return nil, fmt.Errorf("weights: a genome has %d genes, not %d", len(genes), len(sp.genes))
	}
	for i, z := range genes {
		if math.IsNaN(z) {
			return nil, fmt.Errorf("weights: gene %s is not a number", sp.genes[i].Name)
		}
	}
	s := sp.base.Clone()
	for _, st := range sp.steps {
		z := 0.0
		if st.gene >= 0 {
			z = max(-1, min(1, genes[st.gene]))
		}
		s.Values[st.decl] = sp.decodeStep(st, s.Values, z)
	}
	sp.schema.mirror(s)
	return s, nil
}

// Encode returns the genome nearest to a set. Encoding is idempotent: the projected set encodes to itself. Each
// weight comes as near to the given one as the weights below it allow.
func (sp *Space) Encode(s *Set) (*Projection, error) {
	if err := sp.schema.check(s); err != nil {
		return nil, err
	}
	wanted, scaled := sp.rescale(s)
	p := &Projection{Genes: make([]float64, len(sp.genes)), Set: sp.base.Clone(), Scaled: scaled}
	for _, st := range sp.steps {
		z := 0.0
		if st.gene >= 0 {
			increment := float64(wanted[st.decl])
			if st.above >= 0 {
				increment -= float64(p.Set.Values[st.above])
			}
			z = sp.encodeStep(st, increment)
			p.Genes[st.gene] = z
		}
		p.Set.Values[st.decl] = sp.decodeStep(st, p.Set.Values, z)
	}
	sp.schema.mirror(p.Set)
	for i, d := range sp.schema.decls {
		if to := p.Set.Values[i]; to != wanted[i] && (d.Mirror == "" || s.Rule == pattern.Renju) {
			p.Moved = append(p.Moved, Move{Name: d.Name, From: s.Values[i], Scaled: wanted[i], To: to})
		}
	}
	return p, nil
}

// rescale treats each family whose groups are all tuned: it multiplies the family by the factor that gives its
// anchor the reference value. A table times a factor orders moves and positions as before, and only the margins of the search are another
// share of it; changing the anchor alone would change the order.
func (sp *Space) rescale(s *Set) ([]int32, []Rescale) {
	wanted := slices.Clone(s.Values)
	var scaled []Rescale
	real := s.Floats()
	for _, a := range sp.anchors {
		factor, known := a.factor(real)
		if !known || factor == 1 {
			continue
		}
		scaled = append(scaled, Rescale{Family: a.family, Factor: factor})
		for i, v := range s.Values {
			if a.inFamily[i] {
				// At most 20000 × 8, so there is no overflow; the steps below bring it within the bounds.
				wanted[i] = int32(math.Round(float64(v) * factor))
			}
		}
	}
	return wanted, scaled
}

// factor returns the factor that gives the anchor's increment its reference value. It returns false where the
// increment is farther from the reference than a gene reaches. Such a table does not differ in scale only.
func (a *anchor) factor(values []float64) (factor float64, known bool) {
	increment := values[a.step.decl]
	if a.step.above >= 0 {
		increment -= values[a.step.above]
	}
	if increment*geneReach < a.step.ref || increment > a.step.ref*geneReach {
		return 1, false
	}
	return a.step.ref / increment, true
}

// decodeStep returns the weight for gene z, given the weights before it. Each increment is rounded by itself, so
// the integers keep the order and encode to themselves.
func (sp *Space) decodeStep(st step, values []int32, z float64) int32 {
	if st.held {
		return st.limit
	}
	d := &sp.schema.decls[st.decl]
	var v float64
	switch d.Scale {
	case Log:
		v = math.Round(st.ref * strictmath.Exp(z*lnGeneReach))
		if st.above >= 0 {
			v += float64(values[st.above])
		}
	case Linear:
		v = math.Round(st.ref + float64(z*linearSpan(d)))
	case Signed:
		v = math.Round(st.ref * strictmath.Sinh(z*signedSpan(d)))
	}
	return int32(max(float64(d.Min), min(float64(st.limit), v)))
}

// fewValues returns the genes of the values of a step; see Gene.
func (sp *Space) fewValues(st step) (genes []float64) {
	if st.above >= 0 {
		return nil // increments are of many points
	}
	least, most := sp.decodeStep(st, nil, -1), sp.decodeStep(st, nil, 1)
	if most-least >= MostValues {
		return nil
	}
	for v := least; v <= most; v++ {
		genes = append(genes, sp.encodeStep(st, float64(v)))
	}
	return genes
}

// encodeStep returns the gene whose weight, or increment over the weight below, is nearest to the wanted value.
func (sp *Space) encodeStep(st step, wanted float64) float64 {
	d := &sp.schema.decls[st.decl]
	var z float64
	switch d.Scale {
	case Log:
		if wanted <= 0 {
			return -1
		}
		z = strictmath.Log(wanted/st.ref) / lnGeneReach
	case Linear:
		z = (wanted - st.ref) / linearSpan(d)
	case Signed:
		z = strictmath.Asinh(wanted/st.ref) / signedSpan(d)
	}
	return max(-1, min(1, z))
}

// linearSpan returns the distance from the reference at which a gene is 1: that of the farther bound, at most geneReach
// references. A bound may be far beyond every useful value.
func linearSpan(d *Decl) float64 {
	return float64(min(max(d.Ref-d.Min, d.Max-d.Ref), geneReach*max(d.Ref, -d.Ref, 1)))
}

// signedSpan returns asinh of the farther bound, measured in references.
func signedSpan(d *Decl) float64 {
	return strictmath.Asinh(float64(max(-d.Min, d.Max)) / float64(d.Ref))
}
