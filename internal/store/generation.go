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
	values := marshal(g.Values)
	_, err = tx.Exec("INSERT INTO champions VALUES (?, ?, ?, ?)", id, g.Number, values, sumOf([]byte(values)))
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
		var err error
		if g.Values, err = championValues(g.Number, champion, sum); err == nil {
			list = append(list, g)
		}
		return err
	}, `SELECT generation, phase, games, sigma, spread, best, mean, weights, sum
		FROM generations JOIN champions USING (run, generation) WHERE run = ? ORDER BY generation`, r.id)
	return list, err
}

// championValues reads the values of a generation's champion, in the order of the table parameters.
func championValues(generation int, weights []byte, sum sql.NullString) (values []float64, err error) {
	if err = checkSum(weights, sum); err == nil {
		err = json.Unmarshal(weights, &values)
	}
	if err != nil {
		return nil, fmt.Errorf("the champion of generation %d: %w", generation, err)
	}
	return values, nil
}

// Champion returns the optimiser's champion after a number of closed generations, as values by name; nil where none is stored.
func (db *DB) Champion(r Run, closed int) (map[string]float64, error) {
	doing := "reading the champion of run " + r.Name
	var generation int
	var weights []byte
	var sum sql.NullString
	err := db.sql.QueryRow("SELECT generation, weights, sum FROM champions WHERE run = ? AND generation < ? ORDER BY generation DESC LIMIT 1", r.id, closed).
		Scan(&generation, &weights, &sum)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, db.fault(doing, err)
	}
	list, err := championValues(generation, weights, sum)
	if err != nil {
		return nil, db.fault(doing, err)
	}
	values := map[string]float64{}
	err = db.each(doing, func(rows *sql.Rows) error {
		var position int
		var name string
		err := rows.Scan(&position, &name)
		if err == nil && position >= 0 && position < len(list) {
			values[name] = list[position]
		}
		return err
	}, "SELECT position, name FROM parameters WHERE schema = ?", r.Schema)
	if err != nil || len(values) == 0 {
		return nil, err
	}
	return values, nil
}
