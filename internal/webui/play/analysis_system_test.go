//go:build system

package play_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quintune/internal/webui/browsertest"
)

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
