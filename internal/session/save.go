package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quintune/internal/atomicfile"
	"quintune/internal/record"
	"quintune/pattern"
)

const (
	// SaveNothing is the name under which no game is saved.
	SaveNothing = "none"
	// defaultRecord begins the names of games that are saved without being named.
	defaultRecord = "game.sgf"
)

// Saver saves each game to a file of its own. It never overwrites a file that was there before.
type Saver struct {
	base   string // the name without its ending
	ending string // "" where nothing is saved
	format record.Format
	named  bool              // the name was given
	files  map[uint64]string // by game
}

// Errors of a name under which no game can be saved.
var (
	errEnding = errors.New("the ending is none of .psq, .sgf, .txt, .jsonl; " + SaveNothing + " saves nothing")
	errFolder = errors.New("there is no folder")
)

// Misnamed reports whether an error of NewSaver is due to the name: its ending names no format, or its folder does not exist.
func Misnamed(err error) bool { return errors.Is(err, errEnding) || errors.Is(err, errFolder) }

// NewSaver returns the saver of games under a name; "" is the default. See Misnamed for its errors.
func NewSaver(name string) (*Saver, error) {
	s := &Saver{named: name != "", files: map[uint64]string{}}
	if name == SaveNothing {
		return s, nil
	}
	if name == "" {
		name = defaultRecord
	}
	format, ok := record.FormatOf(name)
	if !ok || !format.Writable() {
		return nil, fmt.Errorf("record is %q: %w", name, errEnding)
	}
	if s.named {
		folder := filepath.Dir(name)
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("record: %w %s", errFolder, folder)
		}
		if err := atomicfile.Check(name); err != nil {
			return nil, fmt.Errorf("record: %w", err)
		}
	}
	dot := strings.LastIndexByte(name, '.')
	s.base, s.ending, s.format = name[:dot], name[dot:], format
	return s, nil
}

// Named reports whether a name was given, which may be SaveNothing.
func (s *Saver) Named() bool { return s.named }

// Save writes the game and returns the file's name, "" where nothing is to be saved.
func (s *Saver) Save(g *Game) (string, error) {
	if s.ending == "" {
		return "", nil
	}
	name, err := s.file(g)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	if err := record.Write(&text, s.format, g.Record()); err != nil {
		return "", err
	}
	if err := atomicfile.Write(name, text.Bytes()); err != nil {
		return "", err
	}
	s.files[g.ID] = name
	return name, nil
}

// maxTries bounds the numbers that are tried for a file's name.
const maxTries = 100_000

// file returns the file of a game: the one that it was saved to before, else a new one.
func (s *Saver) file(g *Game) (string, error) {
	if name, ok := s.files[g.ID]; ok {
		return name, nil
	}
	for n := range maxTries {
		name := s.name(n+1, g.Board().Rule())
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		} else if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("record: there are %d files %s-N%s already", maxTries, s.base, s.ending)
}

// name returns the n-th name, from 1. A psq file cannot state the rule, so its name does.
func (s *Saver) name(n int, rule pattern.Rule) string {
	name := s.base
	if !s.named || n > 1 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	if named, ok := record.RuleOfName(name + s.ending); s.format == record.PSQ && (ok && named != rule || !ok && rule != pattern.Freestyle) {
		name = fmt.Sprintf("%s_%v", name, rule)
	}
	return name + s.ending
}
