package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/notify"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/store"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/internal/webui/guard"
)

// playOptions are the options of the commands that play a run.
type playOptions struct {
	config.Common
	runsOption
	executorOptions
	pageOptions
	Engine        string            // "": weights are tuned
	Deadline      *config.TimeOfDay // nil: none
	AllowCommands bool
	Trace         string // "": none
	Stay          bool
	Notify        string // "": nobody

	page *guard.Site // nil: none, or not yet opened
}

func (o *playOptions) Declare(d *config.Declaration) {
	d.Group("The run")
	config.Var(d, &o.Engine, "engine", "", config.Text("FILE"), "engine file of an engine from outside, whose parameters are tuned in the place of weights", config.FlagOnly)
	config.Var(d, &o.Deadline, "deadline", "", config.LocalTime(), "end the evolution at this time of the local clock, and go on with gate and validation; a generation that is being played is finished first, and so is a round of a fit, which may take long")
	config.Var(d, &o.AllowCommands, "allow-commands", "false", config.Switch(), "start gomocup: commands that a configuration or a stored run names", config.FlagOnly)
	o.executorOptions.Declare(d)
	o.pageOptions.declare(d, "", "show the run on a page at this address, such as 127.0.0.1:8090")
	config.Var(d, &o.Stay, "stay", "false", config.Switch(), "when the run has ended, go on serving its page until Ctrl-C", config.FlagOnly)
	d.Group("The end of the run")
	config.Var(d, &o.Notify, "notify", "", config.Optional(config.Text("URL|desktop").Where(notify.Check)), "tell of the end: send the object of --json to an address, or show a note on the desktop")
	config.Var(d, &o.Trace, "trace", "", config.Text("FILE"), "append a line to the file for every pair that this process begins, for debugging; the workers of a cluster write none", config.FlagOnly)
	o.runsOption.Declare(d)
}

// playing is a run with everything that plays and shows it.
type playing struct {
	options  *playOptions
	run      *tuner.Run
	config   *tuner.Config
	folder   *runfolder.Folder
	record   run.Record
	executor *executor
	display  *display

	deadline time.Time // of the evolution, zero: none

	state run.State        // closed before, the zero value for a new run
	past  []run.Generation // closed before

	outside outside // zero: weights are tuned

	delivery tuner.Delivery // zero: nothing is played
}

// staged starts what plays and shows the run, calls body, and ends it. Errors in the options of either come up
// before the first game. An interruption before there is a run says so.
func (p *playing) staged(cmd *cobra.Command, body func() error) (err error) {
	if err := p.options.openPage(cmd.Context()); err != nil {
		return err
	}
	defer closePage(p.options.page)
	p.display, p.deadline = newDisplay(cmd, &p.options.Common), p.options.Deadline.After(time.Now())
	if p.executor, err = newExecutor(cmd.Context(), p.options, p.outside, p.display.log); err != nil {
		return err
	}
	if p.options.Trace != "" && p.executor.cluster != nil {
		p.display.log.Warn("trace: the workers of a cluster write none: the file has only the pairs that cannot be sent to them")
	}
	stopTrace, err := trace(p.executor.pool, p.options.Trace)
	if err != nil {
		return errors.Join(err, p.executor.close())
	}
	err = body()
	if errors.Is(err, context.Canceled) && p.folder == nil {
		err = fmt.Errorf("%w before a run was stored: the same command begins it again", config.ErrInterrupted)
	}
	return errors.Join(err, stopTrace(), p.executor.close())
}

// playRun plays a run to its end and shows the result.
func playRun(cmd *cobra.Command, p *playing) (err error) {
	log := newRunLog(p.folder.Path())
	defer func() { err = errors.Join(err, log.Close()) }()
	warnOfLittleRoom(p.display.log, &p.options.runsOption, p.config.Budget)
	warnOfEnding(p.display.log, p.record.Out)
	p.delivery = p.run.Delivery(p.record.Out)
	began, before := time.Now(), p.executor.jobTime()
	ctx, interrupt := context.WithCancel(cmd.Context())
	defer interrupt()
	shown, err := p.show(cmd, interrupt)
	if err != nil {
		return err
	}
	log.Info("begun", "run", p.folder.Name(), "id", p.run.ID(), "commit", config.Commit(), "workers", p.executor.pool.Workers())
	o, err := p.executor.play(ctx, p, tuner.Environment{
		Name: p.folder.Name(), Store: p.folder, Labels: filepath.Join(p.folder.Path(), "labels"), Commit: config.Commit(), Deadline: p.deadline, Deliver: p.delivery.Deliver,
		Watch: func(e run.Event) {
			log.event(e)
			shown.event(e)
		},
		Warn: func(message string) {
			log.Warn(message)
			p.display.log.Warn(message)
		},
	})
	shown.leave()
	defer shown.end()
	if o == nil {
		log.Error(err.Error())
		if errors.Is(err, store.ErrDamaged) {
			return err
		}
		return fmt.Errorf("%w; what was stored is safe: when the cause is gone go on with `%s`", err, text.CommandLine(p.again()...))
	}
	played := p.executor.played(time.Since(began), before)
	p.display.log.Info("played", played...)
	log.Info("played", played...)
	result := p.result(o)
	log.Info("ended", "verdict", result.Verdict, "games", o.Games, "candidate", o.Path)
	showing := show(cmd, &p.options.Common, result.text(), result) // its error comes last: the output may have no reader any more
	if err == nil {
		p.notify(cmd.Context(), result)
		shown.stay(cmd.Context(), p.options.Stay)
	}
	if errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%w: go on with `%s`", config.ErrInterrupted, text.CommandLine(p.again()...))
	}
	return errors.Join(err, showing)
}

// notify sends the result to the address or desktop of --notify. If that fails, it logs a warning.
func (p *playing) notify(ctx context.Context, r *runResult) {
	if p.options.Notify == "" {
		return
	}
	message := &notify.Message{Title: "Quintune: run " + r.Name, Words: r.text(), Object: r}
	if err := notify.Send(ctx, p.options.Notify, message); err != nil {
		p.display.log.Warn("nobody was told of the end of the run", "error", err)
	}
}

// engine returns the engine file as it was typed, else as it is stored; "" where weights are tuned.
func (p *playing) engine() string { return cmp.Or(p.options.Engine, p.record.Engine) }

// again returns the command that continues the run.
func (p *playing) again() []string {
	return p.options.withRuns(p.options.withCluster(withEngine(p.engine(), "tune", "resume", p.folder.Name())...)...)
}
