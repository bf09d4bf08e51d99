package main

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/weights"
)

// barInterval is the least time between two updates of the bar.
const barInterval = 200 * time.Millisecond

// display shows the progress of a command: a bar on a terminal, log lines elsewhere. On a terminal a run has the
// dashboard in place of the bar; see ui.
type display struct {
	log   *slog.Logger
	held  *logBuffer // what log writes to
	bar   io.Writer  // nil: no bar
	full  bool       // the terminal has a keyboard, so a dashboard is possible
	quiet bool
	last  time.Time

	people bool                    // the log is text, not JSON
	told   map[run.Stage]time.Time // time of the last log line of each long stage
	drawn  bool
}

func newDisplay(cmd *cobra.Command, o *config.Common) *display {
	h := &logBuffer{to: cmd.ErrOrStderr()}
	d := &display{log: config.NewLogger(h, o), held: h, quiet: o.Quiet, people: o.LogFormat == "text", told: map[run.Stage]time.Time{}}
	if !d.quiet && d.people && text.CanDraw(cmd.OutOrStdout()) && text.CanDraw(cmd.ErrOrStderr()) {
		d.bar = cmd.ErrOrStderr()
		d.full = text.IsTerminal(cmd.InOrStdin())
	}
	return d
}

// begin logs the plan of a run.
func (d *display) begin(c *tuner.Config, r *tuner.Run, name string) {
	d.log.Info("run", "name", name, "id", r.ID(), "start", c.StartName, "games", c.Budget, "optimizer", c.Optimizer, "nodes", c.Nodes, "seed", c.Seed)
	if most, least := r.GateShortfall(); least > 0 {
		d.log.Warn("no gain can be proven: the gate needs more pairs even if it wins them all; give a greater --budget or more openings",
			"gate_pairs", most, "needed_pairs", least)
	}
	if unmet := r.UnmetAnchors(); len(unmet) > 0 {
		d.log.Warn("the budget is too small for validations against all players that were named; give a greater --budget",
			"not_met", strings.Join(unmet, ", "))
	}
	if external := tuner.External(c.Anchors); len(external) > 0 {
		d.log.Warn("external engines play: this run cannot be repeated", "engines", strings.Join(external, ", "))
	}
	if c.Tuned != nil {
		file := c.Tuned.File
		d.log.Info("engine", "name", file.Name(), "file", file.Path, "parameters", len(file.Parameters), "pass", string(file.Pass))
		return
	}
	nodes := c.FewestNodes()
	kept := slices.DeleteFunc(c.Kept(), func(name string) bool { return !slices.Contains(c.Frozen, name) }) // a run of an older program tunes them
	switch {
	case len(kept) > 0:
		d.log.Info("weights that prune stay as they are: what games of so few nodes say of them does not hold at more",
			"nodes", nodes, "least", run.LeastSearchNodes, "weights", strings.Join(kept, ","))
	case nodes < run.LeastSearchNodes && slices.Contains(c.Groups, weights.SearchGroup):
		d.log.Warn("what games of so few nodes say of the search does not hold at more", "nodes", nodes, "least", run.LeastSearchNodes)
	}
}

// start logs what the genome's constraints did to the start of a new run; p is nil for a run that does not tune our weights.
func (d *display) start(p *weights.Projection) {
	if p == nil {
		return
	}
	for _, s := range p.Scaled {
		d.log.Info("start scaled to the genome", "family", s.Family, "factor", fmt.Sprintf("%.3f", s.Factor))
	}
	if len(p.Moved) > 0 {
		d.log.Info("start moved into the genome", "weights", len(p.Moved), "greatest", greatest(p.Moved))
	}
}

// greatest lists the three weights that were moved most.
func greatest(moved []weights.Move) string {
	far := func(m weights.Move) int32 { return max(m.Scaled-m.To, m.To-m.Scaled) }
	moved = slices.SortedStableFunc(slices.Values(moved), func(a, b weights.Move) int { return cmp.Compare(far(b), far(a)) })
	var list []string
	for _, m := range moved[:min(3, len(moved))] {
		list = append(list, fmt.Sprintf("%s %d→%d", m.Name, m.Scaled, m.To))
	}
	return strings.Join(list, ", ")
}

// lineInterval is the time between two log lines, for people, of a stage with many events.
const lineInterval = 30 * time.Second

