//go:build darwin || freebsd || linux

package store

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Free returns how many bytes a user may still write on the disk that holds the path, or would hold it
// where it is not there yet.
func Free(path string) (int64, error) {
	path, err := standing(path)
	if err != nil {
		return 0, err
	}
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, fmt.Errorf("store: %s: %w", path, err)
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
