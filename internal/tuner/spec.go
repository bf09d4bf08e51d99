package tuner

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"quintune/board"
	"quintune/ga"
	"quintune/internal/book"
	"quintune/internal/fit"
	"quintune/internal/run"
	"quintune/pattern"
	"quintune/weights"
)

// Spec returns the stored form of the configuration.
func (c *Config) Spec() (run.Spec, error) {
	if err := c.check(); err != nil {
		return run.Spec{}, err
	}
	s := run.Spec{
		Schema: weights.Fingerprint(), Engine: c.Engine, StartName: c.StartName,
		OutsideMS: c.OutsideTime.Milliseconds(),
		Shares:    c.Shares, Rule: c.Rule.String(), Size: c.Size, Groups: c.groups(), Frozen: c.Frozen,
		Optimizer: c.Optimizer, Methods: ga.Version, Polish: c.Polish, WarmStart: c.WarmStart, Settings: c.Settings,
		Seed: c.Seed, Budget: c.Budget, Evolution: c.Evolution, Nodes: c.Nodes, NoGate: c.NoGate,
		Openings: lines(c.Book), Extended: c.Extended, Reproducible: len(c.External()) == 0,
	}
	if c.GateBook != nil {
		s.GateBook = lines(c.GateBook)
	}
	if c.Outside != nil {
		s.Outside, s.Reproducible = c.Outside.spec(), false
		s.Schema = s.Outside.Schema()
	}
	if version := c.fitVersion(); version > 1 && (c.Optimizer == fit.Method || c.WarmStart > 0) {
		s.Fit = version
	}
	var err error
	if s.Start, err = c.storedStart(); err != nil {
		return run.Spec{}, err
	}
	for i := range c.Anchors {
		stored, err := c.Anchors[i].spec()
		if err != nil {
			return run.Spec{}, err
		}
		s.Anchors = append(s.Anchors, stored)
	}
	if c.Shipped != nil {
		stored, err := c.Shipped.spec()
		if err != nil {
			return run.Spec{}, err
		}
		s.Shipped = &stored
	}
	return s, nil
}

// spec returns the stored form of an anchor.
func (a *Anchor) spec() (run.AnchorSpec, error) {
	s := run.AnchorSpec{Name: a.Name, Player: a.Player}
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

// ConfigOf returns the configuration that was stored. A specification that this program would play otherwise is refused
// with a *run.Mismatch.
func ConfigOf(s *run.Spec, engine string) (*Config, error) { return ConfigWith(s, engine, nil) }

// ConfigWith is ConfigOf for a run that may tune an engine from outside: this one, nil where none is at hand. An engine that is
// no longer what it was is refused with what has changed; its Start is that of the run.
func ConfigWith(s *run.Spec, engine string, outside *Outside) (*Config, error) {
	if err := s.CheckProgram(engine); err != nil {
		return nil, fmt.Errorf("tuner: %w", err)
	}
	if s.Fit < 0 || s.Fit > fit.Version {
		return nil, fmt.Errorf("tuner: %w", &run.Mismatch{What: "a fit of version", Theirs: strconv.Itoa(s.Fit), Ours: strconv.Itoa(fit.Version)})
	}
	rule, err := pattern.ParseRule(s.Rule)
	if err != nil {
		return nil, fmt.Errorf("tuner: %w", err)
	}
	c := &Config{
		StartName: s.StartName, Rule: rule, Size: s.Size, Groups: s.Groups, Frozen: s.Frozen, Shares: s.Shares,
		Optimizer: s.Optimizer, Polish: s.Polish, WarmStart: s.WarmStart, Settings: s.Settings, Seed: s.Seed, Budget: s.Budget, Evolution: s.Evolution,
		OutsideTime: time.Duration(s.OutsideMS) * time.Millisecond,
		Fit:         max(1, s.Fit), Nodes: s.Nodes, NoGate: s.NoGate, Engine: s.Engine, Extended: s.Extended,
	}
	if s.Outside != nil {
		err = c.restoreOutside(s, outside)
	} else {
		c.Start, err = weights.Unmarshal(s.Start)
	}
	if err != nil {
		return nil, err
	}
	for i := range s.Anchors {
		a, err := anchorOf(&s.Anchors[i])
		if err != nil {
			return nil, err
		}
		c.Anchors = append(c.Anchors, a)
	}
	if s.Shipped != nil {
		a, err := anchorOf(s.Shipped)
		if err != nil {
			return nil, err
		}
		c.Shipped = &a
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

// anchorOf returns the anchor that was stored. No command is started.
func anchorOf(s *run.AnchorSpec) (Anchor, error) {
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
