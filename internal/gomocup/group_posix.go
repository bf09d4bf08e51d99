//go:build unix && !linux

package gomocup

import "syscall"

// groupAttributes asks for a process group. When we are killed the engine sees the end of its input.
func groupAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
