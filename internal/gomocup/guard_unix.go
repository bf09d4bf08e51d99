//go:build unix

package gomocup

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// guard is a shell that waits for our end, however it comes, kill -9 included: then it ends an engine's process group.
// The engine's own death with us does not count as such an end, where the engine is the child of a script.
type guard struct {
	shell *exec.Cmd
	hold  *os.File // its input, which the system closes when we end
}

// guardScript ends the group $1 at the end of its input, and leaves it alone after a line.
const guardScript = `trap "" HUP INT QUIT TERM; read -r dismissed || kill -9 "-$1"`

// newGuard returns the guard of a process group, nil where the system allows none.
func newGuard(leader int) *guard {
	in, hold, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer in.Close()
	shell := exec.Command("/bin/sh", "-c", guardScript, "guard", strconv.Itoa(leader))
	shell.Dir, shell.Stdin, shell.SysProcAttr = "/", in, &syscall.SysProcAttr{Setpgid: true}
	if shell.Start() != nil {
		hold.Close()
		return nil
	}
	return &guard{shell, hold}
}

// dismiss ends the guard after its group has ended.
func (g *guard) dismiss() {
	if g == nil {
		return
	}
	_, _ = g.hold.WriteString("\n") // fails if the guard was killed, and then nothing is left to do
	g.hold.Close()
	_ = g.shell.Wait()
}
