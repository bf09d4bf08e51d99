package watch

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quintune/internal/cluster"
	"quintune/internal/progress/progresstest"
	"quintune/internal/run"
	"quintune/internal/store"
	"quintune/internal/webui/browsertest"
	"quintune/internal/webui/guard"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(browsertest.Tests{M: m}) }

// handler returns the page of a run.
func handler(t *testing.T, f *progresstest.Run) http.Handler {
	t.Helper()
	h, err := Handler(f.History)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestPaths(t *testing.T) {
	h := handler(t, progresstest.New(t, progresstest.Hostile))
	tests := []struct {
		method, path string
		status       int
		kind, holds  string
	}{
		{"GET", "/", 200, "text/html", "&lt;img src=x onerror="},
		{"HEAD", "/", 200, "text/html", ""},
		{"GET", "/assets/watch.js", 200, "text/javascript", "EventSource"},
		{"GET", "/assets/watch.css", 200, "text/css", "prefers-color-scheme"},
		{"GET", "/assets/icon.svg", 200, "image/svg+xml", "<svg"},
		{"GET", "/metrics", 200, "text/plain", "quintune_games_total 0"},
		{"GET", "/nothing", 404, "", ""},
		{"GET", "/assets/../watch.go", 307, "", ""},
		{"GET", "/assets/nothing", 404, "", ""},
		{"POST", "/", 405, "", ""},
		{"PUT", "/metrics", 405, "", ""},
		{"DELETE", "/assets/watch.js", 405, "", ""},
		{"POST", "/events", 405, "", ""},
	}
	for _, test := range tests {
		t.Run(test.method, func(t *testing.T) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(test.method, test.path, nil))
			body := w.Body.String()
			if w.Code != test.status || !strings.HasPrefix(w.Header().Get("Content-Type"), test.kind) || !strings.Contains(body, test.holds) {
				t.Errorf("%s %s: status %d, %s, %.100q", test.method, test.path, w.Code, w.Header().Get("Content-Type"), body)
			}
			if test.kind == "text/html" && strings.Contains(body, "<img") || strings.Contains(body, "\x1b") {
				t.Errorf("%s %s: a name became markup or a command", test.method, test.path)
			}
		})
	}
}

// TestPagesLoadNothingFromElsewhere looks for addresses in every asset. Addresses of XML namespaces are allowed,
// since they are not loaded.
func TestPagesLoadNothingFromElsewhere(t *testing.T) {
	entries, err := assets.ReadDir("assets")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := assets.ReadFile("assets/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "http://www.w3.org/2000/svg", "")
		for _, bad := range []string{"http:", "https:", "@import", "innerHTML", "eval(", " style=", "onclick="} {
			if strings.Contains(text, bad) {
				t.Errorf("%s holds %q", e.Name(), bad)
			}
		}
	}
}

