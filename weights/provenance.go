package weights

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Provenance records which run made a set and what was proven about it. It holds no times, paths or host names,
// so equal runs write equal files.
type Provenance struct {
	Run         string      `json:"run"`         // the run's id: the hash of its configuration
	Start       string      `json:"start"`       // player the run started from
	Seed        uint64      `json:"seed"`        // seed of all random streams of the run
	Games       int64       `json:"games"`       // games of the tuning, without gates and validation
	Generations int64       `json:"generations"` // generations, or updates of other optimisers
	Nodes       int64       `json:"nodes"`       // node limit a move at the end of the tuning; 0: time was the limit
	Optimizer   string      `json:"optimizer"`   // "ga", "spsa", ...
	Engine      string      `json:"engine"`      // engine signature
	Commit      string      `json:"commit"`      // commit of the program
	Proven      bool        `json:"proven"`      // the set passed its gate; false marks an unproven candidate
	Validation  *Validation `json:"validation"`  // the reported one, against the start; nil: not validated

	// FirstNodes is the node limit of the first games, where it rose to Nodes. The file leaves it out where it did not.
	FirstNodes int64 `json:"first_nodes,omitempty"`

	// Further validations, such as against the anchors or at more nodes. The file leaves them out where there are none.
	Further []Validation `json:"further,omitempty"`
}

// Validation is the measured strength of a set on openings that its run never used.
type Validation struct {
	Opponent    string   `json:"opponent"`
	Nodes       int64    `json:"nodes"`       // node limit a move
	Pairs       int64    `json:"pairs"`       // the sum of Pentanomial
	Games       int64    `json:"games"`       // games played, two a pair
	Pentanomial [5]int64 `json:"pentanomial"` // pairs by result [points × 2]: [0] both games lost ... [4] both won
	Elo         float64  `json:"elo"`         // strength of the set less the opponent's; written with two decimals, as is the interval
	EloLow      float64  `json:"elo_low"`     // lower end of the 95 % interval
	EloHigh     float64  `json:"elo_high"`    // upper end
	Openings    string   `json:"openings"`    // hash of the openings
	Seed        uint64   `json:"seed"`        // seed the openings were made from
}

const (
	maxText    = 500     // bytes of one text of the provenance
	maxCount   = 1 << 53 // every JSON reader represents such counts exactly
	maxElo     = 100_000 // far beyond the Elo of a score of .999; two decimals stay exact
	maxFurther = 100     // further validations of a file
)

// Rounded returns a deep copy with the figures rounded as in a file; nil for nil.
func (p *Provenance) Rounded() *Provenance {
	if p == nil {
		return nil
	}
	c := p.clone()
	c.Validation = c.Validation.rounded()
	if len(c.Further) == 0 {
		c.Further = nil
	}
	for i := range c.Further {
		c.Further[i] = *c.Further[i].rounded()
	}
	return c
}

func (v *Validation) rounded() *Validation {
	if v == nil {
		return nil
	}
	c := *v
	c.Elo, c.EloLow, c.EloHigh = twoDecimals(c.Elo), twoDecimals(c.EloLow), twoDecimals(c.EloHigh)
	return &c
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
	return reflect.DeepEqual(p.Rounded(), q.Rounded())
}

// Check returns an error that names the first value that no provenance may have. None, nil, has no error.
func (p *Provenance) Check() error {
	if p == nil {
		return nil
	}
	if len(p.Further) > maxFurther {
		return fmt.Errorf("weights: provenance.further has %d validations, outside [0, %d]", len(p.Further), maxFurther)
	}
	err := cmp.Or(
		checkLine("provenance.run", p.Run), checkLine("provenance.start", p.Start),
		checkCount("provenance.games", p.Games), checkCount("provenance.generations", p.Generations),
		checkCount("provenance.nodes", p.Nodes), checkCount("provenance.first_nodes", p.FirstNodes), checkLine("provenance.optimizer", p.Optimizer),
		checkLine("provenance.engine", p.Engine), checkLine("provenance.commit", p.Commit),
		p.Validation.check("provenance.validation"),
	)
	for i := range p.Further {
		err = cmp.Or(err, p.Further[i].check(fmt.Sprintf("provenance.further[%d]", i)))
	}
	return err
}

func (v *Validation) check(path string) error {
	if v == nil {
		return nil
	}
	err := cmp.Or(
		checkLine(path+".opponent", v.Opponent), checkCount(path+".nodes", v.Nodes),
		checkCount(path+".pairs", v.Pairs), checkCount(path+".games", v.Games),
		checkElo(path+".elo", v.Elo), checkElo(path+".elo_low", v.EloLow), checkElo(path+".elo_high", v.EloHigh),
		checkLine(path+".openings", v.Openings),
	)
	var pairs int64
	for i, n := range v.Pentanomial {
		err = cmp.Or(err, checkCount(fmt.Sprintf("%s.pentanomial[%d]", path, i), n))
		pairs += n
	}
	if err == nil && pairs != v.Pairs {
		return fmt.Errorf("weights: %s.pairs is %d, but the pentanomial has %d", path, v.Pairs, pairs)
	}
	return err
}

func checkLine(path, text string) error {
	if len(text) > maxText {
		return fmt.Errorf("weights: %s has %d bytes, outside [0, %d]", path, len(text), maxText)
	}
	return checkText(path, text)
}

func checkCount(path string, n int64) error {
	if n < 0 || n > maxCount {
		return fmt.Errorf("weights: %s is %d, outside [0, %d]", path, n, int64(maxCount))
	}
	return nil
}

func checkElo(path string, elo float64) error {
	if math.IsNaN(elo) || math.Abs(elo) > maxElo {
		return fmt.Errorf("weights: %s is %v, outside [%d, %d]", path, elo, -maxElo, maxElo)
	}
	return nil
}

// twoDecimals rounds to two decimals; zero has no sign.
func twoDecimals(x float64) float64 { return math.Round(x*100)/100 + 0 }
