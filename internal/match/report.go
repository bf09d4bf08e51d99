package match

import (
	"fmt"

	"quintune/internal/book"
	"quintune/internal/stats"
	"quintune/internal/text"
)

// Report describes a match and its result, as `tune match --json` prints it. Points and Elo are A's; Elo has its
// 95 % interval.
type Report struct {
	A           string            `json:"a"`
	B           string            `json:"b"`
	Rule        string            `json:"rule"`
	Size        int               `json:"size"`
	Nodes       int64             `json:"nodes"`   // node limit of a move, 0: none
	TimeMS      int64             `json:"time_ms"` // time limit of a move, 0: none
	GameMS      int64             `json:"game_ms"` // clock of a game, 0: none
	IncrementMS int64             `json:"increment_ms"`
	Threads     int               `json:"threads"`
	Pairs       int64             `json:"pairs"` // without void pairs
	Games       int64             `json:"games"`
	Wins        int64             `json:"wins"`
	Draws       int64             `json:"draws"`
	Losses      int64             `json:"losses"`
	Pentanomial stats.Pentanomial `json:"pentanomial"` // [points × 2], 0: A lost both games
	Score       float64           `json:"score"`       // 0 to 1
	Elo         float64           `json:"elo"`
	EloLow      float64           `json:"elo_low"`
	EloHigh     float64           `json:"elo_high"`
	NElo        float64           `json:"nelo"`
	LOS         float64           `json:"los"`
	Void        int64             `json:"void"` // pairs in which a player failed twice
	Faults      Faults            `json:"faults"`
	Seed        uint64            `json:"seed"`
	Openings    string            `json:"openings"` // hash of the openings
}

// Faults counts the failures of both sides by kind, such as "timeout".
type Faults struct {
	A map[string]int64 `json:"a"`
	B map[string]int64 `json:"b"`
}

// Report returns the report of a tally of this match.
func (m *Match) Report(t Tally) Report {
	elo := t.Pairs.Elo()
	return Report{
		A: m.A.Name, B: m.B.Name, Rule: m.Rule.String(), Size: m.Size,
		Nodes: m.Nodes, TimeMS: m.TimeControl.Move.Milliseconds(),
		GameMS: m.TimeControl.Game.Milliseconds(), IncrementMS: m.TimeControl.Increment.Milliseconds(), Threads: max(1, m.TimeControl.Threads),
		Pairs: t.Pairs.Pairs(), Games: t.Pairs.Games(),
		Wins: t.Wins, Draws: t.Draws, Losses: t.Losses,
		Pentanomial: t.Pairs, Score: t.Pairs.Score(),
		Elo: elo.Elo, EloLow: elo.Low, EloHigh: elo.High,
		NElo: t.Pairs.NElo().Elo, LOS: t.Pairs.LOS(),
		Void: t.Void, Faults: Faults{A: orEmpty(t.FaultsA), B: orEmpty(t.FaultsB)},
		Seed: m.Seed, Openings: book.Hash(m.Rule, m.Size, m.Openings),
	}
}

// Limit describes the limit of a move for people, such as "1 000 nodes a move".
func (r *Report) Limit() string {
	switch {
	case r.GameMS > 0:
		return fmt.Sprintf("%s ms a game + %s ms a move", text.Thousands(r.GameMS), text.Thousands(r.IncrementMS))
	case r.TimeMS > 0:
		return text.Thousands(r.TimeMS) + " ms a move"
	}
	return text.Thousands(r.Nodes) + " nodes a move"
}

// orEmpty replaces nil, so that no faults are printed as {}.
func orEmpty(faults map[string]int64) map[string]int64 {
	if faults == nil {
		return map[string]int64{}
	}
	return faults
}

// Played returns the number of games that were played, those of void pairs included.
func (r *Report) Played() int { return int(r.Games + 2*r.Void) }

// Unplayed reports whether the match had no game. A validation that is done has none where both sides play the same weights.
func (r *Report) Unplayed() bool { return r.Played() == 0 }

