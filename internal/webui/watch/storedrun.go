package watch

import (
	"errors"
	"reflect"
	"slices"
	"sync"
	"time"

	"quintune/internal/progress"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/store"
)

const (
	lookEvery   = time.Second // between two reads of a stored run
	recentSteps = 5           // number of steps at the end of a run whose games are shown; the last step may have none
)

// storedRun is a stored run with the history that its watchers read.
type storedRun struct {
	shelf   *Shelf
	name    string
	history *progress.History

	mu     sync.Mutex
	looked time.Time
	begun  time.Time // time at which the run was first seen being played, and its number of games then
	first  int
	was    run.Summary
	known  progress.Stored // closed steps at the last read
}

// errOther means that the name now belongs to another run, or that the run has gone back. Its history must begin
// again.
var errOther = errors.New("the run begins anew")

// look updates the history from the database, at most once in lookEvery.
func (r *storedRun) look() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.looked) < lookEvery {
		return nil
	}
	err := r.shelf.read(r.load)
	if err == nil {
		r.looked = time.Now()
	}
	return err
}

// load reads what has changed.
func (r *storedRun) load(runs *runfolder.Runs) error {
	row, err := runs.Row(r.name)
	if err != nil {
		return err
	}
	status := runs.Status(&row)
	if r.history != nil && (row.Hash != r.was.Hash || row.Steps < r.was.Steps || !row.Begun.Equal(r.was.Begun)) {
		return errOther
	}
	if r.history == nil || row.Steps != r.was.Steps {
		if err := r.readSteps(runs, row); err != nil {
			return err
		}
	}
	r.was, r.known.Progress = row.Summary, row.Progress
	r.known.Stage, r.known.Speed = stageOf(status), r.speed(status)
	r.history.Load(&r.known)
	r.known.Games = nil
	return nil
}

// readSteps reads what was stored since the last closed step that is known: state, generations and some games. At first it begins the
// history.
func (r *storedRun) readSteps(runs *runfolder.Runs, row store.Run) error {
	stored, err := runs.Load(r.name)
	if err != nil {
		return err
	}
	if r.history == nil {
		if r.history, err = progress.New(&stored.Record, r.name, progress.Sources{}); err != nil {
			return err
		}
	}
	generations, err := runs.DB().Generations(row)
	if err != nil {
		return err
	}
	if r.known.State != nil && !(begins(stored.State.Checks, r.known.State.Checks) && begins(generations, r.known.Generations)) {
		return errOther
	}
	r.known.State, r.known.Generations = &stored.State, generations
	r.known.Games = []run.Game{}
	return runs.DB().GamesFrom(row, row.Steps-recentSteps, func(g *store.Game) error {
		if len(r.known.Games) == progress.MostGames {
			r.known.Games = slices.Delete(r.known.Games, 0, 1)
		}
		r.known.Games = append(r.known.Games, run.NewGame(&g.Game, g.Players, run.Stage(g.Purpose), row.Rule, row.Size, g.Opening))
		return nil
	})
}

// begins reports whether a list begins with the known one: a run that went back may have closed more steps since than it had before.
func begins[T any](list, known []T) bool {
	return slices.EqualFunc(list[:min(len(list), len(known))], known, func(a, b T) bool { return reflect.DeepEqual(a, b) })
}

// stageOf returns the stage for a run's status in a list.
func stageOf(status string) run.Stage {
	switch status {
	case runfolder.StatusDone:
		return run.StageDone
	case runfolder.StatusPlaying:
		return run.StagePlaying
	}
	return run.StageInterrupted
}

// speed returns the games a second since the run was first seen being played; 0 where it is not being played.
func (r *storedRun) speed(status string) float64 {
	games := r.was.AllGames()
	if status != runfolder.StatusPlaying {
		r.begun = time.Time{}
		return 0
	}
	if r.begun.IsZero() {
		r.begun, r.first = time.Now(), games
		return 0
	}
	r.first = min(r.first, games) // pairs that were being played when a gate was decided are not kept
	return float64(games-r.first) / max(1, time.Since(r.begun).Seconds())
}
