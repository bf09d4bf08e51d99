//go:build unix

package atomicfile

import (
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// makeFIFO makes a named pipe and returns its path.
func makeFIFO(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mode returns what stands at the path.
func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Type()
}

func TestLinksAreFollowed(t *testing.T) {
	for _, test := range []struct{ name, target string }{
		{"to a file", "there"},
		{"to nothing", "new"},
		{"by two links", "link2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, elsewhere := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(elsewhere, "there"), []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("there", filepath.Join(elsewhere, "link2")); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(dir, "link")
			if err := os.Symlink(filepath.Join(elsewhere, test.target), link); err != nil {
				t.Fatal(err)
			}
			if err := Replace(link, []byte("new")); err != nil {
				t.Fatal(err)
			}
			if mode(t, link) != fs.ModeSymlink {
				t.Error("the link was replaced")
			}
			if got, err := os.ReadFile(filepath.Join(elsewhere, strings.Replace(test.target, "link2", "there", 1))); string(got) != "new" {
				t.Errorf("the target holds %q (%v)", got, err)
			}
			onlyFile(t, dir, "link")
			if got, err := os.ReadFile(filepath.Join(elsewhere, "there.bak")); test.target != "new" && string(got) != "old" {
				t.Errorf("the backup holds %q (%v)", got, err)
			}
		})
	}
	t.Run("in a circle", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(link, link); err != nil {
			t.Fatal(err)
		}
		if err := Write(link, nil); err == nil || !strings.Contains(err.Error(), link) {
			t.Errorf("got %v, want an error that names the link", err)
		}
	})
}

func TestDeviceStays(t *testing.T) {
	before := mode(t, os.DevNull)
	for name, f := range map[string]func() error{
		"Write":   func() error { return Write(os.DevNull, []byte("x")) },
		"Check":   func() error { return Check(os.DevNull) },
		"Replace": func() error { return Replace(os.DevNull, []byte("x")) },
	} {
		if err := f(); err != nil || mode(t, os.DevNull) != before {
			t.Errorf("%s: %v, and it is a %v", name, err, mode(t, os.DevNull))
		}
	}
	if _, err := os.Lstat(os.DevNull + ".bak"); err == nil {
		t.Error("the device has a backup")
	}
}

func TestPipeIsWrittenTo(t *testing.T) {
	path := makeFIFO(t)
	if err := Check(path); err != nil {
		t.Error(err)
	}
	reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := Replace(path, []byte("data")); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(reader); string(got) != "data" || mode(t, path) != fs.ModeNamedPipe {
		t.Errorf("read %q (%v) from a %v", got, err, mode(t, path))
	}
}

// A pipe that nobody reads is refused at once.
func TestPipeWithoutReader(t *testing.T) {
	path := makeFIFO(t)
	done := make(chan error, 1)
	go func() { done <- Write(path, []byte("data")) }()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("got %v, want an error that names the pipe", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for a reader")
	}
}

func TestSocketIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	l, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, err := range map[string]error{"Write": Write("socket", nil), "Check": Check("socket")} {
		if err == nil || !strings.Contains(err.Error(), "socket is not written: it is a socket") && name == "Write" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if mode(t, "socket") != fs.ModeSocket {
		t.Error("the socket was replaced")
	}
}

// The old file is linked, not read: one of a terabyte costs nothing.
func TestReplaceReadsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("start"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + ".bak"); err != nil || info.Size() != 1<<40 {
		t.Errorf("the backup is %v (%v)", info, err)
	}
}

func TestUmaskHolds(t *testing.T) {
	for _, test := range []struct{ umask, want fs.FileMode }{{0o022, 0o644}, {0o077, 0o600}, {0o027, 0o640}, {0, 0o644}} {
		t.Run(test.umask.String(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			before := syscall.Umask(int(test.umask))
			defer syscall.Umask(before)
			for range 2 { // a new file, then one that replaces it
				if err := Replace(path, []byte("text")); err != nil {
					t.Fatal(err)
				}
				info, err := os.Stat(path)
				if err != nil {
					t.Fatal(err)
				}
				if info.Mode() != test.want {
					t.Errorf("under umask %#o the file has %#o, want %#o", test.umask, info.Mode(), test.want)
				}
			}
		})
	}
}
