package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"quintune/internal/atomicfile"
	"quintune/internal/record"
	"quintune/internal/tuner"
)

// gameWriter writes the games of a run: one after the other to a file or a stream, or a file each to a folder.
type gameWriter struct {
	format record.Format
	folder string           // "": one stream
	buffer *bufio.Writer    // of the stream
	file   *atomicfile.File // nil: the stream is not ours
}

// newGameWriter writes to out, or to the path where that is not empty.
func newGameWriter(out io.Writer, format, path string) (*gameWriter, error) {
	f, err := record.ParseFormat(format)
	if err != nil {
		return nil, err
	}
	w := &gameWriter{format: f}
	switch {
	case f == record.PSQ:
		w.folder = path
		return w, os.MkdirAll(path, 0o755)
	case path == "":
		w.buffer = bufio.NewWriter(out)
		return w, nil
	}
	if w.file, err = atomicfile.Create(path); err != nil {
		return nil, err
	}
	w.buffer = bufio.NewWriter(w.file)
	return w, nil
}

func (w *gameWriter) add(g *tuner.StoredGame) error {
	if w.folder == "" {
		return record.Write(w.buffer, w.format, &g.Game)
	}
	// The rule has no place in the file, so it ends the name.
	f, err := os.Create(filepath.Join(w.folder, fmt.Sprintf("%s_%v%s", g.Key, g.Rule, w.format.Ending())))
	if err != nil {
		return err
	}
	return errors.Join(record.Write(f, w.format, &g.Game), f.Close())
}

// close ends the writing, which may have failed with an error before; a file is there whole or not at all.
func (w *gameWriter) close(err error) error {
	if w.buffer != nil && err == nil {
		err = w.buffer.Flush()
	}
	if w.file == nil {
		return err
	}
	if err != nil {
		return errors.Join(err, w.file.Discard())
	}
	return w.file.Commit()
}
