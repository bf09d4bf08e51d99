package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

func TestConfigFlagReplacesDefaultFile(t *testing.T) {
	files := map[string]string{DefaultFile: "seed: 1\nsize: 19\n", "other.yaml": "seed: 18446744073709551615\n"}
	v, err := loadWith(t, "tune run", files, "--config", "other.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if v.run.Seed != 18446744073709551615 || v.run.Size != 15 {
		t.Errorf("seed is %d, size %d", v.run.Seed, v.run.Size)
	}
}

func TestFileForms(t *testing.T) {
	tests := []struct{ file, text, name, want string }{
		{"c.yaml", "only: [line, cell]\n", "only", "line,cell"},
		{"c.yaml", "only: line,cell\n", "only", "line,cell"},
		{"c.yml", "name: 007\n", "name", "007"},
		{"c.yaml", "name: 1.10 # a comment\n", "name", "1.10"},
		{"c.yaml", "", "name", ""},
		{"c.yaml", "# nothing\n", "seed", "1"},
		{"c.json", `{"nodes": 250, "json": true}`, "nodes", "250"},
		{"c.json", `{"nodes": "250", "no-gate": true}`, "no-gate", "true"},
		{"c.yaml", "color: white\n", "nodes", "1000"}, // a key of the other program
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			v, err := loadWith(t, "tune run", map[string]string{test.file: test.text}, "--config", test.file)
			if err != nil {
				t.Errorf("%s: %v", test.text, err)
				return
			}
			if got := v.entry(t, test.name).Value; got != test.want {
				t.Errorf("%s: %s is %q, want %q", test.text, test.name, got, test.want)
			}
		})
	}
}

func TestFileRefusals(t *testing.T) {
	tests := []struct {
		text string
		want []string // parts of the error
	}{
		{"sede: 7\n", []string{"quintune.yaml", "line 1", `unknown key "sede"`, `did you mean "seed"?`}},
		{"nodes: 5\nSeed: 7\n", []string{"line 2", `unknown key "Seed"`, `did you mean "seed"?`}},
		{"seed: 1\nSEED: 7\n", []string{"line 2", `unknown key "SEED"`, `did you mean "seed"?`}},
		{"seed: 1\nseed: 1\n", []string{"seed", "twice"}},
		{"{\"seed\": 1, \"seed\": 2}", []string{"seed", "twice"}},
		{"size: 99\n", []string{"size is 99", "[5, 22]"}},
		{"size: -3\n", []string{"size is -3", "[5, 22]"}},
		{"size: 15.5\n", []string{"size", `"15.5"`}},
		{"size: fifteen\n", []string{"size", `"fifteen"`}},
		{"size: {a: 1}\n", []string{"size", "the only sections"}},
		{"size: [[1]]\n", []string{"size", "list"}},
		{"size:\n", []string{"size has no value"}},
		{"time: 250\n", []string{"time", "unit"}},
		{"seed: -3\n", []string{"seed", `"-3"`}},
		{"no-gate: yes\n", []string{"no-gate", `"yes"`}},
		{"rule: caro\n", []string{"rule", "freestyle, standard, renju"}},
		{"only: [line, lines]\n", []string{"only", `"lines"`}},
		{"moves: h8\n", []string{"moves is a flag only"}},
		{"- seed\n", []string{"key: value"}},
		{"seed: 1: 2\n", []string{"quintune.yaml"}},
		{"<<: {seed: 1}\n", []string{"unknown key"}},
		{"\tseed: 7\n", []string{"line 1 is indented with a tab"}},
		{"tune:\n  seed: 7\n\tnodes: 5\n", []string{"line 3 is indented with a tab"}},
		{"tune:\n  sede: 7\n", []string{"line 2", `unknown key "sede"`, `did you mean "seed"?`}},
		{"tune:\n  size: 99\n", []string{"line 2", "size is 99", "[5, 22]"}},
		{"tune:\n  color: red\n", []string{"line 2", `unknown key "color"`}}, // of the other program
		{"play:\n  out: x\n", []string{"line 2", `unknown key "out"`}},       // of the other program, with a flag only in this one
		{"play:\n  colour: red\n", []string{"line 2", `unknown key "colour"`, `did you mean "color"?`}},
		{"play:\n  seed: 1\n  seed: 2\n", []string{"play", "seed", "twice"}},
		{"tune:\n  seed: 1\ntune:\n  seed: 1\n", []string{"tune", "twice"}},
		{"tune:\n  seed: 1\nnodes: 2000\n", []string{"line 3", "nodes stands outside the sections play and tune"}},
		{"tune:\n  seed: 1\ntuna:\n", []string{"line 3", `unknown key "tuna"`, `did you mean "tune"?`}},
		{"tune: 5\n", []string{"line 1", "section tune", "key: value"}},
		{"tune:\n  size: {a: 1}\n", []string{"size", "the only sections"}},
		{"seed: 1\n---\nseed: 2\n", []string{"goes on"}},
		{"tunes:\n  seed: 1\n", []string{"line 1", `unknown key "tunes"`, `did you mean "tune"?`}},
		{"tuen:\n", []string{"line 1", `unknown key "tuen"`, `did you mean "tune"?`}},
		{"seed: 1\nplays:\n  nodes: 5\n", []string{"line 2", `unknown key "plays"`, `did you mean "play"?`}},
		{"run.seed: 1\n", []string{"unknown key"}},
		{"{\n  \"format\": \"quintune.weights/1\"\n}\n", []string{"quintune.yaml", "this is a weights file, not a configuration file"}},
		{strings.Repeat("# a long comment\n", maxFile/16), []string{"bytes"}},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			_, err := loadWith(t, "tune run", map[string]string{DefaultFile: test.text})
			checkRefused(t, fmt.Sprintf("%.40q", test.text), err, test.want...)
		})
	}
}

func TestFileNameRefusals(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder.yaml")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ file, want string }{{"c.toml", ".yaml"}, {"", "ending"}, {folder, "not a regular file"}} {
		t.Run(test.file, func(t *testing.T) {
			_, err := loadWith(t, "tune run", map[string]string{"c.toml": "seed = 1\n"}, "--config", test.file)
			checkRefused(t, test.file, err, test.want)
		})
	}
	if _, err := loadWith(t, "tune run", nil, "--config", "absent.yaml"); Exit(err) != ExitFailed || strings.Count(err.Error(), "absent.yaml") != 1 {
		t.Errorf("an absent file: exit status %d (%v), want %d", Exit(err), err, ExitFailed)
	}
}

// A link to a file that is not there, for instance on a disk that is not mounted, is not taken for no file.
func TestDefaultFileThatLeadsNowhere(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("absent", DefaultFile); err != nil {
		t.Skip(err) // Windows lets few users make links
	}
	_, err := readFile(viper.New(), &pflag.Flag{}, "tune", nil)
	if err == nil || strings.Count(err.Error(), DefaultFile) != 1 {
		t.Errorf("error %v, want one that names %s", err, DefaultFile)
	}
}

// Only a bounded part of a file is read.
func TestLongFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "long.yaml")
	if err := os.WriteFile(name, []byte("#"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 1<<40); err != nil {
		t.Skip(err) // this file system has no sparse files
	}
	_, err := loadWith(t, "tune run", nil, "--config", name)
	checkRefused(t, name, err, "more than 1048576 bytes")
	if n := strings.Count(err.Error(), name); n != 1 {
		t.Errorf("%v names the file %d times", err, n)
	}
}
