// Package weights holds the only declaration of every tunable number of Quintune.
//
// A Decl has everything about one weight: name, bounds, scale, reference and meaning. The evaluator's tables,
// the strict weights files, the presets, the genome of the tuner and docs/weights.md are derived from the list
// in declare.go, so a new weight takes one line.
//
// Weights are integers here and in the engine; floats appear only as genes in [-1, 1] (space.go) and as the weights of a fit
// before they are rounded (real.go). The package
// has no mutable state. Every function is safe for concurrent use, and a Set may be shared as long as nobody
// writes to its Values.
package weights

import (
	"fmt"
	"slices"
	"strings"

	"quintune/pattern"
)

// Scale is the way in which a weight is encoded as a gene in [-1, 1].
type Scale uint8

const (
	// Log encodes ln(w/ref)/ln 8: gene 0 is the reference, -1 and 1 are an eighth and eight times the reference. For a
	// weight with a predecessor (Decl.Above) w is its increment over that weight.
	Log Scale = iota
	// Linear encodes w-ref, divided by the distance from the reference to its farther bound, or by geneReach
	// references where these are less.
	Linear
	// Signed encodes asinh(w/ref)/asinh(max/ref): gene 0 is zero. It is nearly linear below the reference, logarithmic
	// above it, and symmetric about zero.
	Signed
	numScales = iota
)

var scaleNames = [numScales]string{"log", "linear", "signed"}

// String returns the scale's name as in docs/weights.md.
func (s Scale) String() string { return scaleNames[s] }

// Decl declares one tunable number.
type Decl struct {
	Name    string // unique, "group.what" or "group.class.column"; the key in weight files
	Group   string // name of its Group
	Doc     string // what the number means, with its unit
	Min     int32  // least value allowed in files, sets and genomes
	Max     int32  // greatest value allowed
	Scale   Scale  // how the weight is encoded as a gene
	Ref     int32  // value (Signed: magnitude) about which genes are encoded
	Above   string // earlier weight of the group that this one exceeds in every genome, "" for zero; Log only
	Anchor  bool   // its increment fixes the scale of its family; it has no gene where the whole family is tuned
	Gene    bool   // false: never tuned
	Deep    bool   // it prunes: what games of few nodes say of it does not hold at more, see run.Spec.Kept
	Since   int    // number of the first schema with this weight
	Until   int    // number of the last schema with this weight; 0: still in use
	Neutral int32  // value for files of older schemas, which lack the weight: of a score the one that changes no play, of the search the reference; see Mirror
	// Mirror names an earlier weight with the same bounds, "" for none. This weight has the value of that one in sets for
	// other rules than renju and, instead of Neutral, in files of older schemas.
	Mirror string
}

// Check returns an error that names the weight and its bounds when v lies outside them.
func (d Decl) Check(v int64) error {
	if v < int64(d.Min) || v > int64(d.Max) {
		return fmt.Errorf("weights: %s is %d, outside [%d, %d]", d.Name, v, d.Min, d.Max)
	}
	return nil
}

// class returns the name of a table's entry without its column, "" for other weights.
func (d Decl) class() string {
	for _, column := range columnNames {
		if class, found := strings.CutSuffix(d.Name, "."+column); found {
			return class
		}
	}
	return ""
}

// partOf reports whether files of the schema with the number have the weight.
func (d Decl) partOf(number int) bool {
	return d.Since <= number && (d.Until == 0 || number <= d.Until)
}

// Counts reports whether the weight matters under the rule. Weights of Black in renju matter under renju only.
func (d Decl) Counts(rule pattern.Rule) bool {
	return !slices.ContainsFunc(current.groups, func(g Group) bool { return g.Name == d.Group && !g.counts(rule) })
}

// Group is a named part of the declaration; tuning freezes or frees whole groups.
type Group struct {
	Name   string
	Doc    string
	Family string // the scores of the groups of a family are added, so they share one scale
	Renju  bool   // matters, and can be tuned, under renju only
	Fitted bool   // many small weights, which a fit learns: optimisers that play leave them where anything else is tuned
}

// counts reports whether weights of the group matter under the rule.
func (g Group) counts(rule pattern.Rule) bool { return rule == pattern.Renju || !g.Renju }

// Groups returns the groups in the order of the declaration.
func Groups() []Group {
	return slices.Clone(current.groups)
}

// Declarations returns every declared weight in order; index i belongs to Set.Values[i].
func Declarations() []Decl {
	return slices.Clone(current.decls)
}
