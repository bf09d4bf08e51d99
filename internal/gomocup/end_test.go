package gomocup

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"quintune/board"
)

func TestEndOfInputAnswersWhatWasAsked(t *testing.T) {
	m := serve(t, &fakeEngine{slow: true, quiet: true}, ServeOptions{})
	io.WriteString(m.to, "START 15\nINFO timeout_turn 600000\nBEGIN\nTURN 0,0") // no end of line
	m.to.Close()
	m.expect("OK", "7,7", "8,7")
	m.silentEnd()
}

// deafEngine goes on thinking whatever happens.
type deafEngine struct {
	fakeEngine
	release chan struct{}
}

func (e *deafEngine) Think(context.Context, Position, Limits, func(string)) (board.Cell, error) {
	<-e.release
	return board.At(0, 0), nil
}

func TestEndAnswersWhatWasAsked(t *testing.T) {
	in := strings.NewReader("START 15\nINFO timeout_turn 600000\nBEGIN\nTURN 0,0\nEND\nTURN 1,1\n")
	var out strings.Builder
	if err := Serve(t.Context(), in, &out, &fakeEngine{slow: true, quiet: true}, ServeOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "OK\n7,7\n8,7\n" {
		t.Errorf("wrote %q", got)
	}
}

func TestDeafEngineDoesNotHoldTheEnd(t *testing.T) {
	for _, end := range []string{"END\n", ""} {
		t.Run(end, func(t *testing.T) {
			e := &deafEngine{release: make(chan struct{})}
			in := strings.NewReader("START 15\nBEGIN\n" + end)
			var out strings.Builder
			err := Serve(context.Background(), in, &out, e, ServeOptions{Grace: 20 * time.Millisecond})
			if (err == nil) != (end != "") || out.String() != "OK\n" {
				t.Errorf("after %q: %v, wrote %q", end, err, out.String())
			}
			close(e.release)
		})
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, to := io.Pipe()
	defer to.Close()
	e := &fakeEngine{slow: true, quiet: true, thinking: make(chan struct{}, 1)}
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, in, io.Discard, e, ServeOptions{}) }()
	io.WriteString(to, "START 15\nBEGIN\n")
	<-e.thinking
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve: %v", err)
	}
}

func TestBrokenStreams(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("START 15\nBEGIN\n"), iotest.ErrReader(broken))
	var out strings.Builder
	if err := Serve(context.Background(), in, &out, &fakeEngine{quiet: true}, ServeOptions{}); !errors.Is(err, broken) {
		t.Errorf("broken input: %v", err)
	}
	if out.String() != "OK\n7,7\n" {
		t.Errorf("before it broke: %q", out.String())
	}
	_, closed := io.Pipe()
	closed.CloseWithError(broken)
	if err := Serve(context.Background(), strings.NewReader("START 15\nBEGIN\n"), closed, &fakeEngine{}, ServeOptions{}); err == nil {
		t.Error("broken output: no error")
	}
}

// A message that cannot be written ends the search, since nobody reads its move.
func TestBrokenOutputEndsTheSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, to := io.Pipe()
		from, out := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- Serve(context.Background(), in, out, &fakeEngine{slow: true}, ServeOptions{}) }()
		io.WriteString(to, "START 15\n")
		bufio.NewReader(from).ReadString('\n')
		broken := errors.New("broken")
		from.CloseWithError(broken)
		start := time.Now()
		io.WriteString(to, "INFO timeout_turn 60000\nBEGIN\n")
		if err := <-done; !errors.Is(err, broken) || time.Since(start) > 0 {
			t.Errorf("%v after %v, want %v at once", err, time.Since(start), broken)
		}
		to.Close() // or the reader of commands waits on
	})
}
