package run

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintune/ga"
	"quintune/internal/book"
	"quintune/internal/fit"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/weights"
)

// Bounds of a budget, games.
const (
	MinBudget = 100
	MaxBudget = 1_000_000_000
)

// MaxNodes bounds the node limit of a move: a move takes days, and four times as many are still counted exactly in files.
const MaxNodes = book.MaxNodes

// Candidate is the name of the current champion in matches, and of the set that a run recommends.
const Candidate = "candidate"

// Spec is what a run is asked to do. It holds everything on which the games depend, including openings and
// opponents. So a run does not need the book and the presets with which it was started.
type Spec struct {
	Schema     string            `json:"schema"` // fingerprint of the declared weights, or of the outside engine's parameters
	Engine     string            `json:"engine"` // signature
	StartName  string            `json:"start_name"`
	Start      json.RawMessage   `json:"start"`             // a weights file; or the values of the outside engine, name to number
	Outside    *EngineSpec       `json:"outside,omitempty"` // whose parameters are tuned; nil: weights are
	Anchors    []Anchor          `json:"anchors"`
	Shipped    *Anchor           `json:"shipped,omitempty"` // embedded set that the result meets at the end
	OutsideMS  int64             `json:"outside_ms"`        // time a move of external engines
	Shares     json.RawMessage   `json:"shares,omitempty"`  // of stored runs; see former
	Rule       string            `json:"rule"`
	Size       int               `json:"size"`
	Groups     []string          `json:"groups"`
	Frozen     []string          `json:"frozen"`
	Optimizer  string            `json:"optimizer"`
	Methods    int               `json:"methods"`          // version of the optimisers
	Polish     json.RawMessage   `json:"polish,omitempty"` // of stored runs; see former
	WarmStart  float64           `json:"warm_start"`
	Fit        int               `json:"fit,omitempty"` // version of the fit; none: 1, or there is no fit
	Settings   OptimizerSettings `json:"settings"`
	Seed       uint64            `json:"seed"`
	Budget     int               `json:"budget"`
	Evolution  int               `json:"evolution"` // games after which the evolution was told to end, 0: never; not in the id
	Nodes      int64             `json:"nodes"`
	FirstNodes int64             `json:"first_nodes,omitempty"` // of the evolution's first games, see tuner.Config.nodesAfter; 0: Nodes
	NoGate     bool              `json:"no_gate"`
	Openings   []string          `json:"openings"`      // the book, in pos notation
	GateBook   []string          `json:"gate_openings"` // the gates' own book; none: a part of the openings
	Extended   []Extension       `json:"extended"`

	// Reproducible is false where an external engine plays: nobody can repeat its games. That of an engine that is tuned was
	// measured when the run began: equal values gave equal games.
	Reproducible bool `json:"reproducible"`
}

// Limit returns the limit of a move for people, such as "1000 nodes".
func (s *Spec) Limit() string {
	switch {
	case s.Outside != nil && s.Outside.TimeMS > 0:
		return fmt.Sprintf("%d ms", s.Outside.TimeMS)
	case s.FirstNodes > 0:
		return fmt.Sprintf("%d to %d nodes", s.FirstNodes, s.Nodes)
	}
	return text.Plural(s.Nodes, "node")
}

// Anchor is a fixed opponent: weights, or a player of another kind.
type Anchor struct {
	Name    string          `json:"name"`
	Weights json.RawMessage `json:"weights,omitempty"` // a weights file
	Player  string          `json:"player,omitempty"`  // player argument, where the opponent is not weights
	Rival   bool            `json:"rival,omitempty"`   // candidates play it too, where the optimizer has rivals
}

// MeetShipped makes the embedded set of the board an opponent that the result meets at the end. There is none where the run has no
// gate, or begins with the values of that set.
func (s *Spec) MeetShipped(start *weights.Set) error {
	s.Shipped = nil
	if s.NoGate {
		return nil
	}
	rule, err := pattern.ParseRule(s.Rule)
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	name := weights.EvolvedFor(rule, s.Size)
	set, err := weights.Preset(name)
	if err != nil || slices.Equal(set.Values, start.Values) {
		return err
	}
	set.Rule, set.Size = rule, s.Size
	file, err := weights.Marshal(set)
	s.Shipped = &Anchor{Name: name, Weights: file}
	return err
}

