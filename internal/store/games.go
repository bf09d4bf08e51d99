package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quintune/selfplay"
)

// Game is a stored game.
type Game struct {
	selfplay.Game
	Key     Key
	Purpose string    // reason for which it was played, such as "generation 12"
	Opening int       // plies of the opening
	Players [2]string // names by colour
}

// Key identifies a game of a run. Keys are ordered by step, part, pair and number.
type Key struct {
	Step   int // number of steps closed before it
	Part   int // number of batches before it in the step
	Pair   int
	Number int // 0 and 1: the games of the pair; 2 and 3: a first attempt that was discarded
}

// String returns the key as "step.part.pair.number".
func (k Key) String() string { return fmt.Sprintf("%d.%d.%d.%d", k.Step, k.Part, k.Pair, k.Number) }

// Games calls do for the games of a run in the order of their keys. Those of the open step are the last; those that were
// played ahead of it are left out. It stops at an error of do and returns it. do must not use the database.
func (db *DB) Games(r Run, do func(*Game) error) error { return db.GamesFrom(r, 0, do) }

// GamesFrom is Games for the given step and later ones.
func (db *DB) GamesFrom(r Run, step int, do func(*Game) error) error {
	var of batchNames
	var refused error // what do returned: no fault of the database
	err := db.eachPair("reading games of run "+r.Name, r.Size, func(p *pairRow, result *selfplay.Result) error {
		if err := of.read(p.batch); err != nil {
			return p.damaged(err)
		}
		for i, game := range slices.Concat(result.Games[:], result.Discarded) {
			g := Game{
				Game: game, Key: Key{p.batch.step, p.batch.part, p.index, i},
				Purpose: p.batch.purpose, Opening: p.opening,
			}
			for colour, player := range [2]int{p.a, p.b} {
				name, err := of.name(player)
				if err != nil {
					return p.damaged(err)
				}
				g.Players[(colour+i)%2] = name
			}
			if refused = do(&g); refused != nil {
				return refused
			}
		}
		return nil
	}, "WHERE run = ? AND step >= ? AND step < ?", r.id, step, aheadStep)
	if refused != nil {
		return refused
	}
	return err
}

// batchNames holds the names of the players of the last batch that was read.
type batchNames struct {
	batch int64
	names []string
}

func (n *batchNames) read(b *batchRow) error {
	if n.batch == b.id && n.names != nil {
		return nil
	}
	n.batch = b.id
	return json.Unmarshal([]byte(b.players), &n.names)
}

// name returns the name of a player.
func (n *batchNames) name(player int) (string, error) {
	if player < 0 || player >= len(n.names) {
		return "", fmt.Errorf("player %d of %d", player, len(n.names))
	}
	if n.names[player] == "" {
		return fmt.Sprintf("player %d", player+1), nil
	}
	return n.names[player], nil
}

// DeleteGames deletes the games of closed steps, which a resumed run does not need. All figures stay.
func (db *DB) DeleteGames(r Run) error {
	return db.deleteBatches(r, "run = ? AND step < (SELECT steps + done FROM runs WHERE id = run)")
}

// DeleteRun deletes a run with everything that belongs to it.
func (db *DB) DeleteRun(r Run) error {
	if err := db.deleteBatches(r, "run = ?"); err != nil {
		return err
	}
	return db.write("deleting run "+r.Name, func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM runs WHERE id = ?", r.id)
		return err
	})
}

// deleteBatches deletes one batch at a time, so that other processes can write in between.
func (db *DB) deleteBatches(r Run, which string) error {
	for {
		var id int64
		err := db.sql.QueryRow("SELECT id FROM batches WHERE "+which+" LIMIT 1", r.id).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		doing := "deleting games of run " + r.Name
		if err != nil {
			return db.fault(doing, err)
		}
		err = db.write(doing, func(tx *sql.Tx) error {
			_, err := tx.Exec("DELETE FROM batches WHERE id = ?", id)
			return err
		})
		if err != nil {
			return err
		}
	}
}

// Compact returns the space of deleted rows to the disk. Other processes wait to write until it is done. While
// it works it needs as much space again as the database.
func (db *DB) Compact() error {
	db.writing.Lock()
	defer db.writing.Unlock()
	_, err := db.sql.Exec("VACUUM")
	if err == nil {
		_, err = db.sql.Exec("PRAGMA wal_checkpoint(truncate)")
	}
	return db.fault("compacting", err)
}
