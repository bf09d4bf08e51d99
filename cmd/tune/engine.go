package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintune/board"
	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/engine"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/internal/tuner"
)

func engineCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "engine",
		Short:   "Check an engine file before a run",
		Example: "  tune engine check params.yaml",
		Args:    cobra.NoArgs,
	}
	c.AddCommand(engineCheckCommand())
	return c
}

// engineCheckOptions are the options of `tune engine check`.
type engineCheckOptions struct {
	config.Common
	gameOptions
	Nodes   int64
	Workers int
	For     time.Duration
}

func (o *engineCheckOptions) Declare(d *config.Declaration) {
	o.gameOptions.Declare(d)
	d.Group("The check")
	config.Var(d, &o.Nodes, "nodes", "1000", nodes(), "nodes a move, where the engine file does not limit the time")
	declareWorkers(d, &o.Workers, 1, "")
	config.Var(d, &o.For, "for", "5s", config.Span(time.Second, time.Hour), "how long the speed is measured", config.FlagOnly)
}

func engineCheckCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "check FILE",
		Short: "Start an engine, play with it, and measure what a run has to expect",
		Long: `Reads an engine file, starts its engine, and plays games at the start values and at both bounds. The games are played
again, to find out whether equal values give equal games: only then can results be stored and repeated. Parameters whose bounds
change no game are listed; perhaps the engine does not know their names. If that is all of them the check fails, with status 1. At
last it measures how many games a minute the engine plays, and reports what a budget buys.`,
		Example: "  tune engine check params.yaml\n  tune engine check params.yaml --nodes 5000 --json",
		Args:    cobra.ExactArgs(1),
	}, &engineCheckOptions{}, engineCheck)
}

// checkOpenings is the number of openings of a check. They are repeated until the speed is measured. Chosen, not measured.
const checkOpenings = 400

func engineCheck(cmd *cobra.Command, o *engineCheckOptions, args []string) error {
	f, err := engine.Read(args[0])
	if err != nil {
		return err
	}
	d := newDisplay(cmd, &o.Common)
	b, err := book.For(cmd.Context(), o.Rule, o.Size, book.DefaultCount, d.making())
	d.end()
	if err != nil {
		return err
	}
	openings, err := b.Series(o.Seed, "engine check", min(checkOpenings, len(b.Openings)))
	if err != nil {
		return err
	}
	c := engine.CheckConfig{Size: o.Size, Rule: o.Rule, Nodes: o.Nodes, Workers: o.Workers, For: o.For, Openings: make([][]board.Cell, len(openings))}
	c.Played = func(games int) {
		d.drawSometimes(false, func() string { return fmt.Sprintf("%d games of the check played", games) })
	}
	for i := range openings {
		c.Openings[i] = openings[i].Moves
	}
	report, err := engine.Check(cmd.Context(), f, c)
	d.end()
	if err != nil {
		return err
	}
	result := &engineCheckResult{CheckReport: report}
	result.weigh(f.Time > 0)
	err = show(cmd, &o.Common, result.text(args[0], f, o.conditions(f)), result)
	if result.deaf() {
		err = errors.Join(err, errors.New("no parameter has an effect, so there is nothing to tune: see how values reach the engine, and run this check again"))
	}
	return err
}

// conditions returns the flags of a run that plays as the check did.
func (o *engineCheckOptions) conditions(f *engine.File) []string {
	flags := on(o.Rule.String(), o.Size)
	if f.Time == 0 && o.IsSet(&o.Nodes) {
		flags = append(flags, "--nodes", strconv.FormatInt(o.Nodes, 10))
	}
	if o.IsSet(&o.Workers) {
		flags = append(flags, "--workers", strconv.Itoa(o.Workers))
	}
	return flags
}

// engineCheckResult is what `tune engine check --json` prints.
type engineCheckResult struct {
	*engine.CheckReport
	Budgets []budgetWorth `json:"budgets"`
}

// deaf reports whether no parameter has an effect.
func (r *engineCheckResult) deaf() bool { return r.Unseen != nil && len(r.Unseen) == r.Parameters }

