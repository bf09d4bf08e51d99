package main

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// contents returns the files of an archive by name.
func contents(t *testing.T, archive []byte) map[string]*zip.File {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*zip.File{}
	for _, f := range z.File {
		files[f.Name] = f
	}
	return files
}

func read(t *testing.T, f *zip.File) string {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAssemble(t *testing.T) {
	t.Chdir("../..")
	pages := []file{{"play.1", []byte(".TH"), false}, {"play-gomocup.1", []byte(".TH"), false}}
	for _, target := range targets {
		archive, err := assemble(target, []byte("program"), []byte("notices"), nil, pages)
		if err != nil {
			t.Fatal(err)
		}
		again, err := assemble(target, []byte("program"), []byte("notices"), nil, pages)
		if err != nil || !bytes.Equal(archive, again) {
			t.Errorf("%v: two archives of the same program differ (%v)", target, err)
		}
		files := contents(t, archive)
		name, manual := "pbrain-quintune64", []string{"play.1", "play-gomocup.1"}
		if target.system == "windows" {
			name, manual = name+".exe", nil
		}
		program := files[name]
		if program == nil || program.Mode().Perm() != 0o755 || read(t, program) != "program" {
			t.Fatalf("%v holds %v", target, files)
		}
		text := read(t, files["README.txt"])
		if files["weights.json"] != nil || strings.Contains(text, "weights.json   ") {
			t.Errorf("%v: weights that nobody named: %s", target, text)
		}
		if !strings.Contains(text, name+" ") || !strings.Contains(text, target.String()) || strings.Contains(text, "{{") {
			t.Errorf("%v: %s", target, text)
		}
		if told := strings.Contains(text, "man pages"); told != (manual != nil) || manual == nil && len(files) != 4 {
			t.Errorf("%v: man pages told of: %v; files %v", target, told, files)
		}
		for _, page := range manual {
			if files[page] == nil || read(t, files[page]) != ".TH" {
				t.Errorf("%v lacks the man page %s", target, page)
			}
		}
	}
}

// An archive may contain the user's own weights, and its description says so.
func TestAssembleOwnWeights(t *testing.T) {
	t.Chdir("../..")
	huang, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "own.json")
	weightstest.Save(t, path, huang)
	if _, err := load([]string{path}, false); err == nil || !strings.Contains(err.Error(), "no gate has proven") {
		t.Errorf("unproven weights: %v", err)
	}
	sets, err := load([]string{path}, true)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := assemble(targets[0], []byte("program"), []byte("notices"), sets, nil)
	if err != nil {
		t.Fatal(err)
	}
	files := contents(t, archive)
	if got, err := weights.Unmarshal([]byte(read(t, files["weights.json"]))); err != nil || !slices.Equal(got.Values, huang.Values) {
		t.Errorf("the archive carries %v (%v)", got, err)
	}
	if text := read(t, files["README.txt"]); !strings.Contains(text, "uses Quintune's own weights from within") {
		t.Error(text)
	}
	if err := run(t.Context(), []string{"-weights", path + ".gone", t.TempDir()}, io.Discard); config.Exit(err) != config.ExitFailed {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := run(t.Context(), []string{"-man", t.TempDir(), t.TempDir()}, io.Discard); err == nil || !strings.Contains(err.Error(), "make man") {
		t.Errorf("a folder without man pages: %v", err)
	}
	if err := run(t.Context(), []string{"-weights"}, io.Discard); config.Exit(err) != config.ExitUsage {
		t.Errorf("no file: %v", err)
	}
}

// Weights that a match has shown to be weaker than the embedded ones would never play, so they go in only by force.
func TestLoadWeaker(t *testing.T) {
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	lost := weights.Validation{Opponent: "default", Pairs: 200, Games: 400, Nodes: 1000, Pentanomial: [5]int64{60, 50, 50, 30, 10}, Elo: -53, EloLow: -80, EloHigh: -26}
	set.Provenance = &weights.Provenance{Proven: true, Further: []weights.Validation{lost}}
	path := filepath.Join(t.TempDir(), "own.json")
	weightstest.Save(t, path, set)
	if _, err := load([]string{path}, false); err == nil || !strings.Contains(err.Error(), "own.json is weaker than the embedded set default, -53") || !strings.Contains(err.Error(), "FORCE=1") {
		t.Errorf("got %v, want an error", err)
	}
	if files, err := load([]string{path}, true); err != nil || len(files) != 1 {
		t.Errorf("by force: %d files, %v", len(files), err)
	}
}

// Several files are one for each class of boards, under the names that the program looks for.
func TestLoadSeveral(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"freestyle20", "renju15", "default"} {
		t.Run(name, func(t *testing.T) {
			set, err := weights.Preset(name)
			if err != nil {
				t.Fatal(err)
			}
			paths = append(paths, filepath.Join(dir, name+".json"))
			weightstest.Save(t, paths[len(paths)-1], set)
		})
	}
	files, err := load(paths, false) // the shipped sets are proven
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"weights-freestyle20.json", "weights-renju15.json", "weights-default.json"} {
		t.Run(want, func(t *testing.T) {
			if files[i].name != want {
				t.Errorf("file %d is %s, want %s", i, files[i].name, want)
			}
		})
	}
	if _, err := load(append(paths, paths[0]), false); err == nil || !strings.Contains(err.Error(), "the same boards") {
		t.Errorf("two files for a board: %v", err)
	}
}

