package config

import (
	"math"
	"runtime"
	"slices"
	"strconv"
	"time"

	"quintune/weights"
)

// maxWorkers bounds the number of games at a time.
const maxWorkers = 1024

// processors is the default of games at a time, in words.
const processors = "the number of processors"

// tuneOptions are those of the program tune.
func tuneOptions() []Option {
	run := []string{"tune run"}
	ladder := []string{"tune ladder"}
	twos := []string{"tune match", "tune gate", "tune validate"}
	matches := slices.Concat(twos, ladder)
	playing := slices.Concat(run, matches, []string{"tune openings"})
	files := []string{"tune run", "tune resume", "tune list", "tune show", "tune report", "tune gate", "tune validate", "tune export", "tune ladder", "tune diff", "tune prune", "tune sensitivity"}
	return append([]Option{
		{Name: "rule", Commands: playing, Default: "freestyle", Kind: Rule(), Help: "rule of the game"},
		{Name: "size", Commands: playing, Default: "15", Kind: Size(), Help: "cells on a side of the board"},
		{Name: "seed", Commands: playing, Default: "1", Kind: Seed(), Help: "seed of all random streams"},
		{Name: "workers", Commands: slices.Concat(matches, []string{"tune openings", "tune sensitivity"}), Default: strconv.Itoa(runtime.GOMAXPROCS(0)), Varies: processors, Kind: Whole(1, maxWorkers), Help: "games at a time; changes no result"},
		{Name: "workers", Commands: []string{"tune run", "tune resume"}, Default: strconv.Itoa(runtime.GOMAXPROCS(0)), Varies: processors, Kind: Whole(0, maxWorkers), Help: "games at a time; changes no result; 0 leaves all to the workers of a cluster"},
		{Name: "runs", Commands: files, Default: "runs", Kind: Text("DIR"), Help: "folder of all runs"},
		{Name: "openings", Commands: []string{"tune run", "tune match", "tune ladder"}, Kind: Text("FILE"), Help: "opening list; without it the embedded ones"},
		{Name: "openings", Commands: []string{"tune gate"}, Kind: Text("FILE"), Help: "opening list, all of which may be played; without it the gates' part of the embedded ones"},
		{Name: "openings", Commands: []string{"tune validate"}, Kind: Text("FILE"), Help: "opening list; without it openings made for the purpose from --seed"},
		{Name: "nodes", Commands: matches, Default: "1000", Kind: nodes(), Help: "nodes a move"},
		{Name: "nodes", Commands: []string{"tune openings"}, Default: "2000", Kind: Whole(500, math.MaxInt64), Help: "nodes of the search that judges an opening"},
		{Name: "time", Commands: matches, Kind: Optional(Span(time.Millisecond, time.Hour)), Help: "time a move, instead of nodes"},
		{Name: "pairs", Commands: []string{"tune match", "tune validate"}, Default: "200", Kind: Whole(1, 1_000_000), Help: "pairs of games; with --sprt the most of them"},
		{Name: "pairs", Commands: []string{"tune gate"}, Kind: Optional(Whole(1, 1_000_000)), Help: "most pairs of games; without it 10000, or as many as there are openings"},
		{Name: "sprt", Commands: []string{"tune match"}, Kind: Optional(EloBounds()), Help: "play until a sequential test decides between two bounds in normalised Elo"},
		{Name: "sprt", Commands: []string{"tune gate"}, Kind: Optional(EloBounds()), Help: "bounds of the test in normalised Elo; without it 0,10"},
		{Name: "tc", Commands: matches, Kind: Optional(Clock()), Help: "clock of a game and what every move adds, instead of nodes"},
		{Name: "threads", Commands: matches, Default: "1", Kind: Whole(1, maxThreads), Help: "threads of each engine; with more than one nothing can be repeated exactly"},
		{Name: "records", Commands: matches, Kind: Text("FILE"), Help: "where the games go: a new file .sgf or .jsonl, or a folder (no ending) of psq files", FlagOnly: true},
		{Name: "against", Commands: []string{"tune validate"}, Kind: Player(), Help: "opponent; without it the start of the file's provenance", FlagOnly: true},
		{Name: "out", Commands: []string{"tune openings"}, Kind: Text("FILE"), Help: "where to write; without it stdout", FlagOnly: true},
		{Name: "count", Commands: []string{"tune openings"}, Default: "100", Kind: Whole(1, 1_000_000), Help: "openings to make"},
		{Name: "window", Commands: []string{"tune openings"}, Default: "2000", Kind: Whole(1, 20_000), Help: "largest searched score of either side, points"},
		{Name: "output", Short: "o", Commands: []string{"tune report"}, Default: "report.html", Kind: Text("FILE"), Help: "where to write the report, one HTML file", FlagOnly: true},
		{Name: "png", Commands: []string{"tune report"}, Kind: Text("DIR"), Help: "folder for all pictures as PNG and SVG; without it none", FlagOnly: true},
		{Name: "format", Commands: []string{"tune export"}, Default: "json", Kind: OneOf("json", "csv", "markdown", "go"), Help: "form of the output", FlagOnly: true},
		{Name: "output", Short: "o", Commands: []string{"tune export", "tune import"}, Kind: Text("FILE"), Help: "where to write; without it stdout", FlagOnly: true},
	}, slices.Concat(ladderOptions(ladder), runOptions(run), storeOptions(), clusterOptions())...)
}

