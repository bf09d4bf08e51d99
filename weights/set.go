package weights

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quintune/pattern"
)

// Smallest and largest board for which a set can be made, cells a side.
const (
	MinSize = 5
	MaxSize = 22
)

// maxName bounds the length of a set's name, bytes.
const maxName = 100

// Set has one value for every declared weight, and their provenance.
type Set struct {
	Name       string       // printable, 1 to 100 bytes
	Rule       pattern.Rule // rule the values were made for
	Size       int          // board size the values were made for, MinSize to MaxSize
	Values     []int32      // in the order of Declarations(), and as many; methods that look up a weight panic where one is missing
	Provenance *Provenance  // nil: not the result of a run
}

// New returns a set whose values are zero, or the bound nearest to zero; search weights have their references.
func New(name string, rule pattern.Rule, size int) *Set {
	s := &Set{Name: name, Rule: rule, Size: size, Values: make([]int32, len(current.decls))}
	for i, d := range current.decls {
		if d.Group == SearchGroup {
			s.Values[i] = d.Ref
		} else {
			s.Values[i] = min(max(0, d.Min), d.Max)
		}
	}
	return s
}

// Clone returns a deep copy.
func (s *Set) Clone() *Set {
	c := *s
	c.Values = slices.Clone(s.Values)
	c.Provenance = s.Provenance.clone()
	return &c
}

// Equal reports whether both sets give the same file.
func (s *Set) Equal(t *Set) bool {
	return s.Name == t.Name && s.Rule == t.Rule && s.Size == t.Size &&
		slices.Equal(s.Values, t.Values) && s.Provenance.equal(t.Provenance)
}

// Get returns the value of the named weight, or an error when no such weight is declared.
func (s *Set) Get(name string) (int32, error) {
	i, ok := current.index[name]
	if !ok {
		return 0, unknownWeight(name)
	}
	return s.Values[i], nil
}

// With returns a copy with the named weight set to v. The copy has no provenance, since nothing is proven about
// it. An unknown name and a value out of bounds are errors.
func (s *Set) With(name string, v int64) (*Set, error) {
	i, ok := current.index[name]
	if !ok {
		return nil, unknownWeight(name)
	}
	if err := current.decls[i].Check(v); err != nil {
		return nil, err
	}
	c := s.Clone()
	c.Values[i] = int32(v)
	c.Provenance = nil
	return c, nil
}

// All iterates over the weights in the order of the declaration.
func (s *Set) All() iter.Seq2[Decl, int32] {
	return func(yield func(Decl, int32) bool) {
		for i, d := range current.decls {
			if !yield(d, s.Values[i]) {
				return
			}
		}
	}
}

// Floats returns the values as floating-point numbers, in the order of the declaration.
func (s *Set) Floats() []float64 {
	list := make([]float64, len(s.Values))
	for i, v := range s.Values {
		list[i] = float64(v)
	}
	return list
}

// mirror gives the weights that matter only under renju, in a set for another rule, the values of those that they
// mirror.
func (sc *schema) mirror(s *Set) {
	for to, from := range sc.mirrors(s.Rule) {
		s.Values[to] = s.Values[from]
	}
}

// mirrors iterates over pairs of indices: a weight, and the weight that it mirrors in sets for the rule.
func (sc *schema) mirrors(rule pattern.Rule) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		if rule == pattern.Renju {
			return
		}
		for i, d := range sc.decls {
			if d.Mirror != "" && !yield(i, sc.index[d.Mirror]) {
				return
			}
		}
	}
}

// Check returns an error that names the first value out of bounds, nil for a valid set.
func (s *Set) Check() error { return current.check(s) }

func (sc *schema) check(s *Set) error {
	if err := CheckName(s.Name); err != nil {
		return err
	}
	if s.Rule >= pattern.NumRules {
		return fmt.Errorf("weights: rule is %d, outside [0, %d]", s.Rule, pattern.NumRules-1)
	}
	if err := checkSize(int64(s.Size)); err != nil {
		return err
	}
	if len(s.Values) != len(sc.decls) {
		return fmt.Errorf("weights: a set has %d values, not the %d declared", len(s.Values), len(sc.decls))
	}
	for i, d := range sc.decls {
		if err := d.Check(int64(s.Values[i])); err != nil {
			return err
		}
	}
	return s.Provenance.Check()
}

