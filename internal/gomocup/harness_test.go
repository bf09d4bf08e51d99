package gomocup

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain runs the tests and looks for goroutines left behind; with an argument of our own it is
// an engine instead (see misbehave).
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], engineArgument) {
		misbehave(strings.TrimPrefix(os.Args[1], engineArgument), os.Args[2:])
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or engines under the race detector take a second to leave
	goleak.VerifyTestMain(m)
}

// goroutine is a program that runs in this process, behind two pipes.
type goroutine struct{ streams []io.Closer }

func (g *goroutine) close() {
	for _, s := range g.streams {
		s.Close()
	}
}

func (g *goroutine) lastWords(time.Duration) string { return "closed its output" }

// newTestClient returns a Client of an engine behind two pipes.
func newTestClient(from io.ReadCloser, to io.WriteCloser, options ClientOptions) *Client {
	c := newClient(&goroutine{[]io.Closer{to, from}}, options)
	c.serve(from, to)
	return c
}

// manager is a test's hold on a running Serve.
type manager struct {
	t     *testing.T
	eol   string
	to    *io.PipeWriter
	lines chan string
	err   chan error
}

var testAbout = About{Name: "Quintune", Version: "1.0", Author: `A "B"`, Country: "Nowhere", WWW: "example.org", Email: "a@example.org"}

// serve runs Serve for a test and ends it after.
func serve(t *testing.T, engine Engine, options ServeOptions) *manager {
	t.Helper()
	options.About = testAbout
	commands, to := io.Pipe()
	from, answers := io.Pipe()
	m := &manager{t: t, eol: "\n", to: to, lines: make(chan string, 10000), err: make(chan error, 1)}
	go func() {
		err := Serve(context.Background(), commands, answers, engine, options)
		commands.Close() // what is written after END goes nowhere
		answers.Close()
		m.err <- err
	}()
	go func() {
		defer close(m.lines)
		for in := bufio.NewScanner(from); in.Scan(); {
			m.lines <- in.Text()
		}
	}()
	t.Cleanup(func() { to.Close() })
	return m
}

// send writes lines in one piece.
func (m *manager) send(lines ...string) {
	m.t.Helper()
	io.WriteString(m.to, strings.Join(lines, m.eol)+m.eol)
}

// next returns the next line from the engine.
func (m *manager) next() string {
	m.t.Helper()
	select {
	case line, ok := <-m.lines:
		if !ok {
			m.t.Fatal("the engine's output has ended")
		}
		return line
	case <-time.After(time.Minute):
		m.t.Fatal("the engine is silent")
	}
	return ""
}

// expect fails the test when the next lines are others.
func (m *manager) expect(want ...string) {
	m.t.Helper()
	for _, w := range want {
		if got := m.next(); got != w {
			m.t.Fatalf("the engine wrote %q, not %q", got, w)
		}
	}
}

// expectError fails the test unless the next line is ERROR with the part in it.
func (m *manager) expectError(part string) {
	m.t.Helper()
	if got := m.next(); !strings.HasPrefix(got, "ERROR ") || !strings.Contains(got, part) {
		m.t.Fatalf("the engine wrote %q, not an ERROR with %q", got, part)
	}
}

// end closes the engine's input and fails the test if it writes more or ends with an error.
func (m *manager) end() {
	m.t.Helper()
	m.to.Close()
	m.silentEnd()
}

// silentEnd waits for the engine's end.
func (m *manager) silentEnd() {
	m.t.Helper()
	select {
	case err := <-m.err:
		if err != nil {
			m.t.Fatalf("Serve: %v", err)
		}
	case <-time.After(time.Minute):
		m.t.Fatal("Serve goes on")
	}
	for line := range m.lines {
		m.t.Fatalf("the engine wrote %q at the end", line)
	}
}
