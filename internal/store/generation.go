package store

import (
	"database/sql"
	"encoding/json"
	"math"

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

func putGeneration(tx *sql.Tx, id int64, g *run.Generation) error {
	// A run that was rewound, or got another budget, may have stored this generation before.
	if _, err := tx.Exec("DELETE FROM generations WHERE run = ? AND generation >= ?", id, g.Number); err != nil {
		return err
	}
	_, err := tx.Exec("INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		id, g.Number, g.Phase, g.Games, g.Sigma, g.Spread, g.Best, g.Mean, g.Immigrants)
	if err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT INTO champions VALUES (?, ?, ?)", id, g.Number, marshal(g.Values)); err != nil {
		return err
	}
	if len(g.Genomes) == 0 {
		return nil
	}
	insert, err := tx.Prepare("INSERT INTO genomes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	for i, genome := range g.Genomes {
		p := genome.Pairs
		_, err := insert.Exec(id, g.Number, i, genome.Elo, p[0], p[1], p[2], p[3], p[4], marshal(fourDecimals(genome.Genes)))
		if err != nil {
			return err
		}
	}
	return nil
}

func fourDecimals(genes []float64) []float64 {
	rounded := make([]float64, len(genes))
	for i, x := range genes {
		rounded[i] = math.Round(x*1e4)/1e4 + 0
	}
	return rounded
}

// Generations returns the closed generations of a run with their champions, without their genomes.
func (db *DB) Generations(r Run) ([]run.Generation, error) {
	list := []run.Generation{}
	err := db.each("reading the generations of run "+r.Name, func(rows *sql.Rows) error {
		var g run.Generation
		var champion []byte
		if err := rows.Scan(&g.Number, &g.Phase, &g.Games, &g.Sigma, &g.Spread, &g.Best, &g.Mean, &g.Immigrants, &champion); err != nil {
			return err
		}
		list = append(list, g)
		return json.Unmarshal(champion, &list[len(list)-1].Values)
	}, `SELECT generation, phase, games, sigma, spread, best, mean, immigrants, weights
		FROM generations JOIN champions USING (run, generation) WHERE run = ? ORDER BY generation`, r.id)
	return list, err
}

// Champion returns the optimiser's champion after its last closed generation, as values by name; nil before the
// first.
func (db *DB) Champion(r Run) (map[string]float64, error) {
	values := map[string]float64{}
	err := db.each("reading the champion of run "+r.Name, func(rows *sql.Rows) error {
		var name string
		var value float64
		err := rows.Scan(&name, &value)
		values[name] = value
		return err
	}, `SELECT name, value FROM champions, json_each(weights) JOIN parameters ON position = key AND schema = ?
		WHERE run = ? AND generation = (SELECT max(generation) FROM champions WHERE run = ?)`, r.Schema, r.id, r.id)
	if err != nil || len(values) == 0 {
		return nil, err
	}
	return values, nil
}

// Genomes returns the genomes of a generation. There are none where the generation was not rated.
func (db *DB) Genomes(r Run, generation int) ([]run.Genome, error) {
	list := []run.Genome{}
	err := db.each("reading the genomes of run "+r.Name, func(rows *sql.Rows) error {
		var g run.Genome
		var genes []byte
		p := &g.Pairs
		if err := rows.Scan(&g.Elo, &p[0], &p[1], &p[2], &p[3], &p[4], &genes); err != nil {
			return err
		}
		list = append(list, g)
		return json.Unmarshal(genes, &list[len(list)-1].Genes)
	}, "SELECT elo, r0, r1, r2, r3, r4, genes FROM genomes WHERE run = ? AND generation = ? ORDER BY genome", r.id, generation)
	return list, err
}
