package player

import (
	"os"
	"path/filepath"
	"testing"
)

// A command is another player once a file that it names has changed.
func TestIdentity(t *testing.T) {
	program, file := filepath.Join(t.TempDir(), "engine"), filepath.Join(t.TempDir(), "weights.json")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	identity := func(argument string) string {
		t.Helper()
		p, err := Parse(argument)
		if err != nil {
			t.Fatal(err)
		}
		return p.Identity(argument)
	}
	write(program, "one")
	write(file, "one")
	command := "gomocup:" + filepath.ToSlash(program) + " --weights " + filepath.ToSlash(file)
	seen := map[string]bool{identity(command): true}
	if !seen[identity(command)] {
		t.Error("the same files are another player")
	}
	for _, path := range []string{program, file} {
		t.Run(path, func(t *testing.T) {
			write(path, "two")
			if seen[identity(command)] {
				t.Errorf("%s has changed, and the player is the same", path)
			}
			seen[identity(command)] = true
		})
	}
	for argument, want := range map[string]string{
		"gomocup:no-such-program-anywhere x": "gomocup:no-such-program-anywhere x",
		"baseline:random":                    "baseline:random",
	} {
		t.Run(argument, func(t *testing.T) {
			if got := identity(argument); got != want {
				t.Errorf("%s is %q, want %q", argument, got, want)
			}
		})
	}
	if identity("huang") == identity("zhang") || identity("huang") == "huang" {
		t.Errorf("presets are %q and %q", identity("huang"), identity("zhang"))
	}
}
