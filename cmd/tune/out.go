package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/atomicfile"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/runfolder"
	"quintune/internal/store"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/weights"
)

// checkOut checks before the games that the result can be written.
func checkOut(path string) error {
	if path == "" {
		return config.Usagef("out is empty, not the name of a file")
	}
	return checkOutput("out", path)
}

// checkOutput checks before the work that the file of an option can be written. The path "" is none.
func checkOutput(option, path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return config.Usagef("%s: %s is a folder", option, path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return config.Usagef("%s: there is no folder %s", option, filepath.Dir(path))
	}
	err := atomicfile.Check(path)
	if err == nil {
		err = checkFile(path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", option, err)
	}
	return nil
}

// warnOfEnding warns of a name under which no command would find the result. What is not a file, such as /dev/null, is meant so.
func warnOfEnding(log *slog.Logger, path string) {
	if info, err := os.Stat(path); player.IsFile(path) || err == nil && !info.Mode().IsRegular() {
		return
	}
	log.Warn("no command takes the file of --out as a player or a start while its name does not end in .json", "out", path)
}

// checkFile refuses a file to be written that is a database, or that has the name of a file of the database of runs. It refuses
// "-", by which stdout is meant.
func checkFile(path string) error {
	if path == "-" {
		return config.Usagef("- does not stand for stdout; a file of that name is ./-")
	}
	target, err := atomicfile.Target(path)
	if err != nil {
		target = path // writing fails too, and says why
	}
	named := slices.ContainsFunc([]string{"", "-wal", "-shm", "-journal"}, func(ending string) bool {
		return strings.EqualFold(filepath.Base(target), store.FileName+ending)
	})
	info, err := os.Stat(target)
	if err != nil && named {
		return config.Usagef("%s has the name of a file of the database: name another file", path)
	}
	if err == nil && info.Mode().IsRegular() {
		head, _ := atomicfile.Read(target, len(databaseHead)) // a file that cannot be read is judged by its name alone
		named = named || bytes.HasPrefix(head, []byte(databaseHead))
	}
	if named {
		return config.Usagef("%s is a file of a database, which would be lost: name another file", path)
	}
	return nil
}

// writeOutput writes to the file, or to stdout where none is named. A file of JSON that was there, which may be somebody's weights,
// is kept as .bak.
func writeOutput(cmd *cobra.Command, path string, write func(io.Writer) error) error {
	if path == "" {
		return write(cmd.OutOrStdout())
	}
	if err := checkFile(path); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	if player.IsFile(path) {
		return atomicfile.Replace(path, text.Bytes())
	}
	return atomicfile.Write(path, text.Bytes())
}

// whole returns a function for writeOutput that writes the data.
func whole(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// keptBy returns a clause that names the file in which writeOutput will keep what the path holds, "" where it keeps nothing.
func keptBy(path string) string {
	target, err := atomicfile.Target(path)
	info, missing := os.Stat(path)
	if !player.IsFile(path) || err != nil || missing != nil || !info.Mode().IsRegular() {
		return ""
	}
	return "; the file before it is now " + target + ".bak"
}

// newFile returns the name of a file that is not there yet: the base with the ending, and a number where that is taken.
func newFile(base, ending string) string {
	name := base + ending
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("%s-%d%s", base, n, ending)
	}
}

// checkInput refuses an output that is the file which the command reads; kind says for people what that is.
func checkInput(input, output, kind string) error {
	if sameFile(input, output) {
		return config.Usagef("%s is %s itself, which would be lost", output, kind)
	}
	return nil
}

// sameFile reports whether both paths lead to one file that is there.
func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	second, other := os.Stat(b)
	return err == nil && other == nil && first.Mode().IsRegular() && os.SameFile(first, second)
}

// sameContent reports whether two regular files of weights or values hold the same.
func sameContent(a, b string) bool {
	var content [2][]byte
	for i, path := range []string{a, b} {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
		if content[i], err = atomicfile.Read(path, weights.MaxFile); err != nil {
			return false
		}
	}
	return bytes.Equal(content[0], content[1])
}

// databaseHead is how every file of SQLite begins.
const databaseHead = "SQLite format 3\x00"

// checkApart refuses a result of an engine from outside that would replace a file of the engine, or whose other file, in the engine's
// own form, would. It checks that this can be written too.
func checkApart(out string, engine outside) error {
	if engine.tuned == nil {
		return nil
	}
	form := engine.tuned.File.FormPath(out)
	if form == "" {
		return nil
	}
	if err := checkOut(form); err != nil {
		return fmt.Errorf("the result in the engine's own form, beside %s: %w", out, err)
	}
	for _, file := range engine.tuned.File.Files() {
		for _, path := range []string{out, form} {
			if sameFile(path, file) {
				return config.Usagef("out: the run would write %s, which is the engine's %s: choose another --out", path, file)
			}
		}
	}
	return nil
}

// checkUnmet refuses a run that would replace values which it does not play against, or a file of another kind.
func checkUnmet(path string, c *tuner.Config) error {
	unmet := c.Unmet(path)
	switch {
	case unmet == nil:
		return nil
	case len(unmet) == 0:
		_, err := runfolder.ReadFile(path)
		return config.Usagef("out: %s holds no weights and no values that can be read, and would be lost (%w): choose another --out", path, err)
	}
	advice := "choose another --out"
	held, ours := heldBy(path, c)
	if ours {
		command := []string{"tune", "run", "--start", path}
		if c.Tuned != nil {
			command = withEngine(c.Tuned.File.Path, command...)
		}
		advice = fmt.Sprintf("go on from them with `%s`, or %s", text.CommandLine(command...), advice)
	}
	return config.Usagef("out: %s holds %s, and the run would replace them without a match: %s", path, held, advice)
}

// heldBy returns for people what weights or values a file holds, other than the start, and whether a run of this kind could begin with them.
func heldBy(path string, c *tuner.Config) (held string, ours bool) {
	set, err := weights.Load(path)
	switch {
	case err != nil && c.Tuned == nil:
		return "values of an engine", false
	case err != nil:
		_, err := c.Tuned.File.ReadResult(path)
		return "values", err == nil
	case c.Tuned == nil && weights.EvolvedFor(set.Rule, set.Size) == c.Embedded():
		return "weights that are not the start " + c.StartName, true
	}
	return fmt.Sprintf("weights for %s on %d×%d", set.Rule, set.Size, set.Size), false
}

// candidateValues returns the values of a stored candidate, nil where there are none.
func candidateValues(path string) json.RawMessage {
	var file struct {
		Values json.RawMessage `json:"values"`
	}
	if data, err := os.ReadFile(path); err != nil || json.Unmarshal(data, &file) != nil {
		return nil
	}
	return file.Values
}
