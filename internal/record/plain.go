package record

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"quintune/board"
	"quintune/internal/text"
)

// readPlain reads moves in pos notation, blanks and line ends between them or not; # begins a
// comment of the rest of a line.
func readPlain(data []byte, c Conditions) ([]Game, error) {
	g := Game{Size: c.Size, Rule: c.Rule}
	for i, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, "#")
		cells, err := board.ParseMoves(line)
		if err != nil {
			return nil, atLine(i+1, err)
		}
		for _, cell := range cells {
			if !cell.On(c.Size) {
				return nil, atLine(i+1, fmt.Errorf("%v is outside the board of size %d", cell, c.Size))
			}
			g.Moves = append(g.Moves, Move{Cell: cell})
		}
	}
	return g.alone()
}

func writePlain(to *bytes.Buffer, g *Game) error {
	to.WriteString(board.FormatMoves(g.Cells()))
	to.WriteByte('\n')
	return nil
}

var pair = regexp.MustCompile(`^\s*(-?\d{1,3})\s*,\s*(-?\d{1,3})\s*(?:,|$)`)

// offsets returns the pairs dx, dy of a line: "1,-2, 0,3".
func offsets(line string) ([][2]int, error) {
	var list [][2]int
	for rest := strings.TrimSpace(line); rest != ""; {
		parts := pair.FindStringSubmatch(rest)
		if parts == nil {
			return nil, fmt.Errorf("%.20q is not a pair dx,dy", rest)
		}
		dx, _ := strconv.Atoi(parts[1])
		dy, _ := strconv.Atoi(parts[2])
		list = append(list, [2]int{dx, dy})
		rest = strings.TrimSpace(rest[len(parts[0]):])
	}
	return list, nil
}

// Centred returns the cells of a line in Gomocup's notation of openings: pairs dx,dy of columns and rows counted from the
// centre, size/2.
func Centred(line string, size int) ([]board.Cell, error) {
	list, err := offsets(line)
	if err != nil {
		return nil, err
	}
	cells := make([]board.Cell, len(list))
	for i, d := range list {
		x, y := d[0]+size/2, d[1]+size/2
		if x < 0 || y < 0 || x >= size || y >= size {
			return nil, fmt.Errorf("%d,%d is outside the board of size %d", d[0], d[1], size)
		}
		cells[i] = board.At(x, y)
	}
	return cells, nil
}

// readOffsets reads Gomocup's openings: columns and rows counted from the centre, size/2.
func readOffsets(data []byte, c Conditions) ([]Game, error) {
	g := Game{Size: c.Size, Rule: c.Rule}
	for i, line := range strings.Split(string(data), "\n") {
		cells, err := Centred(line, c.Size)
		if err != nil {
			return nil, atLine(i+1, err)
		}
		for _, cell := range cells {
			g.Moves = append(g.Moves, Move{Cell: cell})
		}
	}
	g.Opening = len(g.Moves)
	return g.alone()
}

// recSize is the board of Gomotur.
const recSize = 20

// readRec reads a game of Gomotur: two names, then moves as x,y,ms from 0. Piskvork writes such files too, with the number
// of the error that ended the game as the last line.
func readRec(data []byte, c Conditions) ([]Game, error) {
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	if len(lines) < 2 {
		return nil, atLine(len(lines), fmt.Errorf("the names of both players are missing"))
	}
	g := Game{Size: recSize, Rule: c.Rule}
	g.Players = [2]string{text.Line(lines[0], MaxName), text.Line(lines[1], MaxName)}
	rest, err := g.readMoveLines(lines, 2, 0)
	if err != nil {
		return nil, err
	}
	ended := false
	for i, line := range lines[rest:] {
		switch line = strings.TrimSpace(line); {
		case line == "":
		case !ended && psqCode.MatchString(line):
			g.endBy(line)
			ended = true
		default:
			return nil, atLine(rest+i+1, fmt.Errorf("%.40q is neither a move x,y,ms nor the number of an error", line))
		}
	}
	return g.alone()
}
