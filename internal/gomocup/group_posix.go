//go:build unix && !linux

package gomocup

import "syscall"

// groupAttributes asks for a process group, which dies with us by its guard alone.
func groupAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
