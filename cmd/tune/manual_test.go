package main

import (
	"bytes"
	"flag"
	"strings"
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
	for _, name := range []string{"tune.1", "tune-run.1", "tune-completion-zsh.1"} {
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

// There is a completion script for every shell. It asks the program for the completions, which
// TestPlayerCompletion checks.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		t.Run(shell, func(t *testing.T) {
			if script := done(t, "completion", shell); !strings.Contains(script, "__complete") || !strings.Contains(script, "tune") {
				t.Errorf("the script for %s is %.200q", shell, script)
			}
		})
	}
}

var update = flag.Bool("update", false, "rewrite the section of tune in quintune.example.yaml")

// TestExample checks the section of tune in the example of a configuration file.
func TestExample(t *testing.T) {
	root := newRoot()
	var commands []*cobra.Command
	for _, path := range [][]string{
		{"run"},
		{"resume"},
		{"match"},
		{"gate"},
		{"sprt"},
		{"validate"},
		{"ladder"},
		{"sensitivity"},
		{"openings"},
		{"list"},
		{"show"},
		{"report"},
		{"export"},
		{"import"},
		{"prune"},
		{"diff"},
		{"worker"},
		{"cluster", "init"},
		{"cluster", "add"},
		{"cluster", "revoke"},
		{"cluster", "serve"},
		{"cluster", "status"},
	} {
		cmd, _, err := root.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		commands = append(commands, cmd)
	}
	if err := manualtest.CheckExample("../../quintune.example.yaml", root, commands, *update); err != nil {
		t.Error(err)
	}
}
