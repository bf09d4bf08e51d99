package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/atomicfile"
	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/pattern"
)

// resumeOptions are the options of `tune resume`.
type resumeOptions struct {
	playOptions
	Budget config.Budget // zero: the run's own
	Name   string
	Fork   bool
	Out    string // "": the run's own
}

func (o *resumeOptions) Declare(d *config.Declaration) {
	d.Group("The run")
	config.Var(d, &o.Budget, "budget", "", config.Optional(config.Spending(run.MinBudget, run.MaxBudget)), "budget in place of the run's own", config.FlagOnly)
	config.Var(d, &o.Fork, "fork", "false", config.Switch(), "begin a new run from what the old one recommends, under this program's engine", config.FlagOnly)
	config.Var(d, &o.Name, "name", "", runName(), "name of the run that --fork or a checkpoint makes", config.FlagOnly)
	config.Var(d, &o.Out, "out", "", config.Text("FILE"), "file that a proven champion replaces, in place of the run's own", config.FlagOnly)
	o.playOptions.Declare(d)
}

func resumeCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "resume [RUN|CHECKPOINT]",
		Short: "Go on with an interrupted run, by default the latest unfinished one",
		Long: `Goes on with a run as if it had never been stopped: finished pairs are not played again, and the result is the same, byte for
byte. A checkpoint (a file of "tune export RUN") goes on with a run of another machine, or with that run as it is stored here, if it
is as far. A finished run is shown and writes nothing; --budget goes on with it. The checkpoint of a finished run writes the result
once. The run keeps its budget and its --out unless others are typed: those of a configuration are for new runs.

A run of another engine, other weights or another processor architecture is refused; --fork begins a new run from what it recommends:
its result, or before its end the last champion that passed a gate, else the current one. The new run has the games that the old one
has left, or its whole budget where it is finished.`,
		Example: `  tune resume
  tune resume r-huang-1-0123abcd --budget 2h
  tune resume checkpoint.json
  tune resume r-huang-1-0123abcd --fork`,
		Args: cobra.MaximumNArgs(1),
	}, &resumeOptions{}, resumeRun)
}

func resumeRun(cmd *cobra.Command, o *resumeOptions, args []string) error {
	outliveTerminal()
	defer func() { closePage(o.page) }() // of a checkpoint that was refused
	if err := o.checkThere(args); err != nil {
		return err
	}
	return changeRuns(o.Runs, func(runs *runfolder.Runs) error {
		if o.Fork {
			return forkRun(cmd, o, runs, args)
		}
		folder, stored, err := held(cmd.Context(), o, runs, args)
		if err != nil {
			return err
		}
		p := &playing{options: &o.playOptions, folder: folder, record: stored.Record, state: stored.State}
		return errors.Join(p.resume(cmd, o, runs), folder.Release())
	})
}

// held locks a run: the named one, that of a checkpoint, or the latest unfinished one. What is read after the lock
// is complete: the process that wrote it has ended.
func held(ctx context.Context, o *resumeOptions, runs *runfolder.Runs, args []string) (*runfolder.Folder, *runfolder.Stored, error) {
	if len(args) > 0 && isCheckpoint(runs, args[0]) {
		return heldCheckpoint(ctx, o, runs, args[0])
	}
	name, err := runNamed(runs, args, true)
	if err == nil && o.Name != "" {
		err = config.Usagef("name: only --fork and a checkpoint make a run")
	}
	if err == nil {
		err = runs.Check()
	}
	if err != nil {
		return nil, nil, err
	}
	return runs.Hold(name)
}

// isCheckpoint reports whether an argument names a file: by its ending, or because it is one and no stored run has the name.
func isCheckpoint(runs *runfolder.Runs, argument string) bool {
	if player.IsFile(argument) {
		return true
	}
	info, err := os.Stat(argument)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	_, err = runs.Row(argument)
	return err != nil
}

