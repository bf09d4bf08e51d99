//go:build system

package watch

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quintune/internal/progress/progresstest"
	"quintune/internal/run"
	"quintune/internal/webui/browsertest"
	"quintune/internal/webui/guard"
)

// serve serves the page of a run and returns its address.
func serve(t *testing.T, f *progresstest.Run, token string) string {
	t.Helper()
	handler, err := Handler(f.History)
	if err != nil {
		t.Fatal(err)
	}
	site, err := guard.Open(t.Context(), "127.0.0.1:0", token)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- site.Serve(ctx, handler, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return site.URL()
}

const lines = `document.querySelectorAll('#curve path.line')`

func TestPageFollowsARun(t *testing.T) {
	f := progresstest.New(t, progresstest.Hostile)
	for range 30 {
		f.Next()
	}
	address := serve(t, f, "")
	page := browsertest.Open(t, 1440, 900)
	page.Visit(address)
	page.Wait(lines + `.length === 1`)
	before := browsertest.Value[string](page, lines+`[0].getAttribute('d')`)
	for range 6 {
		f.Next()
	}
	page.Wait(`document.getElementById('generation').textContent === '36'`)
	if after := browsertest.Value[string](page, lines+`[0].getAttribute('d')`); after == before {
		t.Error("the curve stands still")
	}
	for _, chart := range []string{"fitness", "spread", "traces"} {
		t.Run(chart, func(t *testing.T) {
			page.Wait(`document.querySelectorAll('#` + chart + ` path.line').length >= 2`)
		})
	}
	page.Picture("run-light")
	page.Dark(true)
	page.Picture("run-dark")

	f.History.Add(run.Event{Stage: run.StageEvolution, Closed: true, Generation: 3, Last: &run.Generation{Number: 3, Games: 510}}) // it has gone back
	page.Wait(`document.querySelector('#spread path.line').getAttribute('d').split('L').length === 3`)
	page.CheckQuiet(address)
}

func TestPageShowsTheCluster(t *testing.T) {
	f := progresstest.New(t, "huang")
	f.Next()
	f.OnCluster()
	address := serve(t, f, "")
	page := browsertest.Open(t, 1440, 900)
	page.Visit(address)
	page.Wait(`document.querySelectorAll('#cluster-workers tr').length === 4`)
	text := browsertest.Value[string](page, `document.getElementById('cluster').innerText`)
	for _, want := range []string{"2 workers with 18 jobs play 35.2 pairs a second", "1,207 pairs of this batch are to come", "lost worker 1", "41,234", "98 %", "old was turned away"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("the page lacks %q of the cluster: %s", want, text)
			}
		})
	}
	page.Picture("cluster")
	page.CheckQuiet(address)
}

func TestPageShowsLabels(t *testing.T) {
	f := progresstest.New(t, "huang")
	f.History.Add(run.Event{Stage: run.StageLabels, Phase: "fit", Games: 8192, Budget: 100_000, Labelled: 12_345, Positions: 40_321})
	address := serve(t, f, "")
	page := browsertest.Open(t, 1440, 900)
	page.Visit(address)
	page.Wait(`!document.getElementById('labels').hidden && document.getElementById('status').textContent === 'labels'`)
	text := browsertest.Value[string](page, `document.getElementById('labels').innerText`)
	if share := browsertest.Value[float64](page, `document.getElementById('labels-done').value`); !strings.Contains(text, "12,345 of 40,321 positions") || share < .30 || share > .31 {
		t.Errorf("labels are shown as %v of %s", share, text)
	}
	page.Picture("labels")
	f.Next()
	page.Wait(`document.getElementById('labels').hidden`)
	page.CheckQuiet(address)
}

