//go:build !linux

package gomocup

import (
	"io"
	"os"
)

// pipe is one end of a pipe.
type pipe struct{ *os.File }

// newPipe returns the end of a pipe.
func newPipe(f *os.File) (*pipe, error) { return &pipe{f}, nil }

// tryWrite writes nothing, since that might have to wait.
func (*pipe) tryWrite(string) bool { return false }

// Streams returns standard input and output as Serve takes them best.
func Streams() (io.Reader, io.Writer) { return os.Stdin, os.Stdout }