// Every path is behind the guard, including the event stream and the metrics.
func TestEveryPathIsGuarded(t *testing.T) {
	const token = "0123456789abcdef-secret"
	site, err := guard.Open(t.Context(), "127.0.0.1:0", token)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- site.Serve(ctx, handler(t, progresstest.New(t, "huang")), slog.New(slog.DiscardHandler))
	}()
	for _, path := range []string{"", "events", "metrics", "assets/watch.js", "nothing"} {
		t.Run(path, func(t *testing.T) {
			for _, test := range []struct {
				host, token string
				status      int
			}{
				{"evil.example", token, http.StatusMisdirectedRequest},
				{"", "", http.StatusUnauthorized},
				{"", token + "x", http.StatusUnauthorized},
			} {
				r, err := http.NewRequestWithContext(ctx, "GET", site.URL()+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Host = test.host
				r.Header.Set("Authorization", "Bearer "+test.token)
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				answer.Body.Close()
				if answer.StatusCode != test.status {
					t.Errorf("/%s with host %q and token %q: status %d, want %d", path, test.host, test.token, answer.StatusCode, test.status)
				}
			}
		})
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestMetrics(t *testing.T) {
	f := progresstest.New(t, progresstest.Hostile)
	for range 6 {
		f.Next()
	}
	w := httptest.NewRecorder()
	handler(t, f).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{
		"quintune_games_total 1080", "quintune_generations_total 6", "quintune_budget_games 12000", "quintune_against_start_pairs 60", "quintune_left_seconds 173",
		"# TYPE quintune_games_total counter", "# TYPE quintune_gate_llr gauge", `rule="freestyle"`,
	} {
		t.Run(line, func(t *testing.T) {
			if !strings.Contains(w.Body.String(), line) {
				t.Errorf("the metrics lack %q", line)
			}
		})
	}
}

// Metrics of ratings are left out, not 0, where there are no ratings.
func TestMetricsOfUnratedGenerations(t *testing.T) {
	f := progresstest.New(t, "huang")
	for _, test := range []struct {
		name  string
		event run.Event
		want  bool
	}{{"unrated", run.Event{Stage: run.StageEvolution}, false}, {"rated", run.Event{Stage: run.StageEvolution, Figures: run.Figures{Best: 12, Mean: -3}}, true}} {
		t.Run(test.name, func(t *testing.T) {
			f.History.Add(test.event)
			w := httptest.NewRecorder()
			handler(t, f).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
			text := w.Body.String()
			if strings.Contains(text, "quintune_best_elo 12") != test.want || strings.Contains(text, "quintune_mean_elo -3") != test.want || strings.Contains(text, "quintune_best_elo 0") {
				t.Errorf("the metrics are %s", text)
			}
		})
	}
}

// The metrics report labels while they are made, and not otherwise.
func TestMetricsOfLabels(t *testing.T) {
	f := progresstest.New(t, "huang")
	for _, test := range []struct {
		event run.Event
		want  []string
	}{
		{run.Event{Stage: run.StageLabels, Labelled: 300, Positions: 1000}, []string{"quintune_labelled_positions 300", "quintune_fit_positions 1000"}},
		{run.Event{Stage: run.StageEvolution}, []string{"quintune_labelled_positions 0", "quintune_fit_positions 0"}},
	} {
		f.History.Add(test.event)
		w := httptest.NewRecorder()
		handler(t, f).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		for _, line := range test.want {
			if !strings.Contains(w.Body.String(), line+"\n") {
				t.Errorf("stage %s: the metrics lack %q", test.event.Stage, line)
			}
		}
	}
}

// There are metrics of a cluster only when one plays the run.
func TestMetricsOfACluster(t *testing.T) {
	alone, crowd := progresstest.New(t, progresstest.Hostile), progresstest.New(t, progresstest.Hostile)
	crowd.OnCluster()
	text := func(f *progresstest.Run) string {
		w := httptest.NewRecorder()
		handler(t, f).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		return w.Body.String()
	}
	if got := text(alone); strings.Contains(got, "quintune_cluster") {
		t.Errorf("a run without a cluster has its metrics: %s", got)
	}
	got := text(crowd)
	for _, line := range []string{
		`quintune_cluster_workers{state="working"} 2`, `quintune_cluster_workers{state="quarantined"} 1`, `quintune_cluster_workers{state="left"} 0`,
		"quintune_cluster_jobs 18", "quintune_cluster_pairs_per_second 35.2", "quintune_cluster_pending_pairs 1207", "quintune_cluster_pairs_total 47311",
		"quintune_cluster_tasks_total 1650", "quintune_cluster_reissued_total 12", "quintune_cluster_duplicate_pairs_total 31",
		"quintune_cluster_audited_pairs_total 950", "quintune_cluster_disputes_total 1", `quintune_cluster_faults_total{kind="lost worker"} 1`,
		`quintune_cluster_worker_busy_ratio{key="UBIG",worker="big"} 0.978`, `quintune_cluster_worker_games_total{key="UBIG",worker="big"} 82468`,
		`quintune_cluster_worker_pairs_per_second{key="UCOORD",worker="coordinator"} 3.9`, `quintune_cluster_worker_jobs{key="USLOW"`,
	} {
		t.Run(line, func(t *testing.T) {
			if !strings.Contains(got, line) {
				t.Errorf("the metrics lack %q", line)
			}
		})
	}
}

// heard is an event received from a stream.
type heard struct {
	name string
	data json.RawMessage
}

// listen connects to the event stream of a server.
func listen(ctx context.Context, t *testing.T, url string) (*http.Response, *bufio.Reader) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, "GET", url+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return answer, bufio.NewReader(answer.Body)
}

// next reads an event.
func next(t *testing.T, from *bufio.Reader) (h heard) {
	t.Helper()
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "event":
			h.name = text
		case "data":
			h.data = json.RawMessage(text)
		case "":
			if h.name != "" {
				return h
			}
		}
	}
}

