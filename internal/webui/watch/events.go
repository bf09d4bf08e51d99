package watch

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"quintune/board"
	"quintune/internal/cluster"
	"quintune/internal/progress"
	"quintune/internal/run"
)

const (
	mostStreams = 32                     // streams at a time
	tick        = 250 * time.Millisecond // between two checks of the run
	aliveTicks  = 60                     // a stream without events sends a sign of life after this number of ticks
)

// stream answers with what a run does, as server-sent events of these names, the data in JSON:
//
//	hello    facts and tuned weights, once: what came before is void
//	rows     generations, points of the curve and games that are new
//	now      the present state
//	cluster  who plays the run on other machines; none where nobody does
//	live     the game in progress
//	verdict  what the run has come to, when that changes
type stream struct {
	history *progress.History
	places  chan struct{}
	stored  bool         // the run is read from the database, not from the process that plays it
	refresh func() error // updates the history before each check; nil where something else does
}

type hello struct {
	Run     *run.Summary    `json:"facts"`
	Weights []run.Parameter `json:"weights"`
	Stored  bool            `json:"stored"`
}

type rows struct {
	Generations []run.Generation `json:"generations"`
	Curve       []run.Point      `json:"curve"`
	Games       []run.Game       `json:"games"`
}

type live struct {
	Size  int    `json:"size"`
	Moves string `json:"moves"`
}

// ServeHTTP streams until the client or the server ends.
func (s *stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	default:
		http.Error(w, fmt.Sprintf("There are %d watchers, which is the most.", mostStreams), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	watcher := &watcher{history: s.history, out: w, control: http.NewResponseController(w)}
	if watcher.send("hello", hello{s.history.Run(), s.history.Weights(), s.stored}) != nil {
		return
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for watcher.look() == nil {
		select {
		case <-r.Context().Done():
			_ = watcher.look() // the last event of the run must come before the stream ends
			return
		case <-ticker.C:
		}
		if s.refresh != nil && s.refresh() != nil {
			return // the page connects again
		}
	}
}

// watcher is one client of a stream, with the state that it was sent last.
type watcher struct {
	history *progress.History
	out     http.ResponseWriter
	control *http.ResponseController

	last    int
	now     run.Event
	cluster *cluster.Status
	live    string
	silent  int // ticks since the last event
	verdict *run.Verdict
}

// look sends what has changed since the last look.
func (c *watcher) look() error {
	view := c.history.Since(c.last)
	c.silent++
	if view.Last != c.last {
		c.last = view.Last
		if err := c.send("rows", rows{view.Generations, view.Curve, view.Games}); err != nil {
			return err
		}
	}
	if view.Now != c.now {
		c.now = view.Now
		if err := c.send("now", view.Now); err != nil {
			return err
		}
	}
	if s := c.history.Cluster(); s != c.cluster {
		c.cluster = s
		if err := c.send("cluster", clusterOf(s)); err != nil {
			return err
		}
	}
	cells, size := c.history.Live()
	if moves := board.FormatMoves(cells); size > 0 && moves != c.live {
		c.live = moves
		if err := c.send("live", live{size, moves}); err != nil {
			return err
		}
	}
	if v := view.Now.Verdict; v != c.verdict {
		c.verdict = v
		return c.send("verdict", v)
	}
	if c.silent >= aliveTicks {
		return c.write(": alive\n\n")
	}
	return nil
}

// send writes an event. JSON contains no line breaks, which would end the event.
func (c *watcher) send(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return c.write(fmt.Sprintf("event: %s\ndata: %s\n\n", name, data))
}

func (c *watcher) write(text string) error {
	c.silent = 0
	if _, err := c.out.Write([]byte(text)); err != nil {
		return err
	}
	return c.control.Flush()
}
