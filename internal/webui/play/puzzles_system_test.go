//go:build system

package play_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"quintune/internal/webui/browsertest"
)

// screens returns the window sizes in which every page is tested.
func screens() [][2]int64 { return [][2]int64{{1440, 900}, {1366, 768}, {390, 844}, {844, 390}} }

// best returns the winning move of the puzzle on the board, and a cell that does not win.
func best(p *browsertest.Page) (wins, fails string) {
	pair := browsertest.Value[[]string](p, `(async () => {
		const { puzzles } = await (await fetch('/api/puzzles')).json();
		const p = puzzles.find((p) => p.id === location.hash.slice(1));
		const fails = ['a1', 'o15', 'a15', 'o1', 'b1'].find((c) => c !== p.best && !p.moves.match(/[a-z][0-9]+/g).includes(c) && !(c in p.forbidden));
		document.body.dataset.pair = JSON.stringify([p.best, fails]);
	})() && []`)
	_ = pair
	p.Wait(`document.body.dataset.pair !== undefined`)
	pair = browsertest.Value[[]string](p, `JSON.parse(document.body.dataset.pair)`)
	browsertest.Value[bool](p, `delete document.body.dataset.pair`)
	return pair[0], pair[1]
}

// Puzzles can be solved, failed, hinted at and shown, and the score survives a reload.
func TestPuzzles(t *testing.T) {
	address := serve(t) + "puzzles.html"
	p := open(t, address, 1366, 768)
	wins, fails := best(p)
	clickCell(t, p, fails)
	p.Wait(`document.getElementById('status').textContent.includes('does not win')`)
	clickCell(t, p, wins)
	p.Wait(`document.getElementById('status').textContent.startsWith('Right') && document.querySelectorAll('#solution .chip').length >= 5`)
	p.Picture("puzzle-solved")
	keys(p, "n")
	p.Wait(`document.getElementById('solution').hidden`)
	wins, _ = best(p)
	clickCell(t, p, wins)
	p.Wait(`document.getElementById('status').textContent.startsWith('Right')`)
	p.Click("#next")
	keys(p, "h", "h")
	p.Wait(`document.querySelectorAll('#board .hint').length === 1`)
	keys(p, "s")
	p.Wait(`document.getElementById('status').textContent.startsWith('The winning move is')`)
	browsertest.Value[bool](p, `document.querySelectorAll('#solution .chip')[1].focus() ?? true`)
	p.Wait(`document.querySelectorAll('#board .preview > g').length === 2`)
	p.Do(chromedp.Reload())
	p.Wait(`document.body.dataset.ready === 'true'`)
	for i, end := range []string{"solved at first sight", "with help", "shown"} {
		t.Run(end, func(t *testing.T) {
			if got := browsertest.Value[string](p, fmt.Sprintf(`document.querySelectorAll('#score dd')[%d].textContent`, i)); got != "1" {
				t.Errorf("%s puzzles %s, want 1", got, end)
			}
		})
	}
	choose(p, "of-rule", "renju")
	p.Wait(`document.getElementById('rule').textContent === 'Renju 15 × 15'`)
	p.Click("#reset")
	p.Wait(`document.querySelector('#score dd').textContent === '0'`)
	p.Click("#analyse")
	p.Wait(`document.body.dataset.ready === 'true' && document.getElementById('analysis-on')?.checked && document.querySelectorAll('#lines li').length > 0`)
	p.Click(`a[href="/puzzles.html"]`)
	p.Wait(`document.getElementById('task') !== null && document.body.dataset.ready === 'true'`)
	p.CheckQuiet(address)
}

func TestPuzzleFile(t *testing.T) {
	address := serve(t) + "puzzles.html"
	own, err := os.ReadFile("puzzles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, content := range map[string][]byte{"good.jsonl": own[:len(own)/2], "bad.jsonl": []byte("{}")} {
		for len(content) > 2 && content[len(content)-1] != '\n' {
			content = content[:len(content)-1]
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, address, 390, 844)
	p.Do(chromedp.SetUploadFiles("#puzzles-file", []string{filepath.Join(folder, "bad.jsonl")}))
	p.Wait(`document.getElementById('toast').textContent.includes('line 1')`)
	p.Do(chromedp.SetUploadFiles("#puzzles-file", []string{filepath.Join(folder, "good.jsonl")}))
	p.Wait(`document.getElementById('toast').textContent.includes('puzzles are read') && !document.getElementById('own').hidden`)
	p.Click("#own")
	p.Wait(`document.getElementById('own').hidden`)
}

// A puzzle may have any id: the names that every object of JavaScript has are not solved from the beginning.
func TestPuzzlesOfAnyID(t *testing.T) {
	p := open(t, serve(t)+"puzzles.html", 1366, 768)
	own, err := os.ReadFile("puzzles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`"id":"[^"]*"`)
	var text strings.Builder
	lines := strings.SplitAfter(string(own), "\n")
	for i, name := range []string{"constructor", "__proto__"} {
		text.WriteString(id.ReplaceAllString(lines[i], `"id":"`+name+`"`))
	}
	file := filepath.Join(t.TempDir(), "puzzles.jsonl")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	p.Do(chromedp.SetUploadFiles("#puzzles-file", []string{file}))
	for _, left := range []int{2, 1, 0} {
		p.Wait(fmt.Sprintf(`document.getElementById('matching').textContent === '2 of this kind, %d not solved yet.'`, left))
		if left > 0 {
			keys(p, "n", "s")
		}
	}
	if kept := browsertest.Value[string](p, `localStorage.getItem('quintune.puzzles')`); kept != `{"__proto__":"shown","constructor":"shown"}` {
		t.Errorf("kept is %s", kept)
	}
}

// The link to the board leads to the board of the same puzzle.
func TestSkipToTheBoardKeepsThePuzzle(t *testing.T) {
	p := open(t, serve(t)+"puzzles.html", 1366, 768)
	browsertest.Value[bool](p, `(document.getElementById('of-rule').value = 'renju', document.getElementById('of-rule').dispatchEvent(new Event('change')))`)
	p.Wait(`location.hash.startsWith('#renju')`)
	browsertest.Value[bool](p, `document.querySelector('a.skip').click() ?? true`)
	p.Wait(`location.hash === '#board'`)
	browsertest.Value[bool](p, `(addEventListener('hashchange', () => { document.body.dataset.heard = 'true'; }), location.hash = 'x', true)`)
	p.Wait(`document.body.dataset.heard === 'true'`)
	if rule := browsertest.Value[string](p, `document.getElementById('of-rule').value`); rule != "renju" {
		t.Errorf("the rule is %q, want renju as before", rule)
	}
}

// The tools of the puzzles page are visible, the page fits its windows, and it is accessible.
func TestPuzzlesOnScreens(t *testing.T) {
	address := serve(t) + "puzzles.html"
	for _, size := range screens() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := open(t, address, size[0], size[1])
			if bottom := browsertest.Value[float64](p, `document.getElementById('next').getBoundingClientRect().bottom`); bottom > float64(size[1]) {
				t.Errorf("the tools end at %.0f", bottom)
			}
			if wide := browsertest.Value[float64](p, `document.documentElement.scrollWidth`); wide > float64(size[0]) {
				t.Errorf("the page is %.0f wide", wide)
			}
			p.Picture(fmt.Sprintf("puzzles-%dx%d", size[0], size[1]))
			p.Click("#show")
			for _, dark := range []bool{false, true} {
				p.Dark(dark)
				for _, found := range p.Complaints() {
					t.Errorf("dark %v: %s", dark, found)
				}
			}
			p.CheckQuiet(address)
		})
	}
}
