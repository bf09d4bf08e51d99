package main

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"quintune/ga"
	"quintune/internal/config"
	"quintune/internal/fit"
	"quintune/internal/run"
	"quintune/internal/tuner"
)

// runOptions are the options of `tune run`.
type runOptions struct {
	playOptions
	gameOptions
	Budget       config.Budget
	Evolution    int
	Start        string // "": the embedded weights of the board; see start
	Out          string
	Name         string
	NoGate       bool
	Nodes        int64
	FirstNodes   int64  // 0: Nodes from the beginning
	Openings     string // "": the built-in ones
	GateOpenings string // "": a part of Openings

	Only      []string // nil: the groups of the rule
	Freeze    []string
	Optimizer string
	WarmStart float64
	InFlight  int // 0: chosen by the number of workers

	Anchor      []string // nil: the default ones
	Against     []string
	OutsideTime time.Duration

	Polish, Peers, Champions, Anchors float64 // of older versions, see warnOfFormer
}

func (o *runOptions) Declare(d *config.Declaration) {
	d.Group("The run")
	config.Var(d, &o.Budget, "budget", "10m", config.Spending(run.MinBudget, run.MaxBudget), fmt.Sprintf("how long to tune; Ngens are N times %d games of evolution", tuner.GenerationGames))
	config.Var(d, &o.Start, "start", "", config.Player(), "preset or weights file to start from; without it the embedded weights of the board. --start huang shows what a run learns")
	config.Var(d, &o.Out, "out", "weights.json", config.Text("FILE"), "weights file that a proven champion replaces; with --engine a values file, best.json by default")
	o.playOptions.Declare(d)
	d.Group("The run")
	config.Var(d, &o.Name, "name", "", runName(), "name of the run")
	config.Var(d, &o.Evolution, "evolution", "0", config.Whole(0, run.MaxBudget), "end the evolution after this number of its games, as a deadline did; 0 for never")
	config.Var(d, &o.NoGate, "no-gate", "false", config.Switch(), "no gate and no validation: the candidate goes to --out, marked unproven")
	o.gameOptions.Declare(d)
	config.Var(d, &o.Nodes, "nodes", "1000", nodes(), "nodes a move")
	config.Var(d, &o.FirstNodes, "first-nodes", "0", config.Whole(0, run.MaxNodes), "nodes a move with which the evolution begins; it comes to --nodes in stages, each of four times the nodes and half of the games of the one before, without an early end where little more is gained. Not with --optimizer fit. 0: --nodes from the beginning", config.YieldsTo("engine"))
	config.Var(d, &o.Openings, "openings", "", config.Text("FILE"), "opening list; without it the embedded ones")
	config.Var(d, &o.GateOpenings, "gate-openings", "", config.Text("FILE"), "opening list of the gates; all of --openings are for the training then")
	d.Group("What is tuned, and how")
	config.Var(d, &o.Only, "only", "", config.Optional(config.Some()), "groups of weights to tune, with --engine of parameters; without it all, with --optimizer fit all but search", config.Choices(groupNames()...))
	config.Var(d, &o.Freeze, "freeze", "", config.Several("WEIGHT"), "weight of the tuned groups that keeps its value, may be repeated", config.Choices(weightNames()...))
	config.Var(d, &o.Optimizer, "optimizer", ga.MethodGA, config.OneOfOr([]string{formerCMAES}, tuner.Methods()...), "method")
	config.Var(d, &o.WarmStart, "warm-start", fmt.Sprint(run.DefaultWarmStart(ga.MethodGA, nil, false)), config.Number(0, tuner.MaxWarmStart), fmt.Sprintf("share of the evolution for a logistic fit before the optimizer, at most %d games; 0 by default with --optimizer fit, --engine or --only search", fit.MostWarmGames), config.YieldsTo("engine"))
	config.Var(d, &o.InFlight, "in-flight", "0", config.Whole(0, ga.MaxInFlight), "generations that are played at a time, so that many machines need not wait at the end of each; the result depends on it. 0: 1 on one machine, on a cluster by its workers")
	d.Group("Opponents of the run")
	config.Var(d, &o.Anchor, "anchor", "", config.SeveralPlayers(), "fixed opponent beside the start, may be repeated; without it the tables of the literature, and with --engine none")
	config.Var(d, &o.Against, "against", "", config.SeveralPlayers(), "further anchor that candidates of ga play too, such as another build of the engine; may be repeated", config.FlagOnly)
	config.Var(d, &o.OutsideTime, "outside-time", run.DefaultOutsideTime.String(), moveTime(), "time a move of anchors that are engines from outside")
	for _, f := range o.formerShares() {
		config.Var(d, f.value, f.name, "0", config.Number(0, 1), formerUnused(f.name), config.Hidden)
	}
}

const (
	formerCMAES = "cmaes" // value of --optimizer in older versions
	cmaesGone   = "--optimizer cmaes is gone, since no landscape and no game prefers it: ga plays in its place"
)

// warnOfFormer replaces options of older versions by the nearest present ones, and logs a warning for each.
func (o *runOptions) warnOfFormer(log *slog.Logger) {
	if o.Optimizer == formerCMAES {
		log.Warn(cmaesGone)
		o.Optimizer = ga.MethodGA
	}
	for _, f := range o.formerShares() {
		if o.IsSet(f.value) {
			log.Warn(formerUnused(f.name))
		}
	}
}

// formerShare is an option of the former genetic algorithm.
type formerShare struct {
	name  string
	value *float64
}

func (o *runOptions) formerShares() []formerShare {
	return []formerShare{{"polish", &o.Polish}, {"peers", &o.Peers}, {"champions", &o.Champions}, {"anchors", &o.Anchors}}
}

// isFormer reports whether an option is one of the former genetic algorithm.
func (o *runOptions) isFormer(name string) bool {
	return slices.ContainsFunc(o.formerShares(), func(f formerShare) bool { return f.name == name })
}

// formerUnused tells that an option of the former genetic algorithm does nothing.
func formerUnused(name string) string {
	return fmt.Sprintf("--%s has no effect: the genetic algorithm that it was for is gone, and ga sets its own widths", name)
}
