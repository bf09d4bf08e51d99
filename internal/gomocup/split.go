package gomocup

import (
	"errors"
	"fmt"
	"strings"
)

// SplitCommand cuts a command line into the program and its arguments, without a shell. Blanks
// separate; single or double quotes keep blanks together and may stand anywhere in a word; inside
// one kind of quote the other is an ordinary character, and so is the backslash everywhere, as
// paths of Windows want it. Nothing is expanded.
func SplitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	flush := func() {
		if inWord {
			words = append(words, word.String())
			word.Reset()
			inWord = false
		}
	}
	for _, r := range line {
		switch {
		case r == 0:
			return nil, errors.New("command line holds a zero byte")
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n' || r == '\r'):
			flush()
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("command line %q has an open %c", line, quote)
	}
	flush()
	if len(words) == 0 || words[0] == "" {
		return nil, fmt.Errorf("command line %q names no program", line)
	}
	return words, nil
}
