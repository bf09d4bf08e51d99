package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"quintune/internal/run"
)

// putParameters stores the names of a schema's weights.
func putParameters(tx *sql.Tx, schema string, names []string) error {
	for i, name := range names {
		if _, err := tx.Exec("INSERT OR IGNORE INTO parameters VALUES (?, ?, ?)", schema, i, name); err != nil {
			return err
		}
	}
	return nil
}

// noImmigrants fills a column of which only the former genetic algorithm had more.
const noImmigrants = 0

func putGeneration(tx *sql.Tx, id int64, g *run.Generation) error {
	// A run that was rewound, or got another budget, may have stored this generation before.
	if err := dropGenerations(tx, id, g.Number); err != nil {
		return err
	}
	_, err := tx.Exec("INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		id, g.Number, g.Phase, g.Games, g.Sigma, g.Spread, g.Best, g.Mean, noImmigrants)
	if err != nil {
		return err
	}
	champion := marshal(g.Values)
	_, err = tx.Exec("INSERT INTO champions VALUES (?, ?, ?, ?)", id, g.Number, champion, sumOf([]byte(champion)))
	return err
}

// dropGenerations deletes the generations from the given number on, with their champions.
func dropGenerations(tx *sql.Tx, id int64, from int) error {
	_, err := tx.Exec("DELETE FROM generations WHERE run = ? AND generation >= ?", id, from)
	return err
}

// Generations returns the closed generations of a run with their champions.
func (db *DB) Generations(r Run) ([]run.Generation, error) {
	list := []run.Generation{}
	err := db.each("reading the generations of run "+r.Name, func(rows *sql.Rows) error {
		var g run.Generation
		var champion []byte
		var sum sql.NullString
		if err := rows.Scan(&g.Number, &g.Phase, &g.Games, &g.Sigma, &g.Spread, &g.Best, &g.Mean, &champion, &sum); err != nil {
			return err
		}
		if err := checkSum(champion, sum); err != nil {
			return fmt.Errorf("the champion of generation %d: %w", g.Number, err)
		}
		list = append(list, g)
		return json.Unmarshal(champion, &list[len(list)-1].Values)
	}, `SELECT generation, phase, games, sigma, spread, best, mean, weights, sum
		FROM generations JOIN champions USING (run, generation) WHERE run = ? ORDER BY generation`, r.id)
	return list, err
}

// Champion returns the optimiser's champion after a number of closed generations, as values by name; nil where none is stored. Where it
// is not what was stored the error wraps ErrDamaged.
func (db *DB) Champion(r Run, closed int) (map[string]float64, error) {
	doing := "reading the champion of run " + r.Name
	text, err := summed(db.sql.QueryRow(`SELECT weights, sum FROM champions WHERE run = ? AND generation < ?
		ORDER BY generation DESC LIMIT 1`, r.id, closed))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, db.fault(doing, err)
	}
	values := map[string]float64{}
	err = db.each(doing, func(rows *sql.Rows) error {
		var name string
		var value float64
		err := rows.Scan(&name, &value)
		values[name] = value
		return err
	}, "SELECT name, value FROM json_each(?) JOIN parameters ON position = key AND schema = ?", string(text), r.Schema)
	if err != nil || len(values) == 0 {
		return nil, err
	}
	return values, nil
}
