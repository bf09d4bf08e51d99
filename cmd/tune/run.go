package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/tuner"
	"quintune/selfplay"
	"quintune/weights"
)

// groupNames returns the groups of weights.
func groupNames() []string {
	var names []string
	for _, g := range weights.Groups() {
		names = append(names, g.Name)
	}
	return names
}

// weightNames returns the names of all weights.
func weightNames() []string {
	var names []string
	for _, d := range weights.Declarations() {
		names = append(names, d.Name)
	}
	return names
}

func runCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "run",
		Short: "Evolve weights by self-play, gate the champion and validate it",
		Long: `Evolves the weights of --start for --budget, which holds everything: evolution, the gate that the champion must
pass, and the validations that measure what was gained, on openings that no book holds. Only a champion that passed
its gate replaces --out, or with --no-gate an unproven candidate, marked; the old file stays as .bak. Interrupted
runs go on with "tune resume".

Without --start a run begins with the embedded weights of its board: default, freestyle20, standard15, standard20,
renju15 or renju20. --start huang, a table of the literature, shows how much is learned. An --out that
holds other weights than the start is refused, since the gate would not meet them: go on from them with --start FILE,
or choose another --out.

A budget in time is turned into games by a short measurement, and that number is stored: --budget Ngames with it
repeats the run. --deadline ends the evolution at a time of the day and goes on with gate and validation; without
--budget the run is planned to be over by then. The log says after how many games it ended: --evolution N together with
the same --budget repeats that.

--engine tunes the parameters of an engine from outside, which its engine file names, in the place of weights. Then
--out and --start are values files; the values go beside --out in the engine's own form too. --against adds other
builds or engines, which candidates and the result meet.

An anchor is a preset, a weights file, baseline:NAME or gomocup:COMMAND, an engine from outside. Commands that were not
typed on this command line, but stand in a file, a variable or a stored run, need --allow-commands.`,
		Example: `  tune run --budget 10m --start huang --out weights.json
  tune run --deadline 07:00 --anchor zhang --anchor baseline:sjtu-minimax
  tune run --budget 40000games --only line,cell --freeze line.open_two.self
  tune run --engine params.yaml --budget 20000games --against 'gomocup:./old-build'`,
	}, &runOptions{}, startRun)
}

// start returns --start, or else the name of the embedded weights of the board.
func (o *runOptions) start() string {
	if o.Start == "" && !o.Typed(&o.Start) {
		return weights.EvolvedFor(o.Rule, o.Size)
	}
	return o.Start
}

// out returns --out, or else the name of the file for what is tuned.
func (o *runOptions) out() string {
	if o.Engine != "" && !o.IsSet(&o.Out) {
		return defaultValues
	}
	return o.Out
}

// warmStart returns --warm-start, or else the share that a run of the optimizer and the groups has.
func (o *runOptions) warmStart() float64 {
	usual := run.DefaultWarmStart(o.Optimizer, o.Only, o.Engine != "")
	if o.Typed(&o.WarmStart) || usual > 0 && o.IsSet(&o.WarmStart) { // a share of the file or a variable is for runs that can have a fit
		return o.WarmStart
	}
	return usual
}

func startRun(cmd *cobra.Command, o *runOptions, _ []string) error {
	outliveTerminal()
	o.Out = o.out()
	if err := checkOut(o.Out); err != nil {
		return err
	}
	if err := o.checkRuns(o.Name); err != nil {
		return err
	}
	p := &playing{options: &o.playOptions}
	var err error
	if p.outside, err = openOutside(o.Engine, o.Workers); err != nil {
		return err
	}
	if err := checkApart(o.Out, p.outside); err != nil {
		return err
	}
	p.outside.setBoard(o.Rule, o.Size)
	return errors.Join(p.staged(cmd, func() error { return p.start(cmd, o) }), p.outside.close())
}

// start plays a new run.
func (p *playing) start(cmd *cobra.Command, o *runOptions) (err error) {
	if p.config, err = runConfig(cmd.Context(), o, p.display, p.outside.tuned); err != nil {
		return err
	}
	if err := p.config.Try(); err != nil {
		return err
	}
	if p.config.Tuned != nil {
		p.display.log.Info("testing the engine at its start values")
	}
	if err := p.config.MeasureReproducible(cmd.Context(), o.Workers); err != nil {
		return err
	}
	p.outside.setRepeats(p.config.Reproducible)
	if p.config.Budget, err = games(cmd.Context(), o.budget(p.deadline), p.config, p.executor, p.display.log, tuner.GamesIn); err != nil {
		return err
	}
	if o.InFlight == 0 && p.executor.cluster != nil {
		if err := p.chooseInFlight(cmd.Context()); err != nil {
			return err
		}
	}
	if p.run, err = tuner.New(p.config); err != nil {
		return err
	}
	if p.record, err = run.NewRecord(p.config.Spec, config.Commit(), o.Out); err != nil {
		return err
	}
	p.record.Engine = absolute(o.Engine)
	return changeRuns(o.Runs, func(runs *runfolder.Runs) error {
		if p.folder, err = createRun(&o.runsOption, runs, o.Name, runBase(p.config, p.record), p.record); err != nil {
			return err
		}
		p.display.begin(p.config, p.run, p.folder.Name())
		p.display.start(p.run.Projection())
		return errors.Join(playRun(cmd, p), p.folder.Release())
	})
}

