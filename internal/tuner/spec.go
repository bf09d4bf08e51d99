package tuner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quintune/board"
	"quintune/ga"
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
	OutsideMS int64           `json:"outside_ms"` // time a move of engines from outside
	Shares    Shares          `json:"shares"`
	Rule      string          `json:"rule"`
	Size      int             `json:"size"`
	Groups    []string        `json:"groups"`
	Frozen    []string        `json:"frozen"`
	Optimizer string          `json:"optimizer"`
	Methods   int             `json:"methods"` // version of the optimisers
	Polish    float64         `json:"polish"`
	WarmStart float64         `json:"warm_start"`
	Settings  Settings        `json:"settings"`
	Seed      uint64          `json:"seed"`
	Budget    int             `json:"budget"`
	Evolution int             `json:"evolution"` // games after which the evolution was told to end, 0: never; not in the id
	Nodes     int64           `json:"nodes"`
	NoGate    bool            `json:"no_gate"`
	Openings  []string        `json:"openings"`      // the book, in pos notation
	GateBook  []string        `json:"gate_openings"` // the gates' own book; none: a part of the openings
	Extended  []Extension     `json:"extended"`

	// Reproducible is false where an engine from outside plays: nobody can repeat its games.
	Reproducible bool `json:"reproducible"`
}

// AnchorSpec is the stored form of an Anchor.
type AnchorSpec struct {
	Name    string          `json:"name"`
	Weights json.RawMessage `json:"weights,omitempty"` // a weights file
	Player  string          `json:"player,omitempty"`  // player argument of one without weights
}

// Spec returns the stored form of the configuration.
func (c *Config) Spec() (Spec, error) {
	if err := c.check(); err != nil {
		return Spec{}, err
	}
	s := Spec{
		Schema: weights.Fingerprint(), Engine: c.Engine, StartName: c.StartName,
		OutsideMS: c.OutsideTime.Milliseconds(),
		Shares:    c.Shares, Rule: c.Rule.String(), Size: c.Size, Groups: c.groups(), Frozen: c.Frozen,
		Optimizer: c.Optimizer, Methods: ga.Version, Polish: c.Polish, WarmStart: c.WarmStart, Settings: c.Settings,
		Seed: c.Seed, Budget: c.Budget, Evolution: c.Evolution, Nodes: c.Nodes, NoGate: c.NoGate,
		Openings: lines(c.Book), Extended: c.Extended, Reproducible: len(c.Outsiders()) == 0,
	}
	if c.GateBook != nil {
		s.GateBook = lines(c.GateBook)
	}
	var err error
	if s.Start, err = weights.Marshal(c.Start); err != nil {
		return Spec{}, err
	}
	for i := range c.Anchors {
		stored, err := c.Anchors[i].spec()
		if err != nil {
			return Spec{}, err
		}
		s.Anchors = append(s.Anchors, stored)
	}
	return s, nil
}

// spec returns the stored form of an anchor.
func (a *Anchor) spec() (AnchorSpec, error) {
	s := AnchorSpec{Name: a.Name, Player: a.Player}
	if a.Set == nil {
		return s, nil
	}
	data, err := weights.Marshal(a.Set)
	if err != nil {
		return s, fmt.Errorf("tuner: anchor %s: %w", a.Name, err)
	}
	s.Weights = data
	return s, nil
}

// ID returns 16 hexadecimal digits that identify the configuration. When the evolution ends before its time
// does not belong to it: a run that was ended by the clock and one that is told to end there are the same.
func (s *Spec) ID() (string, error) {
	hashed := *s
	hashed.Evolution = 0
	data, err := json.Marshal(hashed)
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
		return nil, &Mismatch{"weight schema", s.Schema, weights.Fingerprint()}
	}
	if s.Engine != engine {
		return nil, &Mismatch{"engine", s.Engine, engine}
	}
	rule, err := pattern.ParseRule(s.Rule)
	if err != nil {
		return nil, fmt.Errorf("tuner: %w", err)
	}
	if s.Methods != ga.Version {
		return nil, &Mismatch{"optimisers of version", strconv.Itoa(s.Methods), strconv.Itoa(ga.Version)}
	}
	c := &Config{
		StartName: s.StartName, Rule: rule, Size: s.Size, Groups: s.Groups, Frozen: s.Frozen, Shares: s.Shares,
		Optimizer: s.Optimizer, Polish: s.Polish, WarmStart: s.WarmStart, Settings: s.Settings, Seed: s.Seed, Budget: s.Budget, Evolution: s.Evolution,
		OutsideTime: time.Duration(s.OutsideMS) * time.Millisecond,
		Nodes:       s.Nodes, NoGate: s.NoGate, Engine: s.Engine, Extended: s.Extended,
	}
	if c.Start, err = weights.Unmarshal(s.Start); err != nil {
		return nil, err
	}
	for i := range s.Anchors {
		a, err := s.Anchors[i].anchor()
		if err != nil {
			return nil, err
		}
		c.Anchors = append(c.Anchors, a)
	}
	if c.Book, err = readBook(s.Openings, "the run's openings", rule, s.Size); err != nil {
		return nil, err
	}
	if s.GateBook != nil {
		if c.GateBook, err = readBook(s.GateBook, "the run's gate openings", rule, s.Size); err != nil {
			return nil, err
		}
	}
	return c, c.check()
}

// anchor returns the anchor that was stored. No command is started.
func (s *AnchorSpec) anchor() (Anchor, error) {
	a := Anchor{Name: s.Name, Player: s.Player}
	if s.Player != "" {
		return a, nil
	}
	set, err := weights.Unmarshal(s.Weights)
	if err != nil {
		return a, fmt.Errorf("tuner: anchor %s: %w", s.Name, err)
	}
	a.Set = set
	return a, nil
}

// readBook reads stored openings.
func readBook(openings []string, name string, rule pattern.Rule, size int) (*book.Book, error) {
	return book.Parse(strings.NewReader(strings.Join(openings, "\n")), name, rule, size)
}

func lines(b *book.Book) []string {
	list := make([]string, len(b.Openings))
	for i, o := range b.Openings {
		list[i] = board.FormatMoves(o.Moves)
	}
	return list
}
