package gomocup

import (
	"bufio"
	"errors"
	"io"
	"strings"
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
