package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quintune/internal/atomicfile"
)

// Writer keeps games in the order in which they are added: in one file of SGF or JSON lines, or in
// a folder with a psq file a game. They appear at Commit; Commit or Discard must end it. A nil Writer
// keeps nothing. It is for one goroutine.
type Writer struct {
	format Format
	path   string
	file   *atomicfile.File // nil for a folder
	hidden string           // folder in the folder at the path, where psq files are before Commit
	games  int
}

// Create begins a new file .sgf or .jsonl, or a folder of psq files where the path has no ending. The path "" gives
// a nil Writer. What exists already is not written over: a file must be new, a folder new or empty. Hidden files in
// a folder do not count.
func Create(path string) (*Writer, error) {
	if path == "" {
		return nil, nil
	}
	w := &Writer{path: path}
	var known bool
	switch w.format, known = FormatOf(path); {
	case filepath.Ext(path) == "":
		return CreateFolder(path)
	case !known || w.format != SGF && w.format != JSON:
		return nil, fmt.Errorf("records go to a file %s or %s, or to a folder of psq files, which has no ending: %q is neither",
			SGF.Ending(), JSON.Ending(), path)
	}
	err := w.isNew()
	if err == nil {
		w.file, err = atomicfile.Create(path)
	}
	return w, err
}

// CreateFolder begins a folder of psq files, whatever its name; see Create.
func CreateFolder(path string) (*Writer, error) {
	w := &Writer{path: path, format: PSQ}
	return w, w.beginFolder()
}

// isNew returns an error where there is a file at the path.
func (w *Writer) isNew() error {
	if _, err := os.Lstat(w.path); err == nil {
		return fmt.Errorf("records go to a new file: %q exists", w.path)
	}
	return nil
}

// beginFolder makes the folder, or finds that it is empty.
func (w *Writer) beginFolder() error {
	if err := os.MkdirAll(w.path, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(w.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") { // what a killed program leaves is hidden
			return fmt.Errorf("records go to a new or empty folder: %q is not empty", w.path)
		}
	}
	w.hidden, err = os.MkdirTemp(w.path, ".records.*")
	return err
}

// Add writes a game.
func (w *Writer) Add(g *Game) error {
	if w == nil {
		return nil
	}
	w.games++
	if w.file == nil {
		return w.AddFile(fmt.Sprintf("%05d", w.games), g)
	}
	if err := Write(w.file, w.format, g); err != nil {
		return fmt.Errorf("%s is not written: %w", w.path, err)
	}
	return nil
}

// AddFile writes a game of a folder to a file of its own, whose name begins with the given one.
func (w *Writer) AddFile(name string, g *Game) error {
	// The rule has no place in the file: it goes into its name, as in Gomocup's archives.
	f, err := os.Create(filepath.Join(w.hidden, fmt.Sprintf("%s_%v%s", name, g.Rule, w.format.Ending())))
	if err == nil {
		err = errors.Join(Write(f, w.format, g), f.Close())
	}
	if err != nil {
		return fmt.Errorf("%s is not written: %w", w.path, err)
	}
	return nil
}

// Commit puts the games at the path; a file durably.
func (w *Writer) Commit() error {
	switch {
	case w == nil:
		return nil
	case w.file == nil:
		return w.commitFolder()
	}
	if err := w.isNew(); err != nil {
		return errors.Join(err, w.file.Discard())
	}
	return w.file.Commit()
}

// commitFolder moves the files to where they are looked for.
func (w *Writer) commitFolder() error {
	entries, err := os.ReadDir(w.hidden)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Rename(filepath.Join(w.hidden, e.Name()), filepath.Join(w.path, e.Name())); err != nil {
			return err
		}
	}
	return os.Remove(w.hidden)
}

// Discard drops what was added. A new folder stays, empty.
func (w *Writer) Discard() error {
	switch {
	case w == nil:
		return nil
	case w.file == nil:
		return os.RemoveAll(w.hidden)
	}
	return w.file.Discard()
}
