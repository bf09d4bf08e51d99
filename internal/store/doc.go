// Package store keeps runs in a database: configurations, generations, pairs and games, gates and
// validations, and the state from which a run continues (docs/database.md).
//
// One SQLite database holds all runs of a folder. The process that plays a run has one Session, which is the
// only writer of that run. At the same time other processes may play other runs and read. Finished pairs are
// committed while a step is played, so a resumed run plays none of them again. Closing a step syncs the data to
// the disk. No key and no order depends on the clock.
//
// The package knows runs, their states, pairs and games. What a record holds is defined by its callers.
package store
