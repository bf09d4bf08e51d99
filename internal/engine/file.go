package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quintune/internal/atomicfile"
	"quintune/internal/gomocup"
	"quintune/weights"
)

// Pass is how values reach an engine.
type Pass string

// Ways to pass values.
const (
	Info        Pass = "info"        // INFO name value, after START
	Argument    Pass = "argument"    // --name=value behind the command
	Environment Pass = "environment" // name=value among the environment variables
	Template    Pass = "template"    // a configuration file made from a template
	Weights     Pass = "weights"     // a weights file of our own format
)

// passes are all ways in the order of the documentation.
var passes = []Pass{Info, Argument, Environment, Template, Weights}

// Wins is the effect of wins that an engine announces, such as "MESSAGE Eval +M9".
type Wins string

// The values of Wins: what happens when an engine announces a win.
const (
	Played    Wins = "played"    // nothing: games are played to their end
	Confirmed Wins = "confirmed" // they end the game if our solvers confirm them
	Announced Wins = "announced" // they end the game, and so do announced losses: the announcement counts as a proof
)

// File is an engine file: the command, and the parameters that are tuned.
type File struct {
	Path       string // of the file, as given
	Command    string // as in the file
	Pass       Pass
	Parameters []Parameter

	Reload string        // line that makes a running engine read its file again; "": none
	Output string        // name of the file that is written for the engine: pass template and weights; "" for others
	Time   time.Duration // time of a move, for an engine that ignores INFO max_node; 0: it follows it
	Memory int64         // INFO max_memory, bytes; 0 for none
	Wins   Wins

	words    []string     // words of the command; files have absolute paths
	template []byte       // text of the template, with pass template
	read     []string     // absolute paths of the template and the weights file that were read
	base     *weights.Set // with pass weights: the set that the parameters change; nil if the names are not those of our weights
	hash     string
}

// Placeholders in a command, for the written file and its folder.
const (
	filePlaceholder   = "{file}"
	folderPlaceholder = "{folder}"
)

// maxFile bounds an engine file and a template, bytes.
const maxFile = 1 << 20

// Read reads an engine file and the files that it names. Paths in it are relative to its folder. An error names
// the line, the key and the bound.
func Read(path string) (*File, error) {
	data, err := atomicfile.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	f, err := parse(path, data)
	if err != nil {
		return nil, fmt.Errorf("engine: %s: %w", path, err)
	}
	return f, nil
}

// Name returns the engine's name for people: that of its program, or of the first file that an interpreter gets.
func (f *File) Name() string {
	named := f.words[0]
	own := strings.ContainsAny(strings.Fields(f.Command)[0], `/\`)
	if i := slices.IndexFunc(f.words[1:], filepath.IsAbs); i >= 0 && !own {
		named = f.words[1+i]
	}
	return strings.TrimSuffix(filepath.Base(named), filepath.Ext(named))
}

// Files returns the files that make up the engine: the engine file, what it reads, and those in the command.
func (f *File) Files() []string {
	files := append([]string{f.Path}, f.read...)
	for _, word := range f.words {
		if filepath.IsAbs(word) {
			files = append(files, word)
		}
	}
	return files
}

// Hash returns a hash of everything that affects the results of games: the parameters, how they are passed (pass,
// file, reload), limit, memory, wins, the template, the set of weights:, the command, and the bytes of all files that it names.
func (f *File) Hash() string { return f.hash }

func (f *File) hashed() (string, error) {
	h := sha256.New()
	for i := range f.Parameters {
		fmt.Fprintf(h, "%+v\n", f.Parameters[i])
	}
	fmt.Fprintf(h, "%s %s %s %v %d %s\n%q\n", f.Pass, f.Output, f.Reload, f.Time, f.Memory, f.Wins, f.template)
	if f.base != nil {
		fmt.Fprintf(h, "%v %d %v\n", f.base.Rule, f.base.Size, f.base.Values)
	}
	for _, word := range f.words {
		if !filepath.IsAbs(word) {
			fmt.Fprintf(h, "word %q\n", word)
			continue
		}
		sum, err := HashFile(word)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "file %s\n", sum)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// HashFile returns a hash of a regular file, 16 hexadecimal digits; "" of anything else.
func HashFile(path string) (string, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// resolve splits the command into words. A word that names a file in the folder of the engine file becomes its
// absolute path, and so does a program found in PATH.
func (f *File) resolve() error {
	words, err := gomocup.SplitCommand(f.Command)
	if err != nil {
		return err
	}
	for i, word := range words {
		if strings.HasPrefix(word, "-") || strings.Contains(word, "{") {
			continue
		}
		path := f.beside(word)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			words[i] = path
		}
	}
	if strings.ContainsAny(words[0], `/\`) {
		words[0] = f.beside(words[0])
	}
	if words[0], err = program(words[0]); err != nil {
		return err
	}
	f.words = words
	return nil
}

// beside returns the absolute path of one that is relative to the engine file's folder.
func (f *File) beside(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(f.Path), path)
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return path
}
