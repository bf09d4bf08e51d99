package store

import (
	"cmp"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strconv"
	"strings"
	"time"

	"quintune/internal/run"
)

// Run is a stored run.
type Run struct {
	run.Summary
	Kind Kind
	id   int64
}

// Kind is the kind of a stored run.
type Kind string

// The kinds.
const (
	KindRun    Kind = "run"    // a run of the tuner
	KindLadder Kind = "ladder" // a tournament
	KindMatch  Kind = "match"  // two players
)

// ErrNoRun is wrapped by the error of a run that is not there.
var ErrNoRun = errors.New("no such run")

// column is a column of the table runs and the field that it stores.
type column struct {
	name  string
	field any
}

// columns returns the columns of a run's summary, in the order in which queries list them. Each field is one, with its name in small
// letters or that of its tag "column".
func columns(s *run.Summary) []column { return columnsOf(reflect.ValueOf(s).Elem()) }

func columnsOf(fields reflect.Value) (list []column) {
	for field, value := range fields.Fields() {
		name := cmp.Or(field.Tag.Get("column"), strings.ToLower(field.Name))
		switch at := value.Addr().Interface().(type) {
		case *run.Progress:
			list = append(list, columnsOf(value)...)
		case *uint64:
			list = append(list, column{name, (*decimal)(at)})
		case *time.Time:
			list = append(list, column{name, (*utc)(at)})
		default:
			if name != "-" {
				list = append(list, column{name, at})
			}
		}
	}
	return list
}

// decimal is a number stored as text, because it may be greater than SQLite's integers.
type decimal uint64

// Value returns the text; see driver.Valuer.
func (d *decimal) Value() (driver.Value, error) { return strconv.FormatUint(uint64(*d), 10), nil }

// Scan reads the text; see sql.Scanner.
func (d *decimal) Scan(from any) error {
	v, err := strconv.ParseUint(fmt.Sprint(from), 10, 64)
	*d = decimal(v)
	return err
}

// utc is a time stored as text, in whole seconds.
type utc time.Time

// Value returns the text; see driver.Valuer.
func (u *utc) Value() (driver.Value, error) { return time.Time(*u).UTC().Format(time.RFC3339), nil }

// Scan reads the text; see sql.Scanner.
func (u *utc) Scan(from any) error {
	v, err := time.Parse(time.RFC3339, fmt.Sprint(from))
	*u = utc(v)
	return err
}

// selectRuns returns a query of runs, for scanRun.
func selectRuns(which string) string {
	var names []string
	for _, c := range columns(new(run.Summary)) {
		names = append(names, c.name)
	}
	return "SELECT id, kind, " + strings.Join(names, ", ") + `,
		(SELECT 2 * count(*) FROM batches JOIN pairs ON batch = batches.id WHERE run = runs.id AND step >= runs.steps)
		FROM runs ` + which
}

func scanRun(row interface{ Scan(...any) error }) (r Run, err error) {
	fields := []any{&r.id, &r.Kind}
	for _, c := range columns(&r.Summary) {
		fields = append(fields, c.field)
	}
	return r, row.Scan(append(fields, &r.Open)...)
}

// Runs returns all runs of the tuner in the order in which they were begun or last resumed.
func (db *DB) Runs() ([]Run, error) {
	return db.list(selectRuns("WHERE kind = ? ORDER BY turn"), KindRun)
}

// Kept returns all ladders and matches in the order in which they were begun or last continued.
func (db *DB) Kept() ([]Run, error) {
	return db.list(selectRuns("WHERE kind <> ? ORDER BY turn"), KindRun)
}

func (db *DB) list(query string, args ...any) ([]Run, error) {
	list := []Run{}
	err := db.each("listing the runs", func(rows *sql.Rows) error {
		r, err := scanRun(rows)
		list = append(list, r)
		return err
	}, query, args...)
	return list, err
}

// Run returns the run of the tuner with the name. Where there is none the error wraps ErrNoRun.
func (db *DB) Run(name string) (Run, error) { return db.RunOf(KindRun, name) }

// RunOf returns the run of a kind with the name. Where there is none the error wraps ErrNoRun.
func (db *DB) RunOf(kind Kind, name string) (Run, error) {
	r, err := scanRun(db.sql.QueryRow(selectRuns("WHERE kind = ? AND name = ?"), kind, name))
	if errors.Is(err, sql.ErrNoRows) {
		return r, fmt.Errorf("store: %s: %s %s: %w", db.path, kind, name, ErrNoRun)
	}
	return r, db.fault(fmt.Sprintf("reading %s %s", kind, name), err)
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

// document reads a column of the tables records and states.
func (db *DB) document(r Run, what string) ([]byte, error) {
	text, err := summed(db.sql.QueryRow(fmt.Sprintf("SELECT %s, sum FROM %ss WHERE run = ?", what, what), r.id))
	if errors.Is(err, sql.ErrNoRows) && what == "record" {
		err = fmt.Errorf("%w: there is none", ErrDamaged)
	}
	return text, db.fault(fmt.Sprintf("reading the %s of run %s", what, r.Name), err)
}

// summed returns a text that is stored with its checksum.
func summed(row *sql.Row) (text []byte, err error) {
	var sum sql.NullString
	if err = row.Scan(&text, &sum); err == nil {
		err = checkSum(text, sum)
	}
	return text, err
}

// checkSum refuses a text that is not what was stored. Without a checksum, as older versions stored sets and champions, it is believed.
func checkSum(text []byte, sum sql.NullString) error {
	if sum.Valid && sum.String != sumOf(text) {
		return fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return nil
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// putDocument writes a column of the tables records and states.
func putDocument(tx *sql.Tx, id int64, what string, text []byte) error {
	_, err := tx.Exec(fmt.Sprintf("INSERT OR REPLACE INTO %ss VALUES (?, ?, ?)", what), id, string(text), sumOf(text))
	return err
}

// insertRun adds a run and returns its id. Where the name is taken the error wraps fs.ErrExist.
func insertRun(tx *sql.Tx, kind Kind, s *run.Summary) (int64, error) {
	var taken int
	if err := tx.QueryRow("SELECT count(*) FROM runs WHERE name = ?", s.Name).Scan(&taken); err != nil {
		return 0, err
	}
	if taken > 0 {
		return 0, fmt.Errorf("run %s: %w", s.Name, fs.ErrExist)
	}
	names, places, values := []string{"kind"}, []string{"?"}, []any{kind}
	for _, c := range columns(s) {
		names, places, values = append(names, c.name), append(places, "?"), append(values, c.field)
	}
	result, err := tx.Exec(fmt.Sprintf("INSERT INTO runs (%s, turn) VALUES (%s, (SELECT coalesce(max(turn), 0) + 1 FROM runs))",
		strings.Join(names, ", "), strings.Join(places, ", ")), values...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// each runs a query and calls do for every row.
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
