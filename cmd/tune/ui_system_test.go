//go:build system && linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/chromedp/chromedp"
	"github.com/creack/pty"

	"quintune/internal/config"
	"quintune/internal/webui/browsertest"
)

// Control sequences that enter and leave the alternate screen.
const (
	enterScreen = "\x1b[?1049h"
	leaveScreen = "\x1b[?1049l"
)

// shared is a buffer that may be read while it is written.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(data)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until a text was written. It fails when ended is closed first, or when nothing is written for a
// minute.
func (s *shared) await(t *testing.T, ended <-chan struct{}, want string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !strings.Contains(s.String(), want); time.Sleep(10 * time.Millisecond) {
		select {
		case <-ended:
			end = time.Time{}
		default:
		}
		if time.Now().After(end) && !strings.Contains(s.String(), want) {
			t.Fatalf("%q was not written: %q", want, s.String())
		}
	}
}

// terminal is the program running in a pseudo-terminal.
type terminal struct {
	*exec.Cmd
	t      *testing.T
	keys   *os.File // end of the pseudo-terminal to which keys are written
	screen shared
	read   chan struct{} // closed at the end of the output
}

// atTerminal starts the program at a terminal of a size.
func (p program) atTerminal(columns, rows uint16, args ...string) *terminal {
	p.t.Helper()
	c := &terminal{Cmd: exec.Command(p.path, args...), t: p.t, read: make(chan struct{})}
	c.Env = append(os.Environ(), "TERM=xterm-256color")
	var err error
	if c.keys, err = pty.StartWithSize(c.Cmd, &pty.Winsize{Cols: columns, Rows: rows}); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = c.Process.Kill() })
	go func() {
		defer close(c.read)
		buffer := make([]byte, 1<<16)
		for {
			n, err := c.keys.Read(buffer)
			_, _ = c.screen.Write(buffer[:n])
			if err != nil {
				return // the program has ended
			}
		}
	}()
	return c
}

// status waits for the end and returns the exit status.
func (c *terminal) status() int {
	c.t.Helper()
	<-c.read
	_ = c.Wait()
	return c.ProcessState.ExitCode()
}

// await waits until the program has written a text.
func (c *terminal) await(want string) {
	c.t.Helper()
	c.screen.await(c.t, c.read, want)
}

func (c *terminal) typed(keys string) {
	c.t.Helper()
	if _, err := c.keys.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
}

// TestUI looks at runs of one built program.
func TestUI(t *testing.T) {
	path := built(t).path
	for _, test := range []struct {
		name  string
		check func(*testing.T, program)
	}{
		{"dashboard", checkDashboard},
		{"keys", checkKeys},
		{"link for a phone", checkLink},
		{"lost terminal", checkLostTerminal},
		{"pipes", checkPipes},
		{"page", checkPage},
		{"cluster", checkClusterIsShown},
	} {
		t.Run(test.name, func(t *testing.T) { test.check(t, program{t, path}) })
	}
}

func checkDashboard(t *testing.T, p program) {
	for _, size := range [][2]uint16{{80, 24}, {200, 60}} {
		c := p.atTerminal(size[0], size[1], quick("run", "--budget", "1500games", "--name", fmt.Sprintf("at-%d", size[0]))...)
		if status := c.status(); status != config.ExitDone {
			t.Errorf("%v: status %d", size, status)
		}
		begin, rest, found := strings.Cut(c.screen.String(), enterScreen)
		shown, after, left := strings.Cut(rest, leaveScreen)
		if !found || !left || !strings.Contains(begin, "msg=run") || !strings.Contains(after, "games, ") || strings.Contains(after, "msg=evolution") {
			t.Errorf("%v: before the dashboard %q, after it %q", size, begin, after)
		}
		text := unspaced(ansi.Strip(shown))
		for _, want := range []string{"Against the start", "games/s", "Largest weight changes", "Ctrl-C saves and stops", "game in progress", "a b c d e f g h i"} {
			if !strings.Contains(text, unspaced(want)) {
				t.Errorf("%v: the dashboard lacks %q", size, want)
			}
		}
	}
}

// unspaced removes blanks from a text: a program may skip them by moving the cursor.
func unspaced(text string) string { return strings.ReplaceAll(text, " ", "") }

// endless returns the arguments of a run that a test must stop.
func endless(name string, more ...string) []string {
	return quick(append([]string{"run", "--budget", "3000000games", "--name", name}, more...)...)
}

