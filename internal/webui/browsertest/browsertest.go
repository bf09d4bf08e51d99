// Package browsertest opens the local pages in a real browser, for tests: Debian's chromium without a window.
// It notes every request and everything on the console, so that a test can tell that a page asks this
// machine alone and makes no error.
package browsertest

import (
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

// patience is how long a test waits for what a page should come to.
const patience = time.Minute

// pause is the time between two looks at a page.
const pause = 20 * time.Millisecond

// Page is one tab of a browser of its own.
type Page struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	requests []string
	errors   []string
}

// Open starts a browser for the test, which ends with it, with a window of the given size in pixels.
func Open(t *testing.T, width, height int64) *Page {
	t.Helper()
	options := []chromedp.ExecAllocatorOption{
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(int(width), int(height)),
	}
	for _, flag := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-default-apps", "disable-extensions", "no-default-browser-check"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
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

// note keeps what an event says of requests and errors.
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

// Wait waits until an expression of JavaScript is true in the page, or in the one that it leads to.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for {
		// An error is one of a page that is being left, or of one that has not built all its elements.
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		if err == nil && is {
			return
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("waiting for %s: %v", expression, err)
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

// Dark makes the page believe that the user prefers a dark scheme, or a light one.
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

// Forget forgets what was noted: an answer of 401 that a test wanted is on the console.
func (p *Page) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests, p.errors = nil, nil
}

// CheckQuiet fails the test where the page has asked another origin than that of the address, or
// none at all, or written anything on the console.
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
		case strings.HasPrefix(r, "data:"), strings.HasPrefix(r, "blob:"), strings.HasPrefix(r, "about:"): // leave the page nowhere
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
