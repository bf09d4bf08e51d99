package session

import (
	"cmp"
	"slices"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/record"
	"quintune/search"
)

// Record returns the game as it is written down, undone moves left out. People without a name are called "human". What the record
// that the game was read from says of the moves that both share is kept. A move has the score of the engine that made it, else that of
// the position that it led to.
func (g *Game) Record() *record.Game {
	last := g.after(g.length)
	r := &record.Game{Size: last.Size(), Rule: last.Rule(), Event: "Quintune", Outcome: last.Outcome(), Opening: g.lowest()}
	if r.Outcome != board.Ongoing {
		r.Reason = record.ReasonBoard
	}
	for colour, seat := range g.Seats {
		switch {
		case !seat.Person():
			r.Players[colour] = seat.Name()
		case g.Names[colour] != "":
			r.Players[colour] = g.Names[colour]
		default:
			r.Players[colour] = "human"
		}
	}
	for i, move := range g.noted[:g.length] {
		move.Cell = g.line[i]
		if after := g.judged[i+1]; after.Known && move.Score == nil && move.Win == 0 {
			score := after.Score // for Black
			if record.Colour(i+1) == board.White {
				score = -score
			}
			move.Score, move.Win = analysis.Written(analysis.ScoreBefore(score))
		}
		r.Moves = append(r.Moves, move)
	}
	g.Annotate(r)
	return r
}

// Whole returns a record of all moves, undone ones included, with the opening and what the record that the game was read from says.
func (g *Game) Whole() *record.Game {
	r := &record.Game{Size: g.board.Size(), Rule: g.board.Rule(), Opening: g.lowest()}
	for _, c := range g.line {
		r.Moves = append(r.Moves, record.Move{Cell: c})
	}
	g.Annotate(r)
	return r
}

// Annotate adds to a record of the game, or of its variations, what the record that the game was read from says of the moves that both
// have. Where both have the same main line, that record's event and end are kept too.
func (g *Game) Annotate(r *record.Game) {
	if g.source == nil {
		return
	}
	line{0, r.Moves, r.Variations}.annotate(line{0, g.source.Moves, g.source.Variations})
	shared := record.Shared(r.Moves, g.source.Moves)
	r.Opening = min(shared, g.source.Opening) // a game that was read has no opening of its own
	if shared == len(r.Moves) && shared == len(g.source.Moves) {
		r.Event, r.Outcome, r.Reason = g.source.Event, g.source.Outcome, g.source.Reason
	}
}

// RecordedEnd returns the result of the record that the game was read from, and its reason, where exactly the moves of that record
// are on the board and none are beyond. It is board.Ongoing elsewhere, and where the game has ended on the board.
func (g *Game) RecordedEnd() (board.Outcome, record.Reason) {
	if g.source == nil || g.Over() || g.Ply() != g.length || !slices.Equal(g.line[:g.length], g.source.Cells()) {
		return board.Ongoing, record.ReasonUnknown
	}
	return g.source.Outcome, g.source.Reason
}

// line is a line of a record from the move with index ply on.
type line struct {
	ply        int
	moves      []record.Move
	variations []record.Variation // of moves, and perhaps of earlier ones
}

// annotate adds to the moves of the line and its variations what another line and its variations, from the same position on, say of them.
func (l line) annotate(from line) {
	for i := range l.moves {
		for _, v := range l.variations {
			if v.Ply == l.ply+i {
				line{v.Ply, v.Moves, v.Variations}.annotate(from)
			}
		}
		said, rest := from.next(l.moves[i].Cell)
		if said == nil {
			return
		}
		m := &l.moves[i]
		m.Comment = said.Comment
		m.Time = cmp.Or(m.Time, said.Time)
		if m.Score == nil && m.Win == 0 {
			m.Score, m.Win = said.Score, said.Win
		}
		from = rest
	}
}

// next returns the move on the cell that begins the line or a variation of its first move, nil where there is none, and what follows it.
func (l line) next(c board.Cell) (*record.Move, line) {
	if len(l.moves) > 0 && l.moves[0].Cell == c {
		return &l.moves[0], line{l.ply + 1, l.moves[1:], l.variations}
	}
	for _, v := range l.variations {
		if v.Ply == l.ply && v.Moves[0].Cell == c {
			return &v.Moves[0], line{l.ply + 1, v.Moves[1:], v.Variations}
		}
	}
	return nil, line{}
}

// scoreOf returns the score that a record gives a move; ok is false where it gives none, one that leaves no ply, or points that
// only a proven end has, such as some engines write for a mate.
func scoreOf(move *record.Move) (score int32, ok bool) {
	switch {
	case move.Win == 1 || move.Win == -1:
		return 0, false
	case move.Win != 0:
		return claimed(move.Win), true
	case move.Score != nil && search.PliesToWin(*move.Score) == 0:
		return *move.Score, true
	}
	return 0, false
}

// annotated returns copies of variations, each cut after the last move of which something is said. Others are left out: the variations of
// a great file would take memory for as long as the game is kept.
func annotated(variations []record.Variation) (kept []record.Variation) {
	for _, v := range variations {
		v.Variations = annotated(v.Variations)
		n := len(v.Moves)
		for n > 0 && isBare(&v.Moves[n-1]) {
			n--
		}
		if len(v.Variations) > 0 {
			n = max(n, v.Variations[len(v.Variations)-1].Ply-v.Ply)
		}
		if n > 0 {
			v.Moves = slices.Clone(v.Moves[:n])
			kept = append(kept, v)
		}
	}
	return kept
}

// isBare reports whether nothing is said of a move.
func isBare(m *record.Move) bool {
	return m.Comment == "" && m.Time == 0 && m.Score == nil && m.Win == 0
}

// FromRecord returns the game of a record with all of its moves played. People with the names of the record have
// both seats.
func FromRecord(id uint64, r *record.Game) (*Game, error) {
	g, err := New(id, r.Size, r.Rule)
	if err != nil {
		return nil, err
	}
	source := *r
	source.Variations = annotated(r.Variations)
	g.Names, g.source = r.Players, &source
	if err := g.Load(r.Cells()); err != nil {
		return nil, err
	}
	for i := range r.Moves {
		m := &g.noted[i]
		m.Time, m.Score, m.Win = r.Moves[i].Time, r.Moves[i].Score, r.Moves[i].Win
		if score, ok := scoreOf(m); ok && (i+1 < g.Ply() || !g.Over()) {
			g.Eval(i+1, nil, analysis.ScoreAfter(score), 0)
		}
	}
	return g, nil
}
