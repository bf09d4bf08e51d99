package session

import (
	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/record"
)

// Record returns the game as it is written down, undone moves left out. People without a name are called "human". What the record
// that the game was read from says of the moves that both share is kept.
func (g *Game) Record() *record.Game {
	last := g.after(g.length)
	r := &record.Game{Size: last.Size(), Rule: last.Rule(), Event: "Quintune", Outcome: last.Outcome()}
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
	for i, cell := range g.line[:g.length] {
		move := record.Move{Cell: cell, Time: g.elapsed[i]}
		if before := g.judged[i]; before.Known {
			score := before.Score
			if record.Colour(i) == board.White {
				score = -score
			}
			move.Score, move.Win = analysis.Written(score)
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
	r.Opening = min(shared, g.source.Opening)
	if shared == len(r.Moves) && shared == len(g.source.Moves) {
		r.Event, r.Outcome, r.Reason = g.source.Event, g.source.Outcome, g.source.Reason
	}
}

// noted returns the score that a record gives a move; ok is false where it gives none.
func noted(move *record.Move) (score int32, ok bool) {
	switch {
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
		g.elapsed[i] = r.Moves[i].Time
		if score, ok := noted(&r.Moves[i]); ok {
			g.Eval(i, score, 0)
		}
	}
	return g, nil
}
