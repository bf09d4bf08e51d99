package weights

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// schema is a checked list of declarations with its index and its earlier versions.
type schema struct {
	groups      []Group
	decls       []Decl         // weights that sets have
	everything  []Decl         // decls, and the weights that only older files have
	index       map[string]int // name → place in decls
	past        []string       // fingerprints of schemas 1, 2, ...; the current number is len(past)+1
	fingerprint string
}

// current is the schema of this program; it never changes.
var current = mustSchema(declaredGroups(), declared(), alteredSchemas())

// Fingerprint identifies the names, order and bounds of the current declaration: the first 16
// hexadecimal digits of their SHA-256.
func Fingerprint() string { return current.fingerprint }

// SchemaNumber returns the number of the current schema; the first has the number 1.
func SchemaNumber() int { return current.number() }

func mustSchema(groups []Group, everything []Decl, altered []string) *schema {
	s, err := newSchema(groups, everything, altered)
	if err != nil {
		panic(err)
	}
	return s
}

// newSchema makes the schema of a list that includes weights of older files. Schema n has the weights with Since
// up to n, and Until from n on or zero. altered holds the fingerprints of the first schemas, which no longer
// follow from the list.
func newSchema(groups []Group, everything []Decl, altered []string) (*schema, error) {
	s := &schema{groups: groups, everything: everything, past: slices.Clone(altered), index: make(map[string]int, len(everything))}
	last := len(altered) + 1
	for _, d := range everything {
		last = max(last, d.Since, d.Until+1)
		if d.Until == 0 {
			s.decls = append(s.decls, d)
		} else if d.Until < d.Since {
			return nil, fmt.Errorf("weights: %s ends with schema %d, before its first, %d", d.Name, d.Until, d.Since)
		}
	}
	for number := len(altered) + 1; number <= last; number++ {
		s.fingerprint = fingerprintOf(everything, number)
		if same := slices.Index(s.past, s.fingerprint) + 1; same > 0 {
			return nil, fmt.Errorf("weights: schemas %d and %d are the same, %s: nothing is new in schema %d", same, number, s.fingerprint, number)
		}
		if number < last {
			s.past = append(s.past, s.fingerprint)
		}
	}
	for i, d := range s.decls {
		if err := s.checkDecl(d); err != nil {
			return nil, err
		}
		s.index[d.Name] = i
	}
	return s, nil
}

// fingerprintOf returns the fingerprint of the schema with the number. The names, order and bounds of its
// weights must not have changed since.
func fingerprintOf(decls []Decl, number int) string {
	hash := sha256.New()
	for _, d := range decls {
		if d.partOf(number) {
			fmt.Fprintf(hash, "%s %d %d\n", d.Name, d.Min, d.Max)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16]
}

// checkDecl checks d against the declarations before it.
func (s *schema) checkDecl(d Decl) error {
	_, twice := s.index[d.Name]
	above, known := s.index[d.Above]
	mirror, reflects := s.index[d.Mirror]
	switch {
	case twice:
		return fmt.Errorf("weights: %s is declared twice", d.Name)
	case !strings.HasPrefix(d.Name, d.Group+"."):
		return fmt.Errorf("weights: %s is not named after its group %q", d.Name, d.Group)
	case !slices.ContainsFunc(s.groups, func(g Group) bool { return g.Name == d.Group }):
		return fmt.Errorf("weights: %s is in group %q, which is not declared", d.Name, d.Group)
	case d.Scale >= numScales:
		return fmt.Errorf("weights: %s has scale %d, outside [0, %d]", d.Name, d.Scale, numScales-1)
	case d.Since < 1:
		return fmt.Errorf("weights: %s is since schema %d, the first is 1", d.Name, d.Since)
	case d.Gene && d.Min >= d.Max:
		return fmt.Errorf("weights: %s is a gene with no room in [%d, %d]", d.Name, d.Min, d.Max)
	case d.Gene && d.Scale != Linear && d.Ref <= 0:
		return fmt.Errorf("weights: %s has reference %d, which its scale cannot code", d.Name, d.Ref)
	case d.Mirror != "" && (!reflects || s.decls[mirror].Min != d.Min || s.decls[mirror].Max != d.Max):
		return fmt.Errorf("weights: %s mirrors %q, which is no earlier weight of the same bounds", d.Name, d.Mirror)
	case d.Above != "" && (!known || d.Scale != Log || s.decls[above].Group != d.Group || !s.decls[above].Gene):
		return fmt.Errorf("weights: %s is above %q, which is no earlier gene of its group, or it is not log", d.Name, d.Above)
	}
	for _, v := range []int32{d.Ref, d.Neutral} {
		if err := d.Check(int64(v)); err != nil {
			return err
		}
	}
	return nil
}

// number is the number of this schema, counted from 1.
func (s *schema) number() int { return len(s.past) + 1 }

// numberOf returns the number of the schema with the given fingerprint.
func (s *schema) numberOf(fingerprint string) (int, error) {
	if fingerprint == s.fingerprint {
		return s.number(), nil
	}
	if i := slices.Index(s.past, fingerprint); i >= 0 {
		return i + 1, nil
	}
	return 0, fmt.Errorf("weights: schema %q is unknown here, where schema %d is %q: an older, a newer or another program wrote the file",
		clip(fingerprint), s.number(), s.fingerprint)
}
