package record

import (
	"bytes"
	"fmt"
	"strings"

	"quintune/board"
	"quintune/internal/text"
)

// sgfLine is how many moves are written on one line, as c-gomoku-cli does.
const sgfLine = 8

func writeSGF(to *bytes.Buffer, g *Game) error {
	fmt.Fprintf(to, "(;FF[4]GM[4]CA[UTF-8]SZ[%d]RU[%v]", g.Size, g.Rule)
	for _, p := range [...]struct{ name, value string }{
		{"EV", text.Line(g.Event, MaxName)},
		{"PB", text.Line(g.Players[board.Black], MaxName)},
		{"PW", text.Line(g.Players[board.White], MaxName)},
		{"RE", g.sgfResult()},
		{"GC", string(g.Reason)},
	} {
		if p.value != "" {
			fmt.Fprintf(to, "%s[%s]", p.name, sgfEscaped(p.value))
		}
	}
	g.writeLine(to, 0, g.Moves, g.Variations)
	to.WriteString(")\n")
	return nil
}

// writeLine writes a line of moves and its variations. ply is the index of the first move. Where the line branches,
// the rest of it is the first branch.
func (g *Game) writeLine(to *bytes.Buffer, ply int, moves []Move, variations []Variation) {
	for i := range moves {
		at := ply + i
		branches := 0 // that begin here
		for branches < len(variations) && variations[branches].Ply == at {
			branches++
		}
		if branches > 0 {
			to.WriteString("\n(")
			g.writeLine(to, at, moves[i:], variations[branches:])
			to.WriteByte(')')
			for _, v := range variations[:branches] {
				to.WriteString("\n(")
				g.writeLine(to, at, v.Moves, v.Variations)
				to.WriteByte(')')
			}
			return
		}
		if at%sgfLine == 0 {
			to.WriteByte('\n')
		}
		cell := moves[i].Cell
		fmt.Fprintf(to, ";%c[%c%c]", "BW"[Colour(at)], 'a'+cell.X(), 'a'+cell.Y())
		if comment := moves[i].writeComment(at < g.Opening); comment != "" {
			fmt.Fprintf(to, "C[%s]", sgfEscaped(comment))
		}
	}
}

// sgfResult returns the value of RE, "" where the game has none.
func (g *Game) sgfResult() string {
	how := "1"
	switch g.Reason {
	case ReasonResigned:
		how = "R"
	case ReasonTimeout:
		how = "T"
	case ReasonIllegal, ReasonForbidden, ReasonCrash, ReasonMemory, ReasonProtocol, ReasonStart, ReasonForfeit:
		how = "F"
	}
	switch g.Outcome {
	case board.BlackWins:
		return "B+" + how
	case board.WhiteWins:
		return "W+" + how
	case board.Draw:
		return "0"
	}
	return ""
}

func sgfEscaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(text)
}
