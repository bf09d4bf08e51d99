package main

import (
	"flag"
	"testing"

	"github.com/spf13/cobra"

	"quintune/internal/manual"
)

var update = flag.Bool("update", false, "rewrite the section of tune in quintune.example.yaml")

// TestExample checks the section of tune in the example of a configuration file.
func TestExample(t *testing.T) {
	root := newRoot()
	var commands []*cobra.Command
	for _, path := range [][]string{
		{"run"}, {"resume"}, {"match"}, {"gate"}, {"validate"}, {"ladder"}, {"sensitivity"}, {"openings"},
		{"list"}, {"show"}, {"report"}, {"export"}, {"import"}, {"prune"}, {"diff"},
		{"worker"}, {"cluster", "init"}, {"cluster", "add"}, {"cluster", "revoke"}, {"cluster", "serve"}, {"cluster", "status"},
	} {
		cmd, _, err := root.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		commands = append(commands, cmd)
	}
	if err := manual.CheckExample("../../quintune.example.yaml", root, commands, *update); err != nil {
		t.Error(err)
	}
}