// checkpointIn reads the checkpoint in a file. It opens the page and checks the --out and the commands of its run before that is
// stored.
func checkpointIn(ctx context.Context, o *resumeOptions, path string) (*runfolder.Checkpoint, error) {
	if err := o.openPage(ctx); err != nil {
		return nil, err
	}
	data, err := atomicfile.Read(path, runfolder.MaxCheckpoint)
	if err != nil {
		return nil, err
	}
	c, err := runfolder.ReadCheckpoint(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := takeOut(o, path, c); err != nil {
		return nil, err
	}
	return c, errors.Join(checkOut(cmp.Or(o.Out, c.Record.Out)), allowed(tuner.External(c.Record.Spec.Anchors), o.AllowCommands))
}

// engineOf is engineFile of a run that is resumed.
func (o *resumeOptions) engineOf(name string, record *run.Record) (string, error) {
	return engineFile(o.Engine, o.AllowCommands, ", or allow that file with --allow-commands", name, record)
}

// heldCheckpoint imports and locks the run of a checkpoint, under another name where --name is given.
func heldCheckpoint(ctx context.Context, o *resumeOptions, runs *runfolder.Runs, path string) (*runfolder.Folder, *runfolder.Stored, error) {
	c, err := checkpointIn(ctx, o, path)
	if err == nil {
		err = o.checkEngine(c)
	}
	if err == nil && o.Budget.Time == 0 && o.Budget != (config.Budget{}) { // a time is measured when the run is stored
		_, err = extension(ctx, o.Budget, &tuner.Config{Spec: c.Record.Spec}, c.State.Done, nil, slog.New(slog.DiscardHandler))
	}
	if err != nil {
		return nil, nil, err
	}
	name := cmp.Or(o.Name, c.Name)
	folder, stored, err := runs.Import(c, name)
	return folder, stored, o.taken(runs, name, err)
}

// checkEngine checks the engine file with which the run of a checkpoint would continue.
func (o *resumeOptions) checkEngine(c *runfolder.Checkpoint) error {
	path, err := o.engineOf(cmp.Or(o.Name, c.Name), &c.Record)
	if err != nil {
		return err
	}
	engine, err := openOutside(path, o.Workers)
	if err != nil {
		return err
	}
	return checkApart(cmp.Or(o.Out, c.Record.Out), engine)
}

// takeOut keeps the file that the run of a checkpoint writes where that is a plain name. Else it takes --out: the checkpoint may come
// from anybody.
func takeOut(o *resumeOptions, path string, c *runfolder.Checkpoint) error {
	out := &c.Record.Out
	*out = filepath.Clean(*out)
	if filepath.Base(*out) == *out && !strings.HasPrefix(*out, ".") && player.IsFile(*out) {
		return nil
	}
	if o.Out == "" {
		return config.Usagef("the run of %s would write to %.120q, not to a .json file in the working directory: name the file with --out", path, *out)
	}
	*out = o.Out
	return nil
}

// resume plays the rest of a run that is held.
func (p *playing) resume(cmd *cobra.Command, o *resumeOptions, runs *runfolder.Runs) (err error) {
	name := p.folder.Name()
	path, err := o.engineOf(name, &p.record)
	if err != nil {
		return err
	}
	if p.outside, err = openOutside(path, o.Workers); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.outside.close()) }()
	c, err := tuner.Open(&p.record.Spec, bench.Signature(), p.outside.tuned)
	if err == nil {
		err = p.record.CheckArch()
	}
	var other *run.Mismatch
	if errors.As(err, &other) {
		return fmt.Errorf("run %s is not resumed: %w; `%s` begins a new run from what it recommends", name, err,
			text.CommandLine(o.withRuns("tune", "resume", name, "--fork")...))
	}
	if err != nil {
		return err
	}
	rule, err := pattern.ParseRule(c.Rule)
	if err != nil {
		return err
	}
	p.outside.setBoard(rule, c.Size)
	p.outside.setRepeats(p.record.Spec.Reproducible)
	p.config, p.record.Out = c, cmp.Or(o.Out, p.record.Out)
	if err := errors.Join(checkOut(p.record.Out), checkApart(p.record.Out, p.outside)); err != nil {
		return err
	}
	if err := allowed(tuner.External(c.Anchors), o.AllowCommands); err != nil {
		return err
	}
	if place, finished := candidateOf(p.folder, p.state); finished && o.Budget == (config.Budget{}) {
		return p.showFinished(cmd, place)
	}
	if p.past, err = pastOf(runs, name); err != nil {
		return err
	}
	if c.Outside != nil {
		if err := c.Try(); err != nil {
			return err
		}
	}
	return p.staged(cmd, func() error { return p.goOn(cmd, o.Budget, runs) })
}

// candidateOf returns the file with the result of a finished run, in the run's folder.
func candidateOf(folder *runfolder.Folder, state run.State) (path string, finished bool) {
	path = filepath.Join(folder.Path(), run.Candidate+".json")
	_, err := os.Stat(path)
	return path, err == nil && state.Done
}

// showFinished shows the result of a finished run. Nothing is written.
func (p *playing) showFinished(cmd *cobra.Command, place string) error {
	id, err := p.config.ID()
	if err != nil {
		return err
	}
	o := &tuner.Outcome{Outcome: p.state.Outcome, Run: id, Proven: p.state.Proven() != nil, Path: place, Gate: p.state.LastGate()}
	r := p.result(o)
	r.note = fmt.Sprintf("run %s is finished: nothing was played or written. `%s` goes on with it.\n", r.Name, r.extend())
	_, missing := os.Stat(p.record.Out)
	switch {
	case r.Verdict == verdictNone:
	case sameContent(p.record.Out, place):
		r.Out, r.earlier = &p.record.Out, true
	case errors.Is(missing, fs.ErrNotExist):
		r.note += fmt.Sprintf("%s is not there: `%s` writes the result again.\n", p.record.Out, text.CommandLine("cp", place, p.record.Out))
	}
	return show(cmd, &p.options.Common, r.text(), r)
}

