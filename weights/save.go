package weights

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Load reads the weights file at path; at most MaxFile bytes are read.
func Load(path string) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	s, err := Unmarshal(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Save writes the set to path in one step: whenever the machine stops, the file is the old one or
// the new one, whole. With backup the old file, if there is one, stays as path.bak.
func Save(path string, s *Set, backup bool) error {
	data, err := Marshal(s)
	if err != nil {
		return err
	}
	if backup {
		// Copied, not renamed: at no moment is there no file at path.
		switch old, err := os.ReadFile(path); {
		case err == nil:
			if err := replace(path+".bak", old); err != nil {
				return err
			}
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("weights: %w", err)
		}
	}
	return replace(path, data)
}

// replace puts data at path: temporary file, sync, rename, sync of the directory.
func replace(path string, data []byte) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	err = writeSynced(f, data)
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("weights: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return syncDir(dir)
}

func writeSynced(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir makes the rename last; Windows offers no such call.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return nil
}
