package gomocup

import "syscall"

// groupAttributes asks for a process group. It also makes the engine end with this process, before it has a
// guard.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
