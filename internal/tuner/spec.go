package tuner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"quintune/board"
	"quintune/internal/book"
	"quintune/pattern"
	"quintune/weights"
)

// Spec is the stored form of a Config. It holds all that the games of a run depend on, its openings and
// opponents too, so a run outlives the book and the presets it was started with.
type Spec struct {
	Schema    string          `json:"schema"` // fingerprint of the declared weights
	Engine    string          `json:"engine"`
	StartName string          `json:"start_name"`
	Start     json.RawMessage `json:"start"` // a weights file
	Anchors   []AnchorSpec    `json:"anchors"`
	Rule      string          `json:"rule"`
	Size      int             `json:"size"`
	Groups    []string        `json:"groups"`
	Optimizer string          `json:"optimizer"`
	Polish    float64         `json:"polish"`
	Seed      uint64          `json:"seed"`
	Budget    int             `json:"budget"`
	Nodes     int64           `json:"nodes"`
	NoGate    bool            `json:"no_gate"`
	Openings  []string        `json:"openings"` // the book, in pos notation
	Extended  []Extension     `json:"extended"`
}

// AnchorSpec is the stored form of an Anchor.
type AnchorSpec struct {
	Name    string          `json:"name"`
	Weights json.RawMessage `json:"weights"` // a weights file
}

// Spec returns the stored form of the configuration.
func (c *Config) Spec() (Spec, error) {
	if err := c.check(); err != nil {
		return Spec{}, err
	}
	s := Spec{
		Schema: weights.Fingerprint(), Engine: c.Engine, StartName: c.StartName,
		Rule: c.Rule.String(), Size: c.Size, Groups: c.groups(), Optimizer: c.Optimizer, Polish: c.Polish,
		Seed: c.Seed, Budget: c.Budget, Nodes: c.Nodes, NoGate: c.NoGate,
		Openings: lines(c.Book), Extended: c.Extended,
	}
	var err error
	if s.Start, err = weights.Marshal(c.Start); err != nil {
		return Spec{}, err
	}
	for _, a := range c.Anchors {
		data, err := weights.Marshal(a.Set)
		if err != nil {
			return Spec{}, fmt.Errorf("tuner: anchor %s: %w", a.Name, err)
		}
		s.Anchors = append(s.Anchors, AnchorSpec{a.Name, data})
	}
	return s, nil
}

// ID returns 16 hexadecimal digits that identify the configuration.
func (s *Spec) ID() (string, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("tuner: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]), nil
}

// Config returns the configuration that was stored. A spec of another engine or weight schema
// is refused, since its games would not be the ones that were played.
func (s *Spec) Config(engine string) (*Config, error) {
	if s.Schema != weights.Fingerprint() {
		return nil, fmt.Errorf("tuner: the run tunes weight schema %s, this program has %s", s.Schema, weights.Fingerprint())
	}
	if s.Engine != engine {
		return nil, fmt.Errorf("tuner: the run was played by engine %s, this program has %s", s.Engine, engine)
	}
	rule, err := pattern.ParseRule(s.Rule)
	if err != nil {
		return nil, fmt.Errorf("tuner: %w", err)
	}
	c := &Config{
		StartName: s.StartName, Rule: rule, Size: s.Size, Groups: s.Groups, Optimizer: s.Optimizer,
		Polish: s.Polish, Seed: s.Seed, Budget: s.Budget, Nodes: s.Nodes, NoGate: s.NoGate, Engine: s.Engine, Extended: s.Extended,
	}
	if c.Start, err = weights.Unmarshal(s.Start); err != nil {
		return nil, err
	}
	for _, a := range s.Anchors {
		set, err := weights.Unmarshal(a.Weights)
		if err != nil {
			return nil, fmt.Errorf("tuner: anchor %s: %w", a.Name, err)
		}
		c.Anchors = append(c.Anchors, Anchor{a.Name, set})
	}
	all := strings.NewReader(strings.Join(s.Openings, "\n"))
	if c.Book, err = book.Parse(all, "the run's openings", rule, s.Size); err != nil {
		return nil, err
	}
	return c, c.check()
}

func lines(b *book.Book) []string {
	list := make([]string, len(b.Openings))
	for i, o := range b.Openings {
		list[i] = board.FormatMoves(o.Moves)
	}
	return list
}
