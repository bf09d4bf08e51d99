//go:build system

package play_test

import (
	"fmt"
	"strings"
	"testing"

	"quintune/internal/webui/browsertest"
)

// listenTo notes the weights of the requests that end in the path.
func listenTo(p *browsertest.Page, path string) {
	browsertest.Value[bool](p, fmt.Sprintf(`(() => {
		const f = window.fetch; window.asked = window.asked || {};
		window.fetch = (path, init) => { if (String(path).endsWith(%[1]q)) window.asked[%[1]q] = JSON.parse(init.body).weights; return f(path, init); };
		return true; })()`, path))
}

// The embedded weights of the game's board analyse it, give hints, review and explore, unless others are chosen for the game.
func TestWeightsOfTheBoardAnalyse(t *testing.T) {
	address := serve(t)
	p := open(t, address, 1366, 768)
	paths := []string{"/analyze", "/review", "/explore"}
	for _, path := range paths {
		listenTo(p, path)
	}
	analyst := func(want string) {
		t.Helper()
		p.Wait(fmt.Sprintf(`document.getElementById('analysis-weights').value === %q`, want))
	}
	analyst("default")
	for i, test := range []struct{ rule, size, want string }{
		{"renju", "15", "renju15"},
		{"freestyle", "20", "freestyle20"},
		{"standard", "15", "standard15"},
	} {
		t.Run(test.want, func(t *testing.T) {
			browsertest.Value[bool](p, fmt.Sprintf(`(window.asked = {}) && (location.hash = '#size=%s&rule=%s&moves=h8i9') !== ''`, test.size, test.rule))
			p.Wait(fmt.Sprintf(`document.querySelectorAll('#tabs .tab').length === %d`, i+2))
			analyst(test.want)
			keys(p, "h")
			p.Wait(`document.getElementById('status').textContent.startsWith('Hint: ')`)
			p.Click("#review")
			p.Wait(`!document.getElementById('review-box').hidden`)
			for _, path := range paths {
				p.Wait(fmt.Sprintf(`window.asked[%q] !== undefined`, path))
				if got := browsertest.Value[string](p, fmt.Sprintf(`window.asked[%q]`, path)); got != test.want {
					t.Errorf("%s is asked of %s, want %s", path, got, test.want)
				}
			}
		})
	}
	choose(p, "analysis-weights", "default")
	p.Click("#tabs .tab:first-child button")
	analyst("default")
	p.Click("#tabs .tab:nth-child(2) button")
	analyst("renju15")
	p.Click("#tabs .tab:nth-child(4) button")
	analyst("default")
	choose(p, "analysis-weights", "huang")
	p.Click("#tabs .tab:nth-child(2) button")
	analyst("huang")
	p.Click("#new")
	p.Wait(`document.getElementById('new-dialog').open`)
	if got := browsertest.Value[string](p, `document.getElementById('new-opponent').value`); got != "renju15" {
		t.Errorf("the dialog offers %s for renju, want renju15", got)
	}
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
