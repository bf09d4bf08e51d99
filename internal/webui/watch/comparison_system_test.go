//go:build system

package watch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"quintune/internal/webui/browsertest"
)

// The comparison shows the weights that one of the runs alone has, says which runs have none, and gives each band the colour of its run.
func TestComparison(t *testing.T) {
	shelf, err := NewShelf(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", shelf)
	mux.HandleFunc("GET /runs.json", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"runs":[{"name":"third"},{"name":"engine"},{"name":"new"}]}`) // the latest two are chosen at first
	})
	answers := map[string]string{
		"new":    `{"curve":[],"generations":[],"weights":[]}`,
		"engine": `{"curve":[{"games":9,"elo":8,"low":-50,"high":60},{"games":19,"elo":9,"low":-40,"high":60}],"generations":[],"weights":[{"name":"depth","start":4,"now":7},{"name":"same","start":4,"now":4}]}`,
		"third":  `{"curve":[],"generations":[],"weights":[{"name":"tempo","start":10,"now":12}]}`,
	}
	mux.HandleFunc("GET /runs/{name}/figures.json", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, answers[r.PathValue("name")]) })
	server := httptest.NewServer(mux)
	defer server.Close()
	page := browsertest.Open(t, 1440, 900)
	page.Visit(server.URL)
	table := `document.querySelector('#weights-head').innerText + '\n' + document.querySelector('#weights').innerText`
	page.Wait(`document.getElementById('weights-note').textContent.endsWith('No generation is known of new.')`)
	if got, want := strings.Fields(browsertest.Value[string](page, table)), strings.Fields("weight start engine depth 4 7"); !slices.Equal(got, want) {
		t.Errorf("beside a run without a generation: %q, want %q", got, want)
	}
	page.Wait(`document.querySelectorAll('#curve .band.f1').length === 1`)
	if fills := browsertest.Value[string](page, `getComputedStyle(document.querySelector('#curve .band')).fill + ' ' + getComputedStyle(document.querySelector('#curve .line.s1')).stroke`); fills != "rgb(176, 74, 20) rgb(176, 74, 20)" {
		t.Errorf("band and line have the colours %s", fills)
	}
	page.Click("#runs tr:last-child input")
	page.Wait(`document.querySelectorAll('#weights tr').length === 2`)
	if got, want := strings.Fields(browsertest.Value[string](page, table)), strings.Fields("weight engine third depth 7 – tempo – 12"); !slices.Equal(got, want) {
		t.Errorf("runs of different engines: %q, want %q", got, want)
	}
	page.CheckQuiet(server.URL + "/")
}

// Runs may be chosen while the figures of others are still on their way: each is drawn once its own are there.
func TestComparisonOfRunsChosenQuickly(t *testing.T) {
	shelf, err := NewShelf(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]chan struct{}{"first": make(chan struct{}), "second": make(chan struct{})}
	mux := http.NewServeMux()
	mux.Handle("/", shelf)
	mux.HandleFunc("GET /runs.json", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"runs":[{"name":"first"},{"name":"second"},{"name":"third"},{"name":"fourth"}]}`)
	})
	mux.HandleFunc("GET /runs/{name}/figures.json", func(w http.ResponseWriter, r *http.Request) {
		if hold := held[r.PathValue("name")]; hold != nil {
			select {
			case <-hold:
			case <-t.Context().Done():
			}
		}
		fmt.Fprintf(w, `{"curve":[],"generations":[],"weights":[{"name":"of %s","start":4,"now":7}]}`, r.PathValue("name"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	page := browsertest.Open(t, 1440, 900)
	page.Visit(server.URL)
	rows := func(n int) { page.Wait(fmt.Sprintf(`document.querySelectorAll('#weights tr').length === %d`, n)) }
	rows(2)
	page.Wait(`document.getElementById('curve').textContent === 'no check match yet of the chosen runs' && document.getElementById('best').textContent === 'no ratings yet of the chosen runs'`)
	page.Click(`#runs [data-run="first"]`)
	page.Click(`#runs [data-run="second"]`)
	close(held["first"])
	rows(3)
	close(held["second"])
	rows(4)
	page.CheckQuiet(server.URL)
}

// The list says why it is out of date.
func TestListThatWasRefused(t *testing.T) {
	shelf, err := NewShelf(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var refusal atomic.Int32
	mux := http.NewServeMux()
	mux.Handle("/", shelf)
	mux.HandleFunc("GET /runs.json", func(w http.ResponseWriter, r *http.Request) {
		switch status := int(refusal.Load()); status {
		case 0:
			shelf.ServeHTTP(w, r)
		case http.StatusTeapot: // no answer at all
			panic(http.ErrAbortHandler)
		default:
			http.Error(w, "store: it is damaged", status)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	page := browsertest.Open(t, 1440, 900)
	page.Visit(server.URL)
	for _, test := range []struct {
		refusal int
		want    string
	}{
		{0, "none is being played"},
		{http.StatusInternalServerError, "store: it is damaged"},
		{http.StatusUnauthorized, "reload this page to log in"},
		{http.StatusTeapot, "no connection: tune watch has ended"},
	} {
		t.Run(test.want, func(t *testing.T) {
			refusal.Store(int32(test.refusal))
			page.Wait(fmt.Sprintf(`document.getElementById('status').textContent === %q`, test.want))
		})
	}
}
