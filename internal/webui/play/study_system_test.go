//go:build system

package play_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quintune/internal/webui/browsertest"
)

// check looks for faults of accessibility in both schemes.
func check(t *testing.T, p *browsertest.Page, state string) {
	t.Helper()
	for _, dark := range []bool{false, true} {
		p.Dark(dark)
		for _, found := range p.Complaints() {
			t.Errorf("%s, dark %v: %s", state, dark, found)
		}
	}
	p.Dark(false)
}

// A move in place of an existing one begins a variation. The tree can be walked, promoted and cut, and survives
// a reload.
func TestVariations(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=freestyle&moves=h8i9g7", 1366, 768)
	stones(p, 3)
	keys(p, "[", "[")
	stones(p, 1)
	clickCell(t, p, "j10")
	stones(p, 2)
	p.Wait(`document.querySelectorAll('#moves .variation button').length === 1 && !document.getElementById('variations').hidden`)
	clickCell(t, p, "k11")
	stones(p, 3)
	if all := count(p, "#moves button"); all != 5 {
		t.Errorf("the tree has %d moves, want 5", all)
	}
	p.Picture("variations")
	check(t, p, "variations")
	browsertest.Value[bool](p, `[...document.querySelectorAll('#moves button')].find((b) => b.textContent.endsWith('g7')).click() ?? true`)
	p.Wait(`document.getElementById('promote').disabled && document.querySelectorAll('#board .stones > g').length >= 3`)
	p.Do(chromedp.Reload())
	p.Wait(`document.body.dataset.ready === 'true' && document.querySelectorAll('#moves button').length === 5`)
	browsertest.Value[bool](p, `document.querySelector('#moves .variation button').click() ?? true`)
	p.Wait(`!document.getElementById('promote').disabled`)
	stones(p, 2)
	browsertest.Value[bool](p, `(URL.createObjectURL = (file) => { file.text().then((saved) => { window.saved = saved; }); return '#saved'; }) && true`)
	p.Click("#save-sgf")
	p.Wait(`window.saved !== undefined`)
	if saved := browsertest.Value[string](p, `window.saved`); !strings.Contains(saved, ";B[hh]\n(;W[ii];B[gg])\n(;W[jj];B[kk]))") {
		t.Errorf("saved is %s", saved)
	}
	p.Click("#promote")
	p.Wait(`document.getElementById('promote').disabled && document.querySelector('#moves .variation').textContent.includes('g7')`)
	p.Click("#cut")
	p.Wait(`document.querySelectorAll('#moves button').length === 3 && document.getElementById('variations').hidden`)
	stones(p, 1)
	p.CheckQuiet(address)
}

// The list of moves is built anew where it changes, and only there: a tree may have thousands of moves, and an analysis draws several
// times a second.
func TestMovesAreListedOnce(t *testing.T) {
	p := open(t, serve(t)+"#size=15&rule=freestyle&moves=h8i9g7", 1366, 768)
	stones(p, 3)
	for _, test := range []struct {
		name, act string
		kept      bool
	}{
		{"another sign on the board", `document.getElementById('numbers').click()`, true},
		{"a step", `document.getElementById('back').click()`, false},
		{"another notation", `document.getElementById('renju-notation').click()`, false},
		{"a review", `document.getElementById('review').click()`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			browsertest.Value[bool](p, `(document.querySelector('#moves li').id = 'old', window.drawn = false, true)`)
			browsertest.Value[bool](p, `(new MutationObserver(() => { window.drawn = true; }).observe(document.querySelector('#board'), { childList: true, subtree: true, attributes: true }), `+test.act+`, true)`)
			if !test.kept {
				p.Wait(`document.querySelectorAll('#moves li').length === 3 && document.getElementById('old') === null`)
				return
			}
			p.Wait(`window.drawn`)
			if n := count(p, "#old"); n != 1 {
				t.Error("the list is built anew")
			}
		})
	}
}

// A position is set up by hand.
func TestSetUp(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=freestyle&moves=h8", 390, 844)
	stones(p, 1)
	p.Click("#setup")
	p.Wait(`!document.getElementById('setup-tools').hidden && document.getElementById('tools').hidden`)
	p.Picture("setup")
	check(t, p, "set up")
	p.Click("#setup-clear")
	for _, cell := range []string{"c3", "d4", "e5", "e5"} {
		t.Run(cell, func(t *testing.T) {
			clickCell(t, p, cell)
		})
	}
	p.Wait(`document.getElementById('status').textContent === '2 black, 0 white. Black needs one for each white one, or one more.'`)
	p.Click("#setup-done")
	p.Wait(`document.getElementById('toast').textContent.includes('2 black and 0 white')`)
	p.Click("#setup-tools input[value=white]")
	clickCell(t, p, "m3")
	p.Wait(`document.getElementById('status').textContent.endsWith('White moves next.')`)
	p.Click("#setup-done")
	p.Wait(`document.getElementById('setup-tools').hidden && document.querySelectorAll('#tabs .tab').length === 2`)
	stones(p, 3)
	p.Click("#setup")
	p.Click("#setup-cancel")
	stones(p, 3)
	p.Forget() // the refusal is on the console
}

