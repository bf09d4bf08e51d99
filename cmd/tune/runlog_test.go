package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLogIsRotated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	line := strings.Repeat("x", 39) + "\n"
	for range 3 { // as three processes, one after the other
		r := &rotating{path: path, most: 100}
		for range 7 {
			if _, err := r.Write([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []int{1, 2, 2, 2} {
		data, err := os.ReadFile((&rotating{path: path}).old(i))
		if err != nil || strings.Count(string(data), line) != want {
			t.Errorf("log %d has %d lines, want %d; error %v", i, strings.Count(string(data), line), want, err)
		}
	}
	if _, err := os.Stat(path + ".4"); err == nil {
		t.Error("old logs are kept for ever")
	}
}
