package store

import (
	"fmt"
	"os"
	"path/filepath"
)

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
