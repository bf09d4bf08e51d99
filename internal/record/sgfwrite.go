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
	for i := range g.Moves {
		if i%sgfLine == 0 {
			to.WriteByte('\n')
		}
		cell := g.Moves[i].Cell
		fmt.Fprintf(to, ";%c[%c%c]", "BW"[Colour(i)], 'a'+cell.X(), 'a'+cell.Y())
		if comment := g.Moves[i].writeComment(i < g.Opening); comment != "" {
			fmt.Fprintf(to, "C[%s]", sgfEscaped(comment))
		}
	}
	to.WriteString(")\n")
	return nil
}

// sgfResult returns the value of RE, "" where the game has none.
func (g *Game) sgfResult() string {
	how := "1"
	switch g.Reason {
	case ReasonResigned:
		how = "R"
	case ReasonTimeout:
		how = "T"
	case ReasonIllegal, ReasonForbidden, ReasonCrash, ReasonMemory, ReasonProtocol, ReasonStart:
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
