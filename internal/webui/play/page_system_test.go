//go:build system

package play_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quintune/board"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/internal/webui/browser"
	"quintune/internal/webui/guard"
	"quintune/internal/webui/play"
	"quintune/weights"
)

// serve puts the page behind the guard, as the program does, and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	set, err := weights.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	server, err := play.New(play.Config{
		Weights: player.Of("default", set), Strength: session.Strength{Nodes: 2000}, Searches: 2, Threads: 1, Log: slog.New(slog.DiscardHandler),
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
	go func() { ended <- site.Serve(ctx, server, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return site.URL()
}

// open shows the page in a window and waits until it is ready.
func open(t *testing.T, address string, width, height int64) *browser.Page {
	t.Helper()
	p := browser.Open(t, width, height)
	p.Visit(address)
	p.Wait(`document.body.dataset.ready === 'true'`)
	return p
}

// clickCell clicks a cell of the board.
func clickCell(t *testing.T, p *browser.Page, name string) {
	t.Helper()
	c, err := board.ParseCell(name)
	if err != nil {
		t.Fatal(err)
	}
	at := browser.Value[[]float64](p, fmt.Sprintf(`(() => {
		const b = document.getElementById('board'); b.scrollIntoView({block: 'center'});
		const p = new DOMPoint(42 + 40 * %d, 42 + 40 * %d).matrixTransform(b.getScreenCTM()); return [p.x, p.y]; })()`, c.X(), c.Y()))
	p.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// stones waits for so many stones on the board.
func stones(p *browser.Page, n int) {
	p.Wait(fmt.Sprintf(`document.querySelectorAll('#board .stones > .stone-black, #board .stones > .stone-white').length === %d`, n))
}

func TestPictures(t *testing.T) {
	address := serve(t)
	for _, window := range []struct{ width, height int64 }{{1440, 900}, {390, 844}} {
		p := open(t, address, window.width, window.height)
		p.Picture(fmt.Sprintf("start_%d", window.width))
		for i, cell := range []string{"h8", "j9", "g10", "j10", "l8"} {
			clickCell(t, p, cell)
			stones(p, 2*i+2)
		}
		p.Do(chromedp.Click("#analysis-on"))
		p.Wait(`document.getElementById('effort').textContent.startsWith('Done')`)
		p.Picture(fmt.Sprintf("analysis_%d", window.width))
		p.Dark(true)
		p.Picture(fmt.Sprintf("dark_%d", window.width))
		p.Do(chromedp.Click("#new"), chromedp.KeyEvent(kb.Tab))
		p.Picture(fmt.Sprintf("dialog_%d", window.width))
		p.CheckQuiet(address)
	}
}
