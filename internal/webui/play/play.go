// Package play serves the page on which people play and analyse. All its files are embedded, and it loads
// nothing from other servers; package guard decides who may use it.
//
// Games are kept in the program, because the engines' memory belongs to them. Each has an id that cannot be
// guessed, so that several windows never share a game by accident. A request names presets, baselines and
// uploaded weights, never a path or a command. The numbers of games, weights, running and waiting searches are
// bounded.
//
// Requests that change something send JSON, or a file as it is, and get JSON; errors have a status of 400 or more and {"error": "…"}. Long answers are
// streams of JSON lines, which end with their request.
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

// Config configures the page.
type Config struct {
	Weights  *player.Player   // plays and analyses unless another player is chosen
	Strength session.Strength // of engines in the first game
	Searches int              // number of searches that may run at a time, at least 1
	Threads  int              // of each search, at least 1
	Log      *slog.Logger
	Explorer *explorer.Explorer // of games that the page may show; nil: none
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

// routes returns the handlers of the page's requests.
func (s *Server) routes() map[string]handler {
	return map[string]handler{
		"GET /api/setup":               s.setup,
		"GET /api/puzzles":             s.puzzles,
		"POST /api/puzzles":            s.openPuzzles,
		"POST /api/weights":            s.upload,
		"POST /api/games":              s.create,
		"POST /api/import":             s.importRecord,
		"GET /api/games/{id}":          s.onView(s.show),
		"DELETE /api/games/{id}":       s.forget,
		"POST /api/games/{id}/play":    s.onView(s.play),
		"POST /api/games/{id}/choose":  s.onView(s.choose),
		"POST /api/games/{id}/go":      s.onView(s.goTo),
		"POST /api/games/{id}/line":    s.onView(s.line),
		"POST /api/games/{id}/seats":   s.onView(s.seat),
		"POST /api/games/{id}/think":   s.onView(s.think),
		"POST /api/games/{id}/analyze": s.onGame(s.analyze),
		"POST /api/games/{id}/solve":   s.onGame(s.solve),
		"POST /api/games/{id}/curve":   s.onGame(s.curve),
		"POST /api/games/{id}/review":  s.onGame(s.review),
		"POST /api/games/{id}/explore": s.onGame(s.explore),
		"GET /api/games/{id}/record":   s.onGame(s.exportRecord),
		"POST /api/games/{id}/record":  s.onGame(s.exportTree),
	}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }
