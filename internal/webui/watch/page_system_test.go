//go:build system

package watch

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

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