// event logs an event of a run. Where people read the log, generations with their checks and labels are logged
// at intervals only.
func (d *display) event(e run.Event) {
	if d.quiet || !logged(e) {
		return
	}
	if repeats := e.Stage == run.StageEvolution || e.Stage == run.StageCheck || e.Stage == run.StageLabels; repeats && d.people {
		if last, told := d.told[e.Stage]; told && time.Since(last) < lineInterval {
			return
		}
		d.told[e.Stage] = time.Now()
	}
	d.end()
	d.log.Info(string(e.Stage), fields(e)...)
}

// drawSometimes updates the bar's line when the interval has passed, or when must is true.
func (d *display) drawSometimes(must bool, line func() string) {
	if d.bar == nil || !must && time.Since(d.last) < barInterval {
		return
	}
	d.last, d.drawn = time.Now(), true
	fmt.Fprintf(d.bar, "\r%s\x1b[K", line())
}

// longMaking is the time from which on openings that are being made get a log line.
const longMaking = 2 * time.Second

// making returns a function that shows the number of openings made. Without the bar it logs once that they are being made.
func (d *display) making() func(found int) {
	begun, told := time.Now(), d.bar != nil
	return func(found int) {
		if !told && time.Since(begun) >= longMaking {
			told = true
			d.log.Info("openings are being made", "made", found)
		}
		d.drawSometimes(false, func() string { return fmt.Sprintf("%d openings made", found) })
	}
}

// end leaves the bar's line.
func (d *display) end() {
	if d.drawn {
		fmt.Fprintln(d.bar)
		d.drawn = false
	}
}

// logged reports whether an event gets a log line. Closed steps do. So do the beginning and the end of labels,
// since no step may be closed for minutes around them.
func logged(e run.Event) bool {
	return e.Closed || e.Stage == run.StageLabels && (e.Labelled == 0 || e.Labelled == e.Positions)
}

// fields returns the figures of an event for a log line.
func fields(e run.Event) []any {
	list := []any{"games", fmt.Sprintf("%d/%d", e.Games, e.Budget), "generation", e.Generation}
	switch e.Stage {
	case run.StageGate:
		list = append(list, "pairs", e.Pairs, "llr", text.Hundredths(e.LLR))
	case run.StageValidation:
		list = append(list, "pairs", e.Pairs)
	case run.StageLabels:
		list = append(list, "positions", fmt.Sprintf("%d/%d", e.Labelled, e.Positions))
	default:
		list = append(list, "phase", e.Phase, "sigma", fmt.Sprintf("%.3f", e.Sigma), "spread", fmt.Sprintf("%.3f", e.Spread))
	}
	if e.AgainstPairs >= stats.FewestPairs {
		list = append(list, "recent_champions_elo", text.EloCell(e.Against.Elo, e.Against.Low, e.Against.High))
	}
	if e.GamesPerSecond == 0 { // of a run that was just resumed
		return list
	}
	return append(list, "games_per_second", fmt.Sprintf("%.1f", e.GamesPerSecond), "left", (time.Duration(math.Round(e.Left)) * time.Second).String())
}

const barWidth = 20

// bar draws a share, 0 to 1.
func bar(share float64) string {
	share = max(0, min(1, share))
	full := int(share * barWidth)
	return fmt.Sprintf("[%s%s] %3.0f%%", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), 100*share)
}

// mostHeld bounds the text that is held back, in bytes. The oldest lines are dropped first.
const mostHeld = 64 << 10

// logBuffer is a writer that can hold back lines, such as log lines while the dashboard uses the terminal. Safe
// for concurrent use.
type logBuffer struct {
	to io.Writer

	mu      sync.Mutex
	holding bool
	held    [][]byte
	size    int
}

// Write writes a line, or keeps it for later.
func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.holding {
		return b.to.Write(line)
	}
	b.held, b.size = append(b.held, append([]byte(nil), line...)), b.size+len(line)
	for b.size > mostHeld && len(b.held) > 1 {
		b.size -= len(b.held[0])
		b.held = b.held[1:]
	}
	return len(line), nil
}

// begin begins to hold back.
func (b *logBuffer) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holding = true
}

// end writes the lines that were held back. Errors are ignored: the terminal may be closed.
func (b *logBuffer) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range b.held {
		_, _ = b.to.Write(line)
	}
	b.holding, b.held, b.size = false, nil, 0
}
