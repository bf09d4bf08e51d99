package play

import (
	"context"
	"net/http"
	"sync"

	"quintune/internal/session"
	"quintune/search"
)

const (
	// tableEntries is the size of each engine's TT: 8 MiB.
	tableEntries = 1 << 19
	// maxWaiting bounds the requests that wait for an engine.
	maxWaiting = 32
)

// pool lends engines: the number that may think at a time, so that neither memory nor processors are
// overrun by games, however many there are.
type pool struct {
	places chan struct{}

	mu      sync.Mutex
	waiting int
	idle    []*resting // last used at the end
}

// resting is an engine that nobody uses.
type resting struct {
	thinker *session.Thinker
	last    string // game that it thought about last
}

func newPool(searches, threads int) *pool {
	p := &pool{places: make(chan struct{}, max(searches, 1))}
	for range cap(p.places) {
		t := session.NewThinker(search.Options{TableEntries: tableEntries, Threads: max(threads, 1)})
		p.idle = append(p.idle, &resting{thinker: t})
	}
	return p
}

// lend waits for an engine, if there is one the last that thought about the game, which remembers it.
// It is to be given back. When too many wait already the request is refused.
func (p *pool) lend(ctx context.Context, game string) (*session.Thinker, func(), error) {
	p.mu.Lock()
	if p.waiting >= maxWaiting {
		p.mu.Unlock()
		return nil, nil, refusef(http.StatusServiceUnavailable, "too many searches wait already (%d); try again", maxWaiting)
	}
	p.waiting++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.waiting--
		p.mu.Unlock()
	}()
	select {
	case p.places <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	r := p.take(game)
	return r.thinker, func() {
		r.last = game
		p.mu.Lock()
		p.idle = append(p.idle, r)
		p.mu.Unlock()
		<-p.places
	}, nil
}

// take removes an idle engine: the game's own, else the one that rests longest.
func (p *pool) take(game string) *resting {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := 0
	for i, r := range p.idle {
		if r.last == game {
			at = i
		}
	}
	r := p.idle[at]
	p.idle = append(p.idle[:at:at], p.idle[at+1:]...)
	return r
}
