package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenceFile matches the names of files that must go with a copy of a module.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-.].*)?$`)

// notices returns the licences and notices of Go and of all modules whose packages are linked into the target's program.
func (t target) notices(ctx context.Context) ([]byte, error) {
	const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", format, "quintune/cmd/play")
	cmd.Env = t.environment()
	listed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %v: %w", t, err)
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	modules := append(strings.Split(strings.TrimSpace(string(listed)), "\n"), "Go, its runtime and standard library\t"+strings.TrimSpace(string(root)))
	slices.Sort(modules)
	text := bytes.NewBufferString("Quintune's program contains the following works of others.\n")
	for _, module := range slices.Compact(modules) {
		name, folder, ok := strings.Cut(module, "\t")
		if !ok {
			continue // a package of this module or of Go
		}
		if err := addNotices(text, name, folder); err != nil {
			return nil, err
		}
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(text.Bytes(), []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")), nil
}

// addNotices adds the files of a module's folder. A module without any is an error: it must not be passed on unnoticed.
func addNotices(text *bytes.Buffer, name, folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	found := false
	for _, entry := range entries {
		if entry.IsDir() || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(text, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 72), name, entry.Name(), bytes.TrimSpace(content))
		found = true
	}
	if !found {
		return fmt.Errorf("%s: no licence in %s", name, folder)
	}
	return nil
}
