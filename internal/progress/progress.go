// Package progress keeps what watchers see of a run while it is played: the state of the moment, the
// curves so far, the champion's weights by generation, and some of the games. The dashboard and the page
// read it; nothing of it enters a result. Its size is bounded, however long the run.
package progress

import (
	"slices"
	"sync"
	"time"

	"quintune/board"
	"quintune/internal/cluster"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/selfplay"
	"quintune/weights"
)

// Bounds of what is kept.
const (
	mostRows  = 600 // generations, and points of the curve; where there are more, every second of the older half goes
	mostGames = 24
)

// clusterAge is how old the state of a cluster may be when it is shown: many may look, and there may be thousands of
// workers.
const clusterAge = time.Second

// gameInterval is the least time between two games that are kept.
const gameInterval = time.Second

// Facts say what a run is.
type Facts struct {
	Name      string `json:"name"`
	Run       string `json:"run"` // hash of the configuration
	Start     string `json:"start"`
	Rule      string `json:"rule"`
	Size      int    `json:"size"` // cells on a side
	Nodes     int64  `json:"nodes"`
	Optimizer string `json:"optimizer"`
	Seed      uint64 `json:"seed"`
	Engine    string `json:"engine"` // signature
	Commit    string `json:"commit"`
}

// FactsOf returns the facts of a run that is played under a name by the program of a commit.
func FactsOf(c *tuner.Config, name, run, commit string) Facts {
	return Facts{
		Name: text.Printable(name), Run: run, Start: text.Printable(c.StartName), Rule: c.Rule.String(), Size: c.Size, Nodes: c.Nodes,
		Optimizer: c.Optimizer, Seed: c.Seed, Engine: c.Engine, Commit: commit,
	}
}

// Generation is one closed generation.
type Generation struct {
	Number int     `json:"number"`
	Games  int     `json:"games"` // of the evolution when it was closed
	Phase  string  `json:"phase"`
	Sigma  float64 `json:"sigma"`  // gene units
	Spread float64 `json:"spread"` // mean over genes of the population's sd, gene units
	Best   float64 `json:"best"`   // Elo above the mean of the anchors, within the generation
	Mean   float64 `json:"mean"`
	Values []int32 `json:"values"` // of the champion, in the order of History.Weights
}

// Point is a strength against the start with its 95 % interval, Elo.
type Point struct {
	Games int     `json:"games"` // of the evolution before it was measured
	Pairs int64   `json:"pairs"` // that it is measured on
	Elo   float64 `json:"elo"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Weight is one weight that the run tunes.
type Weight struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`
	Start int32  `json:"start"`
	Ref   int32  `json:"ref"` // what a change of a value that is not positive is measured by; see weights.Decl.Distance
}

// Game is a finished game.
type Game struct {
	Number      int    `json:"number"` // rises from game to game that is kept
	Black       string `json:"black"`
	White       string `json:"white"`
	Stage       string `json:"stage"`
	Size        int    `json:"size"`
	Moves       string `json:"moves"`   // pos notation
	Opening     int    `json:"opening"` // plies
	Outcome     string `json:"outcome"`
	Adjudicated bool   `json:"adjudicated"`
}

// row numbers what is kept in the order of its arrival.
type row[T any] struct {
	number int
	value  T
}

// Sources are asked for what changes all the time, when somebody looks.
type Sources struct {
	Live    func() *selfplay.Live  // a game in progress; nil where none can be shown
	Cluster func() *cluster.Status // of the cluster that plays the run; nil: none does
}

// History is what has been seen of a run. Safe for concurrent use.
type History struct {
	facts    Facts
	tuned    []int // indices of the tuned weights in a set
	declared int   // weights in a set
	weights  []Weight
	decls    []weights.Decl // of weights
	sources  Sources

	mu          sync.Mutex
	rows        int // numbered so far
	now         tuner.Event
	generations []row[Generation]
	curve       []row[Point]
	games       []row[Game]
	shown       *tuner.Sample // the last one that was kept
	shownAt     time.Time
	cluster     *cluster.Status // as it was at clusterAt
	clusterAt   time.Time
}

