//go:build !(darwin || freebsd || linux || windows)

package store

import "errors"

// freeAt returns an error: this system does not report free space.
func freeAt(string) (int64, error) { return 0, errors.ErrUnsupported }
