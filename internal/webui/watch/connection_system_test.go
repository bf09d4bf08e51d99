//go:build system

package watch

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"quintune/internal/progress/progresstest"
	"quintune/internal/run"
	"quintune/internal/webui/browsertest"
)

// Without a connection the page does not claim that the run has ended: another process may play it.
func TestPageWithoutAConnection(t *testing.T) {
	f := progresstest.New(t, "huang")
	f.History.Add(run.Event{Stage: run.StageInterrupted, Budget: 12_000})
	server := httptest.NewServer(handler(t, f))
	defer server.Close()
	page := browsertest.Open(t, 800, 600)
	page.Visit(server.URL)
	page.Wait(`document.getElementById('status').textContent === 'interrupted'`)
	if class := browsertest.Value[string](page, `document.getElementById('status').className`); class != "status open" {
		t.Errorf("the status of an interrupted run is of class %q", class)
	}
	server.CloseClientConnections()
	page.Wait(`document.getElementById('status').textContent === 'no connection to the program that serves this page'`)
}

// serveListed serves a run as one of many, through a function that gets the handler of its stream, and returns the address of its page.
func serveListed(t *testing.T, f *progresstest.Run, stream func(http.Handler) http.Handler) string {
	t.Helper()
	shelf, err := NewShelf(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shelf.open = []*storedRun{{shelf: shelf, name: "r", history: f.History, looked: time.Now().Add(time.Hour)}} // it is not read again
	mux := http.NewServeMux()
	mux.Handle("/", shelf)
	mux.Handle("/runs/r/events", stream(shelf))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + "/runs/r/"
}

// A page whose stream is refused says why, and goes on once it is not.
func TestPageThatWasRefused(t *testing.T) {
	f := progresstest.New(t, "huang")
	f.History.Add(run.Event{Stage: run.StageInterrupted, Budget: 12_000})
	var refusal atomic.Int32
	refusal.Store(http.StatusServiceUnavailable)
	address := serveListed(t, f, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if status := int(refusal.Load()); status != 0 {
				http.Error(w, "There are 32 watchers, which is the most.", status)
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	page := browsertest.Open(t, 800, 600)
	page.Visit(address)
	page.Wait(`document.getElementById('status').textContent === 'There are 32 watchers, which is the most.'`)
	refusal.Store(http.StatusUnauthorized)
	page.Wait(`document.getElementById('status').textContent === 'reload this page to log in'`)
	refusal.Store(0)
	page.Wait(`document.getElementById('status').textContent === 'interrupted'`)
}

// The page of a finished run says that the run was deleted.
func TestPageOfADeletedRun(t *testing.T) {
	const why = "r was deleted"
	f := progresstest.New(t, "huang")
	f.History.Add(run.Event{Stage: run.StageDone, Budget: 12_000})
	kept, prune := context.WithCancel(t.Context())
	address := serveListed(t, f, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if kept.Err() != nil {
				http.Error(w, why, http.StatusNotFound)
				return
			}
			h.ServeHTTP(w, r.WithContext(kept))
		})
	})
	page := browsertest.Open(t, 800, 600)
	page.Visit(address)
	page.Wait(`document.getElementById('status').textContent === 'done'`)
	prune()
	page.Wait(`document.getElementById('status').textContent === '` + why + `' && document.getElementById('status').className === 'status off'`)
}

// The page of one run of many holds no connection in the background, where it says nothing of one, and is up to date in the foreground.
func TestPageInTheBackground(t *testing.T) {
	f := progresstest.New(t, "huang")
	f.Next()
	ended := make(chan bool)
	address := serveListed(t, f, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.ServeHTTP(w, r)
			select {
			case ended <- true:
			case <-t.Context().Done():
			}
		})
	})
	page := browsertest.Open(t, 800, 600)
	page.Visit(address)
	page.Wait(`document.getElementById('generation').textContent === '1'`)
	hide := func(hidden bool) {
		browsertest.Value[bool](page, fmt.Sprintf(`(Object.defineProperty(document, 'hidden', { value: %v, configurable: true }), document.dispatchEvent(new Event('visibilitychange')))`, hidden))
	}
	before := browsertest.Value[string](page, `document.getElementById('status').textContent`)
	hide(true)
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("in the background the stream goes on")
	}
	f.Next()
	if text := browsertest.Value[string](page, `document.getElementById('status').textContent`); text != before {
		t.Errorf("in the background the status is %q, want %q", text, before)
	}
	hide(false)
	page.Wait(`document.getElementById('generation').textContent === '2'`)
	page.CheckQuiet(address)
}
