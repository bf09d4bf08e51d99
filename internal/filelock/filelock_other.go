//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filelock

import "os"

// Supported reports whether Hold locks files on this system.
const Supported = false

// lockFile takes no lock: the system offers none that ends with its process.
func lockFile(*os.File) error { return nil }
