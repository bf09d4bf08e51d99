package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/gomocup"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// brain is our engine as a gomocup.Engine.
type brain struct {
	// choose returns who is chosen to play on a board.
	choose  func(rule pattern.Rule, size int) (*player.Player, error)
	log     *slog.Logger              // nil: none
	broken  error                     // why nobody could be chosen
	known   map[string]*player.Player // by class of boards, as weights.EvolvedFor names it
	playing *player.Player            // on the board: who is chosen, or the embedded set in its place; nil before the first game
	engine  *search.Engine
	size    int
	rule    pattern.Rule
	has     resources // of engine
	games   uint64    // opened under swap2
}

// NewGame makes an engine for the size and rule, or empties the one there is. A manager may name the
// rule after START, when its clock runs, so that the table's memory is kept.
func (b *brain) NewGame(size int, rule pattern.Rule) error {
	last := b.playing
	if b.broken = b.seat(size, rule); b.broken != nil {
		return b.broken
	}
	if b.engine == nil {
		if err := prepareRules(); err != nil {
			return err
		}
		return b.build(size, rule, resourcesOf(gomocup.Limits{}))
	}
	if b.size == size && b.rule == rule {
		b.engine.NewGame()
		return nil
	}
	if err := b.engine.SetBoard(size, rule); err != nil {
		return err
	}
	if b.playing != last {
		b.engine.SetWeights(b.playing.Weights)
	}
	b.size, b.rule = size, rule
	return nil
}

// seat takes the player of the board and logs whose weights these are, where it is another than before. The log says
// nothing before the first START: some managers take its lines for the answer to ABOUT.
func (b *brain) seat(size int, rule pattern.Rule) error {
	p, err := b.on(size, rule)
	if err != nil || b.playing != nil && b.playing.Name == p.Name {
		return err
	}
	b.playing = p
	if b.log != nil {
		tellWeights(b.log, p)
	}
	return nil
}

// on returns who plays on a board. Each class of boards is asked for once: files are not read again between games.
func (b *brain) on(size int, rule pattern.Rule) (*player.Player, error) {
	class := weights.EvolvedFor(rule, size)
	if p := b.known[class]; p != nil {
		return p, nil
	}
	p, err := b.choose(rule, size)
	if err == nil {
		p, err = p.OnBoard(size, rule)
	}
	if err != nil {
		return nil, err
	}
	if b.known == nil {
		b.known = map[string]*player.Player{}
	}
	b.known[class] = p
	return p, nil
}

// always returns the choice of one player for all boards.
func always(p *player.Player) func(pattern.Rule, int) (*player.Player, error) {
	return func(pattern.Rule, int) (*player.Player, error) { return p, nil }
}

// prepareRules makes the tables of all rules, which takes 20 ms, at the first START, where no clock runs.
func prepareRules() error {
	for rule := range pattern.Rule(pattern.NumRules) {
		if _, err := board.New(board.MinSize, rule); err != nil {
			return err
		}
	}
	return nil
}

// build makes an engine in place of the one there is, whose memory is given back before.
func (b *brain) build(size int, rule pattern.Rule, r resources) error {
	b.engine = nil
	r.reserve()
	engine, err := search.NewEngine(b.playing.Weights, size, rule, search.Options{TableEntries: r.entries, Threads: r.threads})
	if err != nil {
		return err
	}
	b.engine, b.size, b.rule, b.has = engine, size, rule, r
	return nil
}

// ClearHash forgets everything, for YXHASHCLEAR.
func (b *brain) ClearHash() {
	if b.engine != nil {
		b.engine.NewGame()
	}
}

// Think searches until the limits; ctx ends at the deadline. Managers may change threads and memory
// from move to move. One message tells each finished depth, and a last one the whole search, in
// the form of Rapfi.
func (b *brain) Think(ctx context.Context, p gomocup.Position, l gomocup.Limits, report func(string)) (board.Cell, error) {
	position, err := p.Board()
	if err != nil {
		return board.NoCell, err
	}
	if r := resourcesOf(l); r != b.has {
		if err := b.build(b.size, b.rule, r); err != nil {
			return board.NoCell, err
		}
	}
	start := time.Now()
	limits := limitsUnder(l, start)
	result := b.engine.Search(ctx, position, limits, func(r search.Result) {
		report(fmt.Sprintf("Depth %d | Eval %s | Time %dms | %s", r.Depth, eval(r.Score), time.Since(start).Milliseconds(), spaced(r.PV)))
	})
	elapsed := time.Since(start)
	report(fmt.Sprintf("Speed %s | Depth %d | Eval %s | Node %s | Time %dms", kilo(speed(result.Nodes, elapsed)),
		result.Depth, eval(result.Score), kilo(result.Nodes), elapsed.Milliseconds()))
	return result.Best, nil
}

// eval returns a score in points, +M9 and -M8 for a win and a loss in plies, +M? and -M? for those that are expected
// but not proven.
func eval(score int32) string {
	switch plies := search.PliesToWin(score); {
	case plies > 0:
		return fmt.Sprintf("+M%d", plies)
	case plies < 0:
		return fmt.Sprintf("-M%d", -plies)
	}
	switch analysis.Expected(score) {
	case analysis.ExpectedWin:
		return "+M?"
	case analysis.ExpectedLoss:
		return "-M?"
	}
	return fmt.Sprint(score)
}

// kilo shortens a number of five digits or more: 764K.
func kilo(n int64) string {
	if n < 10_000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%dK", n/1000)
}

// speed returns nodes a second.
func speed(nodes int64, elapsed time.Duration) int64 {
	return int64(float64(nodes) / max(elapsed.Seconds(), 1e-6))
}

// spaced returns cells with blanks between.
func spaced(cells []board.Cell) string {
	return strings.Join(names(cells), " ")
}

// names returns the cells in pos notation, never nil.
func names(cells []board.Cell) []string {
	list := make([]string, len(cells))
	for i, c := range cells {
		list[i] = c.String()
	}
	return list
}
