package session

import (
	"cmp"
	"slices"

	"quintune/internal/analysis"
	"quintune/search"
	"quintune/weights"
)

// Judgement is what a search found out about a position.
type Judgement struct {
	Known bool
	Score int32        // points for Black; see search.PliesToWin
	Depth int          // plies
	Set   *weights.Set // whose points they are, nil where unknown
}

// Chances returns Black's chances to win, in [0, 1], by the points of the judgement's own set, or of another where that is unknown.
func (j Judgement) Chances(unknown *weights.Set) float64 {
	return analysis.Chances(cmp.Or(j.Set, unknown), j.Score)
}

// Eval notes what a search with the set, nil if unknown, finds of the position after n moves of the line; the score is for the side to
// move there. A proof replaces an opinion, a shorter one a longer one, and a deeper opinion a shallower one. Plies beyond the
// line are passed over.
func (g *Game) Eval(ply int, set *weights.Set, score int32, depth int) {
	if ply < 0 || ply >= len(g.judged) {
		return
	}
	if ply&1 == 1 {
		score = -score
	}
	if j := (Judgement{Known: true, Score: score, Depth: depth, Set: set}); !g.judged[ply].betterThan(j) {
		g.judged[ply] = j
	}
}

// betterThan reports whether a judgement stays when another comes.
func (j Judgement) betterThan(other Judgement) bool {
	plies, others := search.PliesToWin(j.Score), search.PliesToWin(other.Score)
	plies, others = max(plies, -plies), max(others, -others)
	switch {
	case !j.Known:
		return false
	case plies == 0 && others == 0:
		return other.Depth < j.Depth
	}
	return plies > 0 && (others == 0 || plies < others)
}

// Judgements returns what is thought of each position of the line, [plies played].
func (g *Game) Judgements() []Judgement { return slices.Clone(g.judged) }

// Judgement returns the judgement of the latest position up to the present one that has any.
func (g *Game) Judgement() Judgement {
	for ply := g.Ply(); ply >= 0; ply-- {
		if g.judged[ply].Known {
			return g.judged[ply]
		}
	}
	return Judgement{}
}
