//go:build system

package play_test

import (
	"fmt"
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
