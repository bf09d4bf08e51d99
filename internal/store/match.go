package store

import (
	"database/sql"

	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
)

// putMatches replaces the checks, gates and validations of a run: they are few, and an extended run takes
// some back.
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

// figures returns the columns of a match that queries need: Elo with its interval, and the pairs by points.
func figures(r *match.Report) []any {
	return append([]any{r.Elo, r.EloLow, r.EloHigh}, counts(r.Pentanomial)...)
}

func counts(p stats.Pentanomial) []any { return []any{p[0], p[1], p[2], p[3], p[4]} }
