//go:build system

package arch

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fused matches an instruction of arm64 that multiplies and adds without rounding the product, in a Go file.
var fused = regexp.MustCompile(`(?m)\(([^()\n]*\.go):(\d+)\)\tFN?M(?:ADD|SUB)`)

// arm64 and GOAMD64=v3 let the compiler fuse x*y + z, which changes the last bit; float64(x*y) + z forbids it. Only math.FMA may
// fuse, which does so everywhere. On arm64 all is fused that is on amd64, and differences too. macOS is a system for which CI
// compiles everything anyway.
func TestNoProductIsFusedWithASum(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root = strings.TrimSuffix(root, "internal/arch")
	args := []string{"build", "-pgo=off", "-trimpath=false", "-gcflags=quintune/...=-S"}
	for _, p := range rounded {
		args = append(args, "./"+p)
	}
	build := exec.Command("go", args...)
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	asked := 0
	for _, found := range fused.FindAllSubmatch(out, -1) {
		file, inRoot := strings.CutPrefix(string(found[1]), root)
		line, err := strconv.Atoi(string(found[2]))
		switch {
		case err != nil:
			t.Fatal(err)
		case !inRoot:
		case bytes.Contains(lineOf(t, root+file, line), []byte("math.FMA(")):
			asked++
		default:
			t.Errorf("got a fused product at %s:%d, want float64(x*y) + z", file, line)
		}
	}
	if asked == 0 {
		t.Error("got no fused product where math.FMA asks for it: the test does not read this listing")
	}
}

// lineOf returns a line of a file, counted from 1.
func lineOf(t *testing.T, path string, line int) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(text, []byte("\n"))
	if line < 1 || line > len(lines) {
		t.Fatalf("%s has no line %d", path, line)
	}
	return lines[line-1]
}