// OptimizerSettings are the numbers of the optimisers that a run is stored with, since its games depend on them.
type OptimizerSettings struct {
	Adapt    bool    `json:"adapt,omitempty"`     // the genetic algorithm sets its own widths; false: it is the former one, see former
	Width    float64 `json:"width,omitempty"`     // at the end of the budget, if nothing narrows it, gene units; 0: that of package ga
	Kin      bool    `json:"kin,omitempty"`       // it knows classes of genes, and their values where they are few; false: the optimizer has no classes, or the run was begun before
	Search   float64 `json:"search,omitempty"`    // unit of the genes of the search beside other weights, see ga.Gene; 0: 1
	InFlight int     `json:"in_flight,omitempty"` // generations that may be open at a time, above 1; 0: 1

	SigmaFrom json.RawMessage `json:"sigma_from,omitempty"` // these three of stored runs; see former
	SigmaTo   json.RawMessage `json:"sigma_to,omitempty"`
	Founders  json.RawMessage `json:"founders,omitempty"`

	Perturb float64 `json:"perturb"` // SPSA: final perturbation, gene units
	Rate    float64 `json:"rate"`    // SPSA: final rate, for a budget of 40 000 games
}

// DefaultAnchors returns the names of the tables of the literature, which a run without --anchor meets.
func DefaultAnchors() []string { return []string{"huang", "zhang", "shapes", "sjtu"} }

// DefaultOutsideTime is the time a move of external engines in a run that sets none. Chosen, not measured.
const DefaultOutsideTime = 250 * time.Millisecond

// DefaultWarmStart returns the share of a run's evolution that is for a fit, where nobody names it. A fit learns weights of
// positions and of the ordering; it cannot learn parameters of an engine from outside.
func DefaultWarmStart(optimizer string, groups []string, outside bool) float64 {
	if outside || optimizer == fit.Method || !fit.Learns(groups) {
		return 0
	}
	return .1 // chosen: a fit gains most in the least time (docs/results/optimisers.md), other shares were not compared
}

// searchWidth is the width at the end of the budget, gene units, where numbers of the search alone are tuned: a factor of 1.3.
// Narrower steps leave small whole numbers as they are.
const searchWidth = .13

// LeastSearchNodes is the least number of nodes a move from which games tell what a search is worth at more nodes, see Spec.Kept. At this
// limit 27 626 games gained 15 Elo [6, 25].
const LeastSearchNodes = 10_000

// Kept returns the weights of the search that a run leaves as they are beside other weights: they prune, and games of few nodes make
// them prune too much for more nodes (docs/results/optimisers.md). A run of the search alone tunes all. The nodes are those of the first
// stage, which has the most games. There are none for the parameters of an engine from outside.
func (s *Spec) Kept() []string {
	if s.Outside != nil || s.FewestNodes() >= LeastSearchNodes || !fit.Learns(s.Groups) || !slices.Contains(s.Groups, weights.SearchGroup) {
		return nil
	}
	var names []string
	for _, d := range weights.Declarations() {
		if d.Deep {
			names = append(names, d.Name)
		}
	}
	return names
}

// FreezeKept adds the weights that a new run keeps to its frozen ones.
func (s *Spec) FreezeKept() { s.Frozen = s.withKept(s.Frozen) }

// withKept returns the frozen weights of a run in which --freeze names the given ones.
func (s *Spec) withKept(named []string) []string {
	frozen := slices.Clip(named)
	for _, name := range s.Kept() {
		if !slices.Contains(named, name) {
			frozen = append(frozen, name)
		}
	}
	return frozen
}

// namedFrozen returns the frozen weights that --freeze has to name in a new run, so that it freezes the same in the same order. repeats
// is false where none does: the run was begun before there were weights to keep.
func (s *Spec) namedFrozen() (names []string, repeats bool) {
	for n := range len(s.Frozen) + 1 {
		if slices.Equal(s.withKept(s.Frozen[:n]), s.Frozen) {
			return s.Frozen[:n], true
		}
	}
	return s.Frozen, false
}

// FewestNodes returns the nodes a move of the first stage.
func (s *Spec) FewestNodes() int64 { return cmp.Or(s.FirstNodes, s.Nodes) }

