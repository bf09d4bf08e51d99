package store

import (
	"database/sql"
	"fmt"

	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
)

// putMatches replaces the checks, gates and validations of a run. They are few, and an extended run may drop
// some.
func putMatches(tx *sql.Tx, id int64, s *run.State) error {
	for _, table := range []string{"checks", "gates", "validations"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE run = ?", id); err != nil {
			return err
		}
	}
	for i, c := range s.Checks {
		values := append([]any{id, i, c.Games}, counts(c.Pairs)...)
		if _, err := tx.Exec("INSERT INTO checks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values...); err != nil {
			return err
		}
	}
	for i := range s.Gates {
		g := &s.Gates[i]
		values := append([]any{id, i, g.Generation, g.Final, g.Report.B, g.Report.Passed, g.Report.Verdict, g.Report.LLR}, figures(&g.Report.Report)...)
		_, err := tx.Exec("INSERT INTO gates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", append(values, marshal(&g.Report))...)
		if err != nil {
			return err
		}
	}
	for i, r := range s.Validations() {
		values := append([]any{id, i, r.B, r.Nodes}, figures(r)...)
		if _, err := tx.Exec("INSERT INTO validations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", append(values, marshal(r))...); err != nil {
			return err
		}
	}
	return nil
}

// figures returns the columns of a match for queries: Elo with its interval, and the counts of pairs by points.
func figures(r *match.Report) []any {
	return append([]any{r.Elo, r.EloLow, r.EloHigh}, counts(r.Pentanomial)...)
}

func counts(p stats.Pentanomial) []any { return []any{p[0], p[1], p[2], p[3], p[4]} }

// Judgement returns the results of a run's gates and validations.
func (db *DB) Judgement(r Run) (run.Judgement, error) {
	var j run.Judgement
	err := db.each("reading the gates of run "+r.Name, func(rows *sql.Rows) error {
		var g match.GateReport
		err := rows.Scan(&g.Verdict)
		j.Verdict = g.Plain()
		return err
	}, "SELECT verdict FROM gates WHERE run = ? ORDER BY passed DESC, number DESC LIMIT 1", r.id)
	if err != nil {
		return j, err
	}
	return j, db.each("reading the validation of run "+r.Name, func(rows *sql.Rows) error {
		var measure stats.Estimate
		err := rows.Scan(&j.Against, &measure.Elo, &measure.Low, &measure.High, &j.Played)
		if j.Played > 0 {
			j.Measure = &measure
		}
		return err
	}, "SELECT opponent, elo, elo_low, elo_high, 2 * (r0 + r1 + r2 + r3 + r4) FROM validations WHERE run = ? ORDER BY number LIMIT 1", r.id)
}

// ForgetVoid deletes the pairs in which a player failed twice: they are played anew.
func (s *Session) ForgetVoid() error {
	if err := s.Flush(); err != nil {
		return err
	}
	return s.db.write("forgetting void pairs of run "+s.run.Name, func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM pairs WHERE points IS NULL AND batch IN (SELECT id FROM batches WHERE run = ?)", s.run.id)
		return err
	})
}

// Finish marks a run of a kind without states as done.
func (s *Session) Finish() error {
	return s.db.write("ending run "+s.run.Name, func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE runs SET done = TRUE WHERE id = ?", s.run.id)
		return err
	})
}

// Void is the value of Points for a pair in which a player failed twice.
const Void = -1

// Points returns the points, times two, of the stored pairs of a ladder or match, by index.
func (db *DB) Points(r Run) (map[int]int, error) {
	points := map[int]int{}
	return points, db.each("reading the pairs of "+r.Name, func(rows *sql.Rows) error {
		var pair int
		var p sql.NullInt64
		err := rows.Scan(&pair, &p)
		switch points[pair] = int(p.Int64); {
		case !p.Valid:
			points[pair] = Void
		case p.Int64 < 0 || p.Int64 >= stats.Outcomes:
			return fmt.Errorf("%w: pair %d has %d points", ErrDamaged, pair, p.Int64)
		}
		return err
	}, "SELECT pair, points FROM batches JOIN pairs ON batch = batches.id WHERE run = ?", r.id)
}
