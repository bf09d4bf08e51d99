package gomocup

import (
	"fmt"
	"io"
	"sync"

	"quintune/internal/text"
)

// maxAnswer is the longest line written, in bytes, below Piskvork's 8000.
const maxAnswer = 4000

// answers writes whole lines, each in one Write, from any goroutine. After a failure it writes no more.
type answers struct {
	mu  sync.Mutex
	out io.Writer
	err error
}

func newAnswers(out io.Writer) *answers { return &answers{out: out} }

// line writes one line.
func (a *answers) line(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.write(fmt.Sprintf(format, args...))
}

func (a *answers) write(line string) {
	if a.err == nil {
		_, a.err = io.WriteString(a.out, text.ASCII(line, maxAnswer)+"\n")
	}
}

// refuse writes ERROR with the reason.
func (a *answers) refuse(err error) { a.line("ERROR %v", err) }

// message writes MESSAGE for a search that is still open.
func (a *answers) message(of *search, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !of.closed {
		a.write("MESSAGE " + text)
	}
}

// close ends the messages of a search: none follows.
func (a *answers) close(of *search) {
	a.mu.Lock()
	defer a.mu.Unlock()
	of.closed = true
}

// failure returns the first error of writing.
func (a *answers) failure() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err
}
