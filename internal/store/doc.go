// Package store keeps runs in a database: configurations, generations, genomes, pairs and games, gates and
// validations, and what is needed to go on (docs/database.md).
//
// One SQLite database serves all runs of a folder. A process that plays a run holds one Session, its only
// writer; other processes may play other runs and read at the same time. Finished pairs are committed
// on the way, so that a resumed run plays none of them again, and the close of a step is synced to
// the disk. Nothing is keyed or ordered by the clock.
//
// The room knows runs, pairs and games; what stands in records and states is the caller's.
package store
