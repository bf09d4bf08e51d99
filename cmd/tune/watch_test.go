package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quintune/internal/config"
	"quintune/internal/webui/watch"
)

// answerOf returns the answer to a request for a path.
func answerOf(t *testing.T, pages http.Handler, method, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	pages.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

// The pages show stored runs, finished or interrupted, and only those that were named.
func TestWatchShowsStoredRuns(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "1500games", "--start", "flat", "--seed", "2", "--name", "gain", "--out", "w.json", "--quiet")...)
	interrupted(t, "half")
	pages, err := watch.NewShelf("runs")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		method, path string
		status       int
		kind         string
		holds        []string
	}{
		{"GET", "/", 200, "text/html", []string{"/assets/runs.js"}},
		{"GET", "/assets/runs.js", 200, "text/javascript", []string{"runs.json"}},
		{"GET", "/runs.json", 200, "application/json", []string{`"name":"gain"`, `"verdict":"passed"`, `"against":"flat"`, `"status":"done"`, `"name":"half"`, `"status":"open"`}},
		{"GET", "/runs/gain/", 200, "text/html", []string{"<h1>gain</h1>", `<a href="/">all runs</a>`}},
		{"GET", "/runs/gain/figures.json", 200, "application/json", []string{`"curve":[{"games":`, `"weights":[{"name":"line.`}},
		{"GET", "/runs/gain/metrics", 200, "text/plain", []string{`quintune_run_info{`, `name="gain"`}},
		{"GET", "/runs/absent/", 404, "text/plain", []string{"no run absent"}},
		{"GET", "/runs/..%2f..%2fetc/", 404, "text/plain", nil},
		{"GET", "/runs/gain/nothing", 404, "", nil},
		{"POST", "/runs.json", 405, "", nil},
		{"DELETE", "/runs/gain/", 405, "", nil},
	} {
		t.Run(test.method+" "+test.path, func(t *testing.T) {
			w := answerOf(t, pages, test.method, test.path)
			if w.Code != test.status || !strings.HasPrefix(w.Header().Get("Content-Type"), test.kind) {
				t.Errorf("status %d, %s, want %d, %s", w.Code, w.Header().Get("Content-Type"), test.status, test.kind)
			}
			for _, want := range test.holds {
				if !strings.Contains(w.Body.String(), want) {
					t.Errorf("no %s in %.3000s", want, w.Body.String())
				}
			}
		})
	}
	if _, err := watch.NewShelf("runs", "gain", "absent"); err == nil || !strings.Contains(err.Error(), "no run absent") {
		t.Errorf("a run that is not there is shown (%v)", err)
	}
	one, err := watch.NewShelf("runs", "half")
	if err != nil {
		t.Fatal(err)
	}
	if text := answerOf(t, one, "GET", "/runs.json").Body.String(); strings.Contains(text, `"name":"gain"`) || answerOf(t, one, "GET", "/runs/gain/").Code != 404 {
		t.Errorf("a run that was not named is shown: %s", text)
	}
}

// awaitEvents reads the stream of a stored run until it holds all texts.
func awaitEvents(t *testing.T, pages http.Handler, path string, want ...string) {
	t.Helper()
	server := httptest.NewServer(pages)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var heard strings.Builder
	buffer := make([]byte, 1<<16)
	for {
		n, err := answer.Body.Read(buffer)
		heard.Write(buffer[:n])
		missing := ""
		for _, w := range want {
			if !strings.Contains(heard.String(), w) {
				missing = w
			}
		}
		if missing == "" {
			return
		}
		if err != nil {
			t.Fatalf("no %q in %.5000s (%v)", missing, heard.String(), err)
		}
	}
}

// The page of a finished run ends with its verdict. That of a resumed run grows.
func TestWatchFollowsWhatIsStored(t *testing.T) {
	inFolder(t)
	interrupted(t, "half")
	pages, err := watch.NewShelf("runs")
	if err != nil {
		t.Fatal(err)
	}
	awaitEvents(t, pages, "/runs/half/events", `"stored":true`, `"stage":"interrupted"`, "The run was interrupted: tune resume half goes on with it.", `"moves":"`)
	ended := make(chan error, 1)
	go func() {
		time.Sleep(500 * time.Millisecond)
		_, log, status := tune(t, "resume", "half", "--quiet")
		if status != config.ExitDone {
			t.Errorf("status %d: %s", status, log)
		}
		ended <- nil
	}()
	awaitEvents(t, pages, "/runs/half/events", `"stage":"done"`, "The gate against ")
	<-ended
	var list struct {
		Runs []struct{ Status string }
	}
	if err := json.Unmarshal(answerOf(t, pages, "GET", "/runs.json").Body.Bytes(), &list); err != nil || len(list.Runs) != 1 || list.Runs[0].Status != "done" {
		t.Errorf("the list is %+v (%v)", list, err)
	}
}

// The page of an empty folder says so. An address for other machines needs a token.
func TestWatchUsage(t *testing.T) {
	inFolder(t)
	pages, err := watch.NewShelf("runs")
	if err != nil {
		t.Fatal(err)
	}
	if text := answerOf(t, pages, "GET", "/runs.json").Body.String(); text != `{"runs":[]}` {
		t.Errorf("no run is listed as %s", text)
	}
	for _, test := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"no such run", []string{"watch", "absent"}, config.ExitFailed, "no run absent"},
		{"no token", []string{"watch", "--listen", "0.0.0.0:0"}, config.ExitUsage, "--token-file"},
		{"no port", []string{"watch", "--listen", "127.0.0.1"}, config.ExitUsage, "not HOST:PORT"},
		{"no address", []string{"watch", "--listen", ""}, config.ExitUsage, "not HOST:PORT"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, log, status := tune(t, test.args...); status != test.status || !strings.Contains(log, test.want) {
				t.Errorf("status %d: %s", status, log)
			}
		})
	}
}
