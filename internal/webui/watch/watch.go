// Package watch serves the page of a run while it is played, and those of stored runs: curves, the weights by generation,
// games to replay, and metrics for Prometheus. It answers only reading requests and changes nothing; internal/webui/guard
// keeps others out.
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

// pageOf is what the page of a run is made of.
type pageOf struct {
	*run.Summary
	Listed bool // beside others, to which a link leads
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
	if err := page.Execute(&index, pageOf{h.Run(), false}); err != nil {
		return nil, fmt.Errorf("webui: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(index.Bytes()) // a broken connection
	})
	mux.Handle("GET /assets/{name}", http.StripPrefix("/assets/", http.FileServerFS(files)))
	mux.Handle("GET /events", &stream{history: h, places: make(chan struct{}, mostStreams)})
	mux.Handle("GET /metrics", metrics(h))
	return mux, nil
}
