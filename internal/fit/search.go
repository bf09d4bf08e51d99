package fit

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// Labeller is what makes labels.
type Labeller struct {
	Set   *weights.Set
	Size  int // cells on a side
	Rule  pattern.Rule
	Nodes int64 // limit of a search

	Version int // version of the fit that the labels are for
}

// Search notes what searches of the positions of games find. Every search begins with an empty memory, so results do
// not depend on which worker makes them. What kept holds is not searched again, and what is found is added to it;
// nil keeps nothing. done is called after each position, by one goroutine at a time.
func (l *Labeller) Search(ctx context.Context, games []Played, chosen []Scored, kept *Kept, done func()) error {
	var next atomic.Int64
	var telling sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			s, err := l.newSearcher()
			if err != nil {
				return err
			}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(chosen) {
					return nil
				}
				if !kept.get(i, &chosen[i]) {
					if err := s.search(ctx, &games[chosen[i].Game], &chosen[i]); err != nil {
						return err
					}
					if err := kept.put(i, &chosen[i]); err != nil {
						return err
					}
				}
				telling.Lock()
				done()
				telling.Unlock()
			}
		})
	}
	return group.Wait()
}

// searcher searches positions, one after the other.
type searcher struct {
	engine   *search.Engine
	position *board.Board
	nodes    int64
}

func (l *Labeller) newSearcher() (*searcher, error) {
	engine, err := search.NewEngine(l.Set, l.Size, l.Rule, search.Options{})
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	position, err := board.New(l.Size, l.Rule)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	return &searcher{engine, position, l.Nodes}, nil
}

// search notes what a search of the position of a game finds.
func (s *searcher) search(ctx context.Context, game *Played, scored *Scored) error {
	s.position.Reset()
	for _, m := range game.Moves[:scored.Ply] {
		s.position.Play(m)
	}
	s.engine.NewGame()
	result := s.engine.Search(ctx, s.position, search.Limits{Nodes: s.nodes}, nil)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	scored.Best, scored.Score = result.Best, result.Score
	return nil
}
