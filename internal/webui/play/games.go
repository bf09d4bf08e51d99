package play

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"quintune/internal/session"
)

// Bounds of the games that are kept.
const (
	maxGames = 64
	idleTime = 24 * time.Hour // a game without requests for this time is dropped
)

// hosted is a game on the page. The lock is held for short moments only, never during a search or while an answer is sent.
type hosted struct {
	id string

	mu       sync.Mutex
	game     *session.Game
	thinking *thinking // nil where no engine searches for its move

	used time.Time // guarded by games.mu
}

// thinking is a search of an engine for its move.
type thinking struct{ cancel context.CancelFunc }

// change cancels the engine's search because the game has changed. The lock must be held.
func (h *hosted) change() {
	if h.thinking != nil {
		h.thinking.cancel()
		h.thinking = nil
	}
}

// games holds the games of the page. When there are too many, the one without requests for the longest time is
// dropped.
type games struct {
	mu    sync.Mutex
	byID  map[string]*hosted
	count uint64 // of games so far
	now   func() time.Time
}

func newGames() *games { return &games{byID: map[string]*hosted{}, now: time.Now} }

// next returns the number for a new game.
func (g *games) next() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count++
	return g.count
}

// add keeps a game.
func (g *games) add(game *session.Game) *hosted {
	h := &hosted{id: rand.Text(), game: game}
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	for id, other := range g.byID {
		if now.Sub(other.used) > idleTime {
			g.drop(id)
		}
	}
	for len(g.byID) >= maxGames {
		g.drop(g.oldest())
	}
	h.used = now
	g.byID[h.id] = h
	return h
}

// oldest returns the game without requests for the longest time. The lock must be held.
func (g *games) oldest() string {
	var oldest *hosted
	for _, h := range g.byID {
		if oldest == nil || h.used.Before(oldest.used) {
			oldest = h
		}
	}
	return oldest.id
}

// drop removes a game and cancels its engine's search. The lock must be held.
func (g *games) drop(id string) bool {
	h, ok := g.byID[id]
	if !ok {
		return false
	}
	delete(g.byID, id)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.change()
	return true
}

// find returns the game with the id, nil where there is none.
func (g *games) find(id string) *hosted {
	g.mu.Lock()
	defer g.mu.Unlock()
	h := g.byID[id]
	if h != nil {
		h.used = g.now()
	}
	return h
}

// onGame calls a handler with the game in the path.
func (s *Server) onGame(handle func(*hosted, http.ResponseWriter, *http.Request) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		h := s.games.find(r.PathValue("id"))
		if h == nil {
			return refusef(http.StatusNotFound, "there is no such game any more")
		}
		return handle(h, w, r)
	}
}

// onView calls a handler with the game in the path, and answers with the view that it returns. Handlers hold the game's lock; it is
// free when the view is sent, so a client that does not read keeps nobody else waiting.
func (s *Server) onView(handle func(*hosted, *http.Request) (any, error)) handler {
	return s.onGame(func(h *hosted, w http.ResponseWriter, r *http.Request) error {
		view, err := handle(h, r)
		if err != nil {
			return err
		}
		return send(w, http.StatusOK, view)
	})
}

// forget removes a game.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) error {
	s.games.mu.Lock()
	known := s.games.drop(r.PathValue("id"))
	s.games.mu.Unlock()
	if !known {
		return refusef(http.StatusNotFound, "there is no such game any more")
	}
	return send(w, http.StatusOK, struct{}{})
}