// weigh finds out what some budgets buy at the measured speed, where time limits the moves or does not.
func (r *engineCheckResult) weigh(timed bool) {
	for _, budget := range []struct {
		text    string
		minutes float64
	}{{"10m", 10}, {"1h", 60}, {"8h", 480}} {
		r.Budgets = append(r.Budgets, worthOf(budget.text, budget.minutes*r.GamesPerMinute, timed))
	}
}

// budgetWorth describes what a budget pays for.
type budgetWorth struct {
	Budget     string  `json:"budget"`
	Games      int     `json:"games"`
	Evolution  int     `json:"evolution"`  // games
	Gates      int     `json:"gates"`      // games at most
	Validation int     `json:"validation"` // games
	Elo        float64 `json:"elo"`        // half the width of the validation's 95 % interval
}

func worthOf(budget string, games float64, timed bool) budgetWorth {
	w := budgetWorth{Budget: budget, Games: int(min(games, run.MaxBudget))}
	if w.Games >= run.MinBudget {
		w.Evolution, w.Gates, w.Validation = tuner.Shares(w.Games, timed)
		w.Elo = math.Round(stats.EloWidth(w.Validation))
	}
	return w
}

// text returns the result for people; conditions are the flags of a run that plays as the check did.
func (r *engineCheckResult) text(path string, f *engine.File, conditions []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s starts: %s, passed by %s\n", r.Engine, text.Plural(r.Parameters, "parameter"), r.Pass)
	for _, c := range r.Corners {
		if c.Fault != "" {
			fmt.Fprintf(&b, "%s values: a fault, %s; candidates that fail lose their pairs\n", c.At, c.Fault)
			continue
		}
		fmt.Fprintf(&b, "%s values: games of %d and %d moves\n", c.At, c.Moves[0], c.Moves[1])
	}
	switch {
	case !r.Repeatable && f.Time > 0:
		b.WriteString("time limits the moves: a run cannot be repeated exactly\n")
	case !r.Repeatable:
		b.WriteString("equal values give different games: a run cannot be repeated exactly\n")
	default:
		b.WriteString("equal values give equal games: a run can be repeated and resumed exactly\n")
	}
	if r.Honours != nil && !*r.Honours {
		b.WriteString("a tenth of the nodes gives the same games: perhaps the engine does not honour INFO max_node; then set limit: 50ms\n")
	}
	if len(r.Unseen) > 0 {
		them := "them"
		if len(r.Unseen) == 1 {
			them = "it"
		}
		fmt.Fprintf(&b, "no effect seen at the bounds of %s: perhaps the engine does not know %s", strings.Join(r.Unseen, ", "), them)
		if r.Unknown != "" {
			fmt.Fprintf(&b, ", it answered %.80q", r.Unknown)
		}
		b.WriteString("\n")
	}
	b.WriteString(faultCounts(r.Engine, r.Faults))
	fmt.Fprintf(&b, "%.0f games a minute with %s\n", r.GamesPerMinute, text.Plural(r.Workers, "worker"))
	for _, w := range r.Budgets {
		if w.Evolution == 0 {
			fmt.Fprintf(&b, "--budget %s: %d games, too few for a run\n", w.Budget, w.Games)
			continue
		}
		fmt.Fprintf(&b, "--budget %s: some %s games, %s of them to find values, up to %s for gates, %s for a validation to ±%.0f Elo\n", w.Budget,
			text.Thousands(w.Games), text.Thousands(w.Evolution), text.Thousands(w.Gates), text.Thousands(w.Validation), w.Elo)
	}
	budget := fmt.Sprintf("%dgames", run.MinBudget)
	for _, w := range r.Budgets[1:] {
		if w.Evolution > 0 {
			budget = w.Budget
			break
		}
	}
	if r.deaf() {
		return b.String()
	}
	command := append([]string{"tune", "run", "--engine", path, "--budget", budget}, conditions...)
	return b.String() + next("tunes it", command...)
}
