package watch

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"quintune/board"
	"quintune/internal/cluster"
	"quintune/internal/progress"
	"quintune/internal/tuner"
)

const (
	mostStreams  = 32                     // watchers at a time
	tick         = 250 * time.Millisecond // between two looks at the run
	aliveTicks   = 60                     // ticks after which a silent stream says that it lives
	writeTimeout = 30 * time.Second
)

// stream answers with what a run does, as server-sent events of these names, the data in JSON:
//
//	hello    facts and tuned weights, once: what came before is void
//	rows     generations, points of the curve and games that are new
//	now      the state of the moment
//	cluster  who plays the run on other machines; none where nobody does
//	live     the game in progress
type stream struct {
	history *progress.History
	places  chan struct{}
}

// estimate is a strength with its 95 % interval, Elo.
type estimate struct {
	Elo  float64 `json:"elo"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// now is the state of the moment.
type now struct {
	Stage          tuner.Stage `json:"stage"`
	Phase          string      `json:"phase"`
	Generation     int         `json:"generation"`
	Games          int         `json:"games"`
	Budget         int         `json:"budget"`
	Against        estimate    `json:"against"`
	AgainstPairs   int64       `json:"against_pairs"`
	Pairs          int64       `json:"pairs"`
	Judged         estimate    `json:"judged"`
	Most           int64       `json:"most"`
	LLR            float64     `json:"llr"`
	Lower          float64     `json:"lower"`
	Upper          float64     `json:"upper"`
	Labelled       int         `json:"labelled"`
	Positions      int         `json:"positions"` // to be labelled
	GamesPerSecond float64     `json:"games_per_second"`
	Left           float64     `json:"left"` // seconds
}

func nowOf(e *tuner.Event) now {
	return now{
		Stage: e.Stage, Phase: e.Phase, Generation: e.Generation, Games: e.Games, Budget: e.Budget,
		Against: estimate(e.Against), AgainstPairs: e.AgainstPairs, Pairs: e.Pairs, Judged: estimate(e.Judged), Most: e.Most,
		LLR: e.LLR, Lower: e.Lower, Upper: e.Upper, Labelled: e.Labelled, Positions: e.Positions,
		GamesPerSecond: e.GamesPerSecond, Left: e.Left.Seconds(),
	}
}

type hello struct {
	Facts   progress.Facts    `json:"facts"`
	Weights []progress.Weight `json:"weights"`
}

type rows struct {
	Generations []progress.Generation `json:"generations"`
	Curve       []progress.Point      `json:"curve"`
	Games       []progress.Game       `json:"games"`
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
	if watcher.send("hello", hello{s.history.Facts(), s.history.Weights()}) != nil {
		return
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for watcher.look() == nil {
		select {
		case <-r.Context().Done():
			return
		case <-ticker.C:
		}
	}
}

// watcher is one client of a stream, with what it was told last.
type watcher struct {
	history *progress.History
	out     http.ResponseWriter
	control *http.ResponseController

	last    int
	now     now
	cluster *cluster.Status
	live    string
	silent  int // ticks
}

// look sends what has changed.
func (c *watcher) look() error {
	view := c.history.Since(c.last)
	c.silent++
	if view.Last != c.last {
		c.last = view.Last
		if err := c.send("rows", rows{view.Generations, view.Curve, view.Games}); err != nil {
			return err
		}
	}
	if n := nowOf(&view.Now); n != c.now {
		c.now = n
		if err := c.send("now", n); err != nil {
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
		return c.send("live", live{size, moves})
	}
	if c.silent >= aliveTicks {
		return c.write(": alive\n\n")
	}
	return nil
}

// send writes an event. Its JSON has no line breaks, which would end it.
func (c *watcher) send(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return c.write(fmt.Sprintf("event: %s\ndata: %s\n\n", name, data))
}

func (c *watcher) write(text string) error {
	c.silent = 0
	_ = c.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // test recorders have none
	if _, err := c.out.Write([]byte(text)); err != nil {
		return err
	}
	return c.control.Flush()
}