// goOn plays the run from its stored state.
func (p *playing) goOn(cmd *cobra.Command, budget config.Budget, runs *runfolder.Runs) (err error) {
	if budget != (config.Budget{}) {
		if p.config, err = p.extended(cmd.Context(), budget); err != nil {
			return err
		}
	}
	if p.run, err = tuner.Restore(p.config, p.state); err != nil {
		return err
	}
	p.record.Spec = p.config.Spec
	if err := p.folder.Resume(runs, p.record); err != nil {
		return err
	}
	p.display.begin(p.config, p.run, p.folder.Name())
	return playRun(cmd, p)
}

// extended returns the run's configuration with another budget. An unfinished run that has this budget goes on with it, so that a
// command that was interrupted can be typed again; a time is measured anew, and gives other games.
func (p *playing) extended(ctx context.Context, more config.Budget) (*tuner.Config, error) {
	budget, err := extension(ctx, more, p.config, p.state.Done, p.executor, p.display.log)
	if err != nil || budget == p.config.Budget {
		return p.config, err
	}
	return p.config.Extend(p.state, budget)
}

// extension is games for a budget that must be above the run's own, or at least that while the run is unfinished.
func extension(ctx context.Context, more config.Budget, c *tuner.Config, finished bool, e *executor, log *slog.Logger) (int, error) {
	budget, err := games(ctx, more, c, e, log, tuner.GamesIn)
	switch {
	case err != nil || budget > c.Budget || budget == c.Budget && !finished:
		return budget, err
	case finished:
		return 0, config.Usagef("budget is %d games, not above the run's own %d", budget, c.Budget)
	}
	return 0, config.Usagef("budget is %d games, not above the run's own %d, with which it goes on without --budget", budget, c.Budget)
}

// forkRun begins a new run from what another one recommends. Its budget is --budget, or what the other one has
// left, see Runs.Fork.
func forkRun(cmd *cobra.Command, o *resumeOptions, runs *runfolder.Runs, args []string) error {
	if err := o.checkName(runs, o.Name); err != nil {
		return err
	}
	name, err := forked(cmd.Context(), o, runs, args)
	if err != nil {
		return err
	}
	old, err := runs.Load(name)
	if err != nil {
		return err
	}
	if err := o.checkFork(name, &old.Record); err != nil {
		return err
	}
	spec, parent, err := runs.Fork(old)
	if err != nil {
		return err
	}
	tuner.Complete(&spec, bench.Signature(), nil)
	c, err := tuner.Open(&spec, bench.Signature(), nil)
	if err != nil {
		return fmt.Errorf("run %s cannot be forked: %w", name, err)
	}
	if err := allowed(tuner.External(c.Anchors), o.AllowCommands); err != nil {
		return err
	}
	out := cmp.Or(o.Out, old.Record.Out)
	if err := errors.Join(checkOut(out), checkUnmet(out, c)); err != nil {
		return err
	}
	p := &playing{options: &o.playOptions, config: c}
	return p.staged(cmd, func() error { return p.fork(cmd, o, runs, name, parent, out) })
}

// checkFork refuses the fork of a run that tunes an engine from outside, and --engine for one that tunes weights.
func (o *resumeOptions) checkFork(name string, record *run.Record) error {
	if record.Spec.Outside != nil {
		return config.Usagef("fork: run %s tunes an engine from outside: begin a new run with `tune run --engine FILE --start VALUES.json`", name)
	}
	_, err := o.engineOf(name, record)
	return err
}

// fork plays a new run that starts from the named one. parent is the name and id of that run, for the record.
func (p *playing) fork(cmd *cobra.Command, o *resumeOptions, runs *runfolder.Runs, name, parent, out string) (err error) {
	if o.Budget != (config.Budget{}) {
		p.config.Budget = 0 // what the old run has left does not bound the stages of --first-nodes
		if p.config.Budget, err = games(cmd.Context(), o.Budget, p.config, p.executor, p.display.log, tuner.GamesIn); err != nil {
			return err
		}
	}
	if p.run, err = tuner.New(p.config); err != nil {
		return err
	}
	if p.record, err = run.NewRecord(p.config.Spec, config.Commit(), out); err != nil {
		return err
	}
	p.record.Parent = parent
	if p.folder, err = createRun(&o.runsOption, runs, o.Name, fmt.Sprintf("%.90s-fork", name), p.record); err != nil {
		return err
	}
	p.display.log.Info("forked", "run", p.folder.Name(), "from", parent, "start", p.config.StartName)
	p.display.begin(p.config, p.run, p.folder.Name())
	return errors.Join(playRun(cmd, p), p.folder.Release())
}

// forked returns the name of the run to be forked. A checkpoint is imported first.
func forked(ctx context.Context, o *resumeOptions, runs *runfolder.Runs, args []string) (string, error) {
	if len(args) == 0 || !isCheckpoint(runs, args[0]) {
		return runNamed(runs, args, true)
	}
	c, err := checkpointIn(ctx, o, args[0])
	if err == nil {
		err = o.checkFork(c.Name, &c.Record)
	}
	if err != nil {
		return "", err
	}
	folder, _, err := runs.Import(c, c.Name)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%w: choose another --runs", err) // --name is that of the fork
	}
	if err != nil {
		return "", err
	}
	return folder.Name(), folder.Release()
}
