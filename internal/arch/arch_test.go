package arch

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTree(t *testing.T) {
	root := filepath.Join("..", "..")
	sources, err := readTree(root)
	if err != nil {
		t.Fatal(err)
	}
	imports, err := os.ReadFile("imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range quintune(string(imports)).check(sources, string(document)) {
		t.Error(wrong)
	}
}

// inventedImports is the list of the tree in which nothing is wrong.
const inventedImports = `# a comment

cmd/app imports base
cmd/app imports top
top imports base
`

// invented returns rules for small trees, with imports as their list.
func invented(imports string) rules {
	return rules{
		imports: imports,
		bans:    []ban{{from: "cmd/app", to: "heavy"}},
		blind:   []string{"blind"},
		names:   []string{"util"},
	}
}

// inventedRows is the table of packages of a tree that holds base, top and cmd/app.
const inventedRows = "| `base` | x |\n| `top` | x |\n| `cmd/app` | x |\n"

// inventedFiles returns a tree in which nothing is wrong.
func inventedFiles() map[string]string {
	return map[string]string{
		"go.mod":              "module example.org/app\n\ngo 1.26\n",
		"base/base.go":        "package base\n\nimport \"fmt\"\n\nvar _ = fmt.Sprint\n",
		"top/top.go":          "package top\n\nimport _ \"example.org/app/base\"\n",
		"cmd/app/main.go":     "package main\n\nimport (\n\t_ \"example.org/app/base\"\n\t_ \"example.org/app/top\"\n)\n",
		"top/testdata/no.go":  "package util\n",
		".hidden/no.go":       "package util\n",
		"_old/no.go":          "package util\n",
		"nested/go.mod":       "module example.org/nested\n",
		"nested/util/util.go": "package util\n",
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name    string
		files   map[string]string // added to the tree in which nothing is wrong
		imports string            // takes the place of its list
		rows    string            // added to its table of packages
		want    []string
	}{
		{name: "nothing wrong"},
		{
			name:  "import that is not listed",
			files: map[string]string{"top/more.go": "package top\n\nimport _ \"example.org/app/cmd/app\"\n"},
			want:  []string{`imports.txt: add the line "top imports cmd/app" if top/more.go is right to`},
		},
		{
			name:  "import that is not listed behind a build constraint",
			files: map[string]string{"base/more.go": "//go:build never\n\npackage base\n\nimport _ \"example.org/app/top\"\n"},
			want:  []string{`imports.txt: add the line "base imports top" if base/more.go is right to`},
		},
		{
			name:  "import of the root",
			files: map[string]string{"top/more.go": "package top\n\nimport _ \"example.org/app\"\n"},
			want:  []string{`imports.txt: add the line "top imports ." if top/more.go is right to`},
		},
		{
			name:    "listed and not imported",
			imports: "base imports top\n" + inventedImports,
			want:    []string{`imports.txt: remove the line "base imports top", no file does`},
		},
		{
			name:    "out of order and twice",
			imports: "top imports base\ncmd/app imports base\ncmd/app imports top\ncmd/app imports top\n",
			want: []string{
				`imports.txt: "cmd/app imports base" belongs before "top imports base"`,
				`imports.txt: "cmd/app imports top" belongs before "cmd/app imports top"`,
			},
		},
		{
			name:  "imports of a test, its own package apart",
			files: map[string]string{"base/base_test.go": "package base_test\n\nimport (\n\t_ \"example.org/app/base\"\n\t_ \"example.org/app/top\"\n)\n"},
			want:  []string{`imports.txt: add the line "base tests import top" if base/base_test.go is right to`},
		},
		{
			name:    "a test does not use the line of the product",
			files:   map[string]string{"base/base_test.go": "package base\n\nimport _ \"example.org/app/top\"\n"},
			imports: "base imports top\n" + inventedImports,
			want: []string{
				`imports.txt: add the line "base tests import top" if base/base_test.go is right to`,
				`imports.txt: remove the line "base imports top", no file does`,
			},
		},
		{
			name: "package for tests in the product",
			files: map[string]string{
				"basetest/b.go":    "package basetest\n\nimport _ \"example.org/app/toptest\"\n",
				"toptest/t.go":     "package toptest\n",
				"top/more.go":      "package top\n\nimport _ \"example.org/app/basetest\"\n",
				"top/more_test.go": "package top\n\nimport _ \"example.org/app/basetest\"\n",
			},
			imports: "basetest imports toptest\n" + inventedImports + "top imports basetest\ntop tests import basetest\n",
			rows:    "| `basetest` | x |\n| `toptest` | x |\n",
			want:    []string{"top/more.go: only tests may import basetest"},
		},
		{
			name:    "test of a blind package",
			files:   map[string]string{"blind/blind_test.go": "package blind_test\n\nimport _ \"example.org/app/base\"\n"},
			imports: "blind tests import base\n" + inventedImports,
			rows:    "| `blind` | x |\n",
			want:    []string{"blind/blind_test.go: blind must know nothing of base"},
		},
		{
			name: "ban broken on a detour",
			files: map[string]string{
				"top/more.go":    "package top\n\nimport _ \"example.org/app/heavy\"\n",
				"heavy/heavy.go": "package heavy\n",
			},
			imports: inventedImports + "top imports heavy\n",
			rows:    "| `heavy` | x |\n",
			want:    []string{"cmd/app must not link heavy"},
		},
		{
			name: "ban kept: only a test imports it",
			files: map[string]string{
				"top/top_test.go": "package top_test\n\nimport _ \"example.org/app/heavy\"\n",
				"heavy/heavy.go":  "package heavy\n",
			},
			imports: inventedImports + "top tests import heavy\n",
			rows:    "| `heavy` | x |\n",
		},
		{
			name:  "folder with a name that tells nothing",
			files: map[string]string{"top/util/strings.go": "package strings\n"},
			rows:  "| `top/util` | x |\n",
			want:  []string{"top/util/strings.go: do not name a package util"},
		},
		{
			name:  "package clause with a name that tells nothing",
			files: map[string]string{"base/more.go": "package util\n"},
			want:  []string{"base/more.go: do not name a package util"},
		},
		{
			name:  "package without a row",
			files: map[string]string{"side/side.go": "package side\n"},
			want:  []string{"docs/architecture.md: add a row for side"},
		},
		{
			name: "row without a package",
			rows: "| `elsewhere` | x |\n",
			want: []string{"docs/architecture.md: remove the row of elsewhere, which is not a package"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			writeFiles(t, root, inventedFiles())
			writeFiles(t, root, test.files)
			sources, err := readTree(root)
			if err != nil {
				t.Fatal(err)
			}
			rules := invented(cmp.Or(test.imports, inventedImports))
			if got := rules.check(sources, inventedRows+test.rows); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestReadTreeErrors(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
	}{
		{"no go.mod", map[string]string{"a/a.go": "package a\n"}},
		{"no module line", map[string]string{"go.mod": "go 1.26\n"}},
		{"no package clause", map[string]string{"go.mod": "module m\n", "a/a.go": "func\n"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			writeFiles(t, root, test.files)
			if sources, err := readTree(root); err == nil {
				t.Errorf("readTree returned %v and no error", sources)
			}
		})
	}
}

// writeFiles writes files, keyed by path, below root.
func writeFiles(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
