package play

import (
	"context"
	"net/http"
	"sync"

	"quintune/internal/analysis"
	"quintune/internal/session"
	"quintune/search"
)

const (
	// tableEntries is the size of each engine's TT: 8 MiB.
	tableEntries = 1 << 19
	// maxWaiting bounds the requests that wait for an engine.
	maxWaiting = 32
)

// pool lends engines to requests. The number of engines that search at a time is bounded, so any number of games
// cannot exhaust memory or processors.
type pool struct {
	places chan struct{}

	mu      sync.Mutex
	waiting int
	idle    []*resting // most recently used last
}

// resting is an engine that is not in use.
type resting struct {
	thinker *session.Thinker
	last    string // game for which it searched last
}

func newPool(searches, threads int) *pool {
	p := &pool{places: make(chan struct{}, max(searches, 1))}
	for range cap(p.places) {
		t := session.NewThinker(search.Options{TableEntries: tableEntries, Threads: max(threads, 1)})
		p.idle = append(p.idle, &resting{thinker: t})
	}
	return p
}

// lend waits for an engine. It prefers the one that last searched for the same game, since its memory belongs to
// that game. The caller must give it back. If too many requests wait already, it refuses the request.
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

// take removes an idle engine: the last one of the same game, else the one that has been idle longest.
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

// thinkRequest asks the engine whose turn it is for its move in the position after ply moves.
type thinkRequest struct {
	Ply int `json:"ply"`
}

// thinkView is the game after the engine's move, with the result of the search.
type thinkView struct {
	Game  gameView `json:"game"`
	PV    []string `json:"pv"`
	Nodes int64    `json:"nodes"`
	Spent int64    `json:"spent"` // ms
}

// think makes the engine move. If the game is changed during the search, the search ends and the answer is
// status 409.
func (s *Server) think(h *hosted, r *http.Request) (any, error) {
	var want thinkRequest
	if err := receive(r, &want); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	own := &thinking{cancel}
	question, err := h.begin(want.Ply, own)
	if err != nil {
		return nil, err
	}
	answer, err := s.ask(ctx, h.id, question)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.thinking != own {
		return nil, refusef(http.StatusConflict, "the game went on while the engine thought")
	}
	h.thinking = nil
	if err != nil {
		return nil, err
	}
	if err := h.game.Apply(answer); err != nil {
		return nil, err
	}
	t := answer.Thought
	return thinkView{Game: s.viewGame(h), PV: analysis.Names(t.PV), Nodes: t.Nodes, Spent: t.Elapsed.Milliseconds()}, nil
}

// begin returns the engine's task and records that the engine searches.
func (h *hosted) begin(ply int, own *thinking) (session.Question, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch err := h.at(ply); {
	case err != nil:
		return session.Question{}, err
	case h.game.Over():
		return session.Question{}, refusef(http.StatusConflict, "the game is over")
	case h.game.Turn().Person():
		return session.Question{}, refusef(http.StatusConflict, "it is a person's turn")
	case h.thinking != nil:
		return session.Question{}, refusef(http.StatusConflict, "the engine thinks already")
	}
	h.thinking = own
	return h.game.Ask(), nil
}

// ask has an engine of the pool search.
func (s *Server) ask(ctx context.Context, id string, q session.Question) (session.Answer, error) {
	thinker, giveBack, err := s.pool.lend(ctx, id)
	if err != nil {
		return session.Answer{}, err
	}
	defer giveBack()
	return thinker.Answer(ctx, q)
}