// checkLink asks the dashboard for the link of the page for other machines, and its code.
func checkLink(t *testing.T, p program) {
	const token = "0123456789abcdef-secret"
	if err := os.WriteFile("token", []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := p.atTerminal(80, 30, endless("phone", "--listen", "127.0.0.1:0", "--host", "box.lan", "--token-file", "token")...)
	c.await("p: on a phone")
	c.typed("p")
	c.await("p goes back")
	_, shown, _ := strings.Cut(c.screen.String(), enterScreen)
	if !strings.Contains(shown, "#token="+token) || !strings.Contains(shown, "▀") {
		t.Errorf("no link and code in %q", shown)
	}
	c.typed("q") // back to the run
	c.typed("\x03")
	if status := c.status(); status != config.ExitInterrupted {
		t.Errorf("status %d", status)
	}
}

func checkKeys(t *testing.T, p program) {
	c := p.atTerminal(80, 24, endless("left", "--warm-start", "0")...)
	c.await("games/s")
	c.typed("q")
	c.await(leaveScreen)
	c.await("msg=evolution") // the run goes on
	c.typed("\x03")
	if status := c.status(); status != config.ExitInterrupted || !strings.Contains(c.screen.String(), "tune resume left") {
		t.Errorf("interrupted after the dashboard: status %d, %q", status, c.screen.String())
	}
	c = p.atTerminal(80, 24, endless("stopped")...)
	c.await("games/s")
	c.typed("\x03")
	if status := c.status(); status != config.ExitInterrupted || !strings.Contains(c.screen.String(), "tune resume stopped") {
		t.Errorf("interrupted in the dashboard: status %d, %q", status, c.screen.String())
	}
}

func checkLostTerminal(t *testing.T, p program) {
	c := p.atTerminal(80, 24, quick("run", "--budget", "3000games", "--name", "alone")...)
	c.await("games/s")
	if err := c.keys.Close(); err != nil {
		t.Fatal(err)
	}
	c.status()
	if o := object(t, done(t, "show", "alone", "--json")); o["done"] != true {
		t.Errorf("the run ended with its terminal: %v", o)
	}
}

func checkPipes(t *testing.T, p program) {
	r := p.start(quick("run", "--budget", "400games", "--log-format", "json", "--name", "json")...)
	r.status()
	generations := 0
	for _, line := range strings.Split(strings.TrimSpace(r.log.String()), "\n") {
		var record struct{ Msg string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if record.Msg == "evolution" {
			generations++
		}
	}
	if o := object(t, done(t, "show", "json", "--json")); o["generations"] != float64(generations) || generations == 0 {
		t.Errorf("%d log lines of %v generations", generations, o["generations"])
	}
	text := p.start(quick("run", "--budget", "400games", "--name", "text")...)
	text.status()
	for _, written := range []string{r.out.String() + r.log.String(), text.out.String(), text.log.String()} {
		if at := strings.IndexFunc(written, func(c rune) bool { return unicode.IsControl(c) && c != '\n' }); at >= 0 || written == "" {
			t.Errorf("a control character at %d of %q", at, written)
		}
	}
}

// get requests the page of a run; headers are name, value, name, value.
func get(t *testing.T, address string, headers ...string) int {
	t.Helper()
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.Host = r.Header.Get("Host")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

func checkPage(t *testing.T, p program) {
	const token = "0123456789abcdef-secret"
	if err := os.WriteFile("token", []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var log shared
	// A run without a fit, with a check match within seconds and further ones for a minute.
	r := p.startWith(func(c *exec.Cmd) { c.Stderr = &log },
		quick("run", "--budget", "80000games", "--warm-start", "0", "--name", "page", "--listen", "127.0.0.1:0", "--token-file", "token")...)
	log.await(t, nil, "address=http")
	address := regexp.MustCompile(`address=(http://\S+/)`).FindStringSubmatch(log.String())[1]
	for _, test := range []struct {
		headers []string
		want    int
	}{
		{nil, 401},
		{[]string{"Authorization", "Bearer " + token}, 200},
		{[]string{"Authorization", "Bearer " + token + "x"}, 401},
		{[]string{"Authorization", "Bearer " + token, "Host", "evil.example"}, 421},
		{[]string{"Authorization", "Bearer " + token, "Origin", "https://evil.example"}, 403},
	} {
		if got := get(t, address+"metrics", test.headers...); got != test.want {
			t.Errorf("metrics with %q: status %d, want %d", test.headers, got, test.want)
		}
	}
	page := browsertest.Open(t, 1280, 900)
	page.Visit(address)
	page.Wait(`document.getElementById('token') !== null`)
	page.Forget()
	page.Do(chromedp.SendKeys(chromedp.ID("token"), token+"\r"))
	const curve = `document.querySelector('#curve path.line').getAttribute('d')`
	page.Wait(`document.querySelector('#curve path.line') !== null`)
	page.Click("#list li:last-child button")
	page.Click("#end")
	page.Wait(`document.querySelectorAll('#board .number').length > 4`)
	page.Picture("page-of-a-run")
	before := browsertest.Value[string](page, curve)
	page.Wait(curve + ` !== ` + fmt.Sprintf("%q", before))
	page.CheckQuiet(address)
	if err := r.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if status := r.status(); status != config.ExitInterrupted {
		t.Errorf("status %d", status)
	}
	if strings.Contains(log.String(), token) || strings.Contains(string(read(t, "runs/page/log")), token) {
		t.Error("the token was logged")
	}
}

// checkClusterIsShown checks the metrics of a run that a cluster plays.
func checkClusterIsShown(t *testing.T, p program) {
	var log shared
	r := p.startWith(func(c *exec.Cmd) { c.Stderr = &log }, quick("run", "--budget", "3000000games", "--name", "crowd", "--listen", "127.0.0.1:0", "--listen-cluster", "127.0.0.1:0")...)
	log.await(t, nil, "address=http")
	address := regexp.MustCompile(`address=(http://\S+/)`).FindStringSubmatch(log.String())[1]
	working := func() bool {
		answer, err := http.Get(address + "metrics")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`quintune_cluster_worker_games_total\{key="\w+",worker="coordinator"\} [1-9]`).Match(text)
	}
	if !r.until(working) {
		t.Errorf("the run ended before its cluster was shown: %s", log.String())
	}
	if err := r.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if status := r.status(); status != config.ExitInterrupted {
		t.Errorf("status %d", status)
	}
}
