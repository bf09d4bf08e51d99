package main

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/store"
	"quintune/internal/text"
	"quintune/weights"
)

// runsOption is the option of the commands that read or change what is stored.
type runsOption struct{ Runs string }

func (o *runsOption) Declare(d *config.Declaration) {
	d.Group("Stored runs")
	config.Var(d, &o.Runs, "runs", defaultRuns, config.Folder(), "folder of all runs")
}

const defaultRuns = runfolder.DefaultDir

// withRuns adds --runs to a command about a stored run, where it is not the default.
func (o *runsOption) withRuns(command ...string) []string {
	if o.Runs == defaultRuns {
		return command
	}
	return append(command, "--runs", o.Runs)
}

// withEngine adds the engine file to a command about a run that tunes an engine.
func withEngine(file string, command ...string) []string {
	if file == "" {
		return command
	}
	return append(command, "--engine", file)
}

// gameOptions choose the board and the seed.
type gameOptions struct {
	config.Board
	Seed uint64
}

func (o *gameOptions) Declare(d *config.Declaration) {
	o.Board.Declare(d)
	config.Var(d, &o.Seed, "seed", "1", config.Seed(), "seed of all random streams")
}

// Bounds of the number of games at a time and of a match, chosen far above what anybody plays.
const (
	maxWorkers = 1024
	maxPairs   = 1_000_000

	longestMove = time.Hour
)

// declareWorkers declares the number of games at a time, at least low. zero explains the value 0 where it is
// allowed.
func declareWorkers(d *config.Declaration, workers *int, low int, zero string) {
	config.Var(d, workers, "workers", strconv.Itoa(min(runtime.GOMAXPROCS(0), maxWorkers)), config.Whole(low, maxWorkers), "games at a time; changes no result"+zero,
		config.Varies("the number of processors"))
}

// nodes returns the kind of a node limit for a move.
func nodes() config.Kind[int64] { return config.Whole(1, run.MaxNodes) }

// moveTime is a time that limits a move.
func moveTime() config.Kind[time.Duration] {
	return config.Span(time.Millisecond, longestMove).Where(wholeTime)
}

// wholeTime refuses fractions of a millisecond, which neither engines nor stored matches know.
func wholeTime(d time.Duration) error {
	if d%time.Millisecond != 0 {
		return fmt.Errorf("is %v: engines count whole milliseconds", d)
	}
	return nil
}

// wholeClock is wholeTime for both times of a clock.
func wholeClock(c config.GameClock) error { return cmp.Or(wholeTime(c.Game), wholeTime(c.Increment)) }

// runName is the kind of a run's name. It refuses names of presets and of files, which mean weights as arguments, and names that begin
// like the files of the database, which stand beside the folders of the runs.
func runName() config.Kind[string] {
	return config.Label().Where(func(name string) error {
		if slices.Contains(weights.PresetNames(), name) || player.IsFile(name) {
			return fmt.Errorf("is %q, which is that of a preset or of a file wherever weights are named", name)
		}
		if strings.HasPrefix(name, store.FileName) {
			return fmt.Errorf("is %q, which begins like the files of the database", name)
		}
		return nil
	})
}

// matchNodes is the default limit of a move in matches.
const matchNodes = "1000"

// matchOptions are the options of the commands that play matches.
type matchOptions struct {
	config.Common
	gameOptions
	runsOption
	Nodes    int64
	Time     time.Duration    // 0: by nodes
	TC       config.GameClock // zero: by nodes
	Threads  int
	Pairs    int
	Openings string // "" where no file is named
	Workers  int
	Records  string // "": none
}

// declare declares all options except Pairs and Runs: Pairs follows in the same group, and Runs comes last.
// openings is the help of --openings, limit the default of --nodes.
func (o *matchOptions) declare(d *config.Declaration, openings, limit string) {
	o.gameOptions.Declare(d)
	config.Var(d, &o.Openings, "openings", "", config.Text("FILE"), openings)
	d.Group("Limits of a move")
	config.Var(d, &o.Nodes, "nodes", limit, nodes(), "nodes a move", config.YieldsTo("time", "tc"))
	config.Var(d, &o.Time, "time", "", config.Optional(moveTime()), "time a move, instead of nodes", config.YieldsTo("nodes", "tc"))
	config.Var(d, &o.TC, "tc", "", config.Optional(config.Clock().Where(wholeClock)), "clock of a game and what every move adds, instead of nodes", config.YieldsTo("nodes", "time"))
	config.Var(d, &o.Threads, "threads", "1", config.Threads(), "threads of each engine; with more than one nothing can be repeated exactly")
	d.Group("The match")
	declareWorkers(d, &o.Workers, 1, "")
	config.Var(d, &o.Records, "records", "", config.Text("FILE"), "where the games go at the end: a new file .sgf or .jsonl, or a folder (no ending) of psq files", config.FlagOnly)
}

