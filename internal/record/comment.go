package record

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"quintune/internal/text"
)

// A comment of SGF begins with facts, one a line and in this order, where they are known; as
// c-gomoku-cli writes the first two:
//
//	opening move
//	120ms
//	score +35
//	win in 7 plies
//
// If the text after the facts looks like a fact, a line of two hyphens stands between them.

const (
	openingFact = "opening move"
	factsEnd    = "--"
)

// Facts after the first.
var (
	timeFact  = regexp.MustCompile(`^(\d{1,10})ms$`)
	scoreFact = regexp.MustCompile(`^score ([+-]\d{1,10})$`)
	winFact   = regexp.MustCompile(`^(win|loss) in (\d{1,4}) pl(?:y|ies)$`)
)

// maxWin bounds the plies to a proven end.
const maxWin = 9999

// maxFacts bounds the facts of a comment with their line ends, bytes: they have 66 at the most.
const maxFacts = 100

// readComment takes the facts of a comment and keeps the rest; it reports whether the move was part of
// the opening.
func (m *Move) readComment(comment string) (opening bool) {
	lines := strings.Split(text.Lines(comment, maxFacts+MaxComment), "\n")
	next := func() string {
		if len(lines) == 0 {
			return ""
		}
		return strings.TrimSpace(lines[0])
	}
	if opening = next() == openingFact; opening {
		lines = lines[1:]
	}
	if parts := timeFact.FindStringSubmatch(next()); parts != nil {
		if ms, _ := strconv.ParseInt(parts[1], 10, 64); ms <= maxMillis {
			m.Time = time.Duration(ms) * time.Millisecond
			lines = lines[1:]
		}
	}
	if parts := scoreFact.FindStringSubmatch(next()); parts != nil {
		if v, err := strconv.ParseInt(parts[1], 10, 32); err == nil {
			score := int32(v)
			m.Score = &score
			lines = lines[1:]
		}
	}
	if parts := winFact.FindStringSubmatch(next()); parts != nil {
		m.Win, _ = strconv.Atoi(parts[2])
		if parts[1] == "loss" {
			m.Win = -m.Win
		}
		lines = lines[1:]
	}
	if next() == factsEnd {
		lines = lines[1:]
	}
	m.Comment = text.Lines(strings.Join(lines, "\n"), MaxComment)
	return opening
}

// writeComment returns the comment of the move with its facts, "" where there are none.
func (m *Move) writeComment(opening bool) string {
	var facts []string
	if opening {
		facts = append(facts, openingFact)
	}
	if ms := m.Time.Milliseconds(); ms > 0 {
		facts = append(facts, fmt.Sprintf("%dms", ms))
	}
	if m.Score != nil {
		facts = append(facts, fmt.Sprintf("score %+d", *m.Score))
	}
	if m.Win != 0 {
		facts = append(facts, WinText(m.Win))
	}
	comment := text.Lines(m.Comment, MaxComment)
	if comment == "" {
		return strings.Join(facts, "\n")
	}
	if first, _, _ := strings.Cut(comment, "\n"); isFact(strings.TrimSpace(first)) {
		comment = factsEnd + "\n" + comment
	}
	return strings.Join(append(facts, comment), "\n")
}

// WinText returns the words for a proven end: win in 7 plies, loss in 8 plies.
func WinText(plies int) string {
	end, unit := "win", "plies"
	if plies < 0 {
		end, plies = "loss", -plies
	}
	if plies == 1 {
		unit = "ply"
	}
	return fmt.Sprintf("%s in %d %s", end, plies, unit)
}

func isFact(line string) bool {
	return line == openingFact || line == factsEnd || timeFact.MatchString(line) || scoreFact.MatchString(line) || winFact.MatchString(line)
}
