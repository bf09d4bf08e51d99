package record

import (
	"fmt"
	"os"
	"path/filepath"
)

// Writer keeps games in the order in which they are added: in one file of SGF or JSON lines, or in
// a folder with a psq file a game. It is for one goroutine.
type Writer struct {
	format Format
	file   *os.File // nil for a folder
	folder string
	games  int
}

// Create opens a new file .sgf or .jsonl, or a folder of psq files where the path has no ending.
// What exists already is not written over: a file must be new, a folder new or empty.
func Create(path string) (*Writer, error) {
	w := &Writer{}
	var known bool
	switch w.format, known = FormatOf(path); {
	case filepath.Ext(path) == "":
		w.format, w.folder = PSQ, path
		return w, newFolder(path)
	case !known || w.format != SGF && w.format != JSON:
		return nil, fmt.Errorf("records go to a file %s or %s, or to a folder of psq files, which has no ending: %.60q is neither",
			SGF.Ending(), JSON.Ending(), path)
	}
	var err error
	w.file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	return w, err
}

// newFolder makes the folder, or finds that it is empty.
func newFolder(path string) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("the folder %.60q is not empty", path)
	}
	return err
}

// Add writes a game.
func (w *Writer) Add(g *Game) error {
	w.games++
	if w.file != nil {
		return Write(w.file, w.format, g)
	}
	// The rule has no place in the file: it goes into its name, as in Gomocup's archives.
	f, err := os.OpenFile(filepath.Join(w.folder, fmt.Sprintf("%05d_%v%s", w.games, g.Rule, w.format.Ending())), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if err := Write(f, w.format, g); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// Close makes what was written durable.
func (w *Writer) Close() error {
	if w.file == nil {
		return nil
	}
	if err := w.file.Sync(); err != nil {
		w.file.Close()
		return err
	}
	return w.file.Close()
}
