//go:build system

package browsertest

import (
	"net/url"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(Tests{M: m}) }

// A page that is busy for longer than a second gets one click, and one that moved its button from under the pointer another.
func TestClick(t *testing.T) {
	p := Open(t, 600, 400)
	p.Visit("data:text/html," + url.PathEscape(`<button id="a">a</button><p><button id="b">b</button><script>
		window.clicks = [];
		for (const b of document.querySelectorAll('button')) b.addEventListener('click', () => window.clicks.push(b.id));
		a.addEventListener('click', () => setTimeout(() => { const end = Date.now() + 2500; while (Date.now() < end); }));
		b.addEventListener('mousedown', () => { b.style.marginLeft = '300px'; }, { once: true });</script>`))
	p.Click("#a")
	p.Click("#b")
	p.Click("#b")
	if got := Value[string](p, `window.clicks.join()`); got != "a,b,b" {
		t.Errorf("the page was clicked at %s", got)
	}
}
