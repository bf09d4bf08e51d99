package store

import (
	"fmt"
	"os"
	"path/filepath"
)

// Free returns the number of bytes that a user may still write on the disk of the path. The path itself need not
// exist. The error wraps errors.ErrUnsupported where the system does not report the number.
func Free(path string) (int64, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	path = NearestFolder(path)
	free, err := freeAt(path)
	if err != nil {
		return 0, fmt.Errorf("store: %s: %w", path, err)
	}
	return free, nil
}

// NearestFolder returns the nearest existing folder: the path itself or one above it.
func NearestFolder(path string) string {
	for path = filepath.Clean(path); path != filepath.Dir(path); path = filepath.Dir(path) {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			break
		}
	}
	return path
}
