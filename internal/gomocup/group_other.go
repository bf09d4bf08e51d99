//go:build !unix && !windows

package gomocup

import (
	"os"
	"syscall"
)

// group is the process alone: the system has no groups.
type group struct{ process *os.Process }

func groupAttributes() *syscall.SysProcAttr { return nil }

func newGroup(p *os.Process) group { return group{p} }

func (g group) kill() { _ = g.process.Kill() }

func (g group) release() {}