// storeOptions are those of commands that handle what is stored.
func storeOptions() []Option {
	imports, prune := []string{"tune import"}, []string{"tune prune"}
	return []Option{
		{Name: "games", Commands: []string{"tune export"}, Kind: Optional(OneOf("psq", "sgf", "jsonl")), Help: "write a run's games; -o is a folder for psq, which has one game a file", FlagOnly: true},
		{Name: "name", Commands: imports, Default: "imported", Kind: Text("NAME"), Help: "name of the set", FlagOnly: true},
		{Name: "rule", Commands: imports, Default: "freestyle", Kind: Rule(), Help: "rule that the weights are for", FlagOnly: true},
		{Name: "size", Commands: imports, Default: "15", Kind: Size(), Help: "cells on a side of the board that the weights are for", FlagOnly: true},
		{Name: "older-than", Commands: prune, Kind: Optional(Span(time.Minute, 100_000*time.Hour)), Help: "runs that were begun longer ago", FlagOnly: true},
		{Name: "keep", Commands: prune, Kind: Optional(Whole(0, 1_000_000)), Help: "all runs but so many of the latest", FlagOnly: true},
		{Name: "games", Commands: prune, Default: "false", Kind: Switch(), Help: "delete the games alone and keep all figures", FlagOnly: true},
		{Name: "yes", Commands: prune, Default: "false", Kind: Switch(), Help: "delete; without it prune only says what it would delete", FlagOnly: true},
	}
}

// ladderOptions are those of a ladder alone.
func ladderOptions(ladder []string) []Option {
	return []Option{
		{Name: "pairs", Commands: ladder, Default: "50", Kind: Whole(1, 1_000_000), Help: "pairs of games of every two players that meet; more of them go on with a ladder"},
		{Name: "gauntlet", Commands: ladder, Kind: Player(), Help: "player that meets all others, who do not meet; without it all meet all"},
		{Name: "anchor", Commands: ladder, Kind: Player(), Help: "player that is rated 1000; without it huang, else baseline:huang, else the first", FlagOnly: true},
		{Name: "state", Commands: ladder, Kind: Text("FILE"), Help: "journal of the finished pairs; without it one in --runs, by the configuration", FlagOnly: true},
		{Name: "picture", Commands: ladder, Kind: Text("FILE"), Help: "where to draw the ratings with their intervals, .svg or .png", FlagOnly: true},
		{Name: "format", Commands: ladder, Default: "text", Kind: OneOf("text", "markdown"), Help: "form of the table", FlagOnly: true},
	}
}

