package book

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"quintune/board"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// Config describes the openings to generate.
type Config struct {
	Rule    pattern.Rule
	Size    int   // cells on a side
	Count   int   // openings wanted
	Window  int32 // greatest score of either side, points of Set; 0: DefaultWindow
	Seed    uint64
	Purpose string       // part of the seed of the random streams
	Nodes   int64        // node limit of the search that scores a candidate, and of a move in the games of Pairs; 0: DefaultNodes
	Pairs   int          // pairs that our engine plays with itself from a balanced opening; see Generate
	Set     *weights.Set // weights whose points the window counts; nil: the preset huang
	Workers int          // searches at a time, without effect on the openings; 0: one a core
	// Exclude reports whether the opening with a canonical key is left out; nil: none is. It is called from one goroutine.
	Exclude func(key uint64) bool
}

// Defaults of Config, chosen by the measurement in docs/results/openings.md.
const (
	DefaultWindow int32 = 2000
	DefaultNodes  int64 = 2000
)

// renjuTilt is Black's score, in points, from which both colours win half of the games under renju. The search
// overrates Black, because many of the moves that it counts on are forbidden. Measured in
// docs/results/openings.md.
const renjuTilt = 3000

// tilt returns the score of a balanced opening from Black's side, points of the preset huang.
func tilt(rule pattern.Rule) int64 {
	if rule == pattern.Renju {
		return renjuTilt
	}
	return 0
}

// MaxPairs is the greatest number of pairs that are played from an opening.
const MaxPairs = 100

// Bounds of the node limit that scores a candidate. The least is enough for two iterations.
const (
	MinNodes       = 500
	MaxNodes int64 = 1_000_000_000_000
)

// A board has too few openings when fewer than one in this number of candidates, after some more, is good.
const (
	candidatesPerOpening = 1000
	spareOpenings        = 16
)

// roundPerWorker is the number of candidates for each worker that are searched in one round.
const roundPerWorker = 32

// Generate returns a book of balanced openings: few random stones in a small box with nothing to be answered yet,
// from which a search sees neither a win nor more than the window's points for either side (under renju, around
// the score at which both colours win half of the games). No two
// are equal under the symmetries, and none is one of Expert. With Pairs, an opening from which one colour wins all games of
// that number of pairs is left out. The players have the weights of the board, with an ordering that differs a little from player to player.
//
// Candidate i is a function of seed, purpose and i, and candidates are taken in this order; so the result
// depends on the configuration without Workers alone, and a smaller Count gives the first part
// of a greater one's result. progress, if not nil, is told now and then how many openings are
// found. It is an error when the board has too few of them, or ctx is done.
func Generate(ctx context.Context, cfg Config, progress func(found int)) (*Book, error) {
	g, err := newGenerator(cfg)
	if err != nil {
		return nil, err
	}
	var found []Opening
	limit := candidatesPerOpening * (g.cfg.Count + spareOpenings)
	round := roundPerWorker * g.cfg.Workers
	for first := 0; len(found) < g.cfg.Count; first += round {
		if first >= limit {
			return nil, fmt.Errorf("book: only %d of %d openings within %d points were found on a %d×%d board among %d candidates",
				len(found), g.cfg.Count, g.cfg.Window, g.cfg.Size, g.cfg.Size, limit)
		}
		candidates := g.draw(first, min(first+round, limit))
		good, err := g.good(ctx, candidates)
		if err != nil {
			return nil, err
		}
		found = append(found, good[:min(len(good), g.cfg.Count-len(found))]...)
		if progress != nil {
			progress(len(found))
		}
	}
	return &Book{Rule: cfg.Rule, Size: cfg.Size, Openings: found}, nil
}

// generator is what one call of Generate needs.
type generator struct {
	cfg      Config
	position *board.Board
	seen     map[uint64]bool // keys that must not come up again
	scorers  []scorer        // one a worker
	judge    *judge          // nil: no games are played
}

// scorer searches candidates, one at a time.
type scorer struct {
	engine   *search.Engine
	position *board.Board
}

