// Package atomicfile writes files whole or not at all, and reads files up to a length.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// Write replaces the file at path in one step: it writes a temporary file beside it, syncs, renames, and syncs
// the folder. Whenever the machine stops, the file is the old one or the new one, complete. Everybody can read
// it, unless the umask of the process forbids that.
//
// Symbolic links are followed: the file that they lead to is replaced. Pipes and character devices are written
// to, not replaced. A pipe without a reader, a block device and a socket are refused.
func Write(path string, data []byte) error { return write(path, data, false) }

// Replace is Write, and keeps the regular file that was there as TARGET.bak. An older .bak goes only when the new data are on
// the disk. The old file is not read where the file system has hard links; elsewhere one of more than 64 MiB is an error.
func Replace(path string, data []byte) error { return write(path, data, true) }

func write(path string, data []byte, keep bool) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	f.keep = keep
	if _, err := f.Write(data); err != nil {
		return errors.Join(f.failed(err), f.Discard())
	}
	return f.Commit()
}

// File is a file that is written in parts. It appears at its path at Commit; what is written to a pipe or a
// device is there at once.
type File struct {
	*os.File
	path   string // as it was given, for errors
	target string // where the path leads to; "" for pipes and devices
	shared bool   // the file is an output of the program, which stays open
	keep   bool   // the file that is replaced stays as .bak
}

// Create opens a file for the path under the rules of Write. Commit or Discard must end it.
func Create(path string) (*File, error) {
	f := &File{path: path}
	target, kind, err := resolve(path)
	switch {
	case err != nil:
	case kind == regular:
		f.target = target
		f.File, err = createBeside(target)
	default:
		err = f.openStream(target)
	}
	if err != nil {
		return nil, f.failed(err)
	}
	return f, nil
}

// createBeside creates a temporary file beside the target. Unlike those of os.CreateTemp,
// which only their owner can read, it has the permissions of other new files.
func createBeside(target string) (*os.File, error) {
	const tries = 10_000 // as os.CreateTemp
	for try := 1; ; try++ {
		name := fmt.Sprintf("%s%d", temporaryPrefix(target), rand.Uint32())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(target), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) || try == tries {
			return f, err
		}
	}
}

// temporaryPrefix returns how the names of temporary files beside the target begin: with a dot and the target's name. A long name is
// cut, so that the temporary file's is not too long where the target's is not.
func temporaryPrefix(target string) string {
	const longest = 100 // bytes
	base := filepath.Base(target)
	if len(base) > longest {
		base = strings.ToValidUTF8(base[:longest], "") // without a part of a character
	}
	return "." + base + "."
}

// openStream opens a pipe or a device.
func (f *File) openStream(target string) error {
	if f.File = ownOutput(target); f.File != nil {
		f.shared = true
		return nil
	}
	var err error
	f.File, err = os.OpenFile(target, os.O_WRONLY|nonblocking, 0)
	if info, unknown := os.Stat(target); errors.Is(err, syscall.ENXIO) && unknown == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return errors.New("nobody reads the pipe")
	}
	return err
}

// ownOutput returns the standard stream of this program that the path is, nil for others.
func ownOutput(path string) *os.File {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	for _, own := range []*os.File{os.Stdout, os.Stderr} {
		if other, err := own.Stat(); err == nil && os.SameFile(info, other) {
			return own
		}
	}
	return nil
}

// Commit puts the file at its path, durably.
func (f *File) Commit() error {
	if f.target == "" {
		return f.closeStream()
	}
	err := errors.Join(f.Sync(), f.Close())
	if err == nil && f.keep {
		err = backUp(f.target)
	}
	if err == nil {
		err = os.Rename(f.Name(), f.target)
	}
	if err != nil {
		return f.failed(errors.Join(err, os.Remove(f.Name())))
	}
	if err := SyncDir(filepath.Dir(f.target)); err != nil {
		return f.failed(err)
	}
	return nil
}

// Discard drops the file; its path stays as it was.
func (f *File) Discard() error {
	if f.target == "" {
		return f.closeStream()
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func (f *File) closeStream() error {
	if f.shared {
		return nil
	}
	return f.Close()
}

func (f *File) failed(err error) error { return fmt.Errorf("%s is not written: %w", f.path, err) }

// Check returns an error when Write or Replace to the path would fail because of the kind of file, its folder or a name that is too
// long. It creates a file in the folder and removes it.
func Check(path string) error {
	target, kind, err := resolve(path)
	if err == nil && kind == regular {
		var f *os.File
		if f, err = createBeside(target); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
		if _, unnamed := os.Lstat(target + ".bak"); err == nil && !errors.Is(unnamed, fs.ErrNotExist) {
			err = unnamed
		}
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}

// maxCopy bounds the file that Replace copies where it cannot link, bytes.
const maxCopy = 64 << 20

// backUp keeps the file as FILE.bak too. It returns nil if the file does not exist.
func backUp(file string) error {
	if err := linkOrCopy(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the old file is not kept as .bak: %w", err)
	}
	return nil
}

// linkOrCopy links the file as FILE.bak, by way of a temporary name, or copies it.
func linkOrCopy(file string) error {
	if _, err := os.Lstat(file); err != nil {
		return err
	}
	backup, of, err := resolve(file + ".bak")
	if err == nil && of != regular {
		err = fmt.Errorf("%s is not a regular file", backup)
	}
	if err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(file), temporaryPrefix(backup)+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	link := filepath.Join(temporary, "link")
	if err := os.Link(file, link); err != nil {
		return duplicate(file, backup)
	}
	if err := os.Rename(link, backup); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(backup))
}

// duplicate copies a file of at most maxCopy bytes.
func duplicate(file, backup string) error {
	data, err := Read(file, maxCopy)
	if errors.Is(err, ErrTooLong) {
		return fmt.Errorf("%w: move it away", err)
	}
	if err != nil {
		return err
	}
	return Write(backup, data)
}

// ErrTooLong is the error of a file that is longer than its reader allows.
var ErrTooLong = errors.New("the file is too long")

// Read returns the bytes of a file or a pipe, which has at most a number of them. Of a longer one no more than that is read, and
// the error is an ErrTooLong that names the bound.
func Read(path string, most int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("%s: %w: it has more than %d bytes", path, ErrTooLong, most)
	}
	return data, err
}

// SyncDir makes renames in the folder last; Windows offers no such call.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
