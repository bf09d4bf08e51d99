package main

import (
	"bytes"
	"flag"
	"testing"

	"github.com/spf13/cobra"

	"quintune/internal/manualtest"
)

var manFolder = flag.String("man", "", "write the man pages into this `folder`")

// TestManPages makes the man pages of all commands; `make man` has it write them.
func TestManPages(t *testing.T) {
	pages, err := manualtest.Pages(newRoot())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"play.1", "play-gomocup.1", "play-completion-zsh.1"} {
		t.Run(name, func(t *testing.T) {
			if !bytes.HasPrefix(pages[name], []byte(".nh\n.TH")) {
				t.Errorf("%s is %.80q", name, pages[name])
			}
		})
	}
	if *manFolder != "" {
		if err := manualtest.Write(*manFolder, pages); err != nil {
			t.Error(err)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the section of play in quintune.example.yaml")

// TestExample checks the section of play in the example of a configuration file.
func TestExample(t *testing.T) {
	root := newRoot()
	commands := append([]*cobra.Command{root}, root.Commands()...)
	if err := manualtest.CheckExample("../../quintune.example.yaml", root, commands, *update); err != nil {
		t.Error(err)
	}
}
