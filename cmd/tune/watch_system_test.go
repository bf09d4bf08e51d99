//go:build system && linux

package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"syscall"
	"testing"

	"quintune/internal/config"
	"quintune/internal/webui/browsertest"
)

// The page of all runs compares two of them and links to their pages. It works on every kind of screen and is
// accessible.
func TestWatch(t *testing.T) {
	p := built(t)
	p.start(quick("run", "--budget", "3000games", "--start", "flat", "--seed", "2", "--name", "gain", "--out", "w.json")...).done()
	p.start(quick("run", "--budget", "1500games", "--start", "huang", "--seed", "3", "--name", "a-run-with-a-rather-long-name-2026-11-22", "--out", "h.json")...).done()
	var out shared
	watching := p.startWith(func(c *exec.Cmd) { c.Stdout = &out }, "watch", "--listen", "127.0.0.1:0")
	out.await(t, nil, "Ctrl-C ends it.")
	address := regexp.MustCompile(`http://\S+/`).FindString(out.String())
	schemes := []bool{false, true} // dark
	for _, size := range [][2]int64{{1440, 900}, {1366, 768}, {390, 844}, {844, 390}} {
		page := browsertest.Open(t, size[0], size[1])
		name := fmt.Sprintf("watch-%dx%d", size[0], size[1])
		page.Visit(address)
		page.Wait(`document.querySelectorAll('#runs tr').length === 2 && document.querySelectorAll('#curve path.line').length === 2`)
		page.Wait(`document.querySelectorAll('#weights tr').length > 10`)
		checkLook(t, page, name, schemes)
		page.Click("#runs tr:last-child input")
		page.Wait(`document.querySelectorAll('#curve path.line').length === 1`)
		page.Click("#runs tr:last-child a")
		page.Wait(`document.title === 'gain · Quintune' && document.getElementById('status').textContent === 'done'`)
		page.Wait(`document.querySelectorAll('#curve path.line').length === 1 && document.querySelectorAll('#board .number').length > 4`)
		page.Wait(`document.getElementById('verdict').innerText.includes('The gate against flat was passed')`)
		checkLook(t, page, name+"-run", schemes)
		page.CheckQuiet(address)
		schemes = schemes[:1] // colours do not depend on the screen
	}
	if err := watching.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if status := watching.status(); status != config.ExitDone {
		t.Errorf("status %d", status)
	}
}

// onStone matches a false alarm about the number on a stone: the checker takes the colour of the board for its
// background.
var onStone = regexp.MustCompile(`^“\d+” in text has a contrast`)

// checkLook takes pictures of a page in the colour schemes, and checks that it is accessible.
func checkLook(t *testing.T, page *browsertest.Page, name string, schemes []bool) {
	t.Helper()
	for _, dark := range schemes {
		page.Dark(dark)
		for _, found := range page.Complaints() {
			if !onStone.MatchString(found) {
				t.Errorf("%s, dark %v: %s", name, dark, found)
			}
		}
		page.Picture(fmt.Sprintf("%s-dark-%v", name, dark))
	}
	if browsertest.Value[bool](page, `document.documentElement.scrollWidth > innerWidth`) {
		t.Errorf("%s: the page is wider than the window", name)
	}
}
