package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"
)

// Run is what stands about a run beside its record and its state.
type Run struct {
	Name      string
	Hash      string // of the configuration
	Parent    string // name of the run that it was forked from, "" for none
	Engine    string // engine signature
	Schema    string // fingerprint of the declared weights
	Program   string // commit of the program that began it
	GoArch    string
	GoLevel   string // GOAMD64 and the like, "" for none
	Start     string // player it began with
	Rule      string
	Size      int   // cells on a side
	Nodes     int64 // limit a move
	Optimizer string
	Seed      uint64
	Budget    int       // games
	Begun     time.Time // for people; nothing is ordered by it

	id int64
	Progress
}

// Progress is how far a run has come.
type Progress struct {
	Steps       int // closed
	Games       int // of closed steps
	Generations int // closed
	Done        bool
	Open        int // games of the open step that are stored; only read
}

// ErrNoRun is wrapped by errors that say there is no such run.
var ErrNoRun = errors.New("no such run")

// runColumns are those of scanRun.
const runColumns = `runs.id, name, hash, parent, engine, schema, program, goarch, golevel, start, rule, size, runs.nodes, optimizer, seed,
	budget, begun, steps, games, generations, done,
	(SELECT 2 * count(*) FROM batches JOIN pairs ON batch = batches.id WHERE run = runs.id AND step = runs.steps)`

func scanRun(row interface{ Scan(...any) error }) (r Run, err error) {
	var seed, begun string
	err = row.Scan(&r.id, &r.Name, &r.Hash, &r.Parent, &r.Engine, &r.Schema, &r.Program, &r.GoArch, &r.GoLevel, &r.Start, &r.Rule,
		&r.Size, &r.Nodes, &r.Optimizer, &seed, &r.Budget, &begun, &r.Steps, &r.Games, &r.Generations, &r.Done, &r.Open)
	if err != nil {
		return r, err
	}
	if r.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return r, fmt.Errorf("run %s: seed: %w", r.Name, err)
	}
	if r.Begun, err = time.Parse(time.RFC3339, begun); err != nil {
		return r, fmt.Errorf("run %s: begun: %w", r.Name, err)
	}
	return r, nil
}

// Runs returns all runs in the order in which they were begun or last resumed.
func (db *DB) Runs() ([]Run, error) {
	list := []Run{}
	err := db.each("listing the runs", func(rows *sql.Rows) error {
		r, err := scanRun(rows)
		list = append(list, r)
		return err
	}, "SELECT "+runColumns+" FROM runs ORDER BY turn")
	return list, err
}

// Run returns the run with the name. Where there is none the error wraps ErrNoRun.
func (db *DB) Run(name string) (Run, error) {
	r, err := scanRun(db.sql.QueryRow("SELECT "+runColumns+" FROM runs WHERE name = ?", name))
	if errors.Is(err, sql.ErrNoRows) {
		return r, fmt.Errorf("store: %s: run %s: %w", db.path, name, ErrNoRun)
	}
	return r, db.fault("reading run "+name, err)
}

// Record returns the record of a run.
func (db *DB) Record(r Run) ([]byte, error) { return db.document(r, "record") }

// State returns the state after the last closed step of a run, nil before the first.
func (db *DB) State(r Run) ([]byte, error) {
	state, err := db.document(r, "state")
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return state, err
}

// document reads a text of the tables records and states.
func (db *DB) document(r Run, what string) ([]byte, error) {
	var text []byte
	var sum string
	err := db.sql.QueryRow(fmt.Sprintf("SELECT %s, sum FROM %ss WHERE run = ?", what, what), r.id).Scan(&text, &sum)
	if err == nil && sum != sumOf(text) {
		err = fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return text, db.fault(fmt.Sprintf("reading the %s of run %s", what, r.Name), err)
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// putDocument writes a text of the tables records and states.
func putDocument(tx *sql.Tx, id int64, what string, text []byte) error {
	_, err := tx.Exec(fmt.Sprintf("INSERT OR REPLACE INTO %ss VALUES (?, ?, ?)", what), id, string(text), sumOf(text))
	return err
}

// insert adds a run and returns its id. Where the name is taken the error wraps fs.ErrExist.
func insertRun(tx *sql.Tx, r *Run) (int64, error) {
	var taken int
	if err := tx.QueryRow("SELECT count(*) FROM runs WHERE name = ?", r.Name).Scan(&taken); err != nil {
		return 0, err
	}
	if taken > 0 {
		return 0, fmt.Errorf("run %s: %w", r.Name, fs.ErrExist)
	}
	result, err := tx.Exec(`INSERT INTO runs (name, hash, parent, engine, schema, program, goarch, golevel, start, rule, size, nodes, optimizer,
		seed, budget, begun, turn, steps, games, generations, done)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(turn), 0) + 1 FROM runs), ?, ?, ?, ?)`,
		r.Name, r.Hash, r.Parent, r.Engine, r.Schema, r.Program, r.GoArch, r.GoLevel, r.Start, r.Rule, r.Size, r.Nodes, r.Optimizer,
		strconv.FormatUint(r.Seed, 10), r.Budget, r.Begun.UTC().Format(time.RFC3339), r.Steps, r.Games, r.Generations, r.Done)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// each runs a query and hands every row to do.
func (db *DB) each(doing string, do func(*sql.Rows) error, query string, args ...any) error {
	rows, err := db.sql.Query(query, args...)
	if err != nil {
		return db.fault(doing, err)
	}
	for err == nil && rows.Next() {
		err = do(rows)
	}
	return db.fault(doing, errors.Join(err, rows.Err(), rows.Close()))
}
