package weights

import (
	"fmt"
	"math"
	"slices"

	"quintune/pattern"
)

// Projection is a set brought into a Space: the genome, the set it decodes to, and how that differs
// from the set that was given.
type Projection struct {
	Genes  []float64 // one a gene of the space, in [-1, 1]
	Set    *Set      // what the genes decode to
	Scaled []Rescale // families brought to the space's scale; only ratios matter to their play
	Moved  []Move    // weights that are not the given ones times their family's factor, in order
}

// Rescale says that all genes' weights of a family were multiplied by a factor.
type Rescale struct {
	Family string
	Factor float64 // in [1/8, 8], never 1
}

// Move says what the constraints of a Space did to one weight.
type Move struct {
	Name   string
	From   int32 // as given
	Scaled int32 // times the factor of its family, rounded; From where there is none
	To     int32 // in the projected set
}

// Decode returns the set of a genome. Every genome gives a sound set in which each class is worth
// more than the class below it; genes beyond [-1, 1] count as -1 or 1. A wrong number of genes and
// a gene that is not a number are errors. The set has no provenance, and the name, rule and size of the
// base.
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

// Encode projects a set into the space. The projection is idempotent: the projected set encodes
// to itself. Each weight comes as near to the given one as the weights below it allow.
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

// rescale multiplies each family whose groups are all tuned by the factor that gives its anchor the reference value.
// A whole table times a factor plays the same; a changed anchor alone would not.
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
				// At most 20000 × 8: no overflow; the steps bring it back within the bounds.
				wanted[i] = int32(math.Round(float64(v) * factor))
			}
		}
	}
	return wanted, scaled
}

// factor returns the factor that makes the anchor's increment its reference. It is unknown where the increment is further
// from the reference than a gene reaches: such a table has another shape, not another scale.
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

// decodeStep returns the weight for gene z, given the weights before it. Increments are rounded one
// by one, so that the integers themselves obey the order and encode to themselves.
func (sp *Space) decodeStep(st step, values []int32, z float64) int32 {
	d := &sp.schema.decls[st.decl]
	var v float64
	switch d.Scale {
	case Log:
		v = math.Round(st.ref * math.Exp(z*lnGeneReach))
		if st.above >= 0 {
			v += float64(values[st.above])
		}
	case Linear:
		v = math.Round(st.ref + float64(z*linearSpan(d)))
	case Signed:
		v = math.Round(st.ref * sinh(z*signedSpan(d)))
	}
	return int32(max(float64(d.Min), min(float64(st.limit), v)))
}

// encodeStep returns the gene whose weight, or increment over the one below, is nearest to the wanted one.
func (sp *Space) encodeStep(st step, wanted float64) float64 {
	d := &sp.schema.decls[st.decl]
	var z float64
	switch d.Scale {
	case Log:
		if wanted <= 0 {
			return -1
		}
		z = math.Log(wanted/st.ref) / lnGeneReach
	case Linear:
		z = (wanted - st.ref) / linearSpan(d)
	case Signed:
		z = asinh(wanted/st.ref) / signedSpan(d)
	}
	return max(-1, min(1, z))
}

// linearSpan is the distance that gene 1 stands for.
func linearSpan(d *Decl) float64 {
	return float64(max(d.Ref-d.Min, d.Max-d.Ref))
}

// signedSpan is asinh of the farther bound in units of the reference.
func signedSpan(d *Decl) float64 {
	return asinh(float64(max(-d.Min, d.Max)) / float64(d.Ref))
}
