package arch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestArrows(t *testing.T) {
	root := filepath.Join("..", "..")
	sources, err := readTree(root)
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range quintune().check(sources, string(document)) {
		t.Error(wrong)
	}
}

// invented is a small house: base → top → cmd/app, and two rooms beside it.
func invented() house {
	return house{
		rooms: []room{
			{path: "base"},
			{path: "top", from: []string{"base"}},
			{path: "internal/side", from: []string{"base"}},
			{path: "internal/heavy"},
			{path: "blind", blind: true},
			{path: "cmd/app", from: []string{"top"}},
		},
		bans:  []ban{{from: "cmd/app", to: "internal/heavy"}},
		words: []string{"util"},
	}
}

// inventedRows is the table of rooms of a tree that holds base, top and cmd/app.
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
		name  string
		files map[string]string // added to the tree in which nothing is wrong
		rows  string            // added to its table of rooms
		want  []string
	}{
		{name: "nothing wrong"},
		{
			name:  "arrow backwards",
			files: map[string]string{"base/more.go": "package base\n\nimport _ \"example.org/app/top\"\n"},
			want:  []string{"base/more.go: base must not import top"},
		},
		{
			name:  "arrow backwards behind a build constraint",
			files: map[string]string{"base/more.go": "//go:build never\n\npackage base\n\nimport _ \"example.org/app/top\"\n"},
			want:  []string{"base/more.go: base must not import top"},
		},
		{
			name:  "import of the root",
			files: map[string]string{"top/more.go": "package top\n\nimport _ \"example.org/app\"\n"},
			want:  []string{"top/more.go: top must not import ."},
		},
		{
			name:  "undeclared room",
			files: map[string]string{"extra/extra.go": "package extra\n"},
			want: []string{
				"extra/extra.go: extra is not declared as a room",
				"docs/architecture.md has no row for extra",
			},
		},
		{
			name:  "test in the package against the arrows",
			files: map[string]string{"base/base_test.go": "package base\n\nimport _ \"example.org/app/internal/side\"\n"},
			want:  []string{"base/base_test.go: base must not import internal/side"},
		},
		{
			name:  "external test with an internal room and its own",
			files: map[string]string{"base/base_test.go": "package base_test\n\nimport (\n\t_ \"example.org/app/base\"\n\t_ \"example.org/app/internal/side\"\n)\n"},
		},
		{
			name:  "external test against the arrows",
			files: map[string]string{"base/base_test.go": "package base_test\n\nimport _ \"example.org/app/top\"\n"},
			want:  []string{"base/base_test.go: base must not import top"},
		},
		{
			name:  "external test of a blind room",
			files: map[string]string{"blind/blind_test.go": "package blind_test\n\nimport _ \"example.org/app/internal/side\"\n"},
			rows:  "| `blind` | x |\n",
			want:  []string{"blind/blind_test.go: blind must not import internal/side"},
		},
		{
			name: "ban broken on a detour",
			files: map[string]string{
				"top/more.go":             "package top\n\nimport _ \"example.org/app/internal/heavy\"\n",
				"internal/heavy/heavy.go": "package heavy\n",
			},
			rows: "| `internal/heavy` | x |\n",
			want: []string{"top/more.go: top must not import internal/heavy", "cmd/app links internal/heavy"},
		},
		{
			name:  "ban kept: only a test imports it",
			files: map[string]string{"top/top_test.go": "package top_test\n\nimport _ \"example.org/app/internal/heavy\"\n"},
		},
		{
			name:  "package named after nothing",
			files: map[string]string{"top/util/strings.go": "package strings\n"},
			want: []string{
				"top/util/strings.go: top/util is not declared as a room",
				"top/util/strings.go: util is no name for a package",
				"docs/architecture.md has no row for top/util",
			},
		},
		{
			name:  "package clause named after nothing",
			files: map[string]string{"base/more.go": "package util\n"},
			want:  []string{"base/more.go: util is no name for a package"},
		},
		{
			name:  "room without a row",
			files: map[string]string{"internal/side/side.go": "package side\n"},
			want:  []string{"docs/architecture.md has no row for internal/side"},
		},
		{
			name: "row without a room",
			rows: "| `internal/side` | x |\n| `elsewhere` | x |\n",
			want: []string{"docs/architecture.md has a row for elsewhere, which is no room"},
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
			got := invented().check(sources, inventedRows+test.rows)
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestDeclaration(t *testing.T) {
	tests := []struct {
		name  string
		rooms []room
		want  []string
	}{
		{"chain", []room{{path: "a"}, {path: "b", from: []string{"a"}}}, nil},
		{
			"no such room",
			[]room{{path: "a", from: []string{"b"}}},
			[]string{"a: declared arrow from b, which is no room"},
		},
		{
			"circle",
			[]room{{path: "a", from: []string{"b"}}, {path: "b", from: []string{"a"}}},
			[]string{"a: declared arrows run in a circle", "b: declared arrows run in a circle"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := (house{rooms: test.rooms}).declaration(); !slices.Equal(got, test.want) {
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
