package main

import (
	"flag"
	"testing"

	"github.com/spf13/cobra"

	"quintune/internal/manual"
)

var update = flag.Bool("update", false, "rewrite the section of play in quintune.example.yaml")

// TestExample checks the section of play in the example of a configuration file.
func TestExample(t *testing.T) {
	root := newRoot()
	commands := append([]*cobra.Command{root}, root.Commands()...)
	if err := manual.CheckExample("../../quintune.example.yaml", root, commands, *update); err != nil {
		t.Error(err)
	}
}
