// Package play serves the page on which people play and analyse. Its pages are embedded and ask for nothing
// from elsewhere; package guard keeps strangers out.
//
// The program keeps the games, since the engines' memory belongs to them; each has an id that cannot be
// guessed, so that games of several windows never mix. A request names presets, baselines and
// uploaded weights, never a path or a command. Games, weights, searches under way and searches that
// wait are bounded.
//
// Every request that changes something carries JSON and is answered with JSON; mistakes are 4xx with
// {"error": "…"}. What takes long streams one JSON object a line and ends with its request.
package play

import (
	"embed"
	"io/fs"
	"log/slog"
	"net/http"

	"quintune/internal/explorer"
	"quintune/internal/player"
	"quintune/internal/session"
)

// Config is what a page needs.
type Config struct {
	Weights  *player.Player   // that plays and analyses unless another is chosen
	Strength session.Strength // of engines in the first game
	Searches int              // that run at a time, at least 1
	Threads  int              // of each search, at least 1
	Log      *slog.Logger
	Explorer *explorer.Explorer // of the games that the page may look into; nil: none
}

// Server answers the page's requests. Safe for concurrent use.
type Server struct {
	config Config
	games  *games
	roster *roster
	pool   *pool
	mux    *http.ServeMux
}

//go:embed assets
var assets embed.FS

// New returns the server of a page without games.
func New(c Config) (*Server, error) {
	if c.Explorer == nil {
		c.Explorer = explorer.New(c.Weights.Weights)
	}
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, games: newGames(), roster: newRoster(c.Weights), pool: newPool(c.Searches, c.Threads), mux: http.NewServeMux()}
	s.mux.Handle("GET /", http.FileServerFS(files))
	for pattern, handle := range s.routes() {
		s.mux.HandleFunc(pattern, s.answer(handle))
	}
	return s, nil
}

// routes are the page's requests.
func (s *Server) routes() map[string]handler {
	return map[string]handler{
		"GET /api/setup":               s.setup,
		"GET /api/puzzles":             s.puzzles,
		"POST /api/puzzles":            s.openPuzzles,
		"POST /api/weights":            s.upload,
		"POST /api/games":              s.create,
		"POST /api/import":             s.importRecord,
		"GET /api/games/{id}":          s.onGame(s.show),
		"DELETE /api/games/{id}":       s.forget,
		"POST /api/games/{id}/play":    s.onGame(s.play),
		"POST /api/games/{id}/choose":  s.onGame(s.choose),
		"POST /api/games/{id}/go":      s.onGame(s.goTo),
		"POST /api/games/{id}/line":    s.onGame(s.line),
		"POST /api/games/{id}/seats":   s.onGame(s.seat),
		"POST /api/games/{id}/think":   s.onGame(s.think),
		"POST /api/games/{id}/analyze": s.onGame(s.analyze),
		"POST /api/games/{id}/solve":   s.onGame(s.solve),
		"POST /api/games/{id}/curve":   s.onGame(s.curve),
		"POST /api/games/{id}/review":  s.onGame(s.review),
		"POST /api/games/{id}/explore": s.onGame(s.explore),
		"GET /api/games/{id}/record":   s.onGame(s.exportRecord),
		"POST /api/games/{id}/record":  s.onGame(s.exportTree),
	}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }
