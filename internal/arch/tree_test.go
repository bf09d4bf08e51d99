package arch

import (
	"cmp"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// source is the head of one Go file.
type source struct {
	file    string   // relative to the module's root, with slashes
	folder  string   // the file's folder, which names its package in imports.txt
	name    string   // of the package clause
	imports []string // folders of other packages of this module
}

// test reports whether only `go test` compiles the file.
func (s source) test() bool { return strings.HasSuffix(s.file, "_test.go") }

// readTree returns the Go files of the module at root, whatever their build constraints, in order
// of their names. Like the go command it skips testdata, folders that begin with a dot or an
// underscore, and nested modules.
func readTree(root string) ([]source, error) {
	module, err := modulePath(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	var sources []source
	err = walkFiles(root, []string{".go"}, func(file string, data []byte) error {
		s, err := readSource(file, data, module)
		sources = append(sources, s)
		return err
	})
	slices.SortFunc(sources, func(a, b source) int { return cmp.Compare(a.file, b.file) })
	return sources, err
}

// walkFiles calls visit for each file of the module at root whose name has one of the endings: its path relative to root,
// with slashes, and what it holds. It skips the folders that the go command skips.
func walkFiles(root string, endings []string, visit func(file string, data []byte) error) error {
	return filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && skipped(file, entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || !slices.Contains(endings, filepath.Ext(file)):
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		return visit(filepath.ToSlash(relative), data)
	})
}

// skipped reports whether a folder holds no packages of the module.
func skipped(folder, name string) bool {
	if name == "testdata" || name[0] == '.' || name[0] == '_' {
		return true
	}
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return !errors.Is(err, fs.ErrNotExist)
}

// readSource parses the head of one Go file.
func readSource(file string, data []byte, module string) (source, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, data, parser.ImportsOnly)
	if err != nil {
		return source{}, err
	}
	s := source{file: file, folder: path.Dir(file), name: parsed.Name.Name}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, fmt.Errorf("%s: %w", file, err)
		}
		if folder, ours := strings.CutPrefix(imported, module+"/"); ours && folder != s.folder {
			s.imports = append(s.imports, folder)
		} else if imported == module {
			s.imports = append(s.imports, ".")
		}
	}
	return s, nil
}

// modulePath returns the path that a go.mod file declares.
func modulePath(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(data)) {
		if name, found := strings.CutPrefix(line, "module "); found {
			return strings.TrimSpace(name), nil
		}
	}
	return "", fmt.Errorf("%s declares no module", file)
}
