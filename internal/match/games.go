package match

import (
	"cmp"
	"fmt"
	"slices"

	"quintune/board"
	"quintune/internal/record"
	"quintune/pattern"
	"quintune/selfplay"
)

// faultReasons maps the kind of a fault to the reason for the end of the game in its record.
var faultReasons = map[string]record.Reason{
	"start": record.ReasonStart, "crash": record.ReasonCrash, "timeout": record.ReasonTimeout,
	selfplay.FaultIllegal: record.ReasonIllegal, selfplay.FaultForbidden: record.ReasonForbidden, "protocol": record.ReasonProtocol,
}

// Games returns the records of a pair. Where a player failed, the void first attempt comes before the games that
// count. The event field numbers the pair, from 1.
func (m *Match) Games(index int, r *selfplay.Result) []record.Game {
	var games []record.Game
	add := func(attempt string, list []selfplay.Game) {
		for i := range list {
			players := [2]string{m.A.Name, m.B.Name}
			if i == 1 {
				slices.Reverse(players[:])
			}
			g := Record(&list[i], m.Rule, m.Size, players, len(m.Openings[index].Moves))
			g.Event = fmt.Sprintf("%s, pair %d%s", cmp.Or(m.Purpose, "match"), index+1, attempt)
			games = append(games, g)
		}
	}
	add(", void", r.Discarded)
	if r.Void() {
		add(", void", r.Games[:])
	} else {
		add("", r.Games[:])
	}
	return games
}

// Record returns the record of a game. The players are names by colour; opening is the number of its plies.
func Record(played *selfplay.Game, rule pattern.Rule, size int, players [2]string, opening int) record.Game {
	g := record.Game{
		Size: size, Rule: rule, Players: players, Outcome: played.Outcome,
		Reason: reasonOf(played), Opening: min(opening, len(played.Moves)),
	}
	for i, cell := range played.Moves {
		move := record.Move{Cell: cell}
		if i < len(played.Times) {
			move.Time = played.Times[i]
		}
		g.Moves = append(g.Moves, move)
	}
	return g
}

// reasonOf returns the reason for the end of a game.
func reasonOf(g *selfplay.Game) record.Reason {
	switch {
	case g.Fault != nil:
		return faultReasons[selfplay.FaultCause(selfplay.FaultKind(g.Fault))]
	case !g.Adjudicated:
		return record.ReasonBoard
	case g.Outcome == board.Draw:
		return record.ReasonDead
	}
	return record.ReasonProven
}
