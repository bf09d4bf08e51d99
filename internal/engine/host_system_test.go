//go:build system

package engine_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/engine"
	"quintune/selfplay"
)

// scripted returns the engine file of a shell script, beside its text, with a parameter and a way to pass it.
func scripted(t *testing.T, pass, script string) *engine.File {
	t.Helper()
	f, err := engine.Read(write(t, "params.yaml", "command: sh brain.sh\npass: "+pass+"\nparameters:\n  - {name: bold, kind: int, start: 1, min: 0, max: 9}\n", "brain.sh", script))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// script is an engine that records its commands in the file log and plays the cells of the board in order.
const script = `n=0
echo launch >>log
while read -r line; do
	case $line in
	INFO\ bold*) echo "$line" >>log;;
	START*) echo START >>log; [ -z "$once" ] || exit 1; n=0; echo OK;;
	RESTART*) echo RESTART >>log; RESTART;;
	BOARD*) while read -r line && [ "$line" != DONE ]; do :; done; n=$((n+1)); MOVE;;
	TURN*|BEGIN*) n=$((n+1)); MOVE;;
	END*) exit 0;;
	esac
done
`

// A game begins with RESTART, with START for an engine that ignores RESTART, and with a new process for one that
// ignores both. What an engine ignored once is not tried again. An engine that follows either needs one process
// only.
func TestGamesBeginAnew(t *testing.T) {
	const moves = "echo $((n%15)),$((n/15+$$%2*7))"
	for _, test := range []struct{ name, restart, want string }{
		{"RESTART", "n=0; echo OK", "launch START RESTART RESTART RESTART"},
		{"START", "echo UNKNOWN command", "launch START RESTART START START START"},
		{"START after an end", "exit 1", "launch START RESTART launch START START START"},
		{"a new process", "echo UNKNOWN command; once=1", "launch START RESTART START launch START launch START launch START"},
		{"RESTART again after an end", "n=0; [ -e died ] || [ ! -e restarted ] || { touch died; exit 1; }; touch restarted; echo OK", "launch START RESTART RESTART launch START RESTART"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := scripted(t, "info", strings.NewReplacer("RESTART;;", test.restart+";;", "MOVE", moves).Replace(script))
			h := engine.NewHost(f, 1)
			c := h.Contestant("", f.Start())
			p, err := c.Open(15, 0, 10)
			if err != nil {
				t.Fatal(err)
			}
			for range 4 {
				if err := p.NewGame(0); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(p.(io.Closer).Close(), h.Close()); err != nil {
				t.Fatal(err)
			}
			log, err := os.ReadFile(filepath.Join(filepath.Dir(f.Path), "log"))
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(strings.Fields(strings.ReplaceAll(string(log), "INFO bold 1\n", "")), " ")
			if got != test.want {
				t.Errorf("the engine was told %q, want %q", got, test.want)
			}
			if n := strings.Count(string(log), "INFO bold 1\n"); n != 4 {
				t.Errorf("the value was sent %d times in 4 games", n)
			}
		})
	}
}

// Moves that were taken back are sent as a whole position, also when none is left.
func TestMovesTakenBack(t *testing.T) {
	f := scripted(t, "info", `while read -r word rest; do
	case $word in
	START|TURN|BEGIN|BOARD) echo $word $rest >>log;;
	esac
	case $word in
	START) echo OK;;
	TURN|BEGIN) echo 3,3;;
	BOARD) while read -r line && [ "$line" != DONE ]; do echo "$line" >>log; done; echo 3,3;;
	END) exit 0;;
	esac
done
`)
	h := engine.NewHost(f, 1)
	p, err := h.Contestant("", f.Start()).Open(15, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.NewGame(0); err != nil {
		t.Fatal(err)
	}
	for _, moves := range [][]board.Cell{nil, {board.At(3, 3), board.At(4, 4)}, {board.At(5, 5)}, nil} {
		position, err := board.New(15, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			position.Play(m)
		}
		if reply, err := p.Move(t.Context(), position); err != nil || reply.Move != board.At(3, 3) {
			t.Fatalf("after %v: %v, %v", moves, reply.Move, err)
		}
	}
	if err := errors.Join(p.(io.Closer).Close(), h.Close()); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(filepath.Dir(f.Path), "log"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "START 15 BEGIN TURN 4,4 BOARD 5,5,2 BOARD"
	if got := strings.Join(strings.Fields(string(log)), " "); got != want {
		t.Errorf("the engine was told %q, want %q", got, want)
	}
}

// A candidate that crashes loses its pair, and the next one plays with a new process.
func TestCrashesLosePairs(t *testing.T) {
	f, err := engine.Read(filepath.Join(brain(t), "argument.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	wrapper := filepath.Join(filepath.Dir(f.Path), "wrapper.sh")
	if err := os.WriteFile(wrapper, []byte("for a; do case $a in --attack=320) exit 3;; esac; done\nexec ./brain \"$@\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(f.Path), "wrapped.yaml")
	text, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "./brain", "sh wrapper.sh", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err = engine.Read(file); err != nil {
		t.Fatal(err)
	}
	h := engine.NewHost(f, 1)
	defer h.Close()
	b := pairs([]selfplay.Contestant{h.Contestant("", f.Start()), h.Contestant("", values(f, 320))}, 6)
	results, err := selfplay.NewPool(1).Run(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range results {
		want := 4
		if b.Pairings[i].A == 1 {
			want = 0
		}
		if got := results[i].Points(); results[i].Void() || got != want {
			t.Errorf("pair %d has %d points, void %t; want %d", i, got, results[i].Void(), want)
		}
	}
}

// An engine that can read its file again keeps its process for the next candidate.
func TestReload(t *testing.T) {
	f, err := engine.Read(write(t, "params.yaml", `command: sh brain.sh {file}
pass: template
template: config.in
reload: READ {file}
parameters:
  - {name: bold, kind: int, start: 1, min: 0, max: 9}
`, "config.in", "bold={{bold}}\n", "brain.sh", `log=$(dirname "$0")/log
echo "launch $(cat "$1")" >>"$log"
while read -r word path; do
	case $word in
	READ) echo "read $(cat "$path")" >>"$log";;
	START) echo START >>"$log"; echo OK;;
	END) exit 0;;
	esac
done
`))
	if err != nil {
		t.Fatal(err)
	}
	h := engine.NewHost(f, 1)
	for _, bold := range []float64{1, 2, 3, 1} {
		p, err := h.Contestant("", values(f, bold)).Open(15, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.NewGame(0); err != nil {
			t.Fatal(err)
		}
		if err := p.(io.Closer).Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(filepath.Dir(f.Path), "log"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "launch bold=1 START read bold=2 START read bold=3 START read bold=1 START"
	if got := strings.Join(strings.Fields(string(log)), " "); got != want {
		t.Errorf("the engine was told %q, want %q", got, want)
	}
}
