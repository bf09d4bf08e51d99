//go:build unix && !linux

package gomocup

import "syscall"

// groupAttributes asks for a process group. Only the guard makes the group end with this process.
func groupAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
