package store

import (
	"database/sql"

	"quintune/internal/stats"
)

// Match is a check match, a gate or a validation that was played, seen from the champion.
type Match struct {
	Pairs    stats.Pentanomial
	Report   []byte // JSON, all there is to say; nil for a check
	Opponent string
	Elo      stats.Estimate // 95 %

	Games      int   // checks: of the evolution before it
	Nodes      int64 // validations: limit a move
	Generation int   // gates: generations closed before it
	Final      bool  // gates: the last one
	Passed     bool  // gates
	Verdict    string
	LLR        float64
}

// putMatches replaces the checks, gates and validations of a run: they are few, and an extended run takes
// some back.
func putMatches(tx *sql.Tx, run int64, step *Step) error {
	for _, table := range []string{"checks", "gates", "validations"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE run = ?", run); err != nil {
			return err
		}
	}
	for i, m := range step.Checks {
		p := m.Pairs
		if _, err := tx.Exec("INSERT INTO checks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", run, i, m.Games, p[0], p[1], p[2], p[3], p[4]); err != nil {
			return err
		}
	}
	for i, m := range step.Gates {
		p := m.Pairs
		_, err := tx.Exec("INSERT INTO gates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", run, i, m.Generation, m.Final, m.Opponent,
			m.Passed, m.Verdict, m.LLR, m.Elo.Elo, m.Elo.Low, m.Elo.High, p[0], p[1], p[2], p[3], p[4], string(m.Report))
		if err != nil {
			return err
		}
	}
	for i, m := range step.Validations {
		p := m.Pairs
		_, err := tx.Exec("INSERT INTO validations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", run, i, m.Opponent, m.Nodes,
			m.Elo.Elo, m.Elo.Low, m.Elo.High, p[0], p[1], p[2], p[3], p[4], string(m.Report))
		if err != nil {
			return err
		}
	}
	return nil
}
