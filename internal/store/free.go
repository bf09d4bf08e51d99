package store

import (
	"fmt"
	"os"
	"path/filepath"
)

// Free returns the number of bytes that a user may still write on the disk of the path. The path itself need not
// exist. The error wraps errors.ErrUnsupported where the system does not report the number.
func Free(path string) (int64, error) {
	path, err := standing(path)
	if err != nil {
		return 0, err
	}
	free, err := freeAt(path)
	if err != nil {
		return 0, fmt.Errorf("store: %s: %w", path, err)
	}
	return free, nil
}

// standing returns the nearest existing folder: the path itself or one above it.
func standing(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	for {
		info, err := os.Stat(path)
		if err == nil && info.IsDir() || path == filepath.Dir(path) {
			return path, nil
		}
		path = filepath.Dir(path)
	}
}