// New returns the history of a run of a configuration.
func New(facts Facts, c *tuner.Config, sources Sources) *History {
	h := &History{facts: facts, declared: len(c.Start.Values), sources: sources, now: tuner.Event{Budget: c.Budget}}
	groups := map[string]bool{}
	for _, name := range c.Groups {
		groups[name] = true
	}
	if len(groups) == 0 {
		for _, name := range weights.DefaultGroups(c.Rule) {
			groups[name] = true
		}
	}
	i := 0
	for d, value := range c.Start.All() {
		if groups[d.Group] && d.Gene && !slices.Contains(c.Frozen, d.Name) {
			h.tuned = append(h.tuned, i)
			h.weights = append(h.weights, Weight{Name: d.Name, Doc: d.Doc, Start: value, Ref: max(1, d.Ref)})
			h.decls = append(h.decls, d)
		}
		i++
	}
	return h
}

// Facts returns what the run is.
func (h *History) Facts() Facts { return h.facts }

// Weights returns the tuned weights with their start values. Not to be written to.
func (h *History) Weights() []Weight { return h.weights }

// Live returns the moves and the size of the board of a game in progress, or of the one that was seen
// last; size 0 before the first.
func (h *History) Live() (moves []board.Cell, size int) {
	if h.sources.Live != nil {
		if l := h.sources.Live(); l != nil {
			return l.Moves, l.Size
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if g := h.now.Game; g != nil {
		return g.Moves, g.Size
	}
	return nil, 0
}

// Cluster returns the state of the cluster that plays the run, at most a second old; nil where none does. Not to be
// written to.
func (h *History) Cluster() *cluster.Status {
	if h.sources.Cluster == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := time.Now(); now.Sub(h.clusterAt) >= clusterAge {
		h.cluster, h.clusterAt = h.sources.Cluster(), now
	}
	return h.cluster
}

// Add notes an event of the run.
func (h *History) Add(e tuner.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.Game == nil {
		e.Game = h.now.Game // a step has just begun
	}
	h.now = e
	if e.Closed && e.Stage == tuner.StageEvolution {
		var values []int32
		if e.Champion != nil {
			values = h.Tuned(e.Champion.Values)
		}
		h.generations = keep(h, h.generations, Generation{
			Number: e.Generation, Games: e.Evolution, Phase: e.Phase, Sigma: e.Sigma, Spread: e.Spread,
			Best: e.Best, Mean: e.Mean, Values: values,
		})
	}
	if e.Closed && e.Stage == tuner.StageCheck {
		h.curve = keep(h, h.curve, Point{
			Games: e.Evolution, Pairs: e.AgainstPairs, Elo: e.Against.Elo, Low: e.Against.Low, High: e.Against.High,
		})
	}
	h.keepGame(e)
}

// keep adds a row, thinning the older ones where there are too many.
func keep[T any](h *History, rows []row[T], value T) []row[T] {
	if len(rows) >= mostRows {
		kept := rows[:0]
		for i, r := range rows {
			if i%2 == 0 || i >= mostRows/2 {
				kept = append(kept, r)
			}
		}
		clear(rows[len(kept):])
		rows = kept
	}
	h.rows++
	return append(rows, row[T]{h.rows, value})
}

// Tuned picks the tuned weights from the values of all, in the order of their declaration; nil from
// any other number of values.
func (h *History) Tuned(all []int32) []int32 {
	if len(all) != h.declared {
		return nil
	}
	list := make([]int32, len(h.tuned))
	for i, k := range h.tuned {
		list[i] = all[k]
	}
	return list
}

// keepGame keeps the event's game now and then. None is played among the labels.
func (h *History) keepGame(e tuner.Event) {
	g := e.Game
	if g == nil || g == h.shown || e.Stage == tuner.StageLabels || time.Since(h.shownAt) < gameInterval && len(h.games) > 0 {
		return
	}
	h.shown, h.shownAt = g, time.Now()
	if len(h.games) >= mostGames {
		h.games = append(h.games[:0], h.games[1:]...)
	}
	h.rows++
	h.games = append(h.games, row[Game]{h.rows, Game{
		Number: h.rows, Black: text.Printable(g.Black), White: text.Printable(g.White), Stage: string(e.Stage), Size: g.Size,
		Moves: board.FormatMoves(g.Moves), Opening: g.Opening, Outcome: g.Outcome.String(), Adjudicated: g.Adjudicated,
	}})
}

// Resume notes what was closed of the run before.
func (h *History) Resume(state tuner.State, generations []Generation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range generations {
		h.generations = keep(h, h.generations, g)
	}
	for _, c := range state.Pooled() {
		elo := c.Pairs.Elo()
		h.curve = keep(h, h.curve, Point{Games: c.Games, Pairs: c.Pairs.Pairs(), Elo: elo.Elo, Low: elo.Low, High: elo.High})
	}
}
