//go:build system

package play_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quintune/board"
	"quintune/internal/explorer"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/session"
	"quintune/internal/webui/browsertest"
	"quintune/internal/webui/guard"
	"quintune/internal/webui/play"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// serve puts the page behind the guard, as the program does, and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	return serveThrough(t, func(h http.Handler) http.Handler { return h })
}

// explored returns an explorer of a few games.
func explored(t *testing.T, set *weights.Set) *explorer.Explorer {
	t.Helper()
	games, err := record.Parse([]byte(`{"format":"quintune.game/1","size":15,"rule":"freestyle","result":"black","moves":"h8i9g7","notes":[{"ply":1,"score":0}]}
{"format":"quintune.game/1","size":15,"rule":"freestyle","result":"white","moves":"h8g9j10"}
{"format":"quintune.game/1","size":15,"rule":"freestyle","result":"draw","moves":"g7h8"}
`), record.JSON, record.DefaultConditions())
	if err != nil {
		t.Fatal(err)
	}
	e := explorer.New(set)
	for i := range games {
		e.Add(&games[i])
	}
	return e
}

// serveThrough is serve with a handler wrapped around that of the page.
func serveThrough(t *testing.T, wrap func(http.Handler) http.Handler) string {
	t.Helper()
	set, err := weights.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	server, err := play.New(play.Config{
		Weights: player.Of("default", set), Strength: session.Strength{Nodes: 2000}, Searches: 2, Threads: 1, Log: slog.New(slog.DiscardHandler),
		Explorer: explored(t, set),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	site, err := guard.Open(ctx, "127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- site.Serve(ctx, wrap(server), slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return site.URL()
}

// open shows the page in a window and waits until it is ready.
func open(t *testing.T, address string, width, height int64) *browsertest.Page {
	t.Helper()
	p := browsertest.Open(t, width, height)
	p.Visit(address)
	p.Wait(`document.body.dataset.ready === 'true'`)
	return p
}

// clickCell clicks a cell of the board.
func clickCell(t *testing.T, p *browsertest.Page, name string) {
	t.Helper()
	at := cellAt(t, p, name)
	p.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// cellAt scrolls to the board and returns where a cell is in the window.
func cellAt(t *testing.T, p *browsertest.Page, name string) []float64 {
	t.Helper()
	c, err := board.ParseCell(name)
	if err != nil {
		t.Fatal(err)
	}
	return browsertest.Value[[]float64](p, fmt.Sprintf(`(() => {
		const b = document.getElementById('board'); b.scrollIntoView({block: 'center'});
		const p = new DOMPoint(48 + 40 * %d, 48 + 40 * %d).matrixTransform(b.getScreenCTM()); return [p.x, p.y]; })()`, c.X(), c.Y()))
}

// stones waits for n stones on the board.
func stones(p *browsertest.Page, n int) {
	p.Wait(fmt.Sprintf(`document.querySelectorAll('#board .stones > .stone-black, #board .stones > .stone-white').length === %d`, n))
}

// windows returns the window sizes of a desktop and of a telephone.
func windows() [][2]int64 { return [][2]int64{{1440, 900}, {390, 844}} }

// text returns the text of an element.
func text(p *browsertest.Page, selector string) string {
	return browsertest.Value[string](p, fmt.Sprintf(`document.querySelector(%q).innerText`, selector))
}

// count returns the number of elements.
func count(p *browsertest.Page, selector string) int {
	return browsertest.Value[int](p, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}

// choose picks an option of a select as a person does.
func choose(p *browsertest.Page, id, value string) {
	browsertest.Value[bool](p, fmt.Sprintf(`(() => { const s = document.getElementById(%q); s.value = %q; s.dispatchEvent(new Event('change', {bubbles: true})); return s.value === %q; })()`, id, value, value))
}

// position returns the game of the page as a board.
func position(t *testing.T, p *browsertest.Page) *board.Board {
	t.Helper()
	b, err := board.New(15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range browsertest.Value[[]string](p, `[...document.querySelectorAll('#moves button:not(.undone)')].map(b => b.lastChild.textContent)`) {
		c, err := board.ParseCell(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Play(c)
	}
	return b
}

// A whole game by clicking, against the weakest opponent, with undo and redo at its end.
func TestGameByClicking(t *testing.T) {
	address := serve(t)
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	player, err := search.NewEngine(set, 15, pattern.Freestyle, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range windows() {
		p := open(t, address, size[0], size[1])
		p.Picture(fmt.Sprintf("start_%d", size[0]))
		choose(p, "white-player", "baseline:random")
		p.Wait(`document.getElementById('white-name').textContent.startsWith('baseline:random')`)
		for ply := 0; ; ply += 2 {
			stones(p, ply)
			move := player.Search(t.Context(), position(t, p), search.Limits{Nodes: 500}, nil)
			clickCell(t, p, move.Best.String())
			p.Wait(fmt.Sprintf(`document.getElementById('status').textContent === 'You win.' || document.querySelectorAll('#moves li').length === %d`, ply+2))
			if text(p, "#status") == "You win." {
				break
			}
		}
		if n := count(p, "#board .winning circle"); n < 5 {
			t.Errorf("%d stones of the winning row are marked", n)
		}
		if text(p, "#bar-text") != "Black wins" {
			t.Errorf("the bar says %q", text(p, "#bar-text"))
		}
		p.Picture(fmt.Sprintf("won_%d", size[0]))
		n := position(t, p).Ply()
		p.Click("#undo")
		stones(p, n-1)
		p.Click("#redo")
		stones(p, n)
		p.Click("#undo")
		stones(p, n-1)
		p.Click("#undo")
		stones(p, n-3)
		p.CheckQuiet(address)
	}
}

func TestAnalysis(t *testing.T) {
	address := serve(t)
	for _, size := range windows() {
		p := open(t, address+"#size=15&rule=freestyle&moves=h8i9g10j8k7", size[0], size[1])
		stones(p, 5)
		choose(p, "analysis-time", "1000")
		p.Click("#analysis-on + .track")
		p.Wait(`document.getElementById('effort').textContent.startsWith('Done')`)
		if n := count(p, "#lines li"); n != 5 {
			t.Errorf("%d lines are shown", n)
		}
		if count(p, "#board .heat circle") == 0 || count(p, "#board .marks text") != 5 {
			t.Error("the board shows no heat map, or not the best moves")
		}
		p.Click("#lines button")
		browsertest.Value[bool](p, `document.getElementById('twice').dispatchEvent(new Event('change'))`) // draws the lines anew
		if count(p, "#lines [aria-pressed=true]") != 1 {
			t.Error("a line is no more pinned once the lines are drawn anew")
		}
		p.Click("#lines button")
		if count(p, "#lines [aria-pressed=true]") != 0 {
			t.Error("a line that was drawn anew cannot be unpinned")
		}
		browsertest.Value[bool](p, `document.activeElement.blur() ?? true`)
		browsertest.Value[bool](p, `document.querySelector('#lines button').focus() ?? true`)
		p.Wait(`document.querySelectorAll('#board .preview > g').length > 0`)
		p.Picture(fmt.Sprintf("preview_%d", size[0]))
		browsertest.Value[bool](p, `document.activeElement.blur() ?? true`)
		p.Wait(`document.querySelectorAll('#board .preview > g').length === 0`)
		p.Click("#evaluate")
		p.Wait(`!document.getElementById('evaluate').disabled && document.querySelector('#curve .trace') !== null`)
		p.Picture(fmt.Sprintf("analysis_%d", size[0]))
		p.Dark(true)
		p.Picture(fmt.Sprintf("analysis_dark_%d", size[0]))
		p.CheckQuiet(address)
	}
}

// A forced win is shown as a sequence. Each of its moves shows the board after it.
func TestForcedWinIsShown(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=freestyle&moves=h8a1h9a2h10b15i8o1j8o2", 1440, 900)
	p.Click("#solve")
	p.Wait(`!document.getElementById('solution').hidden`)
	if !strings.Contains(text(p, "#solution strong"), "Black wins in") {
		t.Errorf("the solution is %q", text(p, "#solution"))
	}
	browsertest.Value[bool](p, `document.querySelectorAll('#solution .chip')[2].focus() ?? true`)
	p.Wait(`document.querySelectorAll('#board .preview > g').length === 3`)
	p.Picture("solution")
	p.CheckQuiet(address)
}

// hostile is a name that would become markup if it were not escaped.
const hostile = `<img src=x onerror="document.title='hit'"> "mine"`

func TestFiles(t *testing.T) {
	address := serve(t)
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	set.Name = hostile
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	files := map[string]string{
		"weights.json": string(data), "game.psq": "Piskvorky 15x15, 11:11, 0\n8,8,100\n9,9,100\n8,9,100\nA.zip\nB.zip\n0\n", "bad.psq": "Piskvorky 15x15, 11:11, 0\n77,8,100\n",
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range windows() {
		p := open(t, address, size[0], size[1])
		p.Do(chromedp.SetUploadFiles("#weights-file", []string{filepath.Join(folder, "weights.json")}))
		p.Wait(`!document.getElementById('toast').hidden`)
		if !strings.Contains(text(p, "#toast"), hostile) || count(p, "img[src=x]") != 0 {
			t.Errorf("the message is %q", text(p, "#toast"))
		}
		if got := browsertest.Value[string](p, `document.getElementById('analysis-weights').value`); got != "default" {
			t.Errorf("%s analyses once weights are loaded, want default", got)
		}
		id := browsertest.Value[string](p, `document.querySelector('#white-player option[value^="upload:"]').value`)
		choose(p, "white-player", id)
		p.Wait(`document.getElementById('white-name').textContent.startsWith('<img')`)
		clickCell(t, p, "h8")
		stones(p, 2)
		p.Do(chromedp.SetUploadFiles("#record-file", []string{filepath.Join(folder, "game.psq")}))
		stones(p, 3)
		if n := count(p, "#tabs .tab"); n != 2 {
			t.Errorf("%d games are open", n)
		}
		p.Do(chromedp.SetUploadFiles("#record-file", []string{filepath.Join(folder, "bad.psq")}))
		p.Wait(`document.getElementById('toast').textContent.includes('line 2')`)
		p.Click("#tabs .tab:first-child button")
		stones(p, 2)
		if title := browsertest.Value[string](p, `document.title`); title != "Quintune" {
			t.Errorf("the title is %q", title)
		}
		p.Click("#share")
		p.Wait(`document.getElementById('link').value.includes('moves=h8')`)
		link := browsertest.Value[string](p, `document.getElementById('link').value`)
		other := open(t, link, size[0], size[1])
		stones(other, 2)
		other.CheckQuiet(address)
	}
}

// A game that the program has dropped continues with the moves on the screen, after a reload too.
func TestProgramStartedAnew(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=renju&moves=h8i9", 1366, 768)
	stones(p, 2)
	forget := `fetch('/api/games/' + location.hash.slice('#game='.length), { method: 'DELETE' }).then(() => { document.body.dataset.forgotten = 'true'; }) && true`
	browsertest.Value[bool](p, forget)
	p.Wait(`document.body.dataset.forgotten === 'true'`)
	clickCell(t, p, "j10")
	stones(p, 3)
	if text(p, "#rule") != "Renju 15 × 15" {
		t.Errorf("the rule is %q", text(p, "#rule"))
	}
	browsertest.Value[bool](p, `delete document.body.dataset.forgotten && `+forget)
	p.Wait(`document.body.dataset.forgotten === 'true'`)
	p.Do(chromedp.Reload())
	p.Wait(`document.body.dataset.ready === 'true'`)
	stones(p, 3)
	clickCell(t, p, "k11")
	stones(p, 4)
}

// The page plays where the browser refuses to keep anything.
func TestBrowserThatKeepsNothing(t *testing.T) {
	p := open(t, serve(t), 1440, 900)
	browsertest.Value[bool](p, `Boolean(Object.defineProperty(window, 'sessionStorage', {get() { throw new Error('blocked'); }}))`)
	clickCell(t, p, "h8")
	stones(p, 2)
}

// The last game stays where the program begins no new one, and the page works as before.
func TestLastGameStays(t *testing.T) {
	var fails atomic.Bool
	address := serveThrough(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if fails.Load() {
				http.Error(w, "out of order", http.StatusInternalServerError)
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	p := open(t, address+"#size=15&rule=freestyle&moves=h8i9", 1366, 768)
	stones(p, 2)
	fails.Store(true)
	p.Click("#tabs .shut")
	p.Wait(`document.getElementById('toast').textContent.startsWith('out of order')`)
	fails.Store(false)
	clickCell(t, p, "k11")
	stones(p, 3)
	p.Click("#tabs .shut")
	stones(p, 0)
}

// The page reports a program that stops responding in the middle of a game.
func TestHungProgram(t *testing.T) {
	var hangs atomic.Bool
	address := serveThrough(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if hangs.Load() {
				<-r.Context().Done()
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	p := open(t, address+"#size=15&rule=freestyle&moves=h8", 1366, 768)
	stones(p, 1)
	hangs.Store(true)
	clickCell(t, p, "i9")
	p.Wait(`document.getElementById('status').textContent.startsWith('The program does not answer')`)
}

// As many long searches as the browser has connections are not silence: the question whether the program is there would wait for one.
func TestSearchesOnAllConnections(t *testing.T) {
	address := serveThrough(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/long" {
				time.Sleep(6 * time.Second)
				fmt.Fprint(w, "{}")
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	p := open(t, address, 1366, 768)
	browsertest.Value[bool](p, `(() => {
		const interval = setInterval, timeout = AbortSignal.timeout;
		window.setInterval = (act, ms) => interval(act, ms / 80);
		AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 2); // a slow machine is not silent either
		window.answers = [];
		const note = (answer) => window.answers.push(answer);
		import('/api.js').then(({ post }) => { for (let i = 0; i < 6; i++) post('/api/long', {}).then(() => note('answered'), (error) => note(error.message)); });
		return true;
	})()`)
	p.Wait(`window.answers.length === 6`)
	if answers := browsertest.Value[string](p, `window.answers.join()`); answers != "answered,answered,answered,answered,answered,answered" {
		t.Error(answers)
	}
}

// askForReview opens a page, asks for a review, which a function answers, and returns the page.
func askForReview(t *testing.T, answer http.HandlerFunc) *browsertest.Page {
	t.Helper()
	address := serveThrough(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/review") {
				answer(w, r)
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	p := open(t, address+"#size=15&rule=freestyle&moves=h8", 1366, 768)
	stones(p, 1)
	p.Click("#review")
	return p
}

// A double click that closes the only game begins one new game.
func TestDoubleClickOnTheLastTab(t *testing.T) {
	var begun atomic.Int32
	address := serveThrough(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && r.URL.Path == "/api/games" {
				begun.Add(1)
			}
			h.ServeHTTP(w, r)
		})
	})
	p := open(t, address+"#size=15&rule=freestyle&moves=h8i9", 1366, 768)
	stones(p, 2)
	before := begun.Load()
	browsertest.Value[bool](p, `(() => { const shut = document.querySelector('#tabs .shut'); shut.click(); shut.click(); return true; })()`)
	stones(p, 0)
	p.Wait(`document.querySelectorAll('#tabs .tab').length === 1`)
	if got := begun.Load() - before; got != 1 {
		t.Errorf("%d games were begun", got)
	}
}

// A game that is closed has no review that goes on.
func TestClosedGameEndsItsReview(t *testing.T) {
	ended := make(chan struct{})
	p := askForReview(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "{\"left\":1}\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(ended)
	})
	p.Wait(`document.getElementById('review').textContent === 'Stop (1 left)'`)
	p.Click("#tabs .shut")
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the review goes on for a minute after its game was closed")
	}
}

// The page shows an error that ends a stream.
func TestErrorInAStream(t *testing.T) {
	p := askForReview(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "{\"left\":1}\n{\"error\":\"out of order\"}\n")
	})
	p.Wait(`document.getElementById('toast').textContent === 'out of order'`)
}

// The page says what a stream is that breaks off.
func TestStreamThatBreaks(t *testing.T) {
	p := askForReview(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "{\"left\":1}\n")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	p.Wait(`document.getElementById('toast').textContent.startsWith('The program does not answer')`)
}

// A game that went on elsewhere, as in a copy of the tab, is shown as it is once an engine may not move where it stood here.
func TestEngineOfAGameThatWentOn(t *testing.T) {
	p := open(t, serve(t), 1366, 768)
	clickCell(t, p, "h8")
	stones(p, 2)
	keys(p, "[")
	p.Wait(`document.getElementById('run').textContent === 'Continue'`)
	stones(p, 1)
	browsertest.Value[bool](p, `fetch('/api/games/' + location.hash.slice('#game='.length) + '/line', { method: 'POST', headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ moves: 'h8i9j10', ply: 3 }) }).then(() => { document.body.dataset.elsewhere = 'true'; }) && true`)
	p.Wait(`document.body.dataset.elsewhere === 'true'`)
	p.Click("#run")
	stones(p, 3)
	p.Wait(`document.getElementById('status').textContent === 'the game is at move 3, not 1'`)
	p.Click("#run")
	stones(p, 4)
}

// Engines that play each other and are held stay so when a move is taken back.
func TestUndoBetweenHeldEngines(t *testing.T) {
	p := open(t, serve(t)+"#size=15&rule=freestyle&moves=h8i9g7", 1366, 768)
	stones(p, 3)
	choose(p, "white-player", "huang")
	stones(p, 4)
	choose(p, "black-player", "huang")
	p.Wait(`document.querySelectorAll('#moves button').length > 6`)
	keys(p, "[") // holds them
	p.Wait(`document.getElementById('run').textContent === 'Continue'`)
	browsertest.Value[bool](p, `document.getElementById('first').click() ?? true`)
	stones(p, 0)
	keys(p, "]", "]")
	stones(p, 2)
	p.Click("#undo")
	stones(p, 1)
	if now := text(p, "#run"); now != "Continue" {
		t.Errorf("the button says %q after a move was taken back", now)
	}
}

// The board's tools are visible without scrolling, and screen readers announce the engine's move.
func TestToolsInSight(t *testing.T) {
	address := serve(t)
	for _, size := range [][2]int64{{1440, 900}, {1366, 768}, {844, 390}} {
		p := open(t, address, size[0], size[1])
		if bottom := browsertest.Value[float64](p, `document.getElementById('hint').getBoundingClientRect().bottom`); bottom > float64(size[1]) {
			t.Errorf("%d×%d: the tools end at %.0f", size[0], size[1], bottom)
		}
		clickCell(t, p, "h8")
		stones(p, 2)
		p.Wait(`/^White plays [a-o][0-9]+\. Black to move/.test(document.getElementById('speech').textContent)`)
	}
}

// keys presses keys, one after another.
func keys(p *browsertest.Page, list ...string) {
	for _, key := range list {
		p.Do(chromedp.KeyEvent(key))
	}
}

// A game by keyboard only, including the dialog.
func TestKeyboard(t *testing.T) {
	address := serve(t)
	p := open(t, address, 1440, 900)
	keys(p, "n")
	p.Wait(`document.getElementById('new-dialog').open`)
	p.Picture("dialog")
	p.Wait(`document.activeElement.closest('dialog') !== null`)
	browsertest.Value[bool](p, `document.getElementById('new-side').focus() ?? true`)
	keys(p, kb.ArrowDown, kb.ArrowDown)
	p.Wait(`document.getElementById('new-side').value === 'both'`)
	keys(p, kb.Tab)
	browsertest.Value[bool](p, `document.querySelector('#new-form button[type=submit]').focus() ?? true`)
	keys(p, kb.Enter)
	p.Wait(`!document.getElementById('new-dialog').open && document.activeElement.id === 'board'`)
	keys(p, kb.Enter)
	stones(p, 1)
	keys(p, kb.ArrowRight, kb.ArrowDown, kb.Enter)
	stones(p, 2)
	if got := board.FormatMoves(position(t, p).Moves()); got != "h8i9" {
		t.Errorf("the moves are %s", got)
	}
	if !strings.Contains(browsertest.Value[string](p, `document.getElementById('speech').textContent`), "i9, empty") {
		t.Errorf("the page says %q", text(p, "#speech"))
	}
	keys(p, "u")
	stones(p, 1)
	keys(p, "r")
	stones(p, 2)
	keys(p, "[")
	stones(p, 1)
	keys(p, "[")
	stones(p, 0)
	keys(p, kb.End)
	stones(p, 2)
	keys(p, "a")
	p.Wait(`document.getElementById('analysis-on').checked && document.querySelectorAll('#lines li').length > 0`)
	p.CheckQuiet(address)
}

// Touch works like the mouse. With "tap twice" the second tap plays.
func TestTouch(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=freestyle&moves=h8", 390, 844)
	p.Do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	stones(p, 1)
	tap := func(name string) {
		at := cellAt(t, p, name)
		for _, step := range []input.DispatchTouchEventParams{
			{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at[0], Y: at[1]}}},
			{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
		} {
			p.Do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
				_, err := chromedp.Call(ctx, input.DispatchTouchEvent, step)
				return err
			}))
		}
	}
	tap("i9")
	stones(p, 2)
	p.Click("#twice")
	tap("j10")
	p.Wait(`document.querySelector('#board .stones').nextSibling !== null`)
	stones(p, 2)
	tap("j10")
	stones(p, 3)
	p.CheckQuiet(address)
}

// Swap2 openings and renju's forbidden cells on the page.
func TestOpeningsAndFouls(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=renju&moves=h8a1i8a2g9a3g10a15", 1440, 900)
	stones(p, 8)
	if count(p, "#board .forbidden path") == 0 {
		t.Error("no forbidden point is shown")
	}
	clickCell(t, p, "g8")
	p.Wait(`document.getElementById('status').textContent.includes('double three')`)
	p.Picture("renju")
	file := filepath.Join(t.TempDir(), "foul.sgf")
	if err := os.WriteFile(file, []byte("(;GM[4]SZ[15]RU[renju];B[hh];W[aa];B[ih];W[ba];B[gi];W[ca];B[gj];W[ao];B[gh])"), 0o666); err != nil {
		t.Fatal(err)
	}
	p.Do(chromedp.SetUploadFiles("#record-file", []string{file}))
	p.Wait(`document.getElementById('status').textContent === 'The last move of the record, g8, is left out. It is forbidden to Black: double three.'`)
	stones(p, 8)
	keys(p, "n")
	p.Wait(`document.getElementById('new-dialog').open`)
	choose(p, "new-rule", "freestyle")
	choose(p, "new-opening", "swap2")
	p.Click("#new-form button[type=submit]")
	p.Wait(`document.getElementById('status').textContent === 'Swap2: put a black stone (1 of 3).' && document.getElementById('black-turn').textContent === 'to move'`)
	keys(p, "n")
	p.Wait(`document.getElementById('new-dialog').open`)
	choose(p, "new-opening", "swap2")
	choose(p, "new-side", "white")
	p.Click("#new-form button[type=submit]")
	p.Wait(`!document.getElementById('choices').hidden && document.getElementById('white-turn').textContent === 'to choose'`)
	stones(p, 3)
	p.Picture("swap2")
	p.Click("#setup")
	p.Wait(`!document.getElementById('setup-tools').hidden && document.getElementById('choices').hidden`)
	p.Click("#setup-cancel")
	p.Wait(`!document.getElementById('choices').hidden`)
	p.Click("#take-black")
	p.Wait(`document.getElementById('black-name').textContent === 'You' && document.getElementById('choices').hidden`)
	stones(p, 4)
	p.CheckQuiet(address)
}

// On a narrow telephone no label is cut, and a game can be closed.
func TestNarrowLabels(t *testing.T) {
	p := open(t, serve(t), 360, 740)
	p.Picture("narrow")
	cut := browsertest.Value[[]string](p, `(() => {
		const room = document.createElement('canvas').getContext('2d');
		const wide = (e, text) => { const s = getComputedStyle(e); room.font = s.font; return room.measureText(text).width + parseFloat(s.paddingLeft) + parseFloat(s.paddingRight); };
		const buttons = [...document.querySelectorAll('main button, main .button')].filter((e) => e.clientWidth && e.innerText.trim() && wide(e, e.innerText) > e.clientWidth + 0.5).map((e) => e.innerText);
		const arrow = 20; // of a select, in pixels
		const selects = [...document.querySelectorAll('.row select')].filter((e) => e.clientWidth < wide(e, e.selectedOptions[0].text) + arrow).map((e) => e.selectedOptions[0].text);
		const tabs = document.getElementById('tabs').getBoundingClientRect();
		const shut = [...document.querySelectorAll('.tab .shut')].filter((e) => e.getBoundingClientRect().right > tabs.right).map(() => '×');
		return [...buttons, ...selects, ...shut];
	})()`)
	if len(cut) > 0 {
		t.Errorf("cut labels: %q", cut)
	}
}

// Every control has a name and every text enough contrast, in both colour schemes and both window sizes.
func TestAccessibility(t *testing.T) {
	address := serve(t)
	for _, size := range windows() {
		p := open(t, address+"#size=15&rule=freestyle&moves=h8i9h9h10g8i8i10g7j11", size[0], size[1])
		stones(p, 9)
		p.Click("#analysis-on + .track")
		p.Wait(`document.querySelectorAll('#lines li').length > 0`)
		p.Click("#share")
		for _, dark := range []bool{false, true} {
			p.Dark(dark)
			for _, dialog := range []bool{false, true} {
				if dialog {
					keys(p, "n")
					p.Wait(`document.getElementById('new-dialog').open`)
				}
				for _, found := range p.Complaints() {
					t.Errorf("%d wide, dark %v, dialog %v: %s", size[0], dark, dialog, found)
				}
				if dialog {
					p.Click("#new-cancel")
				}
			}
		}
	}
}

// A review marks the moves in the list, shows the better move on the board, and counts.
func TestReviewOnThePage(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=freestyle&moves=h8h11i8i11j8g8k8j11a1", 1366, 768)
	stones(p, 9)
	p.Click("#review")
	p.Wait(`!document.getElementById('review-box').hidden && document.getElementById('review').textContent === 'Review'`)
	if sides := text(p, "#review-sides"); !strings.Contains(sides, "Black: accuracy") || !strings.Contains(sides, "1 missed win") {
		t.Errorf("the review says %q", sides)
	}
	if mark := browsertest.Value[string](p, `document.querySelectorAll('#moves button')[8].dataset.mark`); mark != "??" {
		t.Errorf("the last move is marked %q", mark)
	}
	if note := text(p, "#review-note"); !strings.Contains(note, "9. a1 is a blunder") || !strings.Contains(note, "l8") {
		t.Errorf("the note says %q", note)
	}
	browsertest.Value[bool](p, `document.querySelector('#review-note .chip').focus() ?? true`)
	p.Wait(`document.querySelectorAll('#board .preview > g').length === 1`)
	stones(p, 8)
	p.Picture("review")
	browsertest.Value[bool](p, `document.activeElement.blur() ?? true`)
	stones(p, 9)
	for _, found := range p.Complaints() {
		t.Error(found)
	}
	keys(p, "m")
	p.Wait(`document.querySelector('#moves button[aria-current=true]').dataset.mark !== undefined`)
	p.CheckQuiet(address)
}

// The dialog of a new game offers the embedded weights of the board that is chosen, and they play there.
func TestDialogKeepsTheBoardsWeights(t *testing.T) {
	address := serve(t)
	p := open(t, address, 1366, 768)
	for _, test := range []struct{ rule, size, side, want string }{
		{"renju", "15", "black", "renju15"},
		{"freestyle", "20", "white", "freestyle20"},
		{"standard", "15", "none", "standard15"},
		{"freestyle", "15", "black", "default"},
	} {
		t.Run(test.want, func(t *testing.T) {
			p.Click("#new")
			p.Wait(`document.getElementById('new-dialog').open`)
			choose(p, "new-rule", test.rule)
			choose(p, "new-size", test.size)
			choose(p, "new-side", test.side)
			for _, id := range []string{"new-opponent", "new-other"} {
				if got := browsertest.Value[string](p, `document.getElementById('`+id+`').value`); got != test.want {
					t.Errorf("%s offers %s, want %s", id, got, test.want)
				}
			}
			p.Click("#new-form button[type=submit]")
			p.Wait(`!document.getElementById('new-dialog').open`)
			names := text(p, "#black-name") + " " + text(p, "#white-name")
			if !strings.Contains(names, test.want) {
				t.Errorf("%q play, want %s", names, test.want)
			}
		})
	}
	p.CheckQuiet(address)
}

// A strength keeps all of its limits while its select does not change. Swapping sides takes the names along.
func TestSeatsKeepLimitsAndNames(t *testing.T) {
	address := serve(t)
	p := open(t, address, 1366, 768)
	browsertest.Value[bool](p, `sessionStorage.setItem('quintune.games', JSON.stringify([{id: 'forgotten', tree: [null], size: 15, rule: 'freestyle', moves: [], ply: 0,
		opening: '', names: ['Anna', ''], seats: [{player: ''}, {player: 'default', level: 3, nodes: 500, time: 2000}]}])) ?? true`)
	p.Do(chromedp.Reload())
	kept := func(game int, names, black, white string) {
		t.Helper()
		p.Wait(fmt.Sprintf(`(() => {
			const game = JSON.parse(sessionStorage.getItem('quintune.games')).at(%d);
			return game && game.names.join() === %q && game.seats.map((s) => [s.player, s.level, s.nodes, s.time].join()).join(' ') === %q; })()`, game, names, black+" "+white))
	}
	p.Wait(`document.body.dataset.ready === 'true' && document.getElementById('black-name').textContent === 'Anna'`)
	p.Click("#swap")
	kept(0, ",Anna", "default,3,500,2000", ",0,0,0")
	p.Click("#new")
	p.Wait(`document.getElementById('new-dialog').open`)
	p.Click("#new-form button[type=submit]")
	kept(1, ",", ",0,0,0", "default,3,500,2000")
	p.Wait(`!document.getElementById('new-dialog').open`)
	choose(p, "white-player", "huang")
	kept(1, ",", ",0,0,0", "huang,3,500,2000")
	choose(p, "white-strength", "nodes:1000")
	kept(1, ",", ",0,0,0", "huang,0,1000,0")
	p.Forget() // that the game was forgotten is on the console
}
