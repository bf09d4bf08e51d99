//go:build system

package arch

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rounded are the packages whose sums end in stored runs: their bits must not depend on the processor.
var rounded = []string{
	"./board", "./evaluator", "./ga", "./internal/fit", "./internal/ladder", "./internal/match", "./internal/stats", "./internal/tuner", "./pattern",
	"./search", "./selfplay", "./weights",
}

// ofGenes are the packages that make genes, whose last bits decide what a fit comes to. Elsewhere package math may fuse: what
// it computes there is shown, or compared with a bound.
var ofGenes = []string{"quintune/ga", "quintune/internal/fit", "quintune/weights"}

// fused matches an instruction that multiplies and adds without rounding the product, in a file of this module.
var fused = regexp.MustCompile(`(?m)\(([^()\n]*\.go:\d+)\)\tVFN?M(?:ADD|SUB)`)

// fusedMath returns the functions of package math that a listing of it shows to fuse, or to call one that does.
func fusedMath(listing []byte) map[string]bool {
	fuses, calls, function := map[string]bool{}, map[string][]string{}, ""
	for _, line := range strings.Split(string(listing), "\n") {
		if m := begins.FindStringSubmatch(line); m != nil {
			function = m[1]
		} else if fused.MatchString(line) {
			fuses[function] = true
		} else if m := callsMath.FindStringSubmatch(line); m != nil {
			calls[function] = append(calls[function], m[1])
		}
	}
	for grown := true; grown; {
		grown = false
		for caller, called := range calls {
			if !fuses[caller] && slices.ContainsFunc(called, func(name string) bool { return fuses[name] }) {
				fuses[caller], grown = true, true
			}
		}
	}
	// Pow fuses where it squares the base a second time: our exponents are below 2, or the base is 10, whose squares are exact.
	delete(fuses, "Pow")
	delete(fuses, "pow")
	return fuses
}

// begins matches the line with which a function of package math begins, callsMath a call of one.
var (
	begins    = regexp.MustCompile(`^math\.(\w+) STEXT`)
	callsMath = regexp.MustCompile(`\t(?:CALL|JMP)\tmath\.(\w+)\(SB\)`)
)

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
	ofMath := fusedMath(listing("math", "math"))
	if !ofMath["Sinh"] || !ofMath["Asinh"] || ofMath["Exp"] || ofMath["Log"] {
		t.Errorf("got %v as the functions of package math that fuse, want Sinh and Asinh, not Exp and Log", ofMath)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root = root[:len(root)-len("internal/arch")]
	ours := listing("quintune/...", rounded...)
	seen := 0
	for _, part := range strings.Split("\n"+string(ours), "\n# ") { // go build names the package before its listing
		name, text, _ := strings.Cut(part, "\n")
		if !slices.Contains(ofGenes, name) {
			continue
		}
		seen++
		for _, called := range callsMath.FindAllStringSubmatch(text, -1) {
			if ofMath[called[1]] {
				t.Errorf("got a call of math.%s in %s, which fuses products and sums; want one like weights/hyperbolic.go", called[1], name)
			}
		}
	}
	if seen != len(ofGenes) {
		t.Errorf("got the listings of %d packages of genes, want %d", seen, len(ofGenes))
	}
	for _, found := range fused.FindAllSubmatch(ours, -1) {
		if place := string(found[1]); len(place) > len(root) && place[:len(root)] == root {
			t.Errorf("got a fused product at %s, want float64(x*y) + z", place[len(root):])
		}
	}
}
