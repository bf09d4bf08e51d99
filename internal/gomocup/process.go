package gomocup

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// process is an engine's process in a group of its own, so that the processes it starts end with it, except those that leave the
// group, such as by setsid. Where the system allows, it also ends when our process does.
type process struct {
	pid     int
	stdin   *os.File
	stdout  *os.File
	stderr  *os.File
	said    tail          // the end of what it wrote to stderr; complete after drained
	drained chan struct{} // closed at the end of stderr
	exited  chan struct{} // closed after the process has ended and its group was killed
	status  error         // result of exec.Cmd.Wait; valid after exited

	mu    sync.Mutex
	group group
	gone  bool
}

// startProcess starts the program in the directory and with the variables of the options.
func startProcess(args []string, options ClientOptions) (*process, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = options.Dir
	if len(options.Env) > 0 {
		cmd.Env = append(os.Environ(), options.Env...)
	}
	cmd.SysProcAttr = groupAttributes()
	p := &process{drained: make(chan struct{}), exited: make(chan struct{})}
	childEnds, err := p.openPipes(cmd)
	if err == nil {
		started := make(chan error, 1)
		go p.live(cmd, started)
		err = <-started
	}
	closeAll(childEnds)
	if err != nil {
		closeAll([]*os.File{p.stdin, p.stdout, p.stderr})
		return nil, err
	}
	go func() {
		defer close(p.drained)
		p.said.fill(p.stderr)
	}()
	return p, nil
}

// openPipes connects the three streams and returns the child's ends. They are plain pipes, not
// exec's own: Wait must return when the process ends, though a grandchild still holds them.
func (p *process) openPipes(cmd *exec.Cmd) (childEnds []*os.File, err error) {
	in, stdin, err1 := os.Pipe()
	stdout, out, err2 := os.Pipe()
	stderr, errs, err3 := os.Pipe()
	p.stdin, p.stdout, p.stderr = stdin, stdout, stderr
	for _, f := range []*os.File{in, out, errs} {
		if f != nil {
			childEnds = append(childEnds, f)
		}
	}
	if err := cmp.Or(err1, err2, err3); err != nil { // they have one cause
		return childEnds, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	return childEnds, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// live starts the process and waits for its end, all on one operating-system thread: Linux sends
// the parent-death signal when the thread that made the child ends, not the whole parent.
func (p *process) live(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	p.pid, p.group = cmd.Process.Pid, newGroup(cmd.Process)
	started <- nil
	p.status = cmd.Wait()
	p.mu.Lock()
	p.group.kill()
	p.group.release()
	p.gone = true
	p.mu.Unlock()
	close(p.exited)
}

// kill ends the process and its group. It may be called at any time, from any goroutine.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		p.group.kill()
	}
}

// close kills, waits for the end and closes our ends of the streams.
func (p *process) close() {
	p.kill()
	<-p.exited
	closeAll([]*os.File{p.stdin, p.stdout, p.stderr})
	<-p.drained
}

// lastWords says how the process ended and what it wrote to stderr last, waiting for it at most a while.
func (p *process) lastWords(within time.Duration) string {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	select {
	case <-p.drained:
	case <-ctx.Done():
	}
	text := "closed its output and ran on"
	select {
	case <-p.exited:
		text = "ended by itself"
		if p.status != nil {
			text = "ended with " + p.status.Error()
		}
	case <-ctx.Done():
	}
	if said := firstAndLast(p.said.String()); said != "" {
		text += "; stderr: " + said
	}
	return text
}

// firstAndLast returns a text as one line: its first and last lines where there are more than two. The reason of an end
// stands in the last one of a Python traceback, and in the first one of a panic in Go.
func firstAndLast(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > 2 {
		lines = []string{lines[0], "...", lines[len(lines)-1]}
	}
	return strings.Join(lines, " ")
}

// tail keeps the last bytes of a stream.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// maxTail is how much of stderr is kept, in bytes.
const maxTail = 1024

// fill reads the stream to its end.
func (t *tail) fill(from *os.File) {
	buf := make([]byte, maxTail)
	for {
		n, err := from.Read(buf)
		t.mu.Lock()
		t.text = append(t.text, buf[:n]...)
		if extra := len(t.text) - maxTail; extra > 0 {
			t.text = append(t.text[:0], t.text[extra:]...)
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
