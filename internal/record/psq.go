package record

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/text"
	"quintune/pattern"
)

var (
	psqHead = regexp.MustCompile(`^Piskvorky (\d+)x(\d+), ?(-?\d+):(-?\d+), ?(-?\d+)\s*$`)
	psqMove = regexp.MustCompile(`^(\d+),(\d+)(?:,(\d+))?\s*$`)
	psqCode = regexp.MustCompile(`^-?\d{1,4}$`)
)

// maxMillis bounds the time of a move in files: 1000 hours.
const maxMillis = 3_600_000_000

// readPSQ reads a game of Piskvork: the head, moves as x,y,ms from 1, then, where it was a
// tournament, the two file names, Black's first, and the number of the error that ended the game.
func readPSQ(data []byte, c Conditions) ([]Game, error) {
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	head := psqHead.FindStringSubmatch(lines[0])
	if head == nil {
		return nil, atLine(1, fmt.Errorf("%.40q is not `Piskvorky WxH, a:b, h`", lines[0]))
	}
	if head[1] != head[2] {
		return nil, atLine(1, fmt.Errorf("the board is %.8s x %.8s, not square", head[1], head[2]))
	}
	g := Game{Rule: c.Rule}
	var err error
	if g.Size, err = checkedSize(head[1]); err != nil {
		return nil, atLine(1, err)
	}
	rest, err := g.readMoveLines(lines, 1, 1)
	if err != nil {
		return nil, err
	}
	if err := g.readPSQEnd(lines, rest); err != nil {
		return nil, err
	}
	return g.alone()
}

// readMoveLines reads lines x,y,ms, beginning with the line at the index. Columns and rows count from the origin. It
// returns the index of the first line that is not a move.
func (g *Game) readMoveLines(lines []string, from, origin int) (rest int, err error) {
	taken := map[board.Cell]int{}
	for i := from; i < len(lines); i++ {
		parts := psqMove.FindStringSubmatch(lines[i])
		if parts == nil {
			return i, nil
		}
		m, err := moveOf(parts, origin, g.Size)
		if err != nil {
			return 0, atLine(i+1, err)
		}
		if before, ok := taken[m.Cell]; ok {
			return 0, atLine(i+1, fmt.Errorf("%s is taken since line %d", strings.TrimSpace(lines[i]), before))
		}
		taken[m.Cell] = i + 1
		g.Moves = append(g.Moves, m)
	}
	return len(lines), nil
}

// moveOf returns the move of the matched parts x, y and ms.
func moveOf(parts []string, origin, size int) (Move, error) {
	var xy [2]int
	for i, axis := range [2]string{"x", "y"} {
		v, err := strconv.Atoi(parts[i+1])
		if err != nil || v < origin || v > size-1+origin {
			return Move{}, fmt.Errorf("%s is %.20s, outside [%d, %d]", axis, parts[i+1], origin, size-1+origin)
		}
		xy[i] = v - origin
	}
	m := Move{Cell: board.At(xy[0], xy[1])}
	if parts[3] != "" {
		ms, err := strconv.ParseInt(parts[3], 10, 64)
		if err != nil || ms > maxMillis {
			return Move{}, fmt.Errorf("the time is %.20s ms, outside [0, %d]", parts[3], int64(maxMillis))
		}
		m.Time = time.Duration(ms) * time.Millisecond
	}
	return m, nil
}

// readPSQEnd reads what follows the moves, the lines from the index on: nothing, a number, or two
// names and a number; then, in files of newer Piskvorks, the winner and the rule. What they put
// behind is skipped. Moves there mean that the line before them is broken.
func (g *Game) readPSQEnd(lines []string, from int) error {
	end := lines[from:]
	for i, line := range end {
		if i > 0 && psqMove.MatchString(line) {
			return atLine(from+1, fmt.Errorf("%.40q is not a move x,y,ms, but moves follow it", lines[from]))
		}
	}
	for len(end) > 0 && strings.TrimSpace(end[len(end)-1]) == "" {
		end = end[:len(end)-1]
	}
	if len(end) >= 2 && !psqCode.MatchString(strings.TrimSpace(end[0])) || len(end) >= 3 {
		g.Players = [2]string{text.Line(end[0], MaxName), text.Line(end[1], MaxName)}
		end, from = end[2:], from+2
	}
	if len(end) == 0 {
		return nil
	}
	text := strings.TrimSpace(end[0])
	if !psqCode.MatchString(text) {
		return atLine(from+1, fmt.Errorf("%.40q is neither a move x,y,ms nor the number of an error", text))
	}
	g.endBy(text)
	if len(end) > 1 {
		_, name, _ := strings.Cut(end[1], ",")
		if rule, err := pattern.ParseRule(strings.ToLower(strings.TrimSpace(name))); err == nil {
			g.Rule = rule
		}
	}
	return nil
}

// endBy takes outcome and reason from the number of an error, which the side to move has made; 0 and less are none.
func (g *Game) endBy(number string) {
	if code, _ := strconv.Atoi(number); code > 0 {
		g.Outcome = board.WinFor(Colour(len(g.Moves)).Other())
		g.Reason = psqReasons[code]
	}
}

func writePSQ(to *bytes.Buffer, g *Game) error {
	fmt.Fprintf(to, "Piskvorky %dx%d, 11:11, 0\r\n", g.Size, g.Size)
	for _, m := range g.Moves {
		fmt.Fprintf(to, "%d,%d,%d\r\n", m.Cell.X()+1, m.Cell.Y()+1, m.Time.Milliseconds())
	}
	for _, name := range g.Players {
		name = text.Line(name, MaxName)
		if psqMove.MatchString(name) {
			name = " " + name // no move
		}
		to.WriteString(name + "\r\n")
	}
	code := 0
	if g.Outcome == board.WinFor(Colour(len(g.Moves)).Other()) {
		code = psqCodes[g.Reason]
	}
	fmt.Fprintf(to, "%d\r\n", code)
	return nil
}

// checkedSize returns the size of a board, or an error that names the bounds.
func checkedSize(text string) (int, error) {
	size, err := strconv.Atoi(text)
	if err != nil || size < board.MinSize || size > board.MaxSize {
		return 0, fmt.Errorf("the size is %.20s, outside [%d, %d]", text, board.MinSize, board.MaxSize)
	}
	return size, nil
}
