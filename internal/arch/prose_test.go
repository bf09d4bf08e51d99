package arch

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	meanSentence    = 20 // words of a page's sentences, on average, are fewer
	longestSentence = 40 // words
)

var (
	inlineCode = regexp.MustCompile("`[^`]*`")
	comment    = regexp.MustCompile(`(?s)<!--.*?-->`)
	link       = regexp.MustCompile(`\]\([^)]*\)`)
	listItem   = regexp.MustCompile(`^\s*([-*+]|\d+\.)\s`)
	sentence   = regexp.MustCompile(`[.!?]["')*\]]*(\s|$)`)
)

func TestProse(t *testing.T) {
	err := walkFiles(filepath.Join("..", ".."), []string{".md"}, func(file string, data []byte) error {
		if strings.HasPrefix(file, "docs/log/") {
			return nil
		}
		for _, wrong := range checkProse(file, string(data)) {
			t.Error(wrong)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// checkProse returns the sentences of a page that are too long, and the page if they are long on average.
func checkProse(file, text string) []string {
	var wrong []string
	words, sentences := 0, 0
	for _, s := range splitSentences(text) {
		n := len(strings.Fields(s))
		words += n
		sentences++
		if n > longestSentence {
			wrong = append(wrong, fmt.Sprintf("%s: a sentence of %d words, at most %d: %s", file, n, longestSentence, s))
		}
	}
	if words >= meanSentence*sentences && sentences > 0 {
		wrong = append(wrong, fmt.Sprintf("%s: %.1f words a sentence, fewer than %d wanted", file, float64(words)/float64(sentences), meanSentence))
	}
	return wrong
}

// splitSentences returns the sentences of a Markdown page without its code, tables, headings and comments.
func splitSentences(text string) []string {
	var paragraphs []string
	var paragraph []string
	end := func() {
		paragraphs = append(paragraphs, strings.Join(paragraph, " "))
		paragraph = nil
	}
	fenced := false
	for line := range strings.Lines(comment.ReplaceAllString(text, "")) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
			end()
		case fenced:
		case trimmed == "", trimmed[0] == '|', trimmed[0] == '#', len(paragraph) == 0 && strings.HasPrefix(line, "    "):
			end()
		case listItem.MatchString(line):
			end()
			paragraph = append(paragraph, listItem.ReplaceAllString(trimmed, ""))
		default:
			paragraph = append(paragraph, trimmed)
		}
	}
	end()
	var sentences []string
	for _, p := range paragraphs {
		p = link.ReplaceAllString(inlineCode.ReplaceAllString(p, "code"), "]")
		for _, s := range sentence.Split(p, -1) {
			if s = strings.TrimSpace(s); s != "" {
				sentences = append(sentences, s)
			}
		}
	}
	return sentences
}

func TestSplitSentences(t *testing.T) {
	const page = "# A heading. Not a sentence\n\nOne sentence\nof `two. words` and [a link](x.md). Two!\n\n- an item\n- another\n  on two lines\n\n" +
		"```sh\nnot. this.\n```\n\n    nor. this\n\n| nor | this. |\n\n<!-- nor\nthis. -->\nVersion 1.26 (see it.) Last\n"
	want := []string{"One sentence of code and [a link]", "Two", "an item", "another on two lines", "Version 1.26 (see it", "Last"}
	if got := splitSentences(page); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestCheckProse(t *testing.T) {
	tests := []struct {
		name, text string
		want       int
	}{
		{"short", "One two three.", 0},
		{"long", strings.Repeat("word ", 41) + ". A. B. C.", 1},
		{"long on average", strings.Repeat("word ", 20) + ".", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := checkProse("a.md", test.text); len(got) != test.want {
				t.Errorf("got %q, want %d lines", got, test.want)
			}
		})
	}
}