// chooseInFlight sets the number of generations in flight to one that suits the present workers of a cluster.
func (p *playing) chooseInFlight(ctx context.Context) error {
	jobs, err := p.executor.jobs(ctx)
	if err != nil {
		return err
	}
	if p.config.Settings.InFlight, err = p.config.InFlight(jobs); err != nil {
		return err
	}
	if n := p.config.Settings.InFlight; n > 1 {
		p.display.log.Info("generations in flight", "number", n, "jobs", jobs)
	}
	return nil
}

// budget returns --budget, or the time until the deadline where none is set.
func (o *runOptions) budget(deadline time.Time) config.Budget {
	if o.IsSet(&o.Budget) || deadline.IsZero() {
		return o.Budget
	}
	return config.Budget{Time: max(time.Second, time.Until(deadline))}
}

// runConfig returns the description of a run without its budget.
func runConfig(ctx context.Context, o *runOptions, d *display, outside *tuner.Outside) (*tuner.Config, error) {
	o.warnOfFormer(d.log)
	s := &run.Spec{
		Rule: o.Rule.String(), Size: o.Size, Groups: o.Only, Frozen: o.Freeze,
		Optimizer: o.Optimizer, WarmStart: o.warmStart(),
		Evolution: o.Evolution, OutsideMS: o.OutsideTime.Milliseconds(),
		Seed: o.Seed, Nodes: o.Nodes, FirstNodes: o.FirstNodes, NoGate: o.NoGate,
	}
	groups := s.Groups
	if outside != nil {
		groups = outside.WeightGroups(s.Groups)
	}
	s.Settings = run.DefaultSettings(s.Optimizer, groups, s.WarmStart > 0)
	if o.InFlight > 1 {
		s.Settings.InFlight = o.InFlight
	}
	if outside != nil && !outside.OwnWeights() {
		s.Settings.Width, s.Settings.Search = 0, 0 // the parameters of an engine may start anywhere within their bounds
	}
	if err := addPlayers(s, o, outside); err != nil {
		return nil, err
	}
	tuner.Complete(s, bench.Signature(), outside)
	if err := tuner.Check(s, outside); err != nil {
		return nil, config.Usage(err)
	}
	d.warnOfBoard(o.Start, o.Rule, o.Size)
	openings, err := bookOf(ctx, d, o.Openings, &o.gameOptions, 0)
	if err != nil {
		return nil, err
	}
	s.Openings = tuner.Lines(openings)
	if o.GateOpenings != "" {
		gates, err := book.Load(o.GateOpenings, o.Rule, o.Size)
		if err != nil {
			return nil, err
		}
		s.GateBook = tuner.Lines(gates)
	}
	c, err := tuner.Open(s, bench.Signature(), outside)
	if err != nil {
		return nil, err
	}
	return c, checkUnmet(o.Out, c)
}

// addPlayers sets the start and the fixed opponents.
func addPlayers(s *run.Spec, o *runOptions, outside *tuner.Outside) (err error) {
	var start *weights.Set
	if outside != nil {
		s.StartName, s.Start, err = startFrom(o.Start, outside.File)
	} else if s.StartName, start, err = startOf(o.start(), o.Rule, o.Size); err == nil {
		s.Start, err = weights.Marshal(start)
	}
	if err != nil {
		return err
	}
	if start != nil {
		if err := s.MeetShipped(start); err != nil {
			return err
		}
	}
	s.Anchors, err = anchorsOf(o, start)
	return err
}

// games converts a budget to games. For a time it logs that the speed is measured, which takes seconds, and calls in.
func games(ctx context.Context, b config.Budget, c *tuner.Config, e *executor, log *slog.Logger, in measured) (int, error) {
	switch {
	case b.Games > 0:
		return int(b.Games), nil
	case b.Generations > 0:
		n, err := tuner.GamesOf(b.Generations, c)
		if err == nil {
			log.Info("a generation of --budget counts as games of evolution, which the run plays as more and smaller generations",
				"budget", b, "games_of_a_generation", tuner.GenerationGames, "games", n)
		}
		return n, config.Usage(err)
	}
	for {
		n, err := e.gamesIn(ctx, b.Time, c, log, in)
		if e.cluster == nil {
			return n, err
		}
		if _, forged, failure := e.cluster.Rewind(err); !forged || failure != nil {
			return n, failure
		}
		log.Warn("the speed is measured again: a worker forged results", "error", err)
	}
}

// gamesIn is games for a time, measured once.
func (e *executor) gamesIn(ctx context.Context, d time.Duration, c *tuner.Config, log *slog.Logger, in measured) (int, error) {
	jobs, err := e.jobs(ctx)
	if err != nil {
		return 0, err
	}
	log.Info("measuring the speed", "budget", d)
	slow := time.AfterFunc(d, func() {
		log.Warn("measuring the speed takes longer than the whole budget; a budget in games needs no measuring, such as --budget 100games")
	})
	defer slow.Stop()
	return in(ctx, d, c, e.runner(), jobs)
}

// measured is tuner.GamesIn or tuner.MatchGamesIn.
type measured func(ctx context.Context, d time.Duration, c *tuner.Config, runner selfplay.Runner, workers int) (int, error)
