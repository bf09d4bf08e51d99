package session

import (
	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/record"
)

// Record returns the game as it is written down, undone moves left out. People without a name are called "human". What the record
// that the game was read from says of the moves that both share is kept. A move has the score of the engine that made it, else that of
// the position that it led to.
func (g *Game) Record() *record.Game {
	last := g.after(g.length)
	r := &record.Game{Size: last.Size(), Rule: last.Rule(), Event: "Quintune", Outcome: last.Outcome(), Opening: min(g.length, g.lowest())}
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
	g.annotate(r)
	return r
}

// annotate adds what the record that the game was read from says of the moves that both share.
func (g *Game) annotate(r *record.Game) {
	if g.source == nil {
		return
	}
	shared := 0
	for shared < min(len(r.Moves), len(g.source.Moves)) && r.Moves[shared].Cell == g.source.Moves[shared].Cell {
		r.Moves[shared].Comment = g.source.Moves[shared].Comment
		shared++
	}
	r.Opening = min(shared, g.source.Opening) // a game that was read has no opening of its own
	if shared == len(r.Moves) && shared == len(g.source.Moves) {
		r.Event, r.Outcome, r.Reason = g.source.Event, g.source.Outcome, g.source.Reason
	}
}

// scoreOf returns the score that a record gives a move; ok is false where it gives none, or one that leaves no ply.
func scoreOf(move *record.Move) (score int32, ok bool) {
	switch {
	case move.Win == 1 || move.Win == -1:
		return 0, false
	case move.Win != 0:
		return claimed(move.Win), true
	case move.Score != nil:
		return *move.Score, true
	}
	return 0, false
}

// FromRecord returns the game of a record with all of its moves played. People with the names of the record have
// both seats.
func FromRecord(id uint64, r *record.Game) (*Game, error) {
	g, err := New(id, r.Size, r.Rule)
	if err != nil {
		return nil, err
	}
	g.Names, g.source = r.Players, r
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
