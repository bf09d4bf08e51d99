package record

import (
	"fmt"
	"strings"

	"quintune/board"
	"quintune/internal/text"
	"quintune/pattern"
)

// begin reads the properties of the first node that describe the whole game.
func (g *sgfGame) begin(node []sgfProperty) error {
	for _, p := range node {
		if err := g.rootProperty(p.name, p.values[0]); err != nil {
			return atLine(p.line, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	return nil
}

// sgfGomoku is the number of Gomoku and Renju in GM.
const sgfGomoku = "4"

func (g *sgfGame) rootProperty(name, value string) (err error) {
	switch name {
	case "GM":
		if strings.TrimSpace(value) != sgfGomoku {
			return fmt.Errorf("the game is number %.8q, not %s (Gomoku)", value, sgfGomoku)
		}
	case "SZ":
		width, height, two := strings.Cut(value, ":")
		if two && strings.TrimSpace(width) != strings.TrimSpace(height) {
			return fmt.Errorf("the board is %.20q, not square", value)
		}
		g.Size, err = checkedSize(strings.TrimSpace(width))
	case "PB":
		g.Players[board.Black] = text.Line(value, MaxName)
	case "PW":
		g.Players[board.White] = text.Line(value, MaxName)
	case "EV":
		g.Event = text.Line(value, MaxName)
	case "RU":
		g.Rule, err = sgfRule(value, g.Rule)
	case "RE":
		var reason Reason
		if g.Outcome, reason, err = sgfResult(value); g.Reason == ReasonUnknown {
			g.Reason = reason
		}
	case "GC":
		if reason, ok := reasonOf(strings.TrimSpace(value)); ok && reason != ReasonUnknown {
			g.Reason = reason
		}
	}
	return err
}

// sgfRules are the numbers that c-gomoku-cli writes, which are those of the Gomocup protocol.
var sgfRules = map[string]string{
	"0": "freestyle", "1": "standard", "2": "continuous", "4": "renju", "5": "swap after 1st move", "6": "swap2", "8": "caro", "9": "caro",
}

// sgfRule returns the rule of RU, which is a name or a number. An unknown name counts as unsaid. A number must
// stand for a rule that is supported.
func sgfRule(value string, unsaid pattern.Rule) (pattern.Rule, error) {
	value = strings.ToLower(strings.TrimSpace(value))
	name, number := sgfRules[value]
	if !number {
		name = value
	}
	rule, err := pattern.ParseRule(name)
	switch {
	case err == nil:
		return rule, nil
	case number:
		return 0, fmt.Errorf("rule %s (%s) is not supported", value, name)
	}
	return unsaid, nil
}

// sgfResult returns the outcome and reason of RE.
func sgfResult(value string) (board.Outcome, Reason, error) {
	text := strings.ToLower(strings.TrimSpace(value))
	winner, how, plus := strings.Cut(text, "+")
	var outcome board.Outcome
	switch {
	case text == "" || text == "?" || text == "void":
		return board.Ongoing, ReasonUnknown, nil
	case text == "0" || text == "draw":
		return board.Draw, ReasonUnknown, nil
	case plus && (winner == "b" || winner == "black"):
		outcome = board.BlackWins
	case plus && (winner == "w" || winner == "white"):
		outcome = board.WhiteWins
	default:
		return 0, "", fmt.Errorf("%.20q is not a result: B+…, W+…, 0, Draw, Void or ? is wanted", value)
	}
	switch how {
	case "r", "resign":
		return outcome, ReasonResigned, nil
	case "t", "time":
		return outcome, ReasonTimeout, nil
	case "f", "forfeit":
		return outcome, ReasonForfeit, nil
	}
	return outcome, ReasonUnknown, nil
}
