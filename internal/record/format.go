package record

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"quintune/internal/atomicfile"
	"quintune/internal/strictjson"
	"quintune/pattern"
)

// Format is a way to write games down.
type Format uint8

// Formats that are read. Rec and Offsets are not written.
const (
	PSQ     Format = iota // Piskvork: one game a file
	SGF                   // GM[4], any number of games
	Plain                 // moves in pos notation, one game a file; # begins a comment
	JSON                  // JSON lines, one game a line
	Rec                   // Gomotur: one game a file; read only
	Offsets               // Gomocup's openings: dx,dy, dx,dy from the centre; one a file; read only
)

// formats is what is known of each, by [format].
var formats = [...]struct {
	name   string
	ending string // of file names
	read   func([]byte, Conditions) ([]Game, error)
	write  func(*bytes.Buffer, *Game) error // nil for read only
}{
	PSQ:     {"psq", ".psq", readPSQ, writePSQ},
	SGF:     {"sgf", ".sgf", readSGF, writeSGF},
	Plain:   {"moves", ".txt", readPlain, writePlain},
	JSON:    {"jsonl", ".jsonl", readJSON, writeJSON},
	Rec:     {"rec", ".rec", readRec, nil},
	Offsets: {"offsets", ".offsets", readOffsets, nil},
}

// String returns the name, such as "psq".
func (f Format) String() string { return formats[f].name }

// Ending returns the ending of file names, such as ".psq".
func (f Format) Ending() string { return formats[f].ending }

// Writable reports whether games can be written in the format.
func (f Format) Writable() bool { return formats[f].write != nil }

// FormatNames returns the names of all formats that can be written.
func FormatNames() []string {
	var names []string
	for _, f := range formats {
		if f.write != nil {
			names = append(names, f.name)
		}
	}
	return names
}

// ParseFormat returns the format with the name, or an error that lists the names.
func ParseFormat(name string) (Format, error) {
	for i, f := range formats {
		if f.name == name {
			return Format(i), nil
		}
	}
	return 0, fmt.Errorf("record: %.40q is not a format of games (%s)", name, strings.Join(FormatNames(), ", "))
}

// FormatOf returns the format that a file name's ending stands for; ok is false where it stands
// for none.
func FormatOf(path string) (format Format, ok bool) {
	ending := strings.ToLower(filepath.Ext(path))
	for i, f := range formats {
		if f.ending == ending {
			return Format(i), true
		}
	}
	return 0, false
}

// Detect returns the format that the text looks like; what looks like nothing else is Plain.
func Detect(data []byte) Format {
	text := bytes.TrimLeft(withoutMark(data), " \t\r\n")
	switch {
	case bytes.HasPrefix(text, []byte("Piskvorky")):
		return PSQ
	case bytes.HasPrefix(text, []byte("(")):
		return SGF
	case bytes.HasPrefix(text, []byte("{")):
		return JSON
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if _, err := offsets(string(first)); len(bytes.TrimSpace(first)) > 0 && err == nil {
		return Offsets
	}
	return Plain
}

// detectFile is Detect for the content of a file. Where the text has no known form, the name's ending counts, so
// that the reader of that format reports what is wrong; Rec is told by its ending alone.
func detectFile(path string, data []byte) Format {
	f := Detect(data)
	if named, ok := FormatOf(path); ok && (named == Rec || (f == Plain || f == Offsets) && named != Plain) {
		return named
	}
	return f
}

// withoutMark returns the text without the byte-order mark that Windows programs begin with.
func withoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// Parse returns the games of a text in the format, at least one and at most MaxGames, all of them
// legal. What the format leaves out is taken from the conditions. Errors name line and bound.
func Parse(data []byte, f Format, c Conditions) ([]Game, error) {
	if f == JSON {
		if err := strictjson.CheckKind(withoutMark(data), strictjson.Record); err != nil {
			return nil, err
		}
	}
	games, err := formats[f].read(withoutMark(data), c)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", f, err)
	}
	if len(games) == 0 {
		return nil, fmt.Errorf("%v: there is no game", f)
	}
	return games, nil
}

// Write writes a game. SGF and JSON lines may follow each other on one writer; a psq file holds one
// game, and keeps neither rule nor comments nor an outcome that the board does not show, except a
// fault of the side to move. Plain keeps the moves alone.
func Write(w io.Writer, f Format, g *Game) error {
	if !f.Writable() {
		return fmt.Errorf("record: %v is only read", f)
	}
	var text bytes.Buffer
	if err := formats[f].write(&text, g); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

// atLine adds the number of a line, from 1, to an error.
func atLine(n int, err error) error { return fmt.Errorf("line %d: %w", n, err) }

// copyNumber is what browsers add to the name of a file that is there already.
var copyNumber = regexp.MustCompile(` ?\(\d+\)$`)

// RuleOfName returns the rule at the end of the name of a psq file, as in 12_standard.psq and, of a second copy, in
// 12_standard (1).psq. The format itself has no place for the rule. ok is false where it names none.
func RuleOfName(path string) (rule pattern.Rule, ok bool) {
	name := copyNumber.ReplaceAllString(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), "")
	mark := strings.LastIndex(name, "_")
	if mark < 0 {
		return 0, false
	}
	rule, err := pattern.ParseRule(strings.ToLower(name[mark+1:]))
	return rule, err == nil
}

// MaxFile bounds a file of games, bytes.
const MaxFile = 1 << 30

// ReadFile is ParseFile for the file with the name.
func ReadFile(path string, c Conditions) ([]Game, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name one of its files", path)
	}
	data, err := atomicfile.Read(path, MaxFile)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%s is empty: it holds no game", path)
	}
	return ParseFile(path, data, c)
}

// ParseFile returns the games of a file's content in the format that detectFile finds. A rule at the end of the name of a psq
// file counts before that of the conditions. Errors begin with the name.
func ParseFile(name string, data []byte, c Conditions) ([]Game, error) {
	format := detectFile(name, data)
	if rule, ok := RuleOfName(name); ok && format == PSQ {
		c.Rule = rule
	}
	games, err := Parse(data, format, c)
	if _, named := FormatOf(name); err != nil && format == Plain && !named {
		return nil, fmt.Errorf("%s is not psq, sgf, jsonl or offsets; as %w", name, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return games, nil
}
