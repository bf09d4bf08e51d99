package weights

import (
	"fmt"
	"math"
	"slices"
)

// Provenance says which run made a set and what was proven of it. It holds no times, paths or host
// names, so equal runs write equal files.
type Provenance struct {
	Run         string      // the run's id: the hash of its configuration
	Start       string      // player the run started from
	Seed        uint64      // seed of all random streams of the run
	Games       int64       // games played for the tuning, gates and validation not counted
	Generations int64       // generations, or updates of other optimisers
	Nodes       int64       // node limit a move while tuning
	Optimizer   string      // "ga", "spsa", ...
	Engine      string      // engine signature
	Commit      string      // commit of the program
	Proven      bool        // the set passed its gate; false marks an unproven candidate
	Validation  *Validation // the one that is quoted, against the start; nil: not validated

	// Further validations, such as against the anchors or at more nodes; left out of the file where there are none.
	Further []Validation
}

// Validation is the measured strength of a set on openings that its run never used.
type Validation struct {
	Opponent    string
	Nodes       int64    // node limit a move
	Pairs       int64    // the sum of Pentanomial
	Games       int64    // games played, two a pair
	Pentanomial [5]int64 // pairs by result [points × 2]: [0] both games lost ... [4] both won
	Elo         float64  // seen from the set; written with two decimals, as the interval
	EloLow      float64  // lower end of the 95 % interval
	EloHigh     float64  // upper end
	Openings    string   // hash of the openings
	Seed        uint64   // seed the openings were made from
}

const (
	maxText  = 500     // bytes of one text of the provenance
	maxCount = 1 << 53 // counts stay exact in every JSON reader
	maxElo   = 100_000 // far beyond what a score of .999 gives, so two decimals are exact
)

// field ties a key of the file to the place of its value; the one list of fields serves reading,
// writing, checking and comparing. The value is a *string, *uint64, *int64, *float64, *bool,
// *[5]int64, **Validation or *[]Validation.
type field struct {
	key   string
	value any
}

// optional says whether the key may be missing, as it is where the value is empty.
func (f *field) optional() bool {
	_, list := f.value.(*[]Validation)
	return list
}

func (p *Provenance) fields() []field {
	return []field{
		{"run", &p.Run},
		{"start", &p.Start},
		{"seed", &p.Seed},
		{"games", &p.Games},
		{"generations", &p.Generations},
		{"nodes", &p.Nodes},
		{"optimizer", &p.Optimizer},
		{"engine", &p.Engine},
		{"commit", &p.Commit},
		{"proven", &p.Proven},
		{"validation", &p.Validation},
		{"further", &p.Further},
	}
}

func (v *Validation) fields() []field {
	return []field{
		{"opponent", &v.Opponent},
		{"nodes", &v.Nodes},
		{"pairs", &v.Pairs},
		{"games", &v.Games},
		{"pentanomial", &v.Pentanomial},
		{"elo", &v.Elo},
		{"elo_low", &v.EloLow},
		{"elo_high", &v.EloHigh},
		{"openings", &v.Openings},
		{"seed", &v.Seed},
	}
}

func (p *Provenance) clone() *Provenance {
	if p == nil {
		return nil
	}
	c := *p
	if p.Validation != nil {
		v := *p.Validation
		c.Validation = &v
	}
	c.Further = slices.Clone(p.Further)
	return &c
}

func (p *Provenance) equal(q *Provenance) bool {
	if p == nil || q == nil {
		return p == q
	}
	a, b := p.fields(), q.fields()
	for i := range a {
		if !equalFields(a[i].value, b[i].value) {
			return false
		}
	}
	return true
}

// equalFields compares the values of one field of two provenances.
func equalFields(a, b any) bool {
	switch v := a.(type) {
	case **Validation:
		return (*v).equal(*b.(**Validation))
	case *[]Validation:
		return slices.EqualFunc(*v, *b.(*[]Validation), func(x, y Validation) bool { return x.equal(&y) })
	case *string:
		return *v == *b.(*string)
	case *uint64:
		return *v == *b.(*uint64)
	case *int64:
		return *v == *b.(*int64)
	case *bool:
		return *v == *b.(*bool)
	}
	panic(fmt.Sprintf("weights: fields of type %T cannot be compared", a))
}

func (v *Validation) equal(w *Validation) bool {
	if v == nil || w == nil {
		return v == w
	}
	a, b := *v, *w
	for _, x := range []*Validation{&a, &b} {
		x.Elo, x.EloLow, x.EloHigh = twoDecimals(x.Elo), twoDecimals(x.EloLow), twoDecimals(x.EloHigh)
	}
	return a == b
}

func (p *Provenance) check() error {
	if p == nil {
		return nil
	}
	if err := checkFields("provenance", p.fields()); err != nil {
		return err
	}
	if p.Validation != nil {
		if err := p.Validation.check("provenance.validation"); err != nil {
			return err
		}
	}
	for i := range p.Further {
		if err := p.Further[i].check(fmt.Sprintf("provenance.further[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

func (v *Validation) check(path string) error {
	if err := checkFields(path, v.fields()); err != nil {
		return err
	}
	var pairs int64
	for _, n := range v.Pentanomial {
		pairs += n
	}
	if pairs != v.Pairs {
		return fmt.Errorf("weights: %s.pairs is %d, but the pentanomial has %d", path, v.Pairs, pairs)
	}
	return nil
}

func checkFields(path string, fields []field) error {
	for _, f := range fields {
		if err := checkField(path+"."+f.key, f.value); err != nil {
			return err
		}
	}
	return nil
}

func checkField(path string, value any) error {
	switch v := value.(type) {
	case *string:
		if len(*v) > maxText {
			return fmt.Errorf("weights: %s has %d bytes, outside [0, %d]", path, len(*v), maxText)
		}
		return checkText(path, *v)
	case *int64:
		return checkCount(path, *v)
	case *float64:
		if math.IsNaN(*v) || math.Abs(*v) > maxElo {
			return fmt.Errorf("weights: %s is %v, outside [%d, %d]", path, *v, -maxElo, maxElo)
		}
	case *[5]int64:
		for i, n := range v {
			if err := checkCount(fmt.Sprintf("%s[%d]", path, i), n); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkCount(path string, n int64) error {
	if n < 0 || n > maxCount {
		return fmt.Errorf("weights: %s is %d, outside [0, %d]", path, n, int64(maxCount))
	}
	return nil
}

// twoDecimals rounds to what the file keeps; zero has no sign.
func twoDecimals(x float64) float64 { return math.Round(x*100)/100 + 0 }
