package store

import (
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// applicationID marks our databases in the header of the file: "Qntn".
const applicationID = 0x516e746e

//go:embed schema/*.sql
var schema embed.FS

// migrations returns the scripts that make the schema. Script n leads from version n to n+1. A script that was
// released never changes.
func migrations() []string {
	names, err := fs.Glob(schema, "schema/*.sql") // sorted
	if err != nil {
		panic(err)
	}
	scripts := make([]string, len(names))
	for i, name := range names {
		script, err := schema.ReadFile(name)
		if err != nil {
			panic(err)
		}
		scripts[i] = string(script)
	}
	return scripts
}

// version returns the version of the schema, 0 for an empty database.
func (db *DB) version() (int, error) {
	var version, id, tables int
	err := db.sql.QueryRow("SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version, pragma_application_id").
		Scan(&version, &id, &tables)
	if err != nil {
		return 0, db.fault("opening", err)
	}
	if id != applicationID && tables+version > 0 {
		return 0, fmt.Errorf("store: %s: %w", db.path, errForeign)
	}
	return version, nil
}

// checkVersion refuses a version newer than that of the program.
func (db *DB) checkVersion(version, newest int) error {
	if version > newest {
		return fmt.Errorf("store: %s: %w: it has version %d, this program knows versions up to %d; nothing was changed",
			db.path, errNewer, version, newest)
	}
	return nil
}

// migrate runs the missing scripts, each in a transaction of its own.
func (db *DB) migrate(scripts []string) error {
	for {
		version, err := db.version()
		if err == nil {
			err = db.checkVersion(version, len(scripts))
		}
		if err != nil || version == len(scripts) {
			return err
		}
		err = db.writeSynced(fmt.Sprintf("migrating to version %d", version+1), func(tx *sql.Tx) error {
			return migrateFrom(tx, version, scripts[version])
		})
		if err != nil && !errors.Is(err, errMigrated) {
			return err
		}
	}
}

// errMigrated means that another process has migrated the database first.
var errMigrated = errors.New("migrated by another process")

func migrateFrom(tx *sql.Tx, version int, script string) error {
	var now int
	if err := tx.QueryRow("PRAGMA user_version").Scan(&now); err != nil {
		return err
	}
	if now != version {
		return errMigrated
	}
	if _, err := tx.Exec(script); err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT INTO migrations VALUES (?, sqlite_version())", version+1); err != nil {
		return err
	}
	_, err := tx.Exec(fmt.Sprintf("PRAGMA user_version=%d; PRAGMA application_id=%d", version+1, applicationID))
	return err
}
