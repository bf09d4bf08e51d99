package runfolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"quintune/internal/journal"
	"quintune/internal/store"
	"quintune/internal/text"
)

// Latest returns the name of the run that was begun or resumed last; with unfinished of those that are not done, and of these one
// that no process plays where there is one.
func (r *Runs) Latest(unfinished bool) (string, error) {
	var rows []store.Run
	if r.db != nil {
		var err error
		if rows, err = r.db.Runs(); err != nil {
			return "", err
		}
	}
	if len(rows) == 0 {
		return "", fmt.Errorf("there is no run in %s yet: `tune run` begins one", r.dir)
	}
	played := ""
	for _, row := range slices.Backward(rows) {
		switch {
		case !unfinished || !row.Done && !r.locked(row.Name):
			return row.Name, nil
		case !row.Done && played == "":
			played = row.Name
		}
	}
	if played != "" {
		return played, nil
	}
	last := rows[len(rows)-1].Name
	if err := checkRunName(last); err != nil { // the database may come from elsewhere
		return "", err
	}
	done, more := fmt.Sprintf("all %d runs in %s are done", len(rows), r.dir), []string{"tune", "resume", last, "--budget", "MORE"}
	if len(rows) == 1 {
		done = fmt.Sprintf("the only run in %s is done", r.dir)
	}
	if s, err := r.Load(last); err == nil && s.Record.Engine != "" { // a record that cannot be read names none
		more = append(more, "--engine", s.Record.Engine)
	}
	if r.dir != DefaultDir {
		more = append(more, "--runs", r.dir)
	}
	return "", fmt.Errorf("%s: `%s` goes on", done, text.CommandLine(more...))
}

// Row returns what the database shows of a run. Where there is none the error is store.ErrNoRun.
func (r *Runs) Row(name string) (store.Run, error) {
	if err := checkRunName(name); err != nil {
		return store.Run{}, noRun{err}
	}
	if r.db != nil {
		row, err := r.db.Run(name)
		if !errors.Is(err, store.ErrNoRun) {
			return row, err
		}
	}
	if r.old(name) {
		return store.Run{}, noRun{fmt.Errorf("runfolder: run %s in %s was %s", name, r.dir, oldFormat)}
	}
	return store.Run{}, r.errNoRun(name)
}

// errNoRun returns the error for a name that no run has: it says what else has it, or suggests the name of a run.
func (r *Runs) errNoRun(name string) error {
	kind, err := r.keptKind(name)
	if err != nil {
		return err
	}
	if kind != "" {
		return noRun{fmt.Errorf("%s is a %s, not a run: the command that began it goes on with it, or shows its result again", name, kind)}
	}
	var names []string
	if r.db != nil {
		rows, err := r.db.Runs()
		if err != nil {
			return err
		}
		for i := range rows {
			names = append(names, rows[i].Name)
		}
	}
	return noRun{fmt.Errorf("there is no run %s in %s%s", name, r.dir, text.DidYouMean(name, names))}
}

// noRun is store.ErrNoRun with a message of its own.
type noRun struct{ error }

func (noRun) Is(target error) bool { return target == store.ErrNoRun }

// keptKind returns the kind of the ladder or match with the name, "" where none has it.
func (r *Runs) keptKind(name string) (store.Kind, error) {
	if r.db == nil {
		return "", nil
	}
	kept, err := r.db.Kept()
	for i := range kept {
		if kept[i].Name == name {
			return kept[i].Kind, err
		}
	}
	return "", err
}

// CheckNew returns an error where no run can be begun under the name. Where a run has it the error wraps fs.ErrExist.
func (r *Runs) CheckNew(name string) error {
	if err := checkRunName(name); err != nil {
		return err
	}
	if r.locked(name) {
		return journal.Busy(store.KindRun, name)
	}
	taken := r.old(name)
	if r.db != nil && !taken {
		_, err := r.db.Run(name)
		if err != nil && !errors.Is(err, store.ErrNoRun) {
			return err
		}
		taken = err == nil
	}
	if taken {
		return fmt.Errorf("runfolder: run %s: %w", name, fs.ErrExist)
	}
	kind, err := r.keptKind(name)
	if err == nil && kind != "" {
		err = fmt.Errorf("the name %s is that of a stored %s: choose another --name", name, kind)
	}
	return err
}

// FreeName returns the base, or the base with a number where runs have taken it.
func (r *Runs) FreeName(base string) (string, error) {
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		_, err := os.Stat(r.Folder(name))
		_, stored := r.db.Run(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && errors.Is(stored, store.ErrNoRun):
			return name, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("runfolder: %w", err)
		case stored != nil && !errors.Is(stored, store.ErrNoRun):
			return "", stored
		}
	}
}

// PlainName returns a text as a part of a run's name: each character other than a letter of English or a digit is a dash.
func PlainName(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, text)
}
