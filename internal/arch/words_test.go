package arch

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// phrases are not written in code, messages or documents, each with what to write instead.
var phrases = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\b(says?|said|tells?|told) (whether|if)\b`), "reports whether"},
	{regexp.MustCompile(`(?i)\b(so many|as many as)\b`), "n, the number of"},
	{regexp.MustCompile(`(?i)\bmeant is\b`), `did you mean "x"?`},
	{regexp.MustCompile(`(?i)\bof the moment\b`), "current"},
	{regexp.MustCompile(`(?i)\bin no more\b`), "stop accepting"},
	{regexp.MustCompile(`(?i)\bplain twins?\b`), "slow plain version"},
	{regexp.MustCompile(`(?i)\b(draws?|drew|drawn) (by )?lots?\b`), "chooses at random"},
	{regexp.MustCompile(`(?i)\bis no matter\b`), "does not matter"},
}

// noNoun matches "it is no number", which is written "it is not a number"; "there is no number" and
// "is no longer" are plain English.
var noNoun = regexp.MustCompile(`(?i)\b(\w+)[` + "`" + `"']? (?:is|are|was|were) no (\w+)`)

// comparatives may follow "is no".
var comparatives = []string{
	"better", "bigger", "earlier", "faster", "fewer", "greater", "higher", "larger", "later", "less", "longer", "lower", "matter",
	"more", "older", "shorter", "slower", "smaller", "stronger", "weaker", "worse",
}

// identifiers are not declared in the folder and below it, each with the word of the field.
var identifiers = []struct {
	folder string // "" for the whole module
	names  map[string]string
}{
	{"", map[string]string{
		"worsening": "improving", "barred": "isForbidden", "doubtful": "maybeForbidden", "cornered": "cannotBlockFive",
		"mayTrap": "maybeForbidden", "stoppers": "defenceCells",
		"liars": "quarantine", "convict": "quarantine", "reception": "membership", "pulse": "heartbeat",
		"forger": "faultinject", "crew": "executor", "faces": "ui", "goban": "tui", "rehearsal": "progresstest",
	}},
	{"internal/session", map[string]string{"TakeBack": "Undo", "PutForth": "Redo", "Sit": "SetPlayers", "Judge": "Eval"}},
	{"search", map[string]string{
		"pace": "timeManager", "patience": "timeManager", "worry": "fallingEvalFactor", "share": "stabilityFactor", "enough": "optimumTime", "reward": "update", "adjust": "applyBonus",
		"fade": "age", "obvious": "knownWin", "decided": "knownWin", "only": "findCell", "stop": "blockFive",
	}},
	{"pattern", map[string]string{"Line": "LineClass", "Cell": "CellClass"}},
	{"internal/cluster", map[string]string{"late": "stragglers", "beat": "heartbeat", "rest": "requeue", "honest": "faultinject"}},
	{"cmd/tune", map[string]string{"hold": "logBuffer"}},
	{"internal/ladder", map[string]string{"Terms": "TimeControl", "Under": "TimeControl", "outside": "external"}},
	{"internal/player", map[string]string{"Terms": "TimeControl", "Under": "TimeControl", "outside": "external"}},
}

// texts are the endings of files in which phrases are looked for. Released schemas (.sql) never change.
var texts = []string{".css", ".go", ".html", ".js", ".md", ".sh", ".yaml", ".yml"}

func TestWords(t *testing.T) {
	err := walkFiles(filepath.Join("..", ".."), texts, func(file string, data []byte) error {
		if strings.HasPrefix(file, "docs/log/") || file == "internal/arch/words_test.go" {
			return nil
		}
		for _, wrong := range checkPhrases(file, string(data)) {
			t.Error(wrong)
		}
		if path.Ext(file) == ".go" {
			wrong, err := checkIdentifiers(file, data)
			if err != nil {
				return err
			}
			for _, w := range wrong {
				t.Error(w)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// checkPhrases returns the phrases in a text that are not to be written.
func checkPhrases(file, text string) []string {
	var wrong []string
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		for _, p := range phrases {
			if found := p.pattern.FindString(line); found != "" {
				wrong = append(wrong, fmt.Sprintf("%s:%d: %q: write %q", file, n, found, p.instead))
			}
		}
		for _, found := range noNoun.FindAllStringSubmatch(line, -1) {
			if !strings.EqualFold(found[1], "there") && !slices.Contains(comparatives, strings.ToLower(found[2])) {
				wrong = append(wrong, fmt.Sprintf("%s:%d: %q: write \"is not (a) %s\"", file, n, found[0], found[2]))
			}
		}
	}
	return wrong
}

// checkIdentifiers returns the declarations of a Go file with a name that is not to be used there.
func checkIdentifiers(file string, source []byte) ([]string, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var wrong []string
	check := func(names ...*ast.Ident) {
		for _, name := range names {
			for _, list := range identifiers {
				if word, banned := list.names[name.Name]; banned && strings.HasPrefix(file, list.folder) {
					wrong = append(wrong, fmt.Sprintf("%s: %s: name it as the field does, such as %s", set.Position(name.Pos()), name.Name, word))
				}
			}
		}
	}
	check(parsed.Name)
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncDecl:
			check(n.Name)
		case *ast.TypeSpec:
			check(n.Name)
		case *ast.ValueSpec:
			check(n.Names...)
		case *ast.Field:
			check(n.Names...)
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if name, isIdent := left.(*ast.Ident); isIdent && n.Tok == token.DEFINE {
					check(name)
				}
			}
		}
		return true
	})
	return wrong, nil
}

func TestPhrases(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"plain", "f reports whether n is not a number; there is no file; it is no longer open", nil},
		{"whether", "// f says whether", []string{`a.go:1: "says whether": write "reports whether"`}},
		{"noun", "x\n\"y is no number\"", []string{`a.go:2: "y is no number": write "is not (a) number"`}},
		{"quoted noun", "\"%q is no file\"", []string{`a.go:1: "q is no file": write "is not (a) file"`}},
		{"count", "at most so many", []string{`a.go:1: "so many": write "n, the number of"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := checkPhrases("a.go", test.text); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestIdentifiers(t *testing.T) {
	tests := []struct {
		name, file, source string
		want               []string
	}{
		{"function", "a/a.go", "package a\n\nfunc barred() {}\n", []string{"a/a.go:3:6: barred: name it as the field does, such as isForbidden"}},
		{"local", "search/a.go", "package search\n\nfunc f() { pace := 1; _ = pace }\n", []string{"search/a.go:3:12: pace: name it as the field does, such as timeManager"}},
		{"elsewhere", "a/a.go", "package a\n\nvar pace int\n", nil},
		{"package", "a/goban/a.go", "package goban\n", []string{"a/goban/a.go:1:9: goban: name it as the field does, such as tui"}},
		{"use", "a/a.go", "package a\n\nvar _ = barred\n", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := checkIdentifiers(test.file, []byte(test.source))
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("got  %q, %v\nwant %q", got, err, test.want)
			}
		})
	}
}
