package main

import (
	"flag"
	"testing"

	"quintune/internal/manual"
)

var update = flag.Bool("update", false, "write the man pages anew")

// Every command has a man page in docs/man that says what its help says.
func TestManPages(t *testing.T) {
	if err := manual.Check("../../docs/man/man1", newRoot(), *update); err != nil {
		t.Error(err)
	}
}
