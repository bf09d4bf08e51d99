package store

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// Free returns how many bytes a user may still write on the disk that holds the path, or would hold it
// where it is not there yet.
func Free(path string) (int64, error) {
	path, err := standing(path)
	if err != nil {
		return 0, err
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, fmt.Errorf("store: %s: %w", path, err)
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, fmt.Errorf("store: %s: %w", path, err)
	}
	return int64(min(free, 1<<62)), nil
}
