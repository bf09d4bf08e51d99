package gomocup

import "syscall"

// groupAttributes asks for a process group, and for the engine's death with ours, kill -9 included.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
