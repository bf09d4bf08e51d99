//go:build system

package play_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"quintune/internal/webui/browsertest"
)

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
