package gomocup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"quintune/internal/text"
)

// maxLine is the longest line kept, in bytes; the rest of a longer one is skipped. Piskvork's
// own buffer holds 8000.
const maxLine = 4096

// lineReader cuts a stream into lines ended by LF, CR LF or a lone CR.
type lineReader struct {
	in  *bufio.Reader
	buf []byte
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, maxLine), buf: make([]byte, 0, maxLine)}
}

// next returns the next line that holds more than blanks, trimmed; long says that its end was
// skipped. A last line without an end counts. The error is io.EOF at the end of the stream.
func (l *lineReader) next() (text string, long bool, err error) {
	for {
		l.buf, long = l.buf[:0], false
		for {
			c, err := l.in.ReadByte()
			if err != nil {
				if text = strings.TrimSpace(string(l.buf)); text != "" && errors.Is(err, io.EOF) {
					return text, long, nil
				}
				return "", false, err
			}
			if c == '\n' || c == '\r' {
				break
			}
			if len(l.buf) < maxLine {
				l.buf = append(l.buf, c)
			} else {
				long = true
			}
		}
		if text = strings.TrimSpace(string(l.buf)); text != "" || long {
			return text, long, nil
		}
	}
}

// maxAnswer is the longest line written, in bytes, below Piskvork's 8000.
const maxAnswer = 4000

// answers writes whole lines from any goroutine. After a failure it writes no more.
type answers struct {
	mu     sync.Mutex
	out    io.Writer
	held   string // lines that go in one Write with the next
	err    error
	failed chan struct{} // closed at the failure
}

func newAnswers(out io.Writer) *answers { return &answers{out: out, failed: make(chan struct{})} }

// line writes one line.
func (a *answers) line(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.write(fmt.Sprintf(format, args...))
}

func (a *answers) write(line string) {
	if a.err != nil {
		return
	}
	_, a.err = io.WriteString(a.out, a.held+text.ASCII(line, maxAnswer)+"\n")
	a.held = ""
	if a.err != nil {
		close(a.failed)
	}
}

// refuse writes ERROR with the reason.
func (a *answers) refuse(err error) { a.line("ERROR %v", err) }

// message writes MESSAGE for a search that is still open, or keeps it where the manager wants the last alone.
func (a *answers) message(of *search, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case of.closed:
	case of.brief:
		of.last = text
	default:
		a.write("MESSAGE " + text)
	}
}

// close ends the messages of a search: none follows but one that was kept, which goes out with the answer.
func (a *answers) close(of *search) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if of.last != "" {
		a.held = text.ASCII("MESSAGE "+of.last, maxAnswer) + "\n"
	}
	of.closed, of.last = true, ""
}

// failure returns the first error of writing.
func (a *answers) failure() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err
}

// SplitCommand cuts a command line into the program and its arguments, without a shell. Blanks
// separate; single or double quotes keep blanks together and may stand anywhere in a word; inside
// one kind of quote the other is an ordinary character, and so is the backslash everywhere, as
// paths of Windows want it. Nothing is expanded.
func SplitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	flush := func() {
		if inWord {
			words = append(words, word.String())
			word.Reset()
			inWord = false
		}
	}
	for _, r := range line {
		switch {
		case r == 0:
			return nil, errors.New("command line holds a zero byte")
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n' || r == '\r'):
			flush()
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("command line %q has an open %c", line, quote)
	}
	flush()
	if len(words) == 0 || words[0] == "" {
		return nil, fmt.Errorf("command line %q names no program", line)
	}
	return words, nil
}
