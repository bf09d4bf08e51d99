//go:build system && linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"quintune/internal/record"
)

// screen is the program running in a pseudo-terminal of 80 by 24.
type screen struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	folder string // its working directory

	mu   sync.Mutex
	text bytes.Buffer // everything that it wrote

	read chan struct{} // closed when the last of it has been read
}

// buildPlay compiles the program under a name that does not make it a Gomocup engine.
func buildPlay(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "play")
	if err := os.Rename(build(t), program); err != nil {
		t.Fatal(err)
	}
	return program
}

// start runs the built program in a terminal.
func start(t *testing.T, program string, environment []string, args ...string) *screen {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	slave := slaveOf(t, master)
	defer slave.Close()
	s := &screen{t: t, cmd: exec.Command(program, args...), master: master, folder: t.TempDir(), read: make(chan struct{})}
	s.cmd.Dir, s.cmd.Stdin, s.cmd.Stdout = s.folder, slave, slave
	s.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor"), environment...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.read)
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			s.mu.Lock()
			s.text.Write(buffer[:n])
			s.mu.Unlock()
			if err != nil { // the program has gone
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // it has ended already, unless the test failed
		<-s.read
		if err := master.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// slaveOf opens the other end of a pseudo-terminal, of 80 by 24.
func slaveOf(t *testing.T, master *os.File) *os.File {
	t.Helper()
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return slave
}

// written returns what the program wrote so far.
func (s *screen) written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// wait waits until the program has written the text beyond the first from bytes, and returns the number of bytes
// by then.
func (s *screen) wait(text string, from int) int {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if written := s.written(); strings.Contains(written[from:], text) {
			return len(written)
		}
	}
	s.t.Fatalf("%q does not come: %q", text, s.written()[from:])
	return 0
}

// see waits for a text as wait does. The program may have drawn only a part of it, so see changes the height of
// the terminal, which makes the program draw everything again.
func (s *screen) see(text string, from int) {
	s.t.Helper()
	for rows, end := uint16(25), time.Now().Add(time.Minute); time.Now().Before(end); rows ^= 24 ^ 25 {
		if err := unix.IoctlSetWinsize(int(s.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: 80}); err != nil {
			s.t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		if strings.Contains(s.written()[from:], text) {
			return
		}
	}
	s.t.Fatalf("%q does not come: %q", text, s.written()[from:])
}

// send types.
func (s *screen) send(keys string) {
	s.t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// end waits for the program's end and returns its exit status.
func (s *screen) end() int {
	s.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			s.t.Fatal(err)
		}
	case <-time.After(time.Minute):
		s.t.Fatalf("the program does not end: %q", s.written())
	}
	<-s.read // the end of what it wrote may lie in the terminal still
	return s.cmd.ProcessState.ExitCode()
}

// moves returns the number of moves in a record of the program's folder.
func (s *screen) moves(name string) int {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.folder, name))
	if err != nil {
		s.t.Fatal(err)
	}
	games, err := record.Parse(data, record.Detect(data), record.DefaultConditions())
	if err != nil {
		s.t.Fatal(err)
	}
	return len(games[0].Moves)
}

const restored = "\x1b[?1049l" // leaves the alternate screen

// A terminal that cannot move its cursor, such as the shell of an editor, gets plain lines.
func TestDumbTerminal(t *testing.T) {
	s := start(t, buildPlay(t), []string{"TERM=dumb"}, "--nodes", "300")
	s.send("quit\n")
	if status := s.end(); status != 0 || strings.Contains(s.written(), "\x1b") {
		t.Errorf("status %d: %q", status, s.written())
	}
}

// A game by keyboard and mouse in a real terminal; afterwards its record exists.
func TestTerminalByKeyboardAndMouse(t *testing.T) {
	s := start(t, buildPlay(t), nil, "--nodes", "300")
	at := s.wait("look back", 0)
	s.send("\r")
	at = s.wait("plays", at)
	s.send("\x1b[<0;23;11M\x1b[<0;23;11m") // a click on j10
	s.see("move 4", at)
	s.send("q")
	if status := s.end(); status != 0 {
		t.Errorf("status %d", status)
	}
	if n := s.moves("game-1.sgf"); n != 4 {
		t.Errorf("the record has %d moves", n)
	}
	if text := s.written(); !strings.Contains(text, restored) || !strings.Contains(text, "saved as game-1.sgf") {
		t.Errorf("the end is %q", text[max(0, len(text)-200):])
	}
}

// While the engine has an hour for its move, Ctrl-C ends the program, and the game is saved.
func TestTerminalInterrupted(t *testing.T) {
	program := buildPlay(t)
	for _, how := range []func(*screen){
		func(s *screen) { s.send("\x03") },
		func(s *screen) {
			if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		},
	} {
		s := start(t, program, nil, "--time", "1h", "--record", "mine.psq")
		at := s.wait("look back", 0)
		s.send("\r")
		s.wait("thinks", at)
		how(s)
		if status := s.end(); status != 130 {
			t.Errorf("status %d", status)
		}
		if n := s.moves("mine.psq"); n != 1 {
			t.Errorf("the record has %d moves", n)
		}
		if !strings.Contains(s.written(), restored) {
			t.Error("the terminal is not restored")
		}
	}
}

var (
	colour = regexp.MustCompile(`\x1b\[[0-9;:]*[34]8[;:][25]`)
	beyond = regexp.MustCompile(`[^\x00-\x7f]`)
)

func TestTerminalWithoutColoursAndSigns(t *testing.T) {
	program := buildPlay(t)
	for _, test := range []struct {
		environment   []string
		args          []string
		colours, only bool // the screen must have colours; it must be ASCII only
	}{
		{nil, nil, true, false},
		{[]string{"NO_COLOR=1"}, nil, false, false},
		{[]string{"NO_COLOR=1"}, []string{"--ascii", "--notation", "renju", "--rule", "renju"}, false, true},
	} {
		s := start(t, program, test.environment, append([]string{"--nodes", "100"}, test.args...)...)
		at := s.wait("look back", 0)
		s.send("\r")
		s.wait("plays", at)
		s.send("q")
		if status := s.end(); status != 0 {
			t.Errorf("%v: status %d", test.args, status)
		}
		text := s.written()
		if colour.MatchString(text) != test.colours || beyond.MatchString(text) == test.only {
			t.Errorf("%v %v: colours %v, beyond ASCII %v", test.environment, test.args, colour.MatchString(text), beyond.MatchString(text))
		}
	}
}

// A command that reads from a pipe to which nothing is written ends at the first interrupt.
func TestInterruptAtAPipe(t *testing.T) {
	program := build(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"analyze", pipe}, {"analyze", "--moves", "h8", "--weights", pipe}} {
		cmd := exec.Command(program, args...)
		cmd.Args[0] = "play"
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // so that it waits at the pipe
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
			t.Errorf("%v: it ended with %v, want status 130", args, err)
		}
		kill.Stop()
	}
}
