package weights

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"quintune/internal/atomicfile"
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
			if err := write(path+".bak", old); err != nil {
				return err
			}
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("weights: %w", err)
		}
	}
	return write(path, data)
}

func write(path string, data []byte) error {
	if err := atomicfile.Write(path, data); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return nil
}
