package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// reference matches how documents name a Go file and what it declares: `a/b.go` or `a/b.go:Type.Method`.
var reference = regexp.MustCompile("`([\\w./-]+\\.go)(?::([\\w.]+))?`")

// TestReferences finds files, functions and types that the documents name and that are not there.
func TestReferences(t *testing.T) {
	root := filepath.Join("..", "..")
	declared, err := declarations(root)
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := deadReferences(root, declared)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wrong {
		t.Error(w)
	}
}

// declarations returns the names that each Go file below root declares, methods as Type.Method, by
// its path.
func declarations(root string) (map[string][]string, error) {
	declared := map[string][]string{}
	err := walkFiles(root, []string{".go"}, func(file string, data []byte) error {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, data, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		declared[file] = namesOf(parsed)
		return nil
	})
	return declared, err
}

// namesOf returns the names that a file declares at its top level.
func namesOf(file *ast.File) []string {
	names := []string{""}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			names = append(names, receiverOf(d)+d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

// receiverOf returns the receiver's type and a dot, "" for a function.
func receiverOf(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	receiver := function.Recv.List[0].Type
	if star, isPointer := receiver.(*ast.StarExpr); isPointer {
		receiver = star.X
	}
	if generic, isGeneric := receiver.(*ast.IndexExpr); isGeneric {
		receiver = generic.X
	}
	if name, isName := receiver.(*ast.Ident); isName {
		return name.Name + "."
	}
	return ""
}

// deadReferences returns what the Markdown files below root, docs/log apart, name and no Go file declares.
func deadReferences(root string, declared map[string][]string) ([]string, error) {
	var wrong []string
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, file)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && (skipped(file, entry.Name()) || filepath.ToSlash(relative) == "docs/log"):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".md":
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, match := range reference.FindAllStringSubmatch(string(data), -1) {
			if !slices.Contains(declared[match[1]], match[2]) {
				wrong = append(wrong, fmt.Sprintf("%s: %s is not there%s", filepath.ToSlash(relative), match[0], foundAt(declared, match[2])))
			}
		}
		return nil
	})
	return wrong, err
}

// foundAt returns where a name is declared, for a message.
func foundAt(declared map[string][]string, name string) string {
	if name == "" {
		return ""
	}
	for _, file := range sortedKeys(declared) {
		for _, n := range declared[file] {
			if n == name || strings.HasSuffix(n, "."+name) {
				return fmt.Sprintf("; did you mean `%s:%s`?", file, n)
			}
		}
	}
	return ""
}

func TestDeadReferences(t *testing.T) {
	root := t.TempDir()
	writeFiles(t, root, map[string]string{
		"a/a.go":        "package a\n\ntype T[V any] struct{}\n\nfunc (t *T[V]) Run() {}\n\nfunc (T2) Go() {}\n\nvar v, w int\n",
		"a/b.go":        "package a\n\ntype T2 struct{}\n",
		"README.md":     "`a/a.go` `a/a.go:T.Run` `a/a.go:T2.Go` `a/a.go:w` `a/b.go:T2` `make x.go`",
		"docs/d.md":     "`a/c.go` `a/a.go:T2` `a/b.go:Run` `a/b.go:None`",
		"docs/log/d.md": "`a/c.go`",
	})
	declared, err := declarations(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := deadReferences(root, declared)
	want := []string{
		"docs/d.md: `a/c.go` is not there",
		"docs/d.md: `a/a.go:T2` is not there; did you mean `a/b.go:T2`?",
		"docs/d.md: `a/b.go:Run` is not there; did you mean `a/a.go:T.Run`?",
		"docs/d.md: `a/b.go:None` is not there",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got  %q, %v\nwant %q", got, err, want)
	}
}