func newGenerator(cfg Config) (*generator, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	g := &generator{cfg: cfg, seen: map[uint64]bool{}, scorers: make([]scorer, cfg.Workers)}
	if expert := Expert(cfg.Rule, cfg.Size); expert != nil {
		expert.Keys(g.seen)
	}
	if g.position, err = board.New(cfg.Size, cfg.Rule); err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	for i := range g.scorers {
		s := &g.scorers[i]
		if s.engine, err = search.NewEngine(cfg.Set, cfg.Size, cfg.Rule, search.Options{}); err != nil {
			return nil, fmt.Errorf("book: %w", err)
		}
		if s.position, err = board.New(cfg.Size, cfg.Rule); err != nil {
			return nil, fmt.Errorf("book: %w", err)
		}
	}
	if cfg.Pairs > 0 {
		if g.judge, err = newJudge(&g.cfg); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// withDefaults replaces zero fields by their defaults and checks the others.
func (cfg Config) withDefaults() (Config, error) {
	if cfg.Window == 0 {
		cfg.Window = DefaultWindow
	}
	if cfg.Nodes == 0 {
		cfg.Nodes = DefaultNodes
	}
	if cfg.Workers == 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	if cfg.Set == nil {
		set, err := weights.Preset("huang")
		if err != nil {
			return cfg, fmt.Errorf("book: %w", err)
		}
		cfg.Set = set
	}
	for _, check := range []struct {
		name  string
		value int64
		least int64
		most  int64
	}{
		{"count", int64(cfg.Count), 1, MaxOpenings},
		{"window", int64(cfg.Window), 1, int64(search.Win) - search.MaxWin - 1},
		{"nodes", cfg.Nodes, MinNodes, MaxNodes},
		{"pairs", int64(cfg.Pairs), 0, MaxPairs},
		{"workers", int64(cfg.Workers), 1, 1 << 12},
	} {
		if check.value < check.least || check.value > check.most {
			return cfg, fmt.Errorf("book: %s of openings is %d, outside [%d, %d]", check.name, check.value, check.least, check.most)
		}
	}
	return cfg, nil
}

// draw returns those of the candidates from first to before end that are worth a search.
func (g *generator) draw(first, end int) []Opening {
	var candidates []Opening
	for i := first; i < end; i++ {
		rng := stream.New(g.cfg.Seed, "%scandidate %d", g.cfg.Purpose, i)
		o := newOpening(draw(rng, g.cfg.Size), g.cfg.Size)
		if g.seen[o.Key] || !play(g.position, o.Moves) || !g.position.Quiet() {
			continue
		}
		g.seen[o.Key] = true
		if g.cfg.Exclude == nil || !g.cfg.Exclude(o.Key) {
			candidates = append(candidates, o)
		}
	}
	return candidates
}

// good returns the candidates that are balanced and do not decide the game.
func (g *generator) good(ctx context.Context, candidates []Opening) (list []Opening, err error) {
	balanced, err := g.score(ctx, candidates)
	if err != nil {
		return nil, err
	}
	for i, o := range candidates {
		if balanced[i] {
			list = append(list, o)
		}
	}
	if g.judge == nil {
		return list, nil
	}
	return g.judge.undecided(ctx, list)
}

// score reports which candidates are balanced.
func (g *generator) score(ctx context.Context, candidates []Opening) ([]bool, error) {
	balanced := make([]bool, len(candidates))
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for w := range g.scorers {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(candidates) || ctx.Err() != nil {
					return ctx.Err()
				}
				balanced[i] = g.scorers[w].balanced(ctx, candidates[i], &g.cfg)
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("book: generating openings: %w", err)
	}
	return balanced, nil
}

// balanced reports whether a search of the opening finds neither a win nor a score beyond the window, in two iterations or more.
func (s *scorer) balanced(ctx context.Context, o Opening, cfg *Config) bool {
	play(s.position, o.Moves)
	s.engine.NewGame()
	result := s.engine.SearchBalance(ctx, s.position, search.Limits{Nodes: cfg.Nodes})
	if result.Depth < 2 || search.PliesToWin(result.Score) != 0 {
		return false
	}
	mean := int64(result.Score)
	if s.position.SideToMove() == board.Black {
		mean -= tilt(cfg.Rule)
	} else {
		mean += tilt(cfg.Rule)
	}
	return -int64(cfg.Window) <= mean && mean <= int64(cfg.Window)
}