// Every archive carries the licences of what is linked into its program, and no machine's paths.
func TestNotices(t *testing.T) {
	for _, target := range []target{targets[0], targets[2]} {
		t.Run(target.String(), func(t *testing.T) {
			notices, err := target.notices(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			text := string(notices)
			for _, part := range []string{"github.com/spf13/cobra v", "Apache License", "charm.land/bubbletea/v2 v", "Go, its runtime and standard library", "The Go Authors"} {
				if !strings.Contains(text, part) {
					t.Errorf("%q is missing", part)
				}
			}
			if linked := strings.Contains(text, "github.com/inconshreveable/mousetrap"); linked != (target.system == "windows") {
				t.Errorf("mousetrap, which is for Windows alone, is told of: %v", linked)
			}
			if strings.Contains(text, "pkg/mod") {
				t.Error("a path of this machine is in it")
			}
		})
	}
}

// What the go command complains of is told.
func TestNoticesFail(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=none")
	if _, err := targets[0].notices(t.Context()); err == nil || !strings.Contains(err.Error(), "-mod=none") {
		t.Errorf("got error %v, want one with the complaint of the go command", err)
	}
}

func TestPackRefusesLargeArchives(t *testing.T) {
	noise := make([]byte, maxArchive)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	if _, err := pack([]file{{"noise", noise, false}}); err == nil || !strings.Contains(err.Error(), "more than the 8000000") {
		t.Errorf("%v", err)
	}
}

func TestTargets(t *testing.T) {
	all, err := parseTargets(nil)
	if err != nil || len(all) != 6 {
		t.Fatalf("%v (%v)", all, err)
	}
	names := map[string]bool{}
	for _, target := range all {
		names[target.archive()] = true
	}
	if len(names) != 6 || !names["quintune-macos-arm64.zip"] || !names["quintune-windows-amd64.zip"] {
		t.Errorf("%v", names)
	}
	if one, err := parseTargets([]string{"linux/arm64"}); err != nil || !slices.Equal(one, []target{{"linux", "arm64"}}) {
		t.Errorf("%v (%v)", one, err)
	}
	for _, args := range [][]string{nil, {"folder", "linux/386"}} {
		if err := run(context.Background(), args, io.Discard); config.Exit(err) != config.ExitUsage || !strings.Contains(err.Error(), "linux/amd64") {
			t.Errorf("%v: %v", args, err)
		}
	}
}
