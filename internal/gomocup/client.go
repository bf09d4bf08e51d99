package gomocup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quintune/board"
	"quintune/internal/text"
	"quintune/pattern"
)

// ClientOptions configures a Client. The zero value is ready for use.
type ClientOptions struct {
	Dir string   // working directory of a launched engine; "" for our own
	Env []string // variables of a launched engine beside our own, name=value

	// Tolerance is added to every limit of time; 0 for 1 s. As in c-gomoku-cli, a move that is late
	// by more than half of it is lost and the engine is told YXSTOP; after all of it the engine is
	// killed.
	Tolerance    time.Duration
	StartTimeout time.Duration // for the answers to START and RESTART; 0 for 10 s
	Patience     time.Duration // for a move where no limit of time is set; 0 for 10 minutes
	QuitTimeout  time.Duration // for the end of the process after END; 0 for 3 s

	// Report gets every line that is not an answer, in printable ASCII, from within the call that
	// waits; nil for nobody.
	Report func(line string)
}

func (o ClientOptions) withDefaults() ClientOptions {
	for _, d := range []struct {
		value    *time.Duration
		standard time.Duration
	}{
		{&o.Tolerance, time.Second},
		{&o.StartTimeout, 10 * time.Second},
		{&o.Patience, 10 * time.Minute},
		{&o.QuitTimeout, 3 * time.Second},
	} {
		if *d.value == 0 {
			*d.value = d.standard
		}
	}
	if o.Report == nil {
		o.Report = func(string) {}
	}
	return o
}

// GameLimits is what a game may cost an engine. Zero fields mean no limit and are not sent, save
// timeout_match, which managers always send.
type GameLimits struct {
	Turn      time.Duration // of one move
	Match     time.Duration // of all moves of a game
	Increment time.Duration // that every move adds to the clock of Match
	Nodes     int64         // of one move
	Memory    int64         // of the process, in bytes
	Threads   int
}

// Answer is an engine's move and the time from the writing of the command to the reading of the
// answer.
type Answer struct {
	Cell    board.Cell
	Elapsed time.Duration
}

// Client is the manager's side of the protocol: one engine, for any number of games. Errors of its
// methods are of type *Fault, or that of the context that ended. After a fault that ended the
// engine (see Alive) every method returns that fault again.
//
// A Client is for one goroutine; Stop and Kill may be called from others.
type Client struct {
	options ClientOptions
	program program
	lines   chan inbound
	closed  chan struct{}
	once    sync.Once
	running sync.WaitGroup // reader and writer

	sending sync.Mutex
	pipe    *pipe       // to the process, while nothing waits for the writer; nil in tests with other streams
	waiting int         // texts that the writer has not written yet
	held    []string    // lines that go with the next
	outbox  chan string // of the writer

	told   []string     // lines without an answer since the last answer
	asides atomic.Int32 // lines sent during a wait
	dead   *Fault
	size   int
	limits GameLimits
	left   time.Duration // of limits.Match
}

// inbound is a line from the engine.
type inbound struct {
	text string
	at   time.Time
}

// program is what runs the engine: a process, or in tests a goroutine behind two pipes.
type program interface {
	close()                                // ends it and closes the streams
	lastWords(within time.Duration) string // how it ended, a clause after "the engine"
}

// Launch starts the program that the command line names (see SplitCommand) and returns its
// Client. The error is a *Fault of kind FaultStart.
func Launch(commandLine string, options ClientOptions) (*Client, error) {
	args, err := SplitCommand(commandLine)
	if err != nil {
		return nil, fault(FaultStart, "%v", err)
	}
	return LaunchArguments(args, options)
}

// LaunchArguments is Launch for a command line that is cut already: the program and its arguments.
func LaunchArguments(args []string, options ClientOptions) (*Client, error) {
	p, err := startProcess(args, options)
	if err != nil {
		return nil, fault(FaultStart, "%v", err)
	}
	from, err1 := newPipe(p.stdout)
	to, err2 := newPipe(p.stdin)
	if err := errors.Join(err1, err2); err != nil {
		p.close()
		return nil, fault(FaultStart, "%v", err)
	}
	c := newClient(p, options)
	c.pipe = to
	c.serve(from, to)
	return c, nil
}

func newClient(p program, options ClientOptions) *Client {
	return &Client{
		program: p, options: options.withDefaults(),
		lines: make(chan inbound, 256), outbox: make(chan string, 64), closed: make(chan struct{}),
	}
}

// serve starts the goroutines that read and write, so that neither stream can block a deadline.
func (c *Client) serve(from io.Reader, to io.Writer) {
	c.running.Add(2)
	go func() {
		defer c.running.Done()
		defer close(c.lines)
		c.read(from)
	}()
	go func() {
		defer c.running.Done()
		c.write(to)
	}()
}

