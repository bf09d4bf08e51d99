//go:build darwin || freebsd || linux

package store

import "golang.org/x/sys/unix"

// freeAt is Free for an existing folder.
func freeAt(path string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
