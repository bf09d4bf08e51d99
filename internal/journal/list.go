package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"quintune/internal/filelock"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/internal/store"
)

// Kept is a stored ladder or match in a list.
type Kept struct {
	run.Summary
	Kind    store.Kind      `json:"kind"`
	Purpose string          `json:"purpose"` // of a match: "match", "test", "sprt", "sensitivity"; "" of a ladder
	Players []string        `json:"players"`
	Playing bool            `json:"playing"`  // a process is playing it now
	Damaged bool            `json:"damaged"`  // its record or its pairs cannot be read: what follows from these is not known
	Verdict string          `json:"verdict"`  // result of a test that has ended, in words for people; "" otherwise
	Pairs   int             `json:"pairs"`    // finished
	Measure *stats.Estimate `json:"measured"` // strength of the first player of a match against the second, from the pairs that count; null without any
}

// List returns the ladders and matches that are kept in the database of a folder, the latest last. A damaged one is listed as such.
func List(db *store.DB, folder string) ([]Kept, error) {
	rows, err := db.Kept()
	if err != nil {
		return nil, err
	}
	list := make([]Kept, len(rows))
	for i, row := range rows {
		list[i], err = kept(db, folder, row)
		if list[i].Damaged = errors.Is(err, store.ErrDamaged); err != nil && !list[i].Damaged {
			return nil, fmt.Errorf("%s %s: %w", row.Kind, row.Name, err)
		}
	}
	return list, nil
}

func kept(db *store.DB, folder string, row store.Run) (Kept, error) {
	k := Kept{Summary: row.Summary, Kind: row.Kind, Pairs: row.Open / 2, Playing: filelock.Held(lockOf(folder, row.Name))}
	k.Done = k.Done || row.Open >= row.Budget
	record, err := db.Record(row)
	if err != nil {
		return k, err
	}
	if row.Kind == store.KindLadder {
		var l struct {
			Players []struct{ Argument string }
		}
		err := json.Unmarshal(record, &l)
		for _, p := range l.Players {
			k.Players = append(k.Players, p.Argument)
		}
		return k, damaged(err)
	}
	var m matchRecord
	if err := json.Unmarshal(record, &m); err != nil {
		return k, damaged(err)
	}
	k.Purpose, k.Players = m.Purpose, []string{m.Players[0].Name, m.Players[1].Name}
	if k.Purpose == purposeSensitivity {
		k.Players = k.Players[:1] // the run, whose weights meet many others
		return k, nil
	}
	if k.Purpose == "match" && m.tested() {
		k.Purpose = "test"
	}
	points, err := db.Points(row)
	if err != nil {
		return k, err
	}
	return k, damaged(k.judge(&m, points))
}

// damaged marks an error of what is stored; nil stays nil.
func damaged(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", store.ErrDamaged, err)
}

// tested reports whether a sequential test ends the match.
func (m *matchRecord) tested() bool { return m.Test != [2]float64{} }

// judge counts the pairs of a match. For a test it counts them in the order of the openings until the test ends,
// as the match did.
func (k *Kept) judge(m *matchRecord, points map[int]int) error {
	var counted stats.Pentanomial
	if !m.tested() {
		for _, p := range points {
			if p != store.Void {
				counted[p]++
			}
		}
		k.measure(counted)
		return nil
	}
	test, err := stats.NewTest(match.NewSPRT(m.Test[0], m.Test[1]), int64(m.Pairs))
	if err != nil {
		return err
	}
	for i := 0; test.Verdict() == stats.Continue; i++ {
		p, stored := points[i]
		if !stored {
			break
		}
		if p != store.Void {
			counted[p]++
			test.Add(p)
		}
	}
	if verdict := test.Verdict(); verdict != stats.Continue || k.Done {
		g := match.GateReport{Verdict: verdict.String()}
		k.Verdict, k.Done = g.Plain(), true
	}
	k.measure(counted)
	return nil
}

func (k *Kept) measure(p stats.Pentanomial) {
	if p.Pairs() > 0 {
		e := p.Elo()
		k.Measure = &e
	}
}

// Remove deletes a ladder or match with all its pairs. One that is being played is refused.
func Remove(db *store.DB, folder string, k *Kept) error {
	if filepath.Base(k.Name) != k.Name { // the database may come from elsewhere
		return fmt.Errorf("%s: its name is %.100q, which leads out of the folder", k.Kind, k.Name)
	}
	lock, err := take(lockOf(folder, k.Name), k.Kind, k.Name)
	if err != nil {
		return err
	}
	row, err := db.RunOf(k.Kind, k.Name)
	switch {
	case errors.Is(err, store.ErrNoRun): // it was deleted since k was listed
		return errors.Join(err, filelock.Delete(lock))
	case err != nil:
		return errors.Join(err, lock.Close())
	}
	if err := db.DeleteRun(row); err != nil {
		return errors.Join(err, lock.Close())
	}
	if err := filelock.Delete(lock); err != nil {
		return fmt.Errorf("%s: %w", k.Kind, err)
	}
	return nil
}

// lockOf returns the path of the lock file of a ladder or match.
func lockOf(folder, name string) string { return filepath.Join(folder, name+".lock") }
