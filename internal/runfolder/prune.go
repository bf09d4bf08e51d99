package runfolder

import (
	"fmt"
	"slices"
	"time"

	"quintune/internal/journal"
	"quintune/internal/store"
)

// Pruning selects what to delete: what is named; without names, everything finished except the young and the latest.
type Pruning struct {
	Names     []string      // of runs, ladders and matches
	OlderThan time.Duration // what was begun within this time stays
	Keep      int           // number of the latest runs that stay, and of the latest ladders and matches
	Games     bool          // only the games of runs: all figures stay
}

// Pruned lists what a pruning deletes.
type Pruned struct {
	Runs []string
	Kept []journal.Kept
}

// Prunable returns what a pruning means. Of what is not named it is what is finished; a name that is not stored is an error.
func (r *Runs) Prunable(p *Pruning) (Pruned, error) {
	var kept []journal.Kept
	if r.db != nil {
		var err error
		if kept, err = journal.List(r.db, r.dir); err != nil {
			return Pruned{}, err
		}
	}
	if len(p.Names) > 0 {
		return r.named(p, kept)
	}
	all, err := r.List()
	if err != nil {
		return Pruned{}, err
	}
	all = slices.DeleteFunc(all, Listed.OldFormat) // they are none of the latest
	var chosen Pruned
	for i, s := range all {
		if s.Status == StatusDone && p.old(s.Begun) && i < len(all)-p.Keep {
			chosen.Runs = append(chosen.Runs, s.Name)
		}
	}
	if p.Games {
		return chosen, nil
	}
	for i, k := range kept {
		if k.Done && !k.Playing && p.old(k.Begun) && i < len(kept)-p.Keep {
			chosen.Kept = append(chosen.Kept, k)
		}
	}
	return chosen, nil
}

func (p *Pruning) old(begun time.Time) bool { return time.Since(begun) > p.OlderThan }

// named returns what the names of a pruning mean. What is being played is refused before anything is deleted.
func (r *Runs) named(p *Pruning, kept []journal.Kept) (chosen Pruned, err error) {
	for i, name := range p.Names {
		if slices.Contains(p.Names[:i], name) {
			continue
		}
		if err := r.choose(&chosen, p, kept, name); err != nil {
			return chosen, err
		}
	}
	return chosen, nil
}

// choose adds what a name means.
func (r *Runs) choose(chosen *Pruned, p *Pruning, kept []journal.Kept, name string) error {
	if i := slices.IndexFunc(kept, func(k journal.Kept) bool { return k.Name == name }); i >= 0 {
		switch {
		case p.Games:
			return fmt.Errorf("runfolder: %s is a %s: its games go with all of it, without --games", name, kept[i].Kind)
		case kept[i].Playing:
			return journal.Busy(kept[i].Kind, name)
		}
		chosen.Kept = append(chosen.Kept, kept[i])
		return nil
	}
	if _, err := r.Row(name); err != nil {
		return err
	}
	if r.locked(name) {
		return journal.Busy(store.KindRun, name)
	}
	chosen.Runs = append(chosen.Runs, name)
	return nil
}

// Prune deletes what a pruning means, and gives the room back to the disk.
func (r *Runs) Prune(p *Pruning, chosen *Pruned) error {
	remove := r.remove
	if p.Games {
		remove = r.removeGames
	}
	for _, name := range chosen.Runs {
		if err := remove(name); err != nil {
			return err
		}
	}
	for i := range chosen.Kept {
		if err := journal.Remove(r.db, r.dir, &chosen.Kept[i]); err != nil {
			return err
		}
	}
	return r.db.Compact()
}
