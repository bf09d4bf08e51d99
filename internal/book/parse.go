package book

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"quintune/board"
	"quintune/internal/record"
	"quintune/pattern"
)

// MaxLine bounds the length of a line of a book, in bytes. No game is as long.
const MaxLine = 4096

// MaxOpenings is the most openings that Parse reads.
const MaxOpenings = 1 << 20

// DefaultCount is the number of openings to make where none are embedded.
const DefaultCount = 2000

// CountFor returns the number of openings to make for a match where none are embedded: about eight for each
// pair, since one in four is for matches.
func CountFor(pairs int) int { return min(max(DefaultCount, 8*pairs), MaxOpenings) }

// Parse reads a book: one opening a line, Black first, in pos notation, such as h8i9g7, or in Gomocup's, such as
// "0,0, 1,1, -1,-1"; see record.Centred. Blank lines and lines that begin with # are skipped. name is what errors call the input.
//
// A line that is longer than MaxLine, has a cell off the board or an occupied one, ends the game or goes
// on after its end, or repeats an earlier line's position under the symmetries is an error that
// names input, line and reason; so is an input without openings.
func Parse(r io.Reader, name string, rule pattern.Rule, size int) (*Book, error) {
	position, err := board.New(size, rule)
	if err != nil {
		return nil, fmt.Errorf("book: %s: %w", name, err)
	}
	b := &Book{Rule: rule, Size: size}
	lines := map[uint64]int{} // number of the line by key
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, MaxLine), MaxLine+len("\r\n"))
	number := 0
	for scanner.Scan() {
		number++
		line := scanner.Bytes()
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // the byte-order mark that Windows programs begin with
		}
		if len(line) > MaxLine {
			return nil, tooLong(name, number)
		}
		text := string(bytes.TrimSpace(line))
		if text == "" || text[0] == '#' {
			continue
		}
		if strings.Contains(text, "\r") {
			return nil, fmt.Errorf("book: %s line %d: a carriage return within the line; lines end with \\n or \\r\\n", name, number)
		}
		o, err := parseOpening(text, position)
		if err != nil {
			return nil, fmt.Errorf("book: %s line %d: %w", name, number, err)
		}
		if earlier, ok := lines[o.Key]; ok {
			return nil, fmt.Errorf("book: %s line %d: the same position as line %d", name, number, earlier)
		}
		if len(b.Openings) == MaxOpenings {
			return nil, fmt.Errorf("book: %s line %d: more than %d openings", name, number, MaxOpenings)
		}
		lines[o.Key] = number
		b.Openings = append(b.Openings, o)
	}
	switch err := scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, tooLong(name, number+1)
	case err != nil:
		return nil, fmt.Errorf("book: %s after line %d: %w", name, number, err)
	case len(b.Openings) == 0:
		return nil, fmt.Errorf("book: %s: no openings", name)
	}
	return b, nil
}

func tooLong(name string, line int) error {
	return fmt.Errorf("book: %s line %d: longer than %d bytes", name, line, MaxLine)
}

// Load reads the book in the file; see Parse, whose errors name the path.
func Load(path string, rule pattern.Rule, size int) (*Book, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("openings: %s is a folder: name one of its files", path)
	}
	return Parse(f, path, rule, size)
}

// parseMoves reads moves in either notation. That of Gomocup begins with a number, the other with a letter.
func parseMoves(text string, size int) ([]board.Cell, error) {
	if text[0] == '-' || text[0] >= '0' && text[0] <= '9' {
		return record.Centred(text, size)
	}
	return board.ParseMoves(text)
}

// parseOpening reads the opening of one line, and leaves the position after it on the board.
func parseOpening(text string, position *board.Board) (Opening, error) {
	moves, err := parseMoves(text, position.Size())
	if err != nil {
		return Opening{}, err
	}
	position.Reset()
	for i, m := range moves {
		if err := position.Legal(m); err != nil {
			return Opening{}, fmt.Errorf("move %d on a board of %d×%d: %w", i+1, position.Size(), position.Size(), err)
		}
		position.Play(m)
	}
	if position.Outcome() != board.Ongoing {
		return Opening{}, fmt.Errorf("the game is over: %s", position.Outcome())
	}
	return newOpening(moves, position.Size()), nil
}

// Write writes the openings one a line, as Parse reads them, after the header's lines as comments.
func (b *Book) Write(w io.Writer, header string) error {
	out := bufio.NewWriter(w)
	for line := range strings.Lines(header) {
		fmt.Fprintf(out, "# %s\n", strings.TrimSpace(line))
	}
	for _, o := range b.Openings {
		fmt.Fprintln(out, board.FormatMoves(o.Moves))
	}
	return out.Flush() // a bufio.Writer keeps its first error
}
