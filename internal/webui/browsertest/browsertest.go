// Package browsertest opens local pages in a real browser, for tests: Debian's chromium without a window. It
// records every request and every line on the console. So a test can check that a page sends requests to this
// machine only and causes no errors.
package browsertest

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds the time that a test waits for a page.
const patience = time.Minute

// pause is the time between two checks of a page.
const pause = 20 * time.Millisecond

// Page is one tab with a profile of its own.
type Page struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	requests []string
	errors   []string
}

// stop ends the browser; nil before the first page.
var stop func()

// browser returns the browser of all tests of a program, which it starts for the first page.
var browser = sync.OnceValues(func() (context.Context, error) {
	options := []chromedp.ExecAllocatorOption{chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun}
	for _, flag := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-default-apps", "disable-extensions", "no-default-browser-check"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		end()
		return nil, err
	}
	stop = func() {
		_ = chromedp.Cancel(ctx) // waits for its end
		end()
	}
	return ctx, nil
})

// Tests are the tests of a package that opens pages; see TestMain in package testing.
type Tests struct{ *testing.M }

// Run runs the tests, ends their browser and returns the exit status.
func (t Tests) Run() int {
	status := t.M.Run()
	if stop != nil {
		stop()
	}
	return status
}

// Open opens an empty page with a profile of its own, which ends with the test, in a window of the given size in pixels. The tests must be
// run as [Tests], which end the browser.
func Open(t *testing.T, width, height int64) *Page {
	t.Helper()
	parent, err := browser()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &Page{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, p.note); err != nil {
		t.Fatal(err)
	}
	enable := chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
		return err
	})
	p.Do(enable, chromedp.EmulateViewport(width, height))
	return p
}

// note records requests and errors of an event.
func (p *Page) note(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		p.errors = append(p.errors, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		p.errors = append(p.errors, e.Entry.Text)
	}
}

// Do runs steps; a failure ends the test.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// Visit opens an address.
func (p *Page) Visit(address string) {
	p.t.Helper()
	p.Do(chromedp.Navigate(address))
}

// Click clicks an element that a CSS selector names, again where the click misses it: a page that is still laid out may move the element
// from under the pointer. A click that is only late, on a busy machine, is waited for: a second one would do everything twice.
func (p *Page) Click(selector string) {
	p.t.Helper()
	const tries = 5
	for range tries {
		p.Do(chromedp.WaitVisible(selector), chromedp.WaitEnabled(selector))
		Value[bool](p, fmt.Sprintf(`(() => { window.hit = null;
			addEventListener('click', (event) => { window.hit = Boolean(event.target.closest(%q)); }, { once: true, capture: true }); return true; })()`, selector))
		p.Do(chromedp.Click(selector))
		p.Wait(`window.hit !== null`)
		if Value[bool](p, `window.hit !== false`) { // it is not defined in the page that a link opens
			return
		}
	}
	p.t.Fatalf("%d clicks missed %s", tries, selector)
}

// Wait waits until a JavaScript expression is true in the page, or in the page that it opens.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	if err := p.until(expression, patience); err != nil {
		p.t.Fatalf("waiting for %s: %v", expression, err)
	}
}

// until waits until an expression is true. It is an error if the time is over first.
func (p *Page) until(expression string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	for {
		// Errors come from a page that is being left, or that has not yet created all its elements.
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		if err == nil && is {
			return nil
		}
		select {
		case <-ctx.Done():
			return cmp.Or(err, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// Value returns the value of an expression of JavaScript in the page, as a T.
func Value[T any](p *Page, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// Dark makes the browser report to the page that the user prefers a dark scheme, or a light one.
func (p *Page) Dark(dark bool) {
	p.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	p.Do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
}

// Picture takes a picture of the whole page for people to look at. It is written to the folder that
// PICTURES names, if any.
func (p *Page) Picture(name string) {
	p.t.Helper()
	folder := os.Getenv("PICTURES")
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil && len(picture) == 0 {
		err = fmt.Errorf("picture %s is empty", name)
	}
	if err == nil && folder != "" {
		err = os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o666)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// Forget drops what was recorded, such as the console message of an answer 401 that a test expected.
func (p *Page) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests, p.errors = nil, nil
}

// CheckQuiet fails the test if the page has sent a request to another origin than that of the address, has sent
// none at all, or has written to the console.
func (p *Page) CheckQuiet(address string) {
	p.t.Helper()
	own, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := 0
	for _, r := range p.requests {
		u, err := url.Parse(r)
		switch {
		case err == nil && u.Scheme == own.Scheme && u.Host == own.Host:
			asked++
		case strings.HasPrefix(r, "data:"), strings.HasPrefix(r, "blob:"), strings.HasPrefix(r, "about:"): // not requests to a server
		default:
			p.t.Errorf("the page asked %s", r)
		}
	}
	if asked == 0 {
		p.t.Error("no request was seen")
	}
	for _, e := range p.errors {
		p.t.Errorf("on the console: %s", e)
	}
}
