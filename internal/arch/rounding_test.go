//go:build system

package arch

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// rounded are the packages whose sums end in stored runs: their bits must not depend on the processor.
var rounded = []string{
	"./board", "./evaluator", "./ga", "./internal/fit", "./internal/ladder", "./internal/match", "./internal/stats", "./internal/tuner", "./pattern",
	"./search", "./selfplay", "./weights",
}

// fused matches an instruction that multiplies and adds without rounding the product, in a file of this module.
var fused = regexp.MustCompile(`(?m)\(([^()\n]*\.go:\d+)\)\tVFN?M(?:ADD|SUB)`)

// GOAMD64=v3, like arm64, lets the compiler fuse x*y + z, which changes the last bit; float64(x*y) + z forbids it.
func TestNoProductIsFusedWithASum(t *testing.T) {
	listing := func(pattern string, packages ...string) []byte {
		t.Helper()
		build := exec.Command("go", append([]string{"build", "-pgo=off", "-gcflags=" + pattern + "=-S"}, packages...)...)
		build.Dir = "../.."
		build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "GOAMD64=v3", "CGO_ENABLED=0")
		out, err := build.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%.2000s", err, out)
		}
		return out
	}
	if !fused.Match(listing("math", "math")) {
		t.Error("got no fused product in package math: the test does not find any")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root = root[:len(root)-len("internal/arch")]
	for _, found := range fused.FindAllSubmatch(listing("quintune/...", rounded...), -1) {
		if place := string(found[1]); len(place) > len(root) && place[:len(root)] == root {
			t.Errorf("got a fused product at %s, want float64(x*y) + z", place[len(root):])
		}
	}
}
