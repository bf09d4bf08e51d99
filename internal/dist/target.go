package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// target is a system that an archive is made for.
type target struct{ system, processor string }

// targets are all that archives are made for.
var targets = []target{
	{"windows", "amd64"},
	{"windows", "arm64"},
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
}

// parseTargets returns the targets with the names, in the form system/processor; all targets without any name.
func parseTargets(names []string) ([]target, error) {
	if len(names) == 0 {
		return targets, nil
	}
	var list []target
	for _, name := range names {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("%.40q is not a target, such as %v", name, targets)
		}
		list = append(list, targets[i])
	}
	return list, nil
}

// String returns system/processor.
func (t target) String() string { return t.system + "/" + t.processor }

// archive returns the name of the target's archive.
func (t target) archive() string {
	return fmt.Sprintf("quintune-%s-%s.zip", strings.Replace(t.system, "darwin", "macos", 1), t.processor)
}

// manual reports whether the system knows man pages.
func (t target) manual() bool { return t.system != "windows" }

// engineName begins with "pbrain-", by which Piskvork recognises an engine. Its 64 marks it for Gomocup as a 64-bit
// program.
const engineName = "pbrain-quintune64"

// program returns the name of the engine's file.
func (t target) program() string {
	if t.system == "windows" {
		return engineName + ".exe"
	}
	return engineName
}

// output returns what the go command prints for the target. The error holds what it complains of.
func (t target) output(ctx context.Context, args ...string) (string, error) {
	var complaint strings.Builder
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.processor)
	cmd.Stderr = &complaint
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s for %v: %w\n%s", args[0], t, err, complaint.String())
	}
	return string(text), nil
}

// build compiles the program play for the target and returns the file. Paths of this machine, symbols
// and debugging tables are left out.
func (t target) build(ctx context.Context) ([]byte, error) {
	folder, err := os.MkdirTemp("", "quintune-dist-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	out := filepath.Join(folder, t.program())
	if _, err := t.output(ctx, "build", "-trimpath", "-ldflags=-s -w", "-o", out, "quintune/cmd/play"); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}