func (c *Client) read(from io.Reader) {
	lines := newLineReader(from)
	for {
		line, _, err := lines.next()
		if err != nil {
			return
		}
		select {
		case c.lines <- inbound{text.ASCII(line, maxLine), time.Now()}:
		case <-c.closed:
			return
		}
	}
}

// write ends at the first failure: the reader notices that the engine has gone.
func (c *Client) write(to io.Writer) {
	for {
		select {
		case text := <-c.outbox:
			if _, err := io.WriteString(to, text); err != nil {
				return
			}
			c.sending.Lock()
			c.waiting--
			c.sending.Unlock()
		case <-c.closed:
			return
		}
	}
}

// send writes lines to the engine, after those that were held back. While the engine has not read earlier lines,
// they are queued. An engine that has not read the last 64 commands is hung; the wait for its answer will show it.
func (c *Client) send(lines ...string) {
	c.sending.Lock()
	defer c.sending.Unlock()
	text := strings.Join(append(c.held, lines...), "\n") + "\n"
	c.held = nil
	if c.waiting == 0 && c.pipe != nil && c.pipe.tryWrite(text) {
		return
	}
	select {
	case c.outbox <- text:
		c.waiting++
	case <-c.closed:
	default:
	}
}

// hold is send where no clock runs: the lines go with the next, since each that goes alone wakes the engine.
func (c *Client) hold(lines ...string) {
	c.told = append(c.told, lines...)
	if c.limits.Turn > 0 || c.limits.Match > 0 {
		c.send(lines...)
		return
	}
	c.sending.Lock()
	defer c.sending.Unlock()
	c.held = append(c.held, lines...)
}

// Start opens a game: START, its OK, then the INFO block in the order of c-gomoku-cli.
func (c *Client) Start(ctx context.Context, size int, rule pattern.Rule, limits GameLimits) error {
	if rule >= pattern.NumRules {
		return fault(FaultStart, "%v has no number in the protocol", rule)
	}
	c.size, c.limits, c.left = size, limits, limits.Match
	err := c.askOK(ctx, FaultStart, fmt.Sprintf("START %d", size))
	if err == nil {
		c.hold(infoBlock(rule, limits)...)
	}
	return err
}

// infoBlock returns the INFO lines for a game.
func infoBlock(rule pattern.Rule, l GameLimits) []string {
	lines := []string{fmt.Sprintf("INFO rule %d", ruleCodes[rule]), "INFO game_type 1"}
	add := func(key string, value int64, always bool) {
		if value > 0 || always {
			lines = append(lines, fmt.Sprintf("INFO %s %d", key, value))
		}
	}
	add("timeout_turn", l.Turn.Milliseconds(), l.Turn > 0)
	add("timeout_match", l.Match.Milliseconds(), true)
	add("time_increment", l.Increment.Milliseconds(), false)
	add("max_node", l.Nodes, false)
	add("max_memory", l.Memory, false)
	add("thread_num", int64(l.Threads), false)
	return lines
}

// NewGame opens another game of the same size, rule and limits: RESTART and its OK.
func (c *Client) NewGame(ctx context.Context) error {
	c.left = c.limits.Match
	return c.askOK(ctx, FaultStart, "RESTART")
}

// Begin asks for the first move of a game.
func (c *Client) Begin(ctx context.Context) (Answer, error) { return c.askMove(ctx, "BEGIN") }

// Turn tells the opponent's move and asks for the answer.
func (c *Client) Turn(ctx context.Context, cell board.Cell) (Answer, error) {
	return c.askMove(ctx, "TURN "+formatCell(cell))
}

// Board sends the whole position, in which the colour us is the engine's, and asks for a move.
func (c *Client) Board(ctx context.Context, stones []Stone, us board.Colour) (Answer, error) {
	lines := []string{"BOARD"}
	for _, s := range stones {
		owner := theirs
		if s.Colour == us {
			owner = ours
		}
		lines = append(lines, fmt.Sprintf("%s,%d", formatCell(s.Cell), owner))
	}
	return c.askMove(ctx, append(lines, "DONE")...)
}

// Tell sends lines without an answer, such as INFO, before the next command that has one.
func (c *Client) Tell(lines ...string) {
	if len(lines) > 0 {
		c.hold(lines...)
	}
}

// Stop asks an engine that thinks for its move at once (YXSTOP). The call that waits returns it.
func (c *Client) Stop() { c.aside("YXSTOP") }

// aside sends a line while an answer to another is waited for.
func (c *Client) aside(line string) {
	c.asides.Add(1)
	c.send(line)
}
