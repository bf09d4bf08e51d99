package engine

import (
	"fmt"
	"math"
	"slices"

	"quintune/weights"
)

// Space codes the parameters of some groups as genes in [-1, 1], and leaves all others at their base. Gene 0 is the start of the
// file, and the farther bound is -1 or 1, as in a [weights.Space]. The gene of a base value decodes to it, even where it is not a whole
// number of steps from the start. A Space does not change; it is safe for concurrent use.
type Space struct {
	parameters []Parameter
	base       Values
	tuned      []bool // by parameter
	genes      []weights.Gene
}

// Space returns the space of the named groups around the base, whose values are those of the file: see [File.Check]. No group
// means all. An unknown and a doubled group are errors.
func (f *File) Space(base Values, groups []string) (*Space, error) {
	known := f.Groups()
	for i, g := range groups {
		if !slices.Contains(known, g) {
			return nil, fmt.Errorf("engine: group %.60q is not one of %v", g, known)
		}
		if slices.Contains(groups[:i], g) {
			return nil, fmt.Errorf("engine: group %q is selected twice", g)
		}
	}
	s := &Space{parameters: f.Parameters, base: base, tuned: make([]bool, len(f.Parameters))}
	for i := range f.Parameters {
		p := &f.Parameters[i]
		if s.tuned[i] = len(groups) == 0 || slices.Contains(groups, p.Group); s.tuned[i] {
			s.genes = append(s.genes, weights.Gene{Name: p.Name, Group: p.Group, Values: p.fewValues()})
		}
	}
	return s, nil
}

// Groups returns the groups of the parameters in the order of the file.
func (f *File) Groups() []string {
	var groups []string
	for i := range f.Parameters {
		if g := f.Parameters[i].Group; !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// Genes returns the tuned parameters in the order of the genome.
func (s *Space) Genes() []weights.Gene { return slices.Clone(s.genes) }

// Decode returns the values of a genome. Genes beyond [-1, 1] count as -1 or 1; a wrong number of genes and a gene that is
// not a number are errors.
func (s *Space) Decode(genes []float64) (Values, error) {
	if n := len(s.genes); len(genes) != n {
		return nil, fmt.Errorf("engine: a genome has %d genes, not %d", len(genes), n)
	}
	values := slices.Clone(s.base)
	next := 0
	for i := range s.parameters {
		p := &s.parameters[i]
		if !s.tuned[i] {
			continue
		}
		z := genes[next]
		if math.IsNaN(z) {
			return nil, fmt.Errorf("engine: gene %s is not a number", p.Name)
		}
		if z != p.encode(s.base[i].Number) {
			values[i].Number = p.decode(z)
		}
		next++
	}
	return values, nil
}

// Encode returns the genes of values, which are those of the file: see [File.Check].
func (s *Space) Encode(values Values) []float64 {
	var genes []float64
	for i := range s.parameters {
		if s.tuned[i] {
			genes = append(genes, s.parameters[i].encode(values[i].Number))
		}
	}
	return genes
}