// Any text that describes a position or a game can be pasted.
func TestPaste(t *testing.T) {
	address := serve(t)
	p := open(t, address, 1366, 768)
	for i, test := range []struct {
		name, text string
		stones     int
	}{
		{"moves", "h8i9g7j10", 4},
		{"a link", address + "#size=15&rule=renju&moves=h8i9", 2},
		{"an SGF", "(;GM[4]SZ[15];B[hh];W[ii];B[jj])", 3},
		{"a board", strings.Repeat(strings.Repeat(". ", 9)+"\n", 8) + "X O . . . . . . .\n", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			p.Click("#paste")
			p.Wait(`document.getElementById('paste-dialog').open`)
			browsertest.Value[bool](p, fmt.Sprintf(`(document.getElementById('paste-text').value = %q) !== ''`, test.text))
			p.Click("#paste-form button[type=submit]")
			p.Wait(fmt.Sprintf(`!document.getElementById('paste-dialog').open && document.querySelectorAll('#tabs .tab').length === %d`, i+2))
			stones(p, test.stones)
		})
	}
	p.CheckQuiet(address)
	p.Click("#paste")
	browsertest.Value[bool](p, `(document.getElementById('paste-text').value = 'what?') !== ''`)
	p.Click("#paste-form button[type=submit]")
	p.Wait(`document.getElementById('paste-error').textContent !== ''`)
	p.Picture("paste")
	check(t, p, "paste")
}

// The page tells the result of a record that the board does not decide, at the end of its moves.
func TestRecordedEndIsTold(t *testing.T) {
	address := serve(t)
	p := open(t, address, 1366, 768)
	p.Click("#paste")
	p.Wait(`document.getElementById('paste-dialog').open`)
	browsertest.Value[bool](p, `(document.getElementById('paste-text').value = '(;GM[4]SZ[15]RE[B+1]GC[proven win];B[hh];W[ii];B[jj])') !== ''`)
	p.Click("#paste-form button[type=submit]")
	const told = `document.getElementById('status').textContent === 'Black won (proven win), says the record.'`
	p.Wait(told)
	if bar := text(p, "#bar-text"); bar != "Black wins" {
		t.Errorf("the bar says %q", bar)
	}
	keys(p, "[")
	p.Wait(`document.getElementById('status').textContent.startsWith('Black to move')`)
	keys(p, "]")
	p.Wait(told)
	clickCell(t, p, "a1")
	p.Wait(`document.getElementById('status').textContent.startsWith('Black to move')`)
	p.CheckQuiet(address)
}

// The explorer lists moves that were played, previews a move, and plays it.
func TestExplorer(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=freestyle&moves=", 1366, 768)
	rows := func(n int) { p.Wait(fmt.Sprintf(`document.querySelectorAll('#explorer-rows tr').length === %d`, n)) }
	rows(2)
	if got := text(p, "#explorer-rows"); !strings.Contains(got, "h8\t2\t50 %\t50 %") {
		t.Errorf("the explorer shows %q", got)
	}
	p.Picture("explorer")
	check(t, p, "explorer")
	p.Click("#numbers")
	browsertest.Value[bool](p, `document.querySelector('#explorer-rows button').focus() ?? true`)
	p.Wait(`document.querySelectorAll('#board .preview > g').length === 1`)
	keys(p, kb.Enter)
	stones(p, 1)
	rows(1) // i9 and its mirror image g9
	keys(p, "n")
	p.Wait(`document.getElementById('new-dialog').open`)
	choose(p, "new-rule", "renju")
	choose(p, "new-side", "both")
	p.Click("#new-form button[type=submit]")
	p.Wait(`document.getElementById('explorer-note').textContent.includes('play web --games')`)
	p.CheckQuiet(address)
}

