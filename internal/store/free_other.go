//go:build !(darwin || freebsd || linux || windows)

package store

import (
	"errors"
	"fmt"
)

// Free says that it does not know how much room is left.
func Free(path string) (int64, error) {
	if _, err := standing(path); err != nil {
		return 0, err
	}
	return 0, fmt.Errorf("store: %s: %w", path, errors.ErrUnsupported)
}
