package ladder

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"quintune/internal/stats"
	"quintune/internal/text"
)

// Text returns the standing for a terminal: the table, followed by the conditions.
func (s *Standing) Text() string {
	rows := s.rows()
	var b strings.Builder
	b.WriteString(text.Table(rows, flushLeft))
	for _, line := range s.Conditions() {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// Conclusion returns one sentence: who leads, and whether the lead is significant.
func (s *Standing) Conclusion() string {
	first, second := &s.Rungs[0], &s.Rungs[1] // a ladder has two players or more
	pairs := min(first.Games, second.Games) / 2
	if pairs == 0 {
		return fmt.Sprintf("Nothing is known of %s against %s: no pair of one of them was finished.", first.Name, second.Name)
	}
	found := fmt.Sprintf("%s leads before %s by %s", first.Name, second.Name, text.Elo(s.Lead.Elo, s.Lead.Low, s.Lead.High))
	switch {
	case s.Lead.Shown(pairs) > 0:
		return found + "."
	case pairs < stats.FewestPairs:
		return fmt.Sprintf("%s, an interval that says nothing below %d pairs.", found, stats.FewestPairs)
	}
	return found + ", an interval that holds 0: no difference is shown."
}

// Markdown returns the standing as a table for a document, with the results of all pairings, and below it
// what it was played under.
func (s *Standing) Markdown() string {
	var b strings.Builder
	rows := s.rows()
	for i, row := range rows {
		for j, cell := range row {
			row[j] = escaped(cell)
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i > 0 {
			continue
		}
		for j := range row {
			if flushLeft(j) {
				b.WriteString("|---")
			} else {
				b.WriteString("|--:")
			}
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n")
	for _, line := range s.Conditions() {
		b.WriteString(strings.ToUpper(line[:1]) + line[1:] + ".\n")
	}
	b.WriteString("\n| A | B | won | drawn | lost | score of A |\n|---|---|--:|--:|--:|--:|\n")
	for _, m := range s.Meetings {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %.1f %% |\n", escaped(m.A), escaped(m.B), m.Wins, m.Draws, m.Losses, 100*m.Score)
	}
	return b.String()
}

// escaped returns a cell of a Markdown table.
func escaped(cell string) string { return strings.ReplaceAll(cell, "|", `\|`) }

// flushLeft reports whether a column of rows is one of words: the second and the last.
func flushLeft(column int) bool { return column == 1 || column == 9 }

// rows returns the table, its head first.
func (s *Standing) rows() [][]string {
	rows := [][]string{{"", "player", "Elo", "95 % interval", "games", "won", "drawn", "lost", "score", "faults"}}
	for _, r := range s.Rungs {
		rows = append(rows, []string{
			fmt.Sprint(r.Rank), r.Name, fmt.Sprintf("%.0f", r.Elo), fmt.Sprintf("%.0f … %.0f", r.EloLow, r.EloHigh),
			fmt.Sprint(r.Games), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses), fmt.Sprintf("%.1f %%", 100*r.Score),
			faultsText(r.Faults, r.Void),
		})
	}
	return rows
}

// faultsText lists faults by kind: "3 timeout, 1 void pair"; "-" without any.
func faultsText(faults map[string]int64, void int64) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(faults)) {
		parts = append(parts, fmt.Sprintf("%d %s", faults[kind], kind))
	}
	if void > 0 {
		parts = append(parts, text.Plural(void, "void pair"))
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// Title returns a short description of the ladder.
func (s *Standing) Title() string {
	limit := fmt.Sprintf("%d nodes a move", s.Nodes)
	if s.Nodes == 0 {
		limit = s.time()
	}
	return fmt.Sprintf("%s, %s %d×%d, %s", s.kind(), s.Rule, s.Size, s.Size, limit)
}

// time says what the clock allows.
func (s *Standing) time() string {
	if s.GameMS > 0 {
		return fmt.Sprintf("%v a game and %v more for every move", milliseconds(s.GameMS), milliseconds(s.IncrementMS))
	}
	return fmt.Sprintf("%v a move", milliseconds(s.TimeMS))
}

func (s *Standing) kind() string {
	if s.Gauntlet != "" {
		return "gauntlet of " + s.Gauntlet
	}
	return "round robin"
}

// Conditions says what the ladder was played under, a line each.
func (s *Standing) Conditions() []string {
	all := len(s.Meetings) * s.Pairs
	list := []string{
		fmt.Sprintf("%s, %d of %d pairs of games, %s, %d×%d, openings %s, seed %d, engine %s", s.kind(), s.Finished, all, s.Rule, s.Size, s.Size, s.Openings, s.Seed, s.Engine),
		fmt.Sprintf("ratings by Bradley–Terry, %s held at %d", s.Anchor, s.AnchorElo),
	}
	if s.Threads > 1 {
		list = append(list, fmt.Sprintf("%d threads for every engine that has them", s.Threads))
	}
	if s.Nodes == 0 {
		return append(list, s.time())
	}
	return append(list, fmt.Sprintf("a limit of %d a move counts %s", s.Nodes, s.units()))
}

// units explains, for each player in the order of the rungs, what its limit of nodes counts.
func (s *Standing) units() string {
	var order []string
	players := map[string][]string{}
	for _, r := range s.Rungs {
		unit := r.Unit
		if unit == "" {
			unit = "nothing"
		}
		if players[unit] == nil {
			order = append(order, unit)
		}
		players[unit] = append(players[unit], r.Name)
	}
	for i, unit := range order {
		order[i] = fmt.Sprintf("%s for %s", unit, strings.Join(players[unit], ", "))
	}
	return strings.Join(order, "; ")
}
