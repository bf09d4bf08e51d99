package tutorial

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the top of the source tree.
var root = filepath.Join("..", "..")

// pages are the pages whose commands are run, in this order.
var pages = []string{"README.md", "docs/first-night.md", "docs/enter-gomocup.md", "docs/your-engine.md", "docs/openings.md", "docs/puzzles.md", "docs/add-a-weight.md"}

// shown are the languages of blocks that are there to be read; blocks of commands are sh.
var shown = []string{"text", "diff", "go", "json", "yaml"}

// block is a block of commands.
type block struct {
	line     int    // of the fence, from 1
	commands string // as CI runs them
}

// change is a text of the page and the text that CI runs in its place.
type change struct{ from, to string }

// comment matches a line with such a change.
var comment = regexp.MustCompile(`^<!-- test: (.+) => (.*) -->$`)

// parse returns the blocks of commands of a page. Commands that would never run are errors: blocks without a language
// or in one of another name, indented blocks, and replacements that fit nothing.
func parse(page string) ([]block, error) {
	var blocks []block
	var changes []change
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		language, fence := strings.CutPrefix(line, "```")
		match := comment.FindStringSubmatch(line)
		switch {
		case fence:
			end := slices.Index(lines[i+1:], "```")
			if end < 0 {
				return nil, fmt.Errorf("line %d: the block does not end", i+1)
			}
			body := strings.Join(lines[i+1:i+1+end], "\n") + "\n"
			if language == "sh" {
				commands, err := changed(body, changes)
				if err != nil {
					return nil, fmt.Errorf("line %d: %w", i+1, err)
				}
				blocks, changes = append(blocks, block{i + 1, commands}), nil
			} else if !slices.Contains(shown, language) {
				return nil, fmt.Errorf("line %d: a block in %q is neither run (sh) nor only shown (%s)", i+1, language, strings.Join(shown, ", "))
			}
			i += end + 1
		case match != nil:
			changes = append(changes, change{match[1], match[2]})
			continue
		case strings.Contains(line, "<!-- test"):
			return nil, fmt.Errorf("line %d: %q is no `<!-- test: A => B -->`", i+1, line)
		case strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"):
			return nil, fmt.Errorf("line %d: an indented block is not run", i+1)
		}
		if changes != nil {
			return nil, fmt.Errorf("line %d: what CI runs instead must stand before a block of sh", i+1)
		}
	}
	if changes != nil {
		return nil, fmt.Errorf("the page ends with what CI runs instead")
	}
	return blocks, nil
}

// changed returns the commands after all changes, each of which must fit.
func changed(commands string, changes []change) (string, error) {
	for _, c := range changes {
		if !strings.Contains(commands, c.from) {
			return "", fmt.Errorf("the block has no %q", c.from)
		}
		commands = strings.ReplaceAll(commands, c.from, c.to)
	}
	return commands, nil
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, page string
		want       []block
		err        string
	}{
		{"no block", "# Title\n\ntext with `code`\n", nil, ""},
		{"two blocks", "a\n```sh\nmake\nls\n```\nb\n```sh\ntrue\n```\n", []block{{2, "make\nls\n"}, {7, "true\n"}}, ""},
		{"shown", "```text\n$ make\n```\n```diff\n+x\n```\n", nil, ""},
		{
			"changes", "<!-- test: 8h => 300games -->\n<!-- test: --web =>  -->\n```sh\ntune --budget 8h --web\n```\n",
			[]block{{3, "tune --budget 300games \n"}},
			"",
		},
		{"change is over", "<!-- test: a => b -->\n```sh\na\n```\n```sh\na\n```\n", []block{{2, "b\n"}, {5, "a\n"}}, ""},
		{"fence inside", "```sh\ncat <<'END'\n    indented\nEND\n```\n", []block{{1, "cat <<'END'\n    indented\nEND\n"}}, ""},
		{"no language", "```\nmake\n```\n", nil, `line 1: a block in ""`},
		{"another shell", "x\n```bash\nmake\n```\n", nil, `line 2: a block in "bash"`},
		{"indented", "Run\n\n    make\n", nil, "line 3: an indented block"},
		{"no end", "```sh\nmake\n", nil, "line 1: the block does not end"},
		{"change that fits nothing", "<!-- test: 8h => 1m -->\n```sh\nmake\n```\n", nil, `line 2: the block has no "8h"`},
		{"change before text", "<!-- test: 8h => 1m -->\nmake\n", nil, "line 2: what CI runs instead"},
		{"change before what is shown", "<!-- test: 8h => 1m -->\n```text\n8h\n```\n", nil, "line 4: what CI runs instead"},
		{"change at the end", "<!-- test: 8h => 1m -->", nil, "the page ends"},
		{"change without arrow", "<!-- test: 8h -->\n```sh\n8h\n```\n", nil, "line 1:"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parse(test.page)
			switch {
			case test.err != "":
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("%s: error %v, want %s", test.name, err, test.err)
				}
			case err != nil || !slices.Equal(got, test.want):
				t.Errorf("%s: %v (%v), want %v", test.name, got, err, test.want)
			}
		})
	}
}

// blocksOf returns the blocks of a page of the tree.
func blocksOf(t *testing.T, page string) []block {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := parse(string(data))
	if err != nil {
		t.Fatalf("%s: %v", page, err)
	}
	return blocks
}

// Every page can be read, has commands, and is linked from the README; and no other page promises that its commands are run.
func TestPages(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if len(blocksOf(t, page)) == 0 {
			t.Errorf("%s has no block of commands", page)
		}
		if page != "README.md" && !strings.Contains(string(readme), "("+page+")") {
			t.Errorf("README.md has no link to %s", page)
		}
	}
	all, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if page := "docs/" + filepath.Base(path); strings.Contains(string(data), "\n```sh\n") && !slices.Contains(pages, page) {
			t.Errorf("%s has blocks of sh, which are run in the pages %v alone", page, pages)
		}
	}
}
