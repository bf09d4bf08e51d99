package main

import (
	"bytes"
	"flag"
	"testing"

	"quintune/internal/manual"
)

var manFolder = flag.String("man", "", "write the man pages into this `folder`")

// TestManPages makes the man pages of all commands; `make man` has it write them.
func TestManPages(t *testing.T) {
	pages, err := manual.Pages(newRoot())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"play.1", "play-gomocup.1", "play-completion-zsh.1"} {
		if !bytes.HasPrefix(pages[name], []byte(".nh\n.TH")) {
			t.Errorf("%s is %.80q", name, pages[name])
		}
	}
	if *manFolder != "" {
		if err := manual.Write(*manFolder, pages); err != nil {
			t.Error(err)
		}
	}
}