func TestPageNamesOpponentsAndTheVerdict(t *testing.T) {
	f := progresstest.New(t, "huang")
	f.Next()
	f.History.Add(run.Event{Stage: run.StageValidation, Opponent: "shapes", Pairs: 120, Most: 400, Budget: 12_000})
	address := serve(t, f, "")
	page := browsertest.Open(t, 1440, 900)
	page.Visit(address)
	page.Wait(`document.getElementById('status').textContent === 'validation'`)
	if text := browsertest.Value[string](page, `document.getElementById('trial').innerText`); !strings.Contains(text, "Validation against shapes") || strings.Contains(text, "the start") {
		t.Errorf("a validation against shapes is shown as %q", text)
	}
	if bar := browsertest.Value[float64](page, `document.getElementById('llr').getBoundingClientRect().height`); bar != 0 {
		t.Errorf("beside the validation stands the bar of a gate, %v high", bar)
	}
	page.Picture("validation")
	f.History.Add(run.Event{Stage: run.StageDone, Budget: 12_000, Verdict: &run.Verdict{Gate: "undecided", Words: []string{"The gate against huang was undecided after 9 pairs."}}})
	page.Wait(`!document.getElementById('verdict').hidden`)
	if text := browsertest.Value[string](page, `document.getElementById('verdict').innerText`); !strings.Contains(text, "The gate against huang was undecided after 9 pairs.") {
		t.Errorf("the end is shown as %q", text)
	}
	page.Picture("verdict")
	page.CheckQuiet(address)
}

// A run that nobody plays has no game in progress, no speed and nothing to estimate, beside the process that played it too. Only a finished
// one is done.
func TestPageOfARunThatNobodyPlays(t *testing.T) {
	for stage, left := range map[run.Stage]string{run.StageDone: "done", run.StageInterrupted: "–"} {
		t.Run(string(stage), func(t *testing.T) {
			f := progresstest.New(t, "huang")
			f.Next()
			address := serve(t, f, "")
			page := browsertest.Open(t, 1440, 900)
			page.Visit(address)
			title := `document.getElementById('game-title').textContent`
			page.Wait(title + ` === 'Game in progress' && document.getElementById('speed').textContent === '41.5'`)
			f.History.Add(run.Event{Stage: stage, GamesPerSecond: 41.5, Left: 90, Budget: 12_000, Games: 180})
			page.Wait(title + ` === 'Game' && document.getElementById('game-note').textContent.includes('move 21 of 21')`)
			page.Wait(fmt.Sprintf(`document.getElementById('status').textContent === '%s' && document.getElementById('left').textContent === '%s'`, stage, left))
			page.Wait(`document.getElementById('live').hidden && document.getElementById('left-note').hidden && document.getElementById('speed').textContent === '–'`)
			page.Visit(address) // as for one who comes later
			page.Wait(title + ` === 'Game' && document.getElementById('game-note').textContent.includes('move 21 of 21')`)
			page.CheckQuiet(address)
			f.Next()
			page.Wait(title + ` === 'Game in progress' && !document.getElementById('live').hidden && !document.getElementById('left-note').hidden`)
			page.CheckQuiet(address)
		})
	}
}

// Where nothing is to be shown the page says what is missing. A finished run promises nothing.
func TestPageSaysWhatIsMissing(t *testing.T) {
	f := progresstest.New(t, "huang")
	address := serve(t, f, "")
	page := browsertest.Open(t, 800, 600)
	page.Visit(address)
	for _, test := range []struct {
		name          string
		event         run.Event
		strength      string
		curve, traces string
	}{
		{"before the first", run.Event{Stage: run.StageEvolution}, "no check match yet", "after the first check match", "after the first generation"},
		{"one pair", run.Event{Stage: run.StageEvolution, AgainstPairs: 1}, "1 pair: shown from 20 on", "after the first check match", "after the first generation"},
		{"few pairs", run.Event{Stage: run.StageEvolution, AgainstPairs: 9}, "9 pairs: shown from 20 on", "after the first check match", "after the first generation"},
		{"done", run.Event{Stage: run.StageDone}, "no check match was played", "no check match was played", "no generation was played"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f.History.Add(test.event)
			for id, want := range map[string]string{"elo-note": test.strength, "curve": test.curve, "traces": test.traces} {
				page.Wait(fmt.Sprintf(`document.getElementById(%q).textContent === %q`, id, want))
			}
		})
	}
	page.CheckQuiet(address)
}

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

