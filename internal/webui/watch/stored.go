package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"slices"
	"sync"

	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/store"
	"quintune/internal/text"
)

const mostOpen = 16 // number of runs whose histories are kept

// Shelf serves the pages of the stored runs of a folder, finished or played by other processes:
//
//	GET /                        all runs, with the comparison of those that are chosen
//	GET /runs.json               the list
//	GET /runs/NAME/              the page of a run; see Handler
//	GET /runs/NAME/events        what is stored of it, as it grows
//	GET /runs/NAME/metrics       figures for Prometheus
//	GET /runs/NAME/figures.json  its curves and weights, for the comparison
//	GET /assets/…                styles and scripts
//
// It changes nothing. Safe for concurrent use.
type Shelf struct {
	folder string
	only   []string // names of the runs to show; nil: all
	mux    *http.ServeMux
	page   *template.Template
	places chan struct{} // one item for each event stream that may still be opened

	mu   sync.Mutex
	open []*storedRun // most recently requested last
}

// NewShelf returns the pages of the named runs of a folder, or of all.
func NewShelf(folder string, only ...string) (*Shelf, error) {
	s := &Shelf{folder: folder, only: only, mux: http.NewServeMux(), places: make(chan struct{}, mostStreams)}
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		return nil, fmt.Errorf("webui: %w", err)
	}
	if s.page, err = template.ParseFS(files, "index.html"); err != nil {
		return nil, fmt.Errorf("webui: %w", err)
	}
	for _, name := range only {
		if _, err := s.of(name); err != nil {
			return nil, err
		}
	}
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "runs.html") })
	s.mux.Handle("GET /assets/{name}", http.StripPrefix("/assets/", http.FileServerFS(files)))
	s.mux.HandleFunc("GET /runs.json", s.list)
	s.mux.HandleFunc("GET /runs/{name}/{$}", s.ofRun(s.index))
	s.mux.HandleFunc("GET /runs/{name}/figures.json", s.ofRun(figures))
	s.mux.HandleFunc("GET /runs/{name}/metrics", s.ofRun(func(w http.ResponseWriter, r *http.Request, stored *storedRun) {
		metrics(stored.history).ServeHTTP(w, r)
	}))
	s.mux.HandleFunc("GET /runs/{name}/events", s.ofRun(func(w http.ResponseWriter, r *http.Request, stored *storedRun) {
		(&stream{history: stored.history, places: s.places, stored: true, refresh: stored.look}).ServeHTTP(w, r)
	}))
	return s, nil
}

// ServeHTTP answers a request.
func (s *Shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// listed is a run in the list of the page.
type listed struct {
	runfolder.Listed
	Played int `json:"played"` // games, including those of open steps
}

func (s *Shelf) list(w http.ResponseWriter, _ *http.Request) {
	list := []listed{}
	err := s.read(func(runs *runfolder.Runs) error {
		all, err := runs.List()
		for _, l := range all {
			if l.OldFormat() || len(s.only) > 0 && !slices.Contains(s.only, l.Name) {
				continue
			}
			l.Name, l.Start, l.Against = text.Printable(l.Name), text.Printable(l.Start), text.Printable(l.Against)
			list = append(list, listed{l, l.AllGames()})
		}
		return err
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeJSON(w, map[string]any{"runs": list})
}

// ofRun returns a handler for one run. It answers "not found" where the shelf does not show the run, and "unavailable" where the database
// cannot be read.
func (s *Shelf) ofRun(do func(http.ResponseWriter, *http.Request, *storedRun)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		stored, err := s.of(r.PathValue("name"))
		switch {
		case errors.Is(err, store.ErrNoRun):
			http.Error(w, err.Error(), http.StatusNotFound)
		case err != nil:
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		default:
			do(w, r, stored)
		}
	}
}

// index writes the page of a run.
func (s *Shelf) index(w http.ResponseWriter, _ *http.Request, stored *storedRun) {
	var page bytes.Buffer
	if err := s.page.Execute(&page, pageOf{stored.history.Run(), stored.history.Limit(), true}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page.Bytes()) // an error means a broken connection
}

// figures writes the curves and the last weights of a run.
func figures(w http.ResponseWriter, _ *http.Request, stored *storedRun) {
	view := stored.history.Since(0)
	found := struct {
		Curve       []run.Point      `json:"curve"`
		Generations []run.Generation `json:"generations"`
		Weights     []run.Value      `json:"weights"`
	}{view.Curve, view.Generations, stored.history.Values()}
	for i := range found.Generations {
		found.Generations[i].Values = nil
	}
	writeJSON(w, found)
}

func writeJSON(w http.ResponseWriter, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data) // an error means a broken connection
}

// read opens the folder for one read only, since the database may be created, moved or deleted in between.
func (s *Shelf) read(do func(*runfolder.Runs) error) error {
	runs, err := runfolder.OpenToRead(s.folder)
	if err != nil {
		return err
	}
	return errors.Join(do(runs), runs.Close())
}

// of returns a stored run with its present state.
func (s *Shelf) of(name string) (*storedRun, error) {
	if len(s.only) > 0 && !slices.Contains(s.only, name) {
		return nil, fmt.Errorf("the run %.100q is not shown here: %w", text.Printable(name), store.ErrNoRun)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.open, func(r *storedRun) bool { return r.name == name })
	if i >= 0 {
		stored := s.open[i]
		if err := stored.look(); err == nil {
			s.open = append(slices.Delete(s.open, i, i+1), stored)
			return stored, nil
		}
		s.open = slices.Delete(s.open, i, i+1)
	}
	stored := &storedRun{shelf: s, name: name}
	if err := stored.look(); err != nil {
		return nil, err
	}
	if len(s.open) >= mostOpen {
		s.open = slices.Delete(s.open, 0, 1)
	}
	s.open = append(s.open, stored)
	return stored, nil
}
