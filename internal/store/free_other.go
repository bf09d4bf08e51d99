//go:build !(darwin || freebsd || linux)

package store

import "errors"

// Free says that it does not know how much room is left.
func Free(string) (int64, error) {
	return 0, errors.New("store: the free room of a disk is not known on this system")
}
