package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"quintune/internal/atomicfile"
	"quintune/internal/config"
	"quintune/internal/record"
	"quintune/internal/session"
	"quintune/pattern"
)

const (
	// saveNothing is the --record under which no game is saved.
	saveNothing = "none"
	// defaultRecord begins the names of games that are saved without being named.
	defaultRecord = "game.sgf"
)

// saver writes games down, each into a file of its own: no file that was there before is lost.
type saver struct {
	base   string // the name without its ending, "" where nothing is saved
	ending string
	format record.Format
	named  bool              // the name was given
	files  map[uint64]string // by game
}

// newSaver returns the saver of a --record; "" is the default. An ending that stands for no format is wrong usage.
func newSaver(name string) (*saver, error) {
	s := &saver{named: name != "", files: map[uint64]string{}}
	if name == saveNothing {
		return s, nil
	}
	if name == "" {
		name = defaultRecord
	}
	format, ok := record.FormatOf(name)
	if !ok || !format.Writable() {
		return nil, config.Usagef("record is %q, whose ending is none of .psq, .sgf, .txt, .jsonl; %s saves nothing", name, saveNothing)
	}
	if s.named {
		if err := atomicfile.Check(name); err != nil {
			return nil, fmt.Errorf("record: %w", err)
		}
	}
	dot := strings.LastIndexByte(name, '.')
	s.base, s.ending, s.format = name[:dot], name[dot:], format
	return s, nil
}

// save writes the game and returns the file's name, "" where nothing is to be saved.
func (s *saver) save(g *session.Game) (string, error) {
	if s.base == "" {
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

// file returns the game's file: the one that it has, else a name that no file has.
func (s *saver) file(g *session.Game) (string, error) {
	if name, ok := s.files[g.ID]; ok {
		return name, nil
	}
	for n := 1; n < maxTries; n++ {
		name := s.name(n, g.Board().Rule())
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		} else if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("record: there are %d files %s-N%s already", maxTries, s.base, s.ending)
}

// name returns the n-th name, from 1. psq holds no rule, so that its name does.
func (s *saver) name(n int, rule pattern.Rule) string {
	name := s.base
	if !s.named || n > 1 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	if s.format == record.PSQ && rule != pattern.Freestyle && !strings.HasSuffix(s.base, "_"+rule.String()) {
		name = fmt.Sprintf("%s_%v", name, rule)
	}
	return name + s.ending
}
