package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
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
	listed, err := t.output(ctx, "list", "-deps", "-f", format, "quintune/cmd/play")
	if err != nil {
		return nil, err
	}
	root, err := t.output(ctx, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := append(strings.Split(strings.TrimSpace(listed), "\n"), "Go, its runtime and standard library\t"+strings.TrimSpace(root))
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