// DefaultSettings returns the settings of a method measured in games (docs/results/optimisers.md), for a run of weights of the groups,
// with a warm start or without. The optimisers' own defaults, which suit synthetic landscapes, are too wide here: a gene spans a factor of 64.
func DefaultSettings(method string, groups []string, warm bool) OptimizerSettings {
	s := OptimizerSettings{
		Perturb: .10,  // a factor of 1.23 on a weight
		Rate:    .010, // .008 to .010 gained more than .002 (docs/log/optimisers.md)
	}
	if method == ga.MethodGA {
		s.Adapt, s.Kin = true, true
		s.Width = .04 // a factor of 1.09 on a weight: wider ones gained less, with and without a warm start
	}
	switch {
	case !fit.Learns(groups):
		s.Width = searchWidth
	case method == ga.MethodGA && (len(groups) == 0 || slices.Contains(groups, weights.SearchGroup)):
		s.Search = searchWidth / s.Width // so their twins lie as far apart as where the search is tuned alone
	}
	if warm { // what is near an optimum already is spoilt by wide steps
		s.Perturb = .04
	}
	return s
}

// former returns the name of a method that this program no longer plays, "" for a method that it plays. The numbers
// of the former genetic algorithm, which all runs of its time hold, are kept as they are: the id of the run is made
// of them.
func (s *Spec) former() string {
	switch {
	case s.Optimizer == ga.MethodGA && !s.Settings.Adapt:
		return "ga with fixed widths, the former one"
	case s.Optimizer == cmaes:
		return cmaes
	}
	return ""
}

const cmaes = "cmaes" // the method of runs that are still stored

// Extension is a greater budget that a run got on its way.
type Extension struct {
	Generation int  `json:"generation"`      // generations closed by then
	Budget     int  `json:"budget"`          // before, games
	Ended      bool `json:"ended,omitempty"` // its final gate was judged; not in runs extended by older programs
	// Evolution is the number of games at which the evolution had been ended, or was told to end; 0: it was not. Runs extended by older
	// programs do not have it.
	Evolution int `json:"evolution,omitempty"`
}

// ID returns 16 hexadecimal digits that identify the specification. The early end of the evolution is not part of
// it: a run that the clock ended has the same ID as one of the same budget that --evolution ended there.
func (s *Spec) ID() (string, error) {
	hashed := *s
	hashed.Evolution = 0
	data, err := json.Marshal(hashed)
	if err != nil {
		return "", fmt.Errorf("run: %w", err)
	}
	return hashOf(data), nil
}

// hashOf returns 16 hexadecimal digits that identify the bytes.
func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Adopt makes this program, whose engine has the signature, the one that plays the run's games: the genetic algorithm of today takes the
// place of a method that is gone, and of its own form before there were classes of genes.
func (s *Spec) Adopt(engine string) {
	s.Engine, s.Schema, s.Methods = engine, weights.Fingerprint(), ga.Version
	if s.former() != "" {
		s.Optimizer = ga.MethodGA
		s.Settings = DefaultSettings(s.Optimizer, s.Groups, s.WarmStart > 0)
	}
	s.Settings.Kin, s.Fit = s.Settings.Adapt, 0
	if s.fits() {
		s.Fit = fit.Version
	}
	s.Shares, s.Polish = nil, nil
	s.Settings.SigmaFrom, s.Settings.SigmaTo, s.Settings.Founders = nil, nil, nil
}

// fits reports whether the run has a fit.
func (s *Spec) fits() bool { return s.Optimizer == fit.Method || s.WarmStart > 0 }

// CheckProgram refuses a run of another engine, weight schema or version of the optimisers, of a fit that it does not have, or of a method that is
// gone: this program would play other games than the stored ones. Its error is a *Mismatch.
func (s *Spec) CheckProgram(engine string) error {
	if former := s.former(); former != "" {
		return &Mismatch{"optimizer", former, strings.Join(ga.Methods(), " and ")}
	}
	if s.Outside == nil && s.Schema != weights.Fingerprint() {
		return &Mismatch{"weight schema", s.Schema, weights.Fingerprint()}
	}
	if s.Engine != engine {
		return &Mismatch{"engine", s.Engine, engine}
	}
	if s.Methods != ga.Version {
		return &Mismatch{"optimisers of version", strconv.Itoa(s.Methods), strconv.Itoa(ga.Version)}
	}
	if s.Fit < 0 || s.Fit > fit.Version || s.fits() && s.Fit < fit.OldestVersion {
		return &Mismatch{"a fit of version", strconv.Itoa(s.Fit), strconv.Itoa(fit.Version)}
	}
	return nil
}

// Mismatch is the error of a run that this program cannot continue, because its games would differ: another
// engine, other weights, another architecture. A fork begins a new run from it.
type Mismatch struct {
	What         string // such as "engine"
	Theirs, Ours string
}

// Error names both sides.
func (m *Mismatch) Error() string {
	return fmt.Sprintf("the run was played with %s %s, this program has %s", m.What, m.Theirs, m.Ours)
}
