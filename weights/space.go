package weights

import (
	"fmt"
	"math"
	"slices"

	"quintune/pattern"
)

const (
	// geneReach is the factor at the ends of a logarithmic gene: they stand for the reference divided by 8 and times 8.
	geneReach    = 8
	lnGeneReach  = 3 * math.Ln2
	minIncrement = 10 // least reference of an increment, so that every increment is at least 1
)

// Gene is one free number of a Space.
type Gene struct {
	Name  string // weight that it sets
	Group string
	Above string // weight over which it sets the increment, "" where it sets the weight itself
	Class string // entry of the tables, such as line.open_two: the name without the column; "" for other weights

	// Signed genes stand for weights of either sign: 0 for 0, a negative gene for a negative weight.
	Signed bool
	// Values are the genes of all integers that the weight can be, ascending, where there are at most MostValues; nil: there are more.
	Values []float64
}

// MostValues bounds the values that a Gene lists: where there are more, one step between them matters little.
const MostValues = 64

// Space encodes the weights of some groups as genes in [-1, 1]. All other weights are those of its base set.
// Classes that are ordered by strength are encoded by their positive increments over the class below, so every
// genome is a valid set. A Space is immutable and safe for concurrent use.
type Space struct {
	schema  *schema
	base    *Set
	genes   []Gene
	steps   []step
	anchors []anchor
}

// step decodes one weight. Steps are in the order of the declaration, so that the weight below is decoded first.
type step struct {
	decl  int
	above int     // index of the weight below, -1 for none
	gene  int     // index of the gene, -1 for an anchor, which always has the value of gene 0
	ref   float64 // reference of the weight or of its increment
	limit int32   // greatest value that leaves room for the classes above it
	held  bool    // the weight is frozen: it has the value of limit, whatever its gene
}

// anchor is the increment that fixes the scale of a family whose groups are all tuned.
type anchor struct {
	family   string
	step     step
	inFamily []bool // by place in the declaration
}

// DefaultGroups returns the groups that are tuned by default under a rule: all that matter.
func DefaultGroups(rule pattern.Rule) []string {
	var list []string
	for _, g := range current.groups {
		if g.counts(rule) {
			list = append(list, g.Name)
		}
	}
	return list
}

// NewSpace returns the space of the named groups around a copy of the base set. It is an error when no group is
// named, when a group is unknown, repeated, or matters under renju only while the base is for another rule, and
// when the base is not valid. A weight that is named as frozen keeps its value in the base, whatever its gene, unless the order of the
// classes rules that out. So its family has a scale, and is not multiplied. Frozen names that are not weights are ignored.
func NewSpace(base *Set, groups []string, frozen ...string) (*Space, error) {
	return current.newSpace(base, groups, frozen...)
}

func (sc *schema) newSpace(base *Set, groups []string, frozen ...string) (*Space, error) {
	if err := sc.check(base); err != nil {
		return nil, err
	}
	if err := sc.checkGroups(groups, base.Rule); err != nil {
		return nil, err
	}
	sp := &Space{schema: sc, base: base.Clone()}
	sp.base.Provenance = nil
	limits := sc.limits(base, frozen)
	for i, d := range sc.decls {
		if !d.Gene || !slices.Contains(groups, d.Group) {
			continue
		}
		st := step{decl: i, above: -1, gene: len(sp.genes), ref: float64(d.Ref), limit: limits[i], held: slices.Contains(frozen, d.Name)}
		if d.Above != "" {
			st.above = sc.index[d.Above]
			st.ref = max(float64(d.Ref-sc.decls[st.above].Ref), minIncrement)
		}
		if d.Anchor && sc.wholeFamily(d.Group, groups, base.Rule) && !sc.holds(frozen, d.Group) {
			st.gene = -1
			sp.anchors = append(sp.anchors, sc.newAnchor(d.Group, st))
		} else {
			sp.genes = append(sp.genes, Gene{
				Name: d.Name, Group: d.Group, Above: d.Above, Class: d.class(), Signed: d.Scale == Signed, Values: sp.fewValues(st),
			})
		}
		sp.steps = append(sp.steps, st)
	}
	return sp, nil
}

func (sc *schema) checkGroups(groups []string, rule pattern.Rule) error {
	var known []string
	for _, g := range sc.groups {
		if g.counts(rule) {
			known = append(known, g.Name)
		} else if slices.Contains(groups, g.Name) {
			return fmt.Errorf("weights: group %q counts under renju alone, the rule is %s", g.Name, rule)
		}
	}
	if len(groups) == 0 {
		return fmt.Errorf("weights: no group is selected of %v", known)
	}
	for i, g := range groups {
		if !slices.Contains(known, g) {
			return fmt.Errorf("weights: group %s is not one of %v", quote(g), known)
		}
		if slices.Contains(groups[:i], g) {
			return fmt.Errorf("weights: group %q is selected twice", g)
		}
	}
	return nil
}

// limits returns, for each weight, its bound less one for every class in the longest chain above it. The bound of a frozen weight is
// its value in the base, or the least value that leaves room for the classes below it.
func (sc *schema) limits(base *Set, frozen []string) []int32 {
	limits, least := make([]int32, len(sc.decls)), make([]int32, len(sc.decls))
	for i, d := range sc.decls {
		limits[i], least[i] = d.Max, d.Min
		if d.Above != "" {
			least[i] = max(d.Min, least[sc.index[d.Above]]+1)
		}
		if slices.Contains(frozen, d.Name) {
			limits[i] = max(least[i], base.Values[i])
		}
	}
	for i, d := range slices.Backward(sc.decls) {
		if d.Above != "" {
			above := sc.index[d.Above]
			limits[above] = min(limits[above], limits[i]-1)
		}
	}
	return limits
}

// wholeFamily reports whether all groups of the given group's family that matter under the rule are selected. If
// one is not, its values fix the scale of the family, and the anchor is an ordinary gene.
func (sc *schema) wholeFamily(group string, selected []string, rule pattern.Rule) bool {
	family := sc.family(group)
	return !slices.ContainsFunc(sc.groups, func(g Group) bool {
		return g.Family == family && g.counts(rule) && !slices.Contains(selected, g.Name)
	})
}

// holds reports whether a frozen weight is of the given group's family.
func (sc *schema) holds(frozen []string, group string) bool {
	return slices.ContainsFunc(sc.decls, func(d Decl) bool {
		return slices.Contains(frozen, d.Name) && sc.family(d.Group) == sc.family(group)
	})
}

func (sc *schema) newAnchor(group string, st step) anchor {
	a := anchor{family: sc.family(group), step: st, inFamily: make([]bool, len(sc.decls))}
	for i, d := range sc.decls {
		a.inFamily[i] = d.Gene && sc.family(d.Group) == a.family
	}
	return a
}

// Family returns the family of a declared group: the scores of its groups are added, so they share one scale. It panics for any other
// name.
func Family(group string) string { return current.family(group) }

func (sc *schema) family(group string) string {
	i := slices.IndexFunc(sc.groups, func(g Group) bool { return g.Name == group })
	return sc.groups[i].Family
}

// Genes returns a copy of the genes in the order of the genome.
func (sp *Space) Genes() []Gene {
	genes := slices.Clone(sp.genes)
	for i := range genes {
		genes[i].Values = slices.Clone(genes[i].Values)
	}
	return genes
}