func TestStreamTellsWhatIsNew(t *testing.T) {
	f := progresstest.New(t, progresstest.Hostile)
	for range 3 {
		f.Next()
	}
	server := httptest.NewServer(handler(t, f))
	defer server.Close()
	answer, events := listen(t.Context(), t, server.URL)
	defer answer.Body.Close()
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("the stream is %s", kind)
	}
	var names []string
	for range 4 {
		h := next(t, events)
		names = append(names, h.name)
		if !json.Valid(h.data) || strings.Contains(string(h.data), "<img") {
			t.Errorf("event %s: %.200s", h.name, h.data)
		}
	}
	if want := []string{"hello", "rows", "now", "live"}; !slices.Equal(names, want) {
		t.Errorf("the stream begins with %q, want %q", names, want)
	}
	f.Next()
	h := next(t, events)
	var more rows
	if err := json.Unmarshal(h.data, &more); err != nil || h.name != "rows" || len(more.Generations) != 1 || more.Generations[0].Number != 4 || len(more.Curve) != 0 {
		t.Errorf("a generation more is told as %s %+v (%v)", h.name, more, err)
	}
	f.History.Add(run.Event{Stage: run.StageGate, Pairs: 12, LLR: 1.5})
	for h = next(t, events); h.name != "now" || !strings.Contains(string(h.data), `"gate"`); h = next(t, events) {
	}
	if !strings.Contains(string(h.data), `"llr":1.5`) {
		t.Errorf("the gate is told as %s", h.data)
	}
	f.History.Add(run.Event{Stage: run.StageLabels, Labelled: 300, Positions: 1000})
	if h = next(t, events); h.name != "now" || !strings.Contains(string(h.data), `"stage":"labels"`) || !strings.Contains(string(h.data), `"labelled":300,"positions":1000`) {
		t.Errorf("labels are told as %s %s", h.name, h.data)
	}
}

// The last event of the page says how the run ended, even where the program ends right after it. The opponent of
// a match is named.
func TestVerdictIsTheLastEvent(t *testing.T) {
	f := progresstest.New(t, "huang")
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewUnstartedServer(handler(t, f))
	server.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	server.Start()
	defer server.Close()
	answer, events := listen(t.Context(), t, server.URL)
	defer answer.Body.Close()
	f.History.Add(run.Event{Stage: run.StageValidation, Opponent: "shapes", Pairs: 12, Most: 40})
	h := next(t, events)
	for h.name != "now" || !strings.Contains(string(h.data), `"validation"`) {
		h = next(t, events)
	}
	if !strings.Contains(string(h.data), `"opponent":"shapes"`) {
		t.Errorf("a validation is told as %s", h.data)
	}
	f.History.Add(run.Event{Stage: run.StageDone, Verdict: &run.Verdict{Gate: "passed", Words: []string{"The gate against huang was passed after 312 pairs."}}})
	cancel()
	rest, err := io.ReadAll(events)
	if err != nil {
		t.Fatal(err)
	}
	_, last, _ := strings.Cut(string(rest), "event: verdict\ndata: ")
	if want := `{"gate":"passed","words":["The gate against huang was passed after 312 pairs."]}` + "\n\n"; last != want {
		t.Errorf("the stream ends with %q, want the verdict", rest)
	}
}

// The page gets the status of the cluster, with a bounded number of workers.
func TestStreamTellsOfTheCluster(t *testing.T) {
	f := progresstest.New(t, "huang")
	f.OnCluster()
	server := httptest.NewServer(handler(t, f))
	defer server.Close()
	answer, events := listen(t.Context(), t, server.URL)
	defer answer.Body.Close()
	h := next(t, events)
	for h.name != "cluster" {
		h = next(t, events)
	}
	var told clusterView
	if err := json.Unmarshal(h.data, &told); err != nil || told.Working != 2 || told.Jobs != 18 || told.Pending != 1207 ||
		len(told.Workers) != 4 || told.More != 0 || told.Workers[0].Name != "big" || len(told.Refused) != 1 || told.Faults["quarantine"] != 1 {
		t.Errorf("%s (%v)", h.data, err)
	}
	if many := clusterOf(&cluster.Status{Workers: make([]cluster.WorkerStatus, mostWorkers+7)}); len(many.Workers) != mostWorkers || many.More != 7 {
		t.Errorf("%d workers are listed, %d are not", len(many.Workers), many.More)
	}
}

