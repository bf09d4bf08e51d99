//go:build system

package play_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quintune/board"
	"quintune/internal/webui/browsertest"
)

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
