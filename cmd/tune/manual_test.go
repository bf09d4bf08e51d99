package main

import (
	"flag"
	"strings"
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
		if err := manual.Write(folder, "tune", pages); err != nil {
			t.Fatal(err)
		}
	}
	stale, err := manual.Stale(folder, "tune", pages)
	if err != nil || len(stale) > 0 {
		t.Errorf("make man writes anew what is stale in %s: %v (%v)", folder, stale, err)
	}
}

// Every shell has a script, which asks the program what goes on; TestPlayerCompletion sees what it answers.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if script := done(t, "completion", shell); !strings.Contains(script, "__complete") || !strings.Contains(script, "tune") {
			t.Errorf("the script for %s is %.200q", shell, script)
		}
	}
}
