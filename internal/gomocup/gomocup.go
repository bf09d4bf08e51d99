// Package gomocup speaks the Gomocup (pbrain, Piskvork) protocol over readers and writers: Serve
// is the engine's side, Client the manager's.
//
// Sources: the official text (plastovicka.github.io/protocl2en.htm), and where it is silent or
// contradicted the three managers in use: Piskvork, GomocupJudge and c-gomoku-cli. The Yixin
// extensions follow Kai Sun's paper and Yixin-Board.
package gomocup

import (
	"fmt"
	"strconv"
	"strings"

	"quintune/board"
	"quintune/pattern"
)

// ruleCodes is the value of INFO rule for [rule].
var ruleCodes = [pattern.NumRules]int{pattern.Freestyle: 0, pattern.Standard: 1, pattern.Renju: 4}

// foreignRules names the values of INFO rule that managers send and we do not play.
var foreignRules = map[int]string{
	2: "continuous game", 5: "freestyle with swap", 6: "freestyle with swap2",
	8: "caro", 9: "caro with exactly five",
}

// ruleOf returns the rule that an INFO rule value stands for, or an error with its name.
func ruleOf(code int) (pattern.Rule, error) {
	for rule, c := range ruleCodes {
		if c == code {
			return pattern.Rule(rule), nil
		}
	}
	if name, ok := foreignRules[code]; ok {
		return 0, fmt.Errorf("rule %d (%s) is not supported", code, name)
	}
	return 0, fmt.Errorf("rule %d is not supported", code)
}

// formatCell returns "x,y", both from 0.
func formatCell(c board.Cell) string {
	return strconv.Itoa(c.X()) + "," + strconv.Itoa(c.Y())
}

// parseInts reads count integers separated by commas, blanks around them allowed.
func parseInts(text string, count int) ([]int, error) {
	fields := strings.Split(text, ",")
	if len(fields) != count {
		return nil, fmt.Errorf("%.40q is not %d numbers with commas between", text, count)
	}
	values := make([]int, count)
	for i, field := range fields {
		v, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil {
			return nil, fmt.Errorf("%.40q is not a whole number", field)
		}
		values[i] = v
	}
	return values, nil
}

// cellAt returns the cell in column x and row y, or an error that names the board.
func cellAt(x, y, size int) (board.Cell, error) {
	if x < 0 || y < 0 || x >= size || y >= size {
		return board.NoCell, fmt.Errorf("%d,%d is outside the board of size %d", x, y, size)
	}
	return board.At(x, y), nil
}

// parseCell reads "x,y" as a cell of the board.
func parseCell(text string, size int) (board.Cell, error) {
	xy, err := parseInts(text, 2)
	if err != nil {
		return board.NoCell, err
	}
	return cellAt(xy[0], xy[1], size)
}

// cutWord returns the first word of a trimmed line and the rest without blanks around it.
func cutWord(line string) (word, rest string) {
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}
