package record

import (
	"strings"
	"unicode"
)

// cleanLine returns the text as one line: blanks for white space, printable characters alone, at
// most limit bytes of valid UTF-8, no blanks around it.
func cleanLine(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return printable(r)
	}, strings.ToValidUTF8(text, "?"))
	return cut(strings.TrimSpace(text), limit)
}

// cleanText is cleanLine for several lines.
func cleanText(text string, limit int) string {
	text = strings.NewReplacer("\r\n", "\n", "\n\r", "\n", "\r", "\n").Replace(strings.ToValidUTF8(text, "?"))
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return printable(r)
	}, text)
	return cut(strings.TrimSpace(text), limit)
}

// printable returns the rune, or -1, which drops it, when it moves a cursor or turns a direction.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return -1
}

// cut returns at most limit bytes of the text, whole characters, without blanks at the end.
func cut(text string, limit int) string {
	if len(text) > limit {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:limit], ""))
	}
	return text
}
