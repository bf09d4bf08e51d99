//go:build system

package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"quintune/internal/gomocup"
	"quintune/internal/gomocup/gomocuptest"
	"quintune/pattern"
)

// unpack writes the files of an archive into a new folder.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	folder := t.TempDir()
	for _, f := range z.File {
		if err := os.WriteFile(filepath.Join(folder, f.Name), []byte(read(t, f)), f.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// launch starts the engine of a folder, with no other folder to look into.
func launch(t *testing.T, folder string) *gomocup.Client {
	t.Helper()
	command := fmt.Sprintf(`"%s"`, filepath.Join(folder, target{system: runtime.GOOS}.program()))
	client, err := gomocup.Launch(command, gomocup.ClientOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Kill)
	return client
}

// The archive of this system unpacks and plays from its own folder, with no other file; and the weights
// beside the program are those that it plays by.
func TestArchivePlays(t *testing.T) {
	dist := t.TempDir()
	t.Chdir("../..")
	mine := target{runtime.GOOS, runtime.GOARCH}
	var out bytes.Buffer
	if err := run(t.Context(), []string{dist, mine.String()}, &out); err != nil {
		t.Fatal(err)
	}
	t.Log(strings.TrimSpace(out.String()))
	t.Setenv("HOME", t.TempDir())
	folder := unpack(t, filepath.Join(dist, mine.archive()))
	for rule := range pattern.Rule(pattern.NumRules) {
		record, err := gomocuptest.PlayGame(context.Background(), launch(t, folder), launch(t, folder), gomocuptest.GameConfig{
			Size: 20, Rule: rule, Limits: gomocup.GameLimits{Nodes: 300, Memory: 350 << 20},
		})
		if err != nil || record.Fault != nil || len(record.Moves) < 9 {
			t.Errorf("%v: %+v (%v)", rule, record, err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "weights.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := launch(t, folder).Start(t.Context(), 15, pattern.Freestyle, gomocup.GameLimits{})
	var fault *gomocup.Fault
	if !errors.As(err, &fault) || !strings.Contains(fault.Text, "weights.json") {
		t.Errorf("broken weights beside the program: %v", err)
	}
}
