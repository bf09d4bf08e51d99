//go:build !(darwin || freebsd || linux || windows)

package store

import "errors"

// freeAt says that the system does not tell.
func freeAt(string) (int64, error) { return 0, errors.ErrUnsupported }
