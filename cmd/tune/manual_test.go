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
	if err := manual.Check("../../docs/man/man1", newRoot(), *update); err != nil {
		t.Error(err)
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
