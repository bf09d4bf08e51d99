//go:build system

package play_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"quintune/board"
	"quintune/internal/explorer"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/session"
	"quintune/internal/webui/browsertest"
	"quintune/internal/webui/guard"
	"quintune/internal/webui/play"
	"quintune/pattern"
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

// keys presses keys, one after another.
func keys(p *browsertest.Page, list ...string) {
	for _, key := range list {
		p.Do(chromedp.KeyEvent(key))
	}
}
