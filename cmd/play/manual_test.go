package main

import (
	"flag"
	"testing"

	"quintune/internal/manual"
)

var update = flag.Bool("update", false, "write the man pages anew")

// Every command has a man page in docs/man that says what its help says.
func TestManPages(t *testing.T) {
	const folder = "../../docs/man/man1"
	pages, err := manual.Pages(newRoot())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := manual.Write(folder, "play", pages); err != nil {
			t.Fatal(err)
		}
	}
	stale, err := manual.Stale(folder, "play", pages)
	if err != nil || len(stale) > 0 {
		t.Errorf("make man writes anew what is stale in %s: %v (%v)", folder, stale, err)
	}
}
