package gomocup

import "syscall"

// groupAttributes asks for a process group, and for the engine's death with ours even before it has a guard.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
