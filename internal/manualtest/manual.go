// Package manualtest makes the man pages of both programs from the help of their commands. Only tests import it, so
// that no program carries the generator; `make man` has them write the pages.
package manualtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"quintune/internal/config"
)

// section is the part of the manual that is about commands.
const section = "1"

// Pages returns the man pages of a program, one for every command, by file name: "tune-run.1". Equal programs make
// equal pages on every machine and day. The tree must not have been run before.
func Pages(root *cobra.Command) (map[string][]byte, error) {
	if err := furnish(root); err != nil {
		return nil, err
	}
	root.DisableAutoGenTag = true
	pages := map[string][]byte{}
	return pages, add(pages, root)
}

// furnish gives the tree what every program has, such as --version and completion, by asking for the help.
func furnish(root *cobra.Command) error {
	return config.Execute(context.Background(), root, "", []string{"--help"}, nil, io.Discard, io.Discard)
}

// add makes the pages of a command and of those below it.
func add(pages map[string][]byte, cmd *cobra.Command) error {
	page, err := page(cmd)
	if err != nil {
		return fmt.Errorf("man page of %s: %w", cmd.CommandPath(), err)
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
	for _, o := range config.OptionsOf(cmd) {
		if o.Varies != "" {
			cmd.Flags().Lookup(o.Name).DefValue = o.Varies
		}
	}
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

// Write puts the pages of a program into the folder, which it makes.
func Write(folder string, pages map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, page := range pages {
		if err := os.WriteFile(filepath.Join(folder, name), page, 0o644); err != nil {
			return err
		}
	}
	return nil
}