// runOptions are those of a run alone.
func runOptions(run []string) []Option {
	resumed := slices.Concat(run, []string{"tune resume"})
	return []Option{
		{Name: "budget", Commands: run, Default: "10m", Kind: Spending(), Help: "how long to tune"},
		{Name: "budget", Commands: []string{"tune resume"}, Kind: Optional(Spending()), Help: "budget in place of the run's own"},
		{Name: "budget", Commands: []string{"tune sensitivity"}, Default: "2000games", Kind: Spending(), Help: "games of all matches, or how long they take", FlagOnly: true},
		{Name: "start", Commands: run, Default: "huang", Kind: Player(), Help: "preset or weights file to start from"},
		{Name: "out", Commands: resumed, Default: "weights.json", Kind: Text("FILE"), Help: "weights file that a proven champion replaces"},
		{Name: "nodes", Commands: run, Default: "1000", Kind: nodes(), Help: "nodes a move"},
		{Name: "optimizer", Commands: run, Default: "ga", Kind: OneOf("ga", "spsa", "cmaes", "fit"), Help: "method"},
		{Name: "polish", Commands: run, Default: "0.9", Kind: Number(0, 1), Help: "share of the evolution for the local finish of ga"},
		{Name: "warm-start", Commands: run, Default: "0.1", Kind: Number(0, .9), Help: "share of the evolution for a logistic fit before the optimizer, 8192 games at the most; none for `fit` itself"},
		{Name: "anchor", Commands: run, Kind: Several(playerArgument), Help: "fixed opponent beside the start, may be repeated; without it the tables of the literature"},
		{Name: "outside-time", Commands: run, Default: "250ms", Kind: Span(time.Millisecond, time.Hour), Help: "time a move of anchors that are engines from outside"},
		{Name: "peers", Commands: run, Default: "0.6", Kind: Number(0, 1), Help: "share of a candidate's games against its generation"},
		{Name: "champions", Commands: run, Default: "0.25", Kind: Number(0, 1), Help: "share against candidates that passed a gate"},
		{Name: "anchors", Commands: run, Default: "0.15", Kind: Number(0, 1), Help: "share against the start and the anchors; what counts is the proportion of the three"},
		{Name: "freeze", Commands: run, Kind: Several("WEIGHT"), Help: "weight of the tuned groups that keeps its value, may be repeated"},
		{Name: "gate-openings", Commands: run, Kind: Text("FILE"), Help: "opening list of the gates; all of --openings are for the training then"},
		{Name: "deadline", Commands: resumed, Kind: TimeOfDay(), Help: "end the evolution at this time of the local clock, and go on with gate and validation"},
		{Name: "evolution", Commands: run, Default: "0", Kind: Whole(0, 1_000_000_000), Help: "end the evolution after so many of its games, as a deadline did; 0 for never"},
		{Name: "allow-commands", Commands: resumed, Default: "false", Kind: Switch(), Help: "start gomocup: commands that a configuration or a stored run names"},
		{Name: "only", Commands: run, Kind: Optional(Some(groupNames()...)), Help: "groups of weights to tune"},
		{Name: "name", Commands: run, Kind: Label(), Help: "name of the run"},
		{Name: "name", Commands: []string{"tune resume"}, Kind: Text("NAME"), Help: "name of the run that --fork or a checkpoint makes", FlagOnly: true},
		{Name: "fork", Commands: []string{"tune resume"}, Default: "false", Kind: Switch(), Help: "begin a new run from the champion of the old one, under this program's engine", FlagOnly: true},
		{Name: "listen", Commands: resumed, Kind: Text("ADDRESS"), Help: "show the run on a page at this address, such as 127.0.0.1:8090", FlagOnly: true},
		{Name: "host", Commands: resumed, Kind: Text("NAME"), Help: "name by which other machines reach the page, such as box.lan", FlagOnly: true},
		{Name: "token-file", Commands: resumed, Kind: Text("FILE"), Help: "file with the token that an address needs which other machines reach", FlagOnly: true},
		{Name: "trace", Commands: resumed, Kind: Text("FILE"), Help: "append a line to the file for every pair that is begun, for debugging", FlagOnly: true},
		{Name: "no-gate", Commands: run, Default: "false", Kind: Switch(), Help: "no gate and no validation: the candidate goes to --out, marked unproven"},
	}
}

// nodes is a limit of nodes a move.
func nodes() Kind { return Whole(1, math.MaxInt64) }

// groupNames returns the groups of weights.
func groupNames() []string {
	var names []string
	for _, g := range weights.Groups() {
		names = append(names, g.Name)
	}
	return names
}
