// Package manual makes the man pages of both programs from the help of their commands. Only tests import it: they
// write the pages of docs/man and find those that are stale, so that no program carries the generator.
package manual

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"quintune/internal/config"
)

// section is the part of the manual that is about commands.
const section = "1"

// Check returns an error that names the pages in the folder which do not say what the program's help says. With update
// all of them are written anew before. The tree must not have been run before.
func Check(folder string, root *cobra.Command, update bool) error {
	pages, err := Pages(root)
	if err != nil {
		return err
	}
	if update {
		if err := Write(folder, root.Name(), pages); err != nil {
			return err
		}
	}
	stale, err := Stale(folder, root.Name(), pages)
	if err == nil && len(stale) > 0 {
		err = fmt.Errorf("make man writes anew what is stale in %s: %v", folder, stale)
	}
	return err
}

// Pages returns the man pages of a program, one for every command, by file name: "tune-run.1". Equal programs make
// equal pages on every machine and day. The tree must not have been run before.
func Pages(root *cobra.Command) (map[string][]byte, error) {
	config.Document(root)
	root.DisableAutoGenTag = true
	pages := map[string][]byte{}
	return pages, add(pages, root)
}

// add makes the pages of a command and of those below it.
func add(pages map[string][]byte, cmd *cobra.Command) error {
	page, err := page(cmd)
	if err != nil {
		return fmt.Errorf("manual: %s: %w", cmd.CommandPath(), err)
	}
	pages[fileName(cmd)] = page
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := add(pages, sub); err != nil {
			return err
		}
	}
	return nil
}

// fileName returns the name of a command's page.
func fileName(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "-") + "." + section
}

// page makes one page. It tells no date, which cobra always does: a page is as old as its program.
func page(cmd *cobra.Command) ([]byte, error) {
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(spell)
	noDate := time.Time{}
	var b bytes.Buffer
	err := doc.GenMan(cmd, &doc.GenManHeader{Section: section, Date: &noDate, Source: "Quintune", Manual: "Quintune"}, &b)
	return bytes.Replace(b.Bytes(), []byte(noDate.Format("Jan 2006")), nil, 1), err
}

// spell makes an option read as it is used, --nodes=N, where cobra has --nodes=1000. No bracket follows those of bounds: that would be a
// link.
func spell(flag *pflag.Flag) {
	switch {
	case flag.Value.Type() == "bool":
		flag.DefValue = "true|false"
		return
	case flag.DefValue != "":
		flag.Usage += "; default " + flag.DefValue
	}
	flag.DefValue = flag.Value.Type()
}

// Write puts the pages of a program into the folder, which it makes, and takes away those of commands that the program
// has no more.
func Write(folder, program string, pages map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	old, err := stored(folder, program)
	if err != nil {
		return err
	}
	for _, name := range old {
		if pages[name] == nil {
			err = errors.Join(err, os.Remove(filepath.Join(folder, name)))
		}
	}
	for name, page := range pages {
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), page, 0o644))
	}
	return err
}

// Stale returns the names of the pages that are missing in the folder, are others than the program's, or are of
// commands that it has no more, in order.
func Stale(folder, program string, pages map[string][]byte) ([]string, error) {
	names, err := stored(folder, program)
	if err != nil {
		return nil, err
	}
	names = slices.AppendSeq(names, maps.Keys(pages))
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		data, err := os.ReadFile(filepath.Join(folder, name))
		return err == nil && pages[name] != nil && bytes.Equal(data, pages[name])
	}), nil
}

// stored returns the names of a program's pages in the folder, none where there is no folder.
func stored(folder, program string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); name == program+"."+section || strings.HasPrefix(name, program+"-") {
			names = append(names, name)
		}
	}
	return names, err
}