// A long name is cut with an ellipsis: no name breaks within a word, and nothing of the line above the board lies on another part of it.
func TestLongNames(t *testing.T) {
	address := serve(t)
	for _, size := range screens() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := open(t, address, size[0], size[1])
			browsertest.Value[bool](p, `(() => { document.getElementById('black-name').textContent = 'You'; document.getElementById('white-name').textContent = 'default (weights.json)'; return true; })()`)
			if high := browsertest.Value[float64](p, `Math.max(...['black', 'white'].map((s) => document.getElementById(s + '-name').getBoundingClientRect().height))`); high > 30 {
				t.Errorf("a name is %.0f high", high)
			}
			if laps := browsertest.Value[bool](p, `(() => {
				const parts = [...document.querySelectorAll('.scoreline [id]')].map((e) => e.getBoundingClientRect()).filter((r) => r.width > 0);
				return parts.some((a, i) => parts.some((b, k) => i < k && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
			})()`); laps {
				t.Error("parts of the line lie on each other")
			}
			if name := browsertest.Value[float64](p, `document.getElementById('black-name').scrollWidth - document.getElementById('black-name').clientWidth`); name > 1 {
				t.Errorf("%.0f pixels of \"You\" are cut", name)
			}
		})
	}
}

// A score of six digits stands on one line of the analysis and in its column.
func TestGreatScores(t *testing.T) {
	address := serve(t)
	for _, size := range append(screens(), [2]int64{800, 1000}) {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := open(t, address+"#size=15&rule=freestyle&moves=h8i9&analyse", size[0], size[1])
			p.Wait(`document.getElementById('effort').textContent.startsWith('Done')`)
			browsertest.Value[bool](p, `document.querySelectorAll('#lines .value').forEach((v) => { v.textContent = '100 % (+100000)'; }) ?? true`)
			if high := browsertest.Value[float64](p, `document.querySelector('#lines .value').getBoundingClientRect().height`); high > 30 {
				t.Errorf("the score is %.0f high", high)
			}
			if hidden := browsertest.Value[float64](p, `((v) => v.scrollWidth - v.clientWidth)(document.querySelector('#lines .value'))`); hidden > 0 {
				t.Errorf("the score is %.0f wider than its column", hidden)
			}
			p.Picture(fmt.Sprintf("scores-%dx%d", size[0], size[1]))
		})
	}
}

// The dialogs show their buttons without being scrolled.
func TestDialogsOnScreens(t *testing.T) {
	address := serve(t)
	for _, size := range screens() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := open(t, address, size[0], size[1])
			for _, name := range []string{"new", "paste"} {
				browsertest.Value[bool](p, `document.getElementById('`+name+`').click() ?? true`)
				p.Wait(`document.getElementById('` + name + `-dialog').open`)
				if name == "new" {
					choose(p, "new-side", "none") // the side with the most fields
				}
				p.Picture(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]))
				if bottom := browsertest.Value[float64](p, `document.querySelector('#`+name+`-dialog .primary').getBoundingClientRect().bottom`); bottom > float64(size[1]) {
					t.Errorf("%s: the buttons end at %.0f", name, bottom)
				}
				if hidden := browsertest.Value[float64](p, `((d) => d.scrollHeight - d.clientHeight)(document.getElementById('`+name+`-dialog'))`); hidden > 1 {
					t.Errorf("%s: %.0f pixels are hidden", name, hidden)
				}
				p.Click("#" + name + "-cancel")
			}
		})
	}
}

// An endless analysis continues after its first request, until it is switched off.
func TestEndlessAnalysis(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=freestyle&moves=h8i9h9", 1366, 768)
	browsertest.Value[bool](p, `(() => { const f = window.fetch; window.asked = []; window.fetch = (path, init) => { if (String(path).endsWith('/analyze')) window.asked.push(JSON.parse(init.body).time); return f(path, init); }; return true; })()`)
	choose(p, "analysis-time", "0")
	keys(p, "a")
	p.Wait(`window.asked.length >= 2 && window.asked[1] === 2 * window.asked[0]`)
	p.Wait(`document.getElementById('effort').textContent.startsWith('Analysing')`)
	keys(p, "a")
	p.Wait(`document.getElementById('effort').textContent.startsWith('Switch it on')`)
	p.CheckQuiet(address)
}

// The page fits its windows with all its parts shown.
func TestStudyOnScreens(t *testing.T) {
	address := serve(t)
	for _, size := range screens() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := open(t, address+"#size=15&rule=freestyle&moves=h8h11i8i11j8g8k8j11a1", size[0], size[1])
			stones(p, 9)
			p.Click("#review")
			p.Wait(`!document.getElementById('review-box').hidden && document.getElementById('review').textContent === 'Review'`)
			keys(p, "[")
			stones(p, 8)
			clickCell(t, p, "l8")
			stones(p, 9)
			if wide := browsertest.Value[float64](p, `document.documentElement.scrollWidth`); wide > float64(size[0]) {
				t.Errorf("the page is %.0f wide", wide)
			}
			p.Picture(fmt.Sprintf("study-%dx%d", size[0], size[1]))
			check(t, p, "study")
			p.CheckQuiet(address)
		})
	}
}
