// Package weights holds THE declaration of every tunable number of Quintune.
//
// One Decl says all there is to say about a weight: its name, bounds, scale, reference and meaning.
// The evaluator's tables, the strict weight files, the presets, the genome of the tuner and
// docs/weights.md are all derived from the list in declare.go, so a weight is added in one line.
//
// Weights are integers here and in the engine; floats appear only as genes in [-1, 1] (space.go).
// Nothing in the package changes after it is loaded: every function is safe for concurrent use, and
// a Set may be shared as long as nobody writes to its Values.
package weights

import (
	"fmt"
	"slices"
	"strings"

	"quintune/pattern"
)

// Scale says how a weight is coded as a gene in [-1, 1].
type Scale uint8

const (
	// Log codes ln(w/ref)/ln 8: gene 0 is the reference, -1 and 1 an eighth and eight times of it.
	// A weight with a predecessor (Decl.Above) codes its increment over that weight this way.
	Log Scale = iota
	// Linear codes (w-ref) over the distance from the reference to its farther bound.
	Linear
	// Signed codes asinh(w/ref)/asinh(max/ref): gene 0 is zero, nearly linear below the reference
	// and logarithmic above it, alike on both sides of zero.
	Signed
	numScales = iota
)

var scaleNames = [numScales]string{"log", "linear", "signed"}

// String returns the scale's name as docs/weights.md spells it.
func (s Scale) String() string { return scaleNames[s] }

// Decl declares one tunable number.
type Decl struct {
	Name    string // unique, "group.what" or "group.class.column"; the key in weight files
	Group   string // name of its Group
	Doc     string // what the number means, with its unit
	Min     int32  // least value allowed in files, sets and genomes
	Max     int32  // greatest value allowed
	Scale   Scale  // how a gene codes it
	Ref     int32  // the value (Signed: the magnitude) that genes are coded around
	Above   string // earlier weight of the group that genomes keep it above, "" for zero; Log only
	Anchor  bool   // its increment fixes the scale of its family: no gene where the whole family is tuned
	Gene    bool   // false: never tuned
	Since   int    // number of the first schema that has it
	Until   int    // number of the last schema that has it; 0: sets have it still
	Neutral int32  // value of identical play for files of older schemas, which lack it; see Mirror
	// Mirror is the earlier weight of the same bounds whose value this one has in sets for other rules than
	// renju and, instead of Neutral, in files of older schemas; "" for none.
	Mirror string
}

// Check returns an error that names the weight and its bounds when v lies outside them.
func (d Decl) Check(v int64) error {
	if v < int64(d.Min) || v > int64(d.Max) {
		return fmt.Errorf("weights: %s is %d, outside [%d, %d]", d.Name, v, d.Min, d.Max)
	}
	return nil
}

// partOf reports whether files of the schema with the number have the weight.
func (d Decl) partOf(number int) bool {
	return d.Since <= number && (d.Until == 0 || number <= d.Until)
}

// Counts reports whether the weight has a say of its own under the rule: those of renju's Black do under renju alone.
func (d Decl) Counts(rule pattern.Rule) bool {
	return rule == pattern.Renju || !strings.HasPrefix(d.Group, blackPrefix)
}

// Group is a named part of the declaration; tuning freezes or frees whole groups.
type Group struct {
	Name    string
	Doc     string
	Family  string // groups of one family add up to one score, so only their ratios matter
	Default bool   // part of the genome unless other groups are named
	Renju   bool   // counts, and can be tuned, under renju alone
}

// counts reports whether weights of the group have a say under the rule.
func (g Group) counts(rule pattern.Rule) bool { return rule == pattern.Renju || !g.Renju }

// Groups returns the groups in the order of the declaration.
func Groups() []Group {
	return slices.Clone(current.groups)
}

// Declarations returns every declared weight in order; index i belongs to Set.Values[i].
func Declarations() []Decl {
	return slices.Clone(current.decls)
}
