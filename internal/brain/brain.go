// Package brain puts our engine, or a baseline of the literature, behind the Gomocup protocol.
package brain

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/gomocup"
	"quintune/internal/player"
	"quintune/internal/swap2"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// Choice returns the player that is chosen for a board.
type Choice func(rule pattern.Rule, size int) (*player.Player, error)

// Brain is our engine as a gomocup.Engine.
type Brain struct {
	choose  Choice
	tell    func(*player.Player)      // see New
	broken  error                     // why no player could be chosen
	known   map[string]*player.Player // by class of boards, as weights.EvolvedFor names it
	loaded  bool                      // choose is new since the last game
	playing *player.Player            // player that plays on the present board: the chosen one, or the embedded set in its place; nil before the first game
	engine  *search.Engine
	board   *board.Board // board of the size and rule of engine
	has     resources    // resources that the engine was built with
	usual   int          // processors that the Go runtime uses by default
	games   uint64       // opened under swap2
}

// New returns our engine. choose returns the player for each board, and is asked once for each class of boards. tell, if not nil,
// is called with the player of a game where it is another than in the game before, and after LoadWeights.
func New(choose Choice, tell func(*player.Player)) *Brain {
	return &Brain{choose: choose, tell: tell, usual: runtime.GOMAXPROCS(0)}
}

// Broken returns why no player could be chosen for the last board, nil if one was chosen.
func (b *Brain) Broken() error { return b.broken }

// NewGame makes an engine for the size and rule, or empties the existing one. A manager may send the rule after
// START, when its clock runs, so the memory of the TT is reused.
func (b *Brain) NewGame(size int, rule pattern.Rule) error {
	last := b.playing
	if b.broken = b.choosePlayer(size, rule); b.broken != nil {
		return b.broken
	}
	if b.engine == nil {
		if err := prepareRules(); err != nil {
			return err
		}
		return b.build(size, rule, resourcesOf(gomocup.Limits{}, b.usual, 0))
	}
	switch {
	case b.board.Size() != size || b.board.Rule() != rule:
		if err := b.setBoard(size, rule); err != nil {
			return err
		}
	case b.playing == last:
		b.engine.NewGame()
	}
	if b.playing != last {
		b.engine.SetWeights(b.playing.Weights)
	}
	return nil
}

// setBoard changes the size and rule of the engine.
func (b *Brain) setBoard(size int, rule pattern.Rule) error {
	position, err := board.New(size, rule)
	if err != nil {
		return err
	}
	b.board = position
	return b.engine.SetBoard(size, rule)
}

// LoadWeights makes the weights of a file play from the next NewGame on, for INFO weights FILE. Think and Swap2, which may run
// meanwhile, do not use the fields that it sets.
func (b *Brain) LoadWeights(path string) {
	b.known, b.loaded = nil, true
	b.choose = func(pattern.Rule, int) (*player.Player, error) {
		set, err := player.LoadRegular(path)
		if err != nil {
			return nil, err
		}
		return player.OfFile(path, set), nil
	}
}

// choosePlayer takes the player of the board, and reports it where it is another than before. It reports nothing before
// the first START, because some managers take a log line for the answer to ABOUT.
func (b *Brain) choosePlayer(size int, rule pattern.Rule) error {
	p, err := b.playerFor(size, rule)
	if err != nil || !b.loaded && b.playing != nil && samePlayer(b.playing, p) {
		return err
	}
	b.playing, b.loaded = p, false
	if b.tell != nil {
		b.tell(p)
	}
	return nil
}

// samePlayer reports whether two players have one name and play alike. The name alone does not tell: names of
// files in a deep folder are cut.
func samePlayer(p, q *player.Player) bool { return p.Name == q.Name && p.Weights.Equal(q.Weights) }

// playerFor returns the player of a board. It is chosen once for each class of boards, so files are not read again
// between games.
func (b *Brain) playerFor(size int, rule pattern.Rule) (*player.Player, error) {
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

// Always returns the choice of one player for all boards.
func Always(p *player.Player) Choice {
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

// build replaces the engine, whose memory is released first.
func (b *Brain) build(size int, rule pattern.Rule, r resources) error {
	b.engine, b.board = nil, nil
	r.reserve()
	position, err := board.New(size, rule)
	if err != nil {
		return err
	}
	engine, err := search.NewEngine(b.playing.Weights, size, rule, search.Options{TableEntries: r.entries, Threads: r.threads})
	if err != nil {
		return err
	}
	b.engine, b.board, b.has = engine, position, r
	return nil
}

// ClearHash forgets everything, for YXHASHCLEAR.
func (b *Brain) ClearHash() {
	if b.engine != nil {
		b.engine.NewGame()
	}
}

// Think searches until the limits; ctx ends at the deadline. Managers may change threads and memory
// from move to move. One message tells each finished depth, and a last one the whole search, in
// the form of Rapfi.
func (b *Brain) Think(ctx context.Context, p gomocup.Position, l gomocup.Limits, report func(string)) (board.Cell, error) {
	if r := resourcesOf(l, b.usual, b.has.entries); r != b.has {
		if err := b.build(p.Size, p.Rule, r); err != nil {
			return board.NoCell, err
		}
	}
	if err := p.SetUp(b.board); err != nil {
		return board.NoCell, err
	}
	b.useProcessors(l)
	start := time.Now()
	limits := limitsUnder(l, start)
	result := b.engine.Search(ctx, b.board, limits, func(r search.Result) {
		report(fmt.Sprintf("Depth %d | Eval %s | Time %dms | %s", r.Depth, Eval(r.Score), time.Since(start).Milliseconds(), strings.Join(analysis.Names(r.PV), " ")))
	})
	elapsed := time.Since(start)
	report(fmt.Sprintf("Speed %s | Depth %d | Eval %s | Node %s | Time %dms", kilo(analysis.Speed(result.Nodes, elapsed)),
		result.Depth, Eval(result.Score), kilo(result.Nodes), elapsed.Milliseconds()))
	return result.Best, nil
}

// Eval returns a score in points, +M9 and -M8 for a win and a loss in plies, +M? and -M? for a win and a loss that
// are not proven.
func Eval(score int32) string {
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

// Swap2 answers SWAP2BOARD by searched balance. For each game that it opens in one process it draws an opening anew, in every process
// the same ones.
func (b *Brain) Swap2(ctx context.Context, p gomocup.Position, l gomocup.Limits, report func(string)) (swap2.Choice, error) {
	moves := make([]board.Cell, len(p.Stones))
	for i, s := range p.Stones {
		moves[i] = s.Cell
	}
	opening, err := swap2.Resume(p.Size, p.Rule, moves)
	if err != nil {
		return swap2.Choice{}, err
	}
	if opening.Phase() == swap2.Propose {
		b.games++
	}
	chooser, err := swap2.NewChooser(b.playing.Weights, p.Size, p.Rule, b.games)
	if err != nil {
		return swap2.Choice{}, err
	}
	b.useProcessors(l)
	start := time.Now()
	choice, err := chooser.Choose(ctx, opening, limitsUnder(l, start))
	if err != nil {
		return swap2.Choice{}, err
	}
	report(fmt.Sprintf("Swap2 | %v of %d stones | Time %dms", opening.Chooser(), len(moves), time.Since(start).Milliseconds()))
	return choice, nil
}