func TestStreamsAreBounded(t *testing.T) {
	server := httptest.NewServer(handler(t, progresstest.New(t, "huang")))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	for range mostStreams {
		answer, events := listen(ctx, t, server.URL)
		defer answer.Body.Close()
		next(t, events)
	}
	answer, rest := listen(ctx, t, server.URL)
	defer answer.Body.Close()
	if text, _ := io.ReadAll(rest); answer.StatusCode != 503 || !strings.Contains(string(text), "32 watchers") {
		t.Errorf("one more is answered with %d %s", answer.StatusCode, text)
	}
	cancel()
	http.DefaultClient.CloseIdleConnections()
}

// A run may have gone back and closed more steps by the next look than it had before. Nothing is shown of what no longer holds.
func TestStoredRunThatWentBack(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*run.State, *run.Generation)
		want   error
	}{
		{"other generations", func(_ *run.State, g *run.Generation) { g.Best = 9 }, errOther},
		{"other check matches", func(s *run.State, _ *run.Generation) { s.Checks[3].Games++ }, errOther},
		{"equal ones", func(*run.State, *run.Generation) {}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			shelf := &Shelf{folder: t.TempDir()}
			record := progresstest.New(t, "huang").Record
			summary, err := record.Summary("r")
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			db, err := store.Open(shelf.folder)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			session, err := db.Begin(store.KindRun, summary, data, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			state := func(steps int) *run.State {
				s := &run.State{Outcome: run.Outcome{Generations: steps}}
				for k := range steps {
					s.Checks = append(s.Checks, run.Check{Games: 100 * k})
				}
				return s
			}
			step := func(k int, change func(*run.State, *run.Generation)) {
				s, g := state(k+1), &run.Generation{Number: k, Figures: run.Figures{Best: float64(k)}, Values: []float64{}}
				change(s, g)
				if err := session.CloseStep(store.Step{State: s, Generation: g}); err != nil {
					t.Fatal(err)
				}
			}
			for k := range 5 {
				step(k, func(*run.State, *run.Generation) {})
			}
			stored := &storedRun{shelf: shelf, name: "r"}
			if err := stored.look(); err != nil {
				t.Fatal(err)
			}
			if err := session.Rewind(3, state(3)); err != nil {
				t.Fatal(err)
			}
			for k := 3; k < 7; k++ {
				step(k, test.change)
			}
			stored.looked = time.Time{}
			if err := stored.look(); !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
		})
	}
}

// When a gate is decided, the games that are stored of its step become fewer.
func TestSpeedOfAStoredRunIsNotNegative(t *testing.T) {
	r := &storedRun{begun: time.Now().Add(-10 * time.Second), first: 1000}
	r.was.Games = 900
	if got := r.speed("playing"); got != 0 {
		t.Errorf("%v games a second", got)
	}
	if r.was.Games = 910; r.speed("playing") <= 0 {
		t.Error("games after that have no speed")
	}
}

// A run is not found where there is none, and unavailable where nobody knows: its page asks again in both cases.
func TestRunsThatCannotBeRead(t *testing.T) {
	for _, test := range []struct {
		name, database string
		only           []string
		status         int
	}{
		{"no database", "", nil, http.StatusNotFound},
		{"a damaged database", strings.Repeat("garbage", 99), nil, http.StatusServiceUnavailable},
		{"a run that is not shown", strings.Repeat("garbage", 99), []string{"other"}, http.StatusNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			shelf, err := NewShelf(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			shelf.only = test.only
			if test.database != "" {
				if err := os.WriteFile(filepath.Join(shelf.folder, store.FileName), []byte(test.database), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			w := httptest.NewRecorder()
			shelf.ServeHTTP(w, httptest.NewRequest("GET", "/runs/r/events", nil))
			if w.Code != test.status {
				t.Errorf("status %d, want %d: %s", w.Code, test.status, w.Body)
			}
		})
	}
}