func TestPageReplaysAGame(t *testing.T) {
	f := progresstest.New(t, progresstest.Hostile)
	f.Next()
	address := serve(t, f, "")
	page := browsertest.Open(t, 390, 844)
	page.Visit(address)
	stones := `document.querySelectorAll('#board .stone').length`
	page.Wait(stones + ` === 12`) // the game in progress
	page.Wait(`document.querySelectorAll('#list button').length === 1`)
	if text := browsertest.Value[string](page, `document.getElementById('list').textContent`); !strings.Contains(text, `<img src=x onerror="document.title='broken'">{{.}}&amp;`) {
		t.Errorf("the names are %q", text)
	}
	if browsertest.Value[bool](page, `document.querySelector('#list button').scrollWidth > document.querySelector('#list button').clientWidth`) {
		t.Error("the end of a long name is cut on a narrow page")
	}
	page.Click("#list button")
	page.Wait(stones + ` > 5`) // it replays by itself, after the opening of 4 moves
	page.Click("#first")
	page.Wait(stones + ` === 0`)
	page.Click("#forward")
	page.Click("#forward")
	page.Wait(stones + ` === 2`)
	page.Do(chromedp.Focus(chromedp.ID("board")), chromedp.KeyEvent(kb.End))
	page.Wait(stones + ` === 21`)
	page.Do(chromedp.KeyEvent(kb.ArrowLeft))
	page.Wait(stones + ` === 20 && document.getElementById('game-note').textContent.includes('f10')`)
	page.Picture("replay-narrow")
	if wide := browsertest.Value[bool](page, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page is wider than the window")
	}
	for _, back := range []string{`document.getElementById('back').click()`, `(document.getElementById('ply').value = 11, document.getElementById('ply').dispatchEvent(new Event('input')))`} {
		page.Click("#live")
		page.Wait(stones + ` === 12`)
		browsertest.Value[bool](page, back+` ?? true`)
		page.Wait(stones + ` === 11`)
	}
	if browsertest.Value[int](page, `document.images.length`) != 0 || browsertest.Value[string](page, `document.title`) == "broken" {
		t.Error("a name became markup")
	}
	page.CheckQuiet(address)
}

func TestPageWantsItsToken(t *testing.T) {
	f := progresstest.New(t, "huang")
	f.Next()
	const token = "0123456789abcdef-secret"
	address := serve(t, f, token)
	page := browsertest.Open(t, 800, 600)
	page.Visit(address + "?a=b#moves=h8")
	page.Wait(`document.querySelector('form input[name=token]') !== null`)
	page.Picture("log-in")
	page.Do(chromedp.SendKeys(chromedp.ID("token"), "wrong"+kb.Enter))
	page.Wait(`document.querySelector('form [role=alert]') !== null`)
	page.Do(chromedp.SendKeys(chromedp.ID("token"), token+kb.Enter))
	page.Wait(`document.getElementById('generation')?.textContent === '1'`)
	if cookies := browsertest.Value[string](page, `document.cookie`); cookies != "" {
		t.Errorf("a script sees the cookie %q", cookies)
	}
	if got, want := browsertest.Value[string](page, `location.href`), address+"?a=b#moves=h8"; got != want {
		t.Errorf("the log-in leads to %s, want %s", got, want)
	}
}

// A link with the token opens the page, and the token disappears from the address.
func TestLinkWithTheToken(t *testing.T) {
	f := progresstest.New(t, "huang")
	f.Next()
	page := browsertest.Open(t, 800, 600)
	link := serve(t, f, "0123456789abcdef&#+") + "#token=0123456789abcdef%26%23%2B"
	for _, name := range []string{"at first", "logged in"} {
		t.Run(name, func(t *testing.T) {
			page.Visit("about:blank")
			page.Visit(link)
			page.Wait(`document.getElementById('generation')?.textContent === '1'`)
			if address := browsertest.Value[string](page, `location.href`); strings.Contains(address, "token") {
				t.Errorf("the address is %s", address)
			}
		})
	}
}