// within returns --pairs; where that is not typed, one for each opening if there are fewer.
func (o *matchOptions) within(openings int) int {
	if o.Typed(&o.Pairs) {
		return o.Pairs
	}
	return min(o.Pairs, openings)
}

// limit returns the limit of a move, which is either nodes or a clock, and the threads.
func (o *matchOptions) limit() (nodes int64, tc player.TimeControl, err error) {
	tc = player.TimeControl{Move: o.Time, Game: o.TC.Game, Increment: o.TC.Increment, Threads: o.Threads}
	timed, clocked := o.Time > 0, o.TC.Game > 0
	switch {
	case clocked && timed:
		return 0, tc, config.Usagef("time and tc are both given: a move has one limit")
	case clocked && o.IsSet(&o.Nodes):
		return 0, tc, config.Usagef("nodes and tc are both given: a move has one limit")
	case timed && o.IsSet(&o.Nodes):
		return 0, tc, config.Usagef("nodes and time are both given: a move has one limit")
	case clocked || timed:
		return 0, tc, nil
	}
	return o.Nodes, tc, nil
}

func configCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "config",
		Short: "Show the effective configuration of `tune run`, with the origin of every value",
		Long: "Shows every value of `tune run` and where it comes from. Settings of the file that are for other commands\n" +
			"are listed as not used.",
		Example: "  QUINTUNE_SEED=7 tune config --nodes 2000",
	}, &runOptions{}, showConfig)
}

// effective returns the value that a run takes for an option, which may follow from others.
func (o *runOptions) effective(name, value string) string {
	switch {
	case name == "start" && o.Engine != "" && !o.IsSet(&o.Start):
		return o.Engine
	case name == "start":
		return o.start()
	case name == "out":
		return o.out()
	case name == "budget" && o.IsSet(&o.Deadline) && !o.IsSet(&o.Budget):
		return "until the deadline"
	case name == "warm-start" && o.warmStart() != o.WarmStart:
		return fmt.Sprint(o.warmStart())
	case name == "optimizer":
		return o.Optimizer // not one of older versions
	}
	return value
}

func showConfig(cmd *cobra.Command, o *runOptions, args []string) error {
	type entry struct {
		Name   string `json:"name"`
		Value  string `json:"value"`
		Origin string `json:"origin"`
	}
	var told strings.Builder
	set := 0 // set by a flag, a variable or a file
	list, unused := []entry{}, []entry{}
	o.warnOfFormer(config.NewLogger(cmd.ErrOrStderr(), &o.Common))
	for _, e := range o.Entries() {
		if o.isFormer(e.Name) {
			continue
		}
		if value := o.effective(e.Name, e.Value); value != e.Value {
			e.Value, e.Origin = value, config.OriginDefault
		}
		if e.Origin != config.OriginDefault {
			set++
		}
		fmt.Fprintf(&told, "%-14s %-20s %s\n", e.Name, e.Value, e.Origin)
		list = append(list, entry(e))
	}
	for _, e := range o.Unused() {
		fmt.Fprintf(&told, "%-14s %-20s %s, not used by tune run\n", e.Name, e.Value, e.Origin)
		unused = append(unused, entry(e))
	}
	verb := "are"
	if set == 1 {
		verb = "is"
	}
	fmt.Fprintf(&told, "`tune run` takes these %s, of which %d %s set and the others defaults.\n", text.Plural(len(list), "value"), set, verb)
	run := config.Repeat(cmd, args)
	run[1] = "run"
	told.WriteString(next("begins a run with them", run...))
	return show(cmd, &o.Common, told.String(), map[string]any{"config": list, "unused": unused})
}
