// Package text writes text for people: text of foreign origin made safe to show, numbers, intervals.
package text

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Printable returns the text with "?" for each rune that is not printable and each byte that is not UTF-8, so that it
// cannot move a cursor, colour a screen or turn the direction of writing.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return '?'
	}, text)
}

// Short returns the text as Printable does, cut to at most limit bytes; a text that was cut ends in "...".
func Short(text string, limit int) string {
	text = Printable(text)
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit-len("...")], "") + "..."
	}
	return text
}

// Ends is Short for a text that may differ from others at its end, as paths do: "..." stands for its middle.
func Ends(text string, limit int) string {
	text = Printable(text)
	if len(text) <= limit {
		return text
	}
	const mark = "..."
	first := (limit - len(mark)) / 3
	last := limit - len(mark) - first
	return strings.ToValidUTF8(text[:first], "") + mark + strings.ToValidUTF8(text[len(text)-last:], "")
}

// Line returns the text as one line of at most limit bytes of valid UTF-8: white space becomes a blank, other runes
// that are not printable are dropped, blanks at both ends are trimmed.
func Line(text string, limit int) string {
	return clean(text, limit, func(rune) bool { return false })
}

// Lines is Line for several lines: line feeds are kept, other line ends become line feeds.
func Lines(text string, limit int) string {
	text = strings.NewReplacer("\r\n", "\n", "\n\r", "\n", "\r", "\n").Replace(text)
	return clean(text, limit, func(r rune) bool { return r == '\n' })
}

// clean is Line; runes for which keep reports true stay as they are.
func clean(text string, limit int, keep func(rune) bool) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case keep(r), r != ' ' && unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return -1
	}, strings.ToValidUTF8(text, "?")))
	if len(text) > limit {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:limit], ""))
	}
	return text
}

// ASCII returns the first limit bytes of the text as one line of printable ASCII: tabs become blanks, each other byte
// or rune becomes "?".
func ASCII(text string, limit int) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r > '~':
			return '?'
		}
		return r
	}, text[:min(len(text), limit)])
}

// Time returns the time of the local clock to the minute, with its zone.
func Time(at time.Time) string { return at.Local().Format("2006-01-02 15:04 MST") }

// Thousands returns a count with a comma before every three digits: 1,234,567.
func Thousands[N int | int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	least := 0
	if n < 0 {
		least = 1
	}
	for i := len(digits) - 3; i > least; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Signed returns a number rounded to a whole one with its sign, 0 without one: +12, −3.
func Signed(v float64) string {
	whole := math.Round(v)
	if whole == 0 {
		return "0"
	}
	return Minus(fmt.Sprintf("%+.0f", whole))
}

// Minus returns the text with a minus sign for each hyphen, as numbers in running text have it.
func Minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// Interval returns an estimate with its bounds, rounded to whole numbers: +52 [+30, +75].
func Interval(v, low, high float64) string {
	return fmt.Sprintf("%s [%s, %s]", Signed(v), Signed(low), Signed(high))
}

// Elo returns an Elo difference with its bounds, to one decimal: +52.0 Elo [+30.1, +75.2].
func Elo(v, low, high float64) string { return estimate(v, " Elo", low, high) }

// EloCell is Elo without the unit, for a column that names it: +52.0 [+30.1, +75.2].
func EloCell(v, low, high float64) string { return estimate(v, "", low, high) }

func estimate(v float64, unit string, low, high float64) string {
	return fmt.Sprintf("%+.1f%s [%+.1f, %+.1f]", rounded(v, 10), unit, rounded(low, 10), rounded(high, 10))
}

// Hundredths returns a number with two decimals, and never -0.00.
func Hundredths(v float64) string { return fmt.Sprintf("%.2f", rounded(v, 100)) }

// rounded rounds to parts of one, and never to −0.
func rounded(v, parts float64) float64 { return math.Round(parts*v)/parts + 0 }

// Plural returns a count with its noun: 1 game, 2 games.
func Plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// IsTerminal reports whether a reader or a writer is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// CanDraw reports whether a stream is a terminal on which the cursor can be moved.
func CanDraw(stream any) bool { return IsTerminal(stream) && os.Getenv("TERM") != "dumb" }

// plainArgument are the characters that no shell takes for anything but themselves.
const plainArgument = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@"

// CommandLine joins arguments to a line for a shell, quoted where they need it.
func CommandLine(args ...string) string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = a
		if a == "" || strings.Trim(a, plainArgument) != "" {
			list[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(list, " ")
}

// Table sets rows of the same number of cells in columns with two blanks between. Columns that left reports are set flush
// left, the others flush right. Lines have no blanks at their end.
func Table(rows [][]string, left func(column int) bool) string {
	var b strings.Builder
	if len(rows) == 0 {
		return ""
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], ansi.StringWidth(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			space := strings.Repeat(" ", width[i]-ansi.StringWidth(cell))
			if left(i) {
				line.WriteString(cell + space + "  ")
			} else {
				line.WriteString(space + cell + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