// CheckName returns an error that names the bound where no set can have the name.
func CheckName(name string) error {
	if len(name) < 1 || len(name) > maxName {
		return fmt.Errorf("weights: name has %d bytes, outside [1, %d]", len(name), maxName)
	}
	return checkText("name", name)
}

func checkSize(size int64) error {
	if size < MinSize || size > MaxSize {
		return fmt.Errorf("weights: size is %d, outside [%d, %d]", size, MinSize, MaxSize)
	}
	return nil
}

// checkText refuses control characters, which a terminal would obey.
func checkText(path, text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("weights: %s %s is not UTF-8", path, quote(text))
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("weights: %s %s has the unprintable character %U", path, quote(text), r)
		}
	}
	return nil
}

func unknownWeight(name string) error {
	return fmt.Errorf("weights: unknown weight %s%s", quote(name), suggest(name, names(current.decls)))
}

func names(decls []Decl) []string {
	list := make([]string, len(decls))
	for i, d := range decls {
		list[i] = d.Name
	}
	return list
}

// suggest returns the candidate that differs from name in case only, or "".
func suggest(name string, candidates []string) string {
	for _, c := range candidates {
		if strings.EqualFold(c, name) {
			return fmt.Sprintf(" (did you mean %q?)", c)
		}
	}
	return ""
}

// maxQuoted bounds the part of a file's text that an error repeats, in bytes.
const maxQuoted = 60

func clip(text string) string {
	if len(text) > maxQuoted {
		return text[:maxQuoted] + "..."
	}
	return text
}

func quote(text string) string { return fmt.Sprintf("%q", clip(text)) }

// LineTable is points by line class and column (Self, Opponent).
type LineTable [pattern.NumLines][NumColumns]int32

// CellTable is points by cell class and column (Self, Opponent); classes of no weight are zero.
type CellTable [pattern.NumCells][NumColumns]int32

// PairTable is points by two line classes, in either order, and column (Self, Opponent); pairs of no weight are zero.
type PairTable [pattern.NumLines][pattern.NumLines][NumColumns]int32

// Tables are the scores that a side plays with.
type Tables struct {
	Line  LineTable // position score of one line through an empty cell, points
	Cell  CellTable // position score of an empty cell beside its lines, points
	Order LineTable // ordering score of one line through a candidate move, points
	// Tempo is the score of having the move, points. The side to move adds the Self entry of its best cell class, the
	// other side the Opponent entry of its own.
	Tempo CellTable
	Pair  PairTable // position score of each two lines through an empty cell, points
}

// Prefix returns the prefix of the groups that belong to a law only: "black_" for Restricted, the law of Black
// in renju, and "" for the others.
func Prefix(law pattern.Law) string {
	if law == pattern.Restricted {
		return blackPrefix
	}
	return ""
}

// Tables returns the scores for a side under the law.
func (s *Set) Tables(law pattern.Law) Tables {
	prefix := Prefix(law)
	return Tables{
		Line: s.lineTable(prefix + "line"), Cell: s.cellTable(prefix + "cell"),
		Order: s.lineTable(prefix + "order"), Tempo: s.cellTable(prefix + "tempo"),
		Pair: s.pairTable(prefix + "pair"),
	}
}

// Line returns the position score of one line through an empty cell, points.
func (s *Set) Line() LineTable { return s.lineTable("line") }

// Search returns the search weight with the given name without its group, such as "aspiration". It panics for an
// unknown name: names are constants of the program, never input.
func (s *Set) Search(name string) int32 { return s.mustGet("search." + name) }

func (s *Set) lineTable(group string) (t LineTable) {
	for class := range t {
		for column := range NumColumns {
			t[class][column] = s.mustGet(TableName(group, pattern.LineClass(class).String(), column))
		}
	}
	return t
}

func (s *Set) cellTable(group string) (t CellTable) {
	for class := range t {
		for column := range NumColumns {
			if i, ok := current.index[TableName(group, pattern.CellClass(class).String(), column)]; ok {
				t[class][column] = s.Values[i]
			}
		}
	}
	return t
}

func (s *Set) pairTable(group string) (t PairTable) {
	for i, b := range pairClasses {
		for _, a := range pairClasses[:i+1] {
			for column := range NumColumns {
				v := s.mustGet(TableName(group, PairClass(a, b), column))
				t[a][b][column], t[b][a][column] = v, v
			}
		}
	}
	return t
}

// mustGet returns a weight whose name is a constant of the program.
func (s *Set) mustGet(name string) int32 {
	v, err := s.Get(name)
	if err != nil {
		panic(err)
	}
	return v
}
