//go:build unix

package gomocup

import (
	"os"
	"syscall"
)

// group is a process group; its number is the process id of its leader.
type group struct {
	leader int
	guard  *guard // nil where there is no shell
}

func newGroup(p *os.Process) group { return group{p.Pid, newGuard(p.Pid)} }

// kill ends every process of the group; of an empty one it does nothing.
func (g group) kill() { _ = syscall.Kill(-g.leader, syscall.SIGKILL) }

func (g group) release() { g.guard.dismiss() }
