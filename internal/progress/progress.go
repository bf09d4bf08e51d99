// Package progress keeps the history of a run in progress for displays: the present state, the curves so far,
// the champion's weights by generation, and some of the games. The dashboard and the page read it. It does not
// affect results. Its size is bounded, however long the run is.
package progress

import (
	"slices"
	"sync"
	"time"

	"quintune/board"
	"quintune/internal/cluster"
	"quintune/internal/run"
	"quintune/internal/text"
	"quintune/selfplay"
)

// Bounds of what is kept.
const (
	mostRows  = 600 // generations, and points of the curve; where there are more, every second of the older half goes
	MostGames = 24
)

// clusterAge is how old the state of a cluster may be when it is shown: many may look, and there may be thousands of
// workers.
const clusterAge = time.Second

// gameInterval is the least time between two games that are kept.
const gameInterval = time.Second

// row is an item with a number, in the order of arrival.
type row[T any] struct {
	number int
	value  T
}

// Sources are functions for data that change all the time. They are called when somebody reads the history.
type Sources struct {
	Live    func() *selfplay.Live  // a game in progress; nil where none can be shown
	Cluster func() *cluster.Status // status of the cluster that plays the run; nil: none does
}

// History is the history of a run. Safe for concurrent use.
type History struct {
	summary    run.Summary
	limit      string          // of a move, see run.Spec.Limit
	staged     bool            // later games have more nodes, see run.Spec.FirstNodes
	parameters []run.Parameter // all of the run
	weights    []run.Parameter // the tuned ones
	sources    Sources

	mu          sync.Mutex
	rows        int // numbered so far
	now         run.Event
	generations []row[run.Generation]
	curve       []row[run.Point]
	games       []row[run.Game]
	shown       *run.Game // the last one that was kept
	shownAt     time.Time
	cluster     *cluster.Status // as it was at clusterAt
	clusterAt   time.Time
}

// New returns the history of a run that is played under a name.
func New(r *run.Record, name string, sources Sources) (*History, error) {
	all, err := r.Spec.Parameters()
	if err != nil {
		return nil, err
	}
	summary, err := r.Summary(text.Printable(name))
	if err != nil {
		return nil, err
	}
	summary.Start = text.Printable(summary.Start)
	h := &History{summary: summary, limit: r.Spec.Limit(), staged: r.Spec.FirstNodes > 0, parameters: all, sources: sources, now: run.Event{Budget: summary.Budget}}
	h.weights = slices.DeleteFunc(slices.Clone(all), func(p run.Parameter) bool { return !p.Tuned })
	return h, nil
}

// Run returns what the run was asked to do. Its names hold printable characters only.
func (h *History) Run() *run.Summary { return &h.summary }

// Limit returns the limit of a move.
func (h *History) Limit() string { return h.limit }

// Weights returns the tuned weights with their start values. Not to be written to.
func (h *History) Weights() []run.Parameter { return h.weights }

// Live returns the moves and the size of the board of a game in progress, or of the last one seen; size 0 before the
// first.
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

// Add adds an event of the run.
func (h *History) Add(e run.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.Game == nil {
		e.Game = h.now.Game // a step has just begun
	}
	e.Opponent = text.Printable(e.Opponent)
	h.now = e
	if e.Last != nil {
		h.addGeneration(*e.Last)
	}
	if e.Closed && e.Stage == run.StageCheck {
		h.curve = slices.DeleteFunc(h.curve, func(r row[run.Point]) bool { return r.value.Games >= e.Evolution }) // the run has gone back
		h.curve = keep(h, h.curve, run.Point{Games: e.Evolution, Pairs: e.AgainstPairs, Estimate: e.Against})
	}
	h.keepGame(e)
}

// addGeneration keeps a generation, of its weights the tuned ones alone. It replaces those that a run which went back plays anew.
func (h *History) addGeneration(g run.Generation) {
	g.Values = h.pickTuned(g.Values)
	h.generations = slices.DeleteFunc(h.generations, func(r row[run.Generation]) bool { return r.value.Number >= g.Number })
	h.generations = keep(h, h.generations, g)
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

// pickTuned picks the tuned weights from the values of all, in the order of their declaration; nil from
// any other number of values.
func (h *History) pickTuned(all []float64) []float64 {
	if len(all) != len(h.parameters) {
		return nil
	}
	list := make([]float64, 0, len(h.weights))
	for i := range h.parameters {
		if h.parameters[i].Tuned {
			list = append(list, all[i])
		}
	}
	return list
}

// keepGame keeps the event's game, at intervals. It keeps none while labels are made.
func (h *History) keepGame(e run.Event) {
	g := e.Game
	if g == nil || g == h.shown || e.Stage == run.StageLabels || time.Since(h.shownAt) < gameInterval && len(h.games) > 0 {
		return
	}
	h.shown, h.shownAt = g, time.Now()
	kept := *g
	kept.Stage = e.Stage
	h.addGame(kept)
}

// addGame keeps a game in place of the oldest.
func (h *History) addGame(g run.Game) {
	if len(h.games) >= MostGames {
		h.games = slices.Delete(h.games, 0, 1)
	}
	h.rows++
	g.Number, g.Black, g.White = h.rows, text.Printable(g.Black), text.Printable(g.White)
	h.games = append(h.games, row[run.Game]{h.rows, g})
}

// Resume adds what was closed of the run before this process.
func (h *History) Resume(o *run.Outcome, generations []run.Generation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range generations {
		h.addGeneration(g)
	}
	for _, c := range o.Pooled() {
		h.curve = keep(h, h.curve, c.Point())
	}
}
