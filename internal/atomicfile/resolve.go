package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// kind is what a path leads to.
type kind uint8

const (
	regular kind = iota // a regular file, or nothing yet
	stream              // a pipe or a character device, which is written to
)

// nonblocking makes opening a pipe without a reader fail instead of waiting.
const nonblocking = syscall.O_NONBLOCK

// maxLinks bounds the symbolic links that are followed.
const maxLinks = 40

// descriptors are the folders whose links stand for open files of a process. The text of such a link is not
// followed, since that path may lead to another file by now.
var descriptors = []string{"/dev/fd/", "/proc/"}

// Target returns the path that Write to a path writes to: symbolic links are followed, also to where nothing is yet.
func Target(path string) (string, error) {
	target, _, err := resolve(path)
	return target, err
}

// resolve follows the symbolic links of a path. Nothing need be there, but the folder must.
func resolve(path string) (string, kind, error) {
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return "", regular, err
		}
		path = filepath.Join(dir, filepath.Base(path))
		for _, folder := range descriptors {
			if strings.HasPrefix(path, folder) {
				return path, stream, nil
			}
		}
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, regular, nil
		case err != nil:
			return "", regular, err
		case info.Mode()&fs.ModeSymlink == 0:
			kind, err := kindOf(info.Mode())
			return path, kind, err
		}
		link, err := os.Readlink(path)
		if err != nil {
			return "", regular, err
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(dir, link)
		}
		path = link
	}
	return "", regular, fmt.Errorf("more than %d symbolic links", maxLinks)
}

// kindOf returns the kind of an existing file. The error names what cannot be written.
func kindOf(mode fs.FileMode) (kind, error) {
	switch {
	case mode.IsRegular():
		return regular, nil
	case mode&fs.ModeNamedPipe != 0, mode&fs.ModeCharDevice != 0:
		return stream, nil
	case mode.IsDir():
		return regular, errors.New("it is a folder")
	case mode&fs.ModeSocket != 0:
		return regular, errors.New("it is a socket")
	case mode&fs.ModeDevice != 0:
		return regular, errors.New("it is a block device")
	}
	return regular, fmt.Errorf("it is not a regular file, a pipe or a device (%v)", mode.Type())
}
