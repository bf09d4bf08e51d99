package gomocup

import (
	"context"
	"errors"
	"io"
	"runtime"
	"time"

	"quintune/board"
	"quintune/pattern"
)

// Engine chooses the moves behind Serve. Its methods are never called at the same time, except LoadWeights, and that
// the last Think or Swap2 may still be returning when Serve has already left.
type Engine interface {
	// NewGame prepares for a game, forgetting the one before. It is called at START and RESTART,
	// and again when the manager names another rule after START. The error is shown to the manager.
	NewGame(size int, rule pattern.Rule) error
	// Think returns a legal move. When ctx ends (the deadline of the limits, YXSTOP, INFO
	// timeout_turn 0, END) the best move so far is wanted at once. report sends a line to the
	// manager as MESSAGE; it may be called from any goroutine, and does nothing after Think.
	Think(ctx context.Context, p Position, l Limits, report func(line string)) (board.Cell, error)
}

// HashClearer is an Engine that can empty its transposition table, for YXHASHCLEAR.
type HashClearer interface {
	ClearHash()
}

// WeightsLoader is an Engine that can play with the weights of another file from the next NewGame on, for INFO weights FILE: that of
// START and RESTART, or of a rule that is named later. What is wrong with the file is an error of NewGame. LoadWeights may be
// called while Think or Swap2 runs in another goroutine, and must touch nothing that these use.
type WeightsLoader interface {
	LoadWeights(path string)
}

// About is what ABOUT answers.
type About struct {
	Name, Version, Author, Country, WWW, Email string
}

// ServeOptions configures Serve. The zero value is ready for use.
type ServeOptions struct {
	About      About
	Processors int           // threads that search at the most; 0 for GOMAXPROCS, which an engine may lower between moves
	Grace      time.Duration // how long END and end of input wait for each search to end; 0 for 10 s
}

const (
	// defaultGrace ends an engine that is deaf. Others end within milliseconds of their own, which on a busy machine may be seconds
	// of the clock.
	defaultGrace = 10 * time.Second
	// maxQueue is how many lines wait while the engine thinks before reading pauses: several games.
	maxQueue = 4096
)

func (o ServeOptions) withDefaults() ServeOptions {
	if o.Processors == 0 {
		o.Processors = runtime.GOMAXPROCS(0)
	}
	if o.Grace == 0 {
		o.Grace = defaultGrace
	}
	return o
}

// Serve is the engine's side of the protocol: it reads commands from in and answers on out until
// END, the end of in (both nil), the end of ctx or a failure of either stream.
//
// Commands are read while the engine thinks and none is dropped: STOP ends the search under way at
// once, and that of a TURN that waits before it when it begins. INFO acts at once unless other
// commands wait before it; the others are answered in their order. A command that replaces
// the position (START, RESTART, BOARD …) ends a search under way, whose move is still answered
// first. At END, which has no answer of its own, and at the end of in the commands read are still
// answered, each at once, so that a script of commands in a pipe gets all its answers.
//
// A goroutine that is blocked in in.Read outlives Serve until the read returns.
func Serve(ctx context.Context, in io.Reader, out io.Writer, engine Engine, options ServeOptions) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{
		ctx: ctx, engine: engine, options: options.withDefaults(),
		out: newAnswers(out), input: make(chan command, 64),
	}
	s.settings.processors = s.options.Processors
	var readError error
	go func() {
		defer close(s.input)
		readError = readCommands(ctx, in, s.input)
	}()
	err := s.run()
	if !s.ended {
		return err
	}
	wasEnd := errors.Is(readError, errEnd) // ordered by the closing of input
	switch {
	case wasEnd && errors.Is(err, errThinking):
		return nil
	case err == nil && !wasEnd:
		return readError
	}
	return err
}

var (
	errEnd      = errors.New("gomocup: END")
	errThinking = errors.New("gomocup: the engine went on thinking after the end of input")
)

// readCommands sends commands until the end of in or of ctx, or END, which it returns as errEnd.
func readCommands(ctx context.Context, in io.Reader, to chan<- command) error {
	lines := newLineReader(in)
	for {
		text, long, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		c := newCommand(text, long, time.Now())
		if c.name == "END" {
			return errEnd
		}
		select {
		case to <- c:
		case <-ctx.Done():
			return nil
		}
	}
}

// session is the state of one Serve.
type session struct {
	ctx     context.Context
	engine  Engine
	options ServeOptions
	out     *answers
	input   chan command

	settings settings
	pos      Position // Size 0 before START
	block    *block   // nil outside BOARD … DONE
	search   *search  // nil while nobody thinks
	queue    []command
	ended    bool             // input has ended
	grace    <-chan time.Time // for the search under way after the end of input
}

// run is the loop of the session: one event at a time.
func (s *session) run() error {
	for {
		if err := s.out.failure(); err != nil {
			s.abandon()
			return err
		}
		if s.handleNext() {
			continue
		}
		if s.ended && s.search == nil {
			return nil
		}
		select {
		case c, ok := <-s.reading():
			if ok {
				s.receive(c)
			} else {
				s.endOfInput()
			}
		case r := <-s.search.reply():
			s.finish(r)
		case <-s.grace:
			runtime.Gosched() // a search that had no processor meanwhile gets one now
			select {
			case r := <-s.search.reply():
				s.finish(r)
			default:
				s.out.close(s.search)
				return errThinking
			}
		case <-s.out.failed:
		case <-s.ctx.Done():
			s.abandon()
			return s.ctx.Err()
		}
	}
}

// reading returns the channel of commands, nil while none should be read.
func (s *session) reading() <-chan command {
	if s.ended || len(s.queue) >= maxQueue {
		return nil
	}
	return s.input
}

// endOfInput ends the search under way; those still to come end as they begin.
func (s *session) endOfInput() {
	s.ended, s.grace = true, time.After(s.options.Grace)
	s.stop()
}

// receive queues a command, first ending the search that it makes pointless.
func (s *session) receive(c command) {
	if s.search != nil {
		c.waited = true
		if c.interrupts() {
			s.stop()
		}
	}
	s.queue = append(s.queue, c)
}

// handleNext handles the first queued command if it may be handled now.
func (s *session) handleNext() bool {
	if len(s.queue) == 0 || s.search != nil && !s.queue[0].immediate() {
		return false
	}
	c := s.queue[0]
	s.queue = s.queue[1:]
	if c.waited {
		c.at = time.Now() // its clock starts with the answer that it waited for
	}
	s.handle(c)
	return true
}

// stop asks the search under way for its move.
func (s *session) stop() {
	if s.search != nil {
		s.search.cancel()
	}
}

// abandon ends the search under way without an answer, and waits a little for its end.
func (s *session) abandon() {
	if s.search == nil {
		return
	}
	s.out.close(s.search)
	s.stop()
	select {
	case <-s.search.done:
	case <-time.After(s.options.Grace):
	}
}
