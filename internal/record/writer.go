package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"quintune/internal/atomicfile"
)

// Writer keeps games in the order in which they are added: in one file or stream, or in a folder with
// a psq file a game. In a file or folder they appear at Commit; Commit or Discard must end it. A nil Writer
// keeps nothing. It is for one goroutine.
type Writer struct {
	format Format
	path   string           // "": a stream
	out    io.Writer        // nil for a folder
	file   *atomicfile.File // out as a file; nil for a folder or a stream
	fresh  bool             // the file must be new
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
	w.fresh = true
	if err := w.isNew(); err != nil {
		return nil, err
	}
	return w, w.beginFile()
}

// Replace begins a file that takes the place of one that may be there.
func Replace(path string, f Format) (*Writer, error) {
	w := &Writer{path: path, format: f}
	return w, w.beginFile()
}

// Stream returns a Writer to somebody else's stream. What was written before Discard stays.
func Stream(out io.Writer, f Format) *Writer { return &Writer{format: f, out: out} }

func (w *Writer) beginFile() (err error) {
	w.file, err = atomicfile.Create(w.path)
	w.out = w.file
	return err
}

// isNew returns an error where there is a file at the path that must be new.
func (w *Writer) isNew() error {
	if _, err := os.Lstat(w.path); w.fresh && err == nil {
		return fmt.Errorf("records go to a new file: %q exists", w.path)
	}
	return nil
}

// CreateFolder begins a folder of psq files, whatever its name; see Create.
func CreateFolder(path string) (*Writer, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") { // what a killed program leaves is hidden
			return nil, fmt.Errorf("records go to a new or empty folder: %q is not empty", path)
		}
	}
	hidden, err := os.MkdirTemp(path, ".records.*")
	return &Writer{format: PSQ, path: path, hidden: hidden}, err
}

// Add writes a game at once: it is in the hidden file even where the program is killed later.
func (w *Writer) Add(g *Game) error {
	if w == nil {
		return nil
	}
	w.games++
	return w.AddAs(fmt.Sprintf("%05d", w.games), g)
}

// AddAs is Add; in a folder the name of the game's file begins with the given one.
func (w *Writer) AddAs(name string, g *Game) error {
	switch {
	case w == nil:
		return nil
	case w.out != nil:
		return w.failed(Write(w.out, w.format, g))
	}
	// The rule has no place in the file: it goes into its name, as in Gomocup's archives.
	f, err := os.Create(filepath.Join(w.hidden, fmt.Sprintf("%s_%v%s", name, g.Rule, w.format.Ending())))
	if err == nil {
		err = errors.Join(Write(f, w.format, g), f.Close())
	}
	return w.failed(err)
}

// failed names the path in an error of writing, where there is one; nil stays nil.
func (w *Writer) failed(err error) error {
	if err == nil || w.path == "" {
		return err
	}
	return fmt.Errorf("%s is not written: %w", w.path, err)
}

// Commit puts the games at the path; a file durably.
func (w *Writer) Commit() error {
	switch {
	case w == nil:
		return nil
	case w.out == nil:
		return w.commitFolder()
	case w.file == nil:
		return nil
	}
	if err := w.isNew(); err != nil {
		return errors.Join(err, w.Discard())
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
	case w.out == nil:
		return os.RemoveAll(w.hidden)
	case w.file == nil:
		return nil
	}
	return w.file.Discard()
}
