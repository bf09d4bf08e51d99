package store

import (
	"fmt"
	"os"
	"path/filepath"
)

// Free returns how many bytes a user may still write on the disk that holds the path, or would hold it
// where it is not there yet; an error that wraps errors.ErrUnsupported where the system does not tell.
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

// standing returns the path, or of the folders above it the nearest that is there; a file's is its folder.
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