// Conclusion returns the result in one sentence: which side is stronger, and by how much.
func (r *Report) Conclusion() string {
	if r.Games == 0 {
		return fmt.Sprintf("Nothing is known of %s against %s: no pair was finished.", r.A, r.B)
	}
	figure := fmt.Sprintf("%s in %s games", r.Precisely(), text.Thousands(r.Games))
	found := fmt.Sprintf("%s is weaker than %s: %s.", r.A, r.B, figure)
	switch {
	case r.Pairs < stats.FewestPairs:
		found = fmt.Sprintf("Too few pairs to tell %s from %s: %s, %s.", r.A, r.B, figure, r.Doubt())
	case r.Shown() == 0:
		found = fmt.Sprintf("No difference is shown between %s and %s: %s, %s.", r.A, r.B, figure, r.Doubt())
	case r.Elo > 0:
		found = fmt.Sprintf("%s is stronger than %s: %s.", r.A, r.B, figure)
	}
	return found + r.uncounted()
}

// Least returns the end of the interval that is nearer to 0, and whether only that is known of the difference: a superiority is shown,
// and the estimate or the other end is at a bound of stats.EloOf, as where every game was won.
func (r *Report) Least() (elo float64, only bool) {
	switch r.Shown() {
	case 1:
		return r.EloLow, max(r.Elo, r.EloHigh) >= stats.EloOf(1)
	case -1:
		return r.EloHigh, min(r.Elo, r.EloLow) <= stats.EloOf(0)
	}
	return 0, false
}

// Figure returns the difference for a sentence, "+58 [+44, +72] Elo", or what alone is known of it, "more than +693 Elo"; see Least.
func (r *Report) Figure() string {
	least, only := r.Least()
	switch {
	case !only:
		return text.Interval(r.Elo, r.EloLow, r.EloHigh) + " Elo"
	case least > 0:
		return "more than " + text.Signed(least) + " Elo"
	}
	return "less than " + text.Signed(least) + " Elo"
}

// Precisely returns the difference as Figure does, but to one decimal: "+58.2 Elo [+44.1, +72.3]".
func (r *Report) Precisely() string {
	if _, only := r.Least(); only {
		return r.Figure()
	}
	return text.Elo(r.Elo, r.EloLow, r.EloHigh)
}

// uncounted returns a sentence about void pairs, "" where there is none. They flatter the player that fails where it would have lost.
func (r *Report) uncounted() string {
	if r.Void == 0 {
		return ""
	}
	return fmt.Sprintf(" Not counted: %s in which a player failed twice, which a tournament counts as lost.", text.Plural(r.Void, "void pair"))
}

// Shown returns whose superiority the match shows, see stats.Estimate.
func (r *Report) Shown() int {
	return stats.Estimate{Elo: r.Elo, Low: r.EloLow, High: r.EloHigh}.Shown(r.Pairs)
}

// Doubt returns why the match shows no difference.
func (r *Report) Doubt() string {
	if r.Unplayed() {
		return "the values are the same"
	}
	if r.Pairs < stats.FewestPairs {
		return fmt.Sprintf("an interval that says nothing below %d pairs", stats.FewestPairs)
	}
	return "an interval that holds 0"
}

// Conclusion returns in one sentence how the test ended.
func (g *GateReport) Conclusion() string {
	if g.Unplayed() {
		return fmt.Sprintf("The test of %s against %s is %s without a game: the values are the same.", g.A, g.B, g.Plain())
	}
	if g.Games == 0 {
		return fmt.Sprintf("The test of %s against %s is %s: no pair was finished.", g.A, g.B, g.Plain())
	}
	end := "."
	if g.decided() {
		end = "; a test that ends early exaggerates."
	}
	return fmt.Sprintf("The test of %s against %s is %s: %s in %s games", g.A, g.B, g.Plain(), g.Precisely(), text.Thousands(g.Games)) + end + g.uncounted()
}
