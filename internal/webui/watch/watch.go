// Package watch serves the pages of runs, both while they are played and stored: curves, the weights by
// generation, games to replay, and metrics for Prometheus. It only reads; internal/webui/guard decides who may
// use it.
package watch

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"

	"quintune/internal/progress"
	"quintune/internal/run"
)

//go:embed assets
var assets embed.FS

// pageOf holds the data for the template of a run's page.
type pageOf struct {
	*run.Summary
	Limit  string // of a move
	Listed bool   // the page belongs to a list of runs, to which it links
}

// Handler returns the page of a run:
//
//	GET /          the page
//	GET /assets/…  its style and scripts
//	GET /events    what the run does, as server-sent events; see stream
//	GET /metrics   figures for Prometheus
func Handler(h *progress.History) (http.Handler, error) {
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		return nil, fmt.Errorf("webui: %w", err)
	}
	page, err := template.ParseFS(files, "index.html")
	if err != nil {
		return nil, fmt.Errorf("webui: %w", err)
	}
	var index bytes.Buffer
	if err := page.Execute(&index, pageOf{h.Run(), h.Limit(), false}); err != nil {
		return nil, fmt.Errorf("webui: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(index.Bytes()) // an error means a broken connection
	})
	mux.Handle("GET /assets/{name}", http.StripPrefix("/assets/", http.FileServerFS(files)))
	mux.Handle("GET /events", &stream{history: h, places: make(chan struct{}, mostStreams)})
	mux.Handle("GET /metrics", metrics(h))
	return mux, nil
}
