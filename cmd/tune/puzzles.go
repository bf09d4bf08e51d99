package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/puzzle"
	"quintune/internal/record"
	"quintune/internal/runfolder"
	"quintune/internal/store"
	"quintune/internal/text"
	"quintune/pattern"
)

// puzzlesOptions are the options of `tune puzzles`.
type puzzlesOptions struct {
	config.Common
	runsOption
	Count   int
	Nodes   int64
	Workers int
	Rule    pattern.Rule
	Size    int
	Out     string // "": stdout
}

// puzzleNodes is the default node limit of each search of a solver. It is enough to refute nearly every move of
// a middle game.
const puzzleNodes = "20000"

// maxPuzzles bounds the puzzles of one command.
const maxPuzzles = 100_000

func (o *puzzlesOptions) Declare(d *config.Declaration) {
	d.Group("The puzzles")
	config.Var(d, &o.Count, "count", "100", config.Whole(1, maxPuzzles), "puzzles to find", config.FlagOnly)
	config.Var(d, &o.Nodes, "nodes", puzzleNodes, nodes(), "nodes in which the solvers must refute each other move; a fifth of them for the win", config.FlagOnly)
	declareWorkers(d, &o.Workers, 1, "")
	config.Var(d, &o.Out, "out", "", config.Text("FILE"), "where to write; without it stdout", config.FlagOnly)
	d.Group("Records that do not say them")
	config.Var(d, &o.Rule, "rule", "freestyle", config.Rule(), "rule of the games", config.FlagOnly)
	config.Var(d, &o.Size, "size", "15", config.Size(), "cells on a side of the board", config.FlagOnly)
	o.runsOption.Declare(d)
}

func puzzlesCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "puzzles RUN|FILE",
		Short: "Find puzzles in stored games: positions with one winning move",
		Long: `Looks through the games of a run, or of a file of records, for positions in which exactly one move begins a forced win, by continuous
fours (vcf) or continuous threats (vct). Every other legal move is refuted by the solvers; a position in which they run out of nodes on
one is left out. Each puzzle has its solution and a level from 1 to 5, by plies and by the nodes that the solver needed. The same games
give the same puzzles. Writes JSON lines, one puzzle a line (docs/puzzles.md); the page of "play web" opens such a file.`,
		Example: "  tune puzzles r-huang-1-0123abcd --count 200 --out puzzles.jsonl\n  tune match default huang --pairs 200 --records games.jsonl\n  tune puzzles games.jsonl --count 50 --out puzzles.jsonl",
		Args:    cobra.ExactArgs(1),
	}, &puzzlesOptions{}, findPuzzles)
}

func findPuzzles(cmd *cobra.Command, o *puzzlesOptions, args []string) error {
	if err := checkOutput("out", o.Out); err != nil {
		return err
	}
	if isRecords(args[0]) {
		if err := checkInput(args[0], o.Out, "the file of records"); err != nil {
			return err
		}
	}
	d := newDisplay(cmd, &o.Common)
	finder := puzzle.NewFinder(puzzle.Config{Count: o.Count, Nodes: o.Nodes, Workers: o.Workers})
	err := eachGame(o, args[0], func(game *record.Game) (done bool, err error) {
		done, err = finder.Add(cmd.Context(), game)
		d.drawSometimes(false, func() string {
			return fmt.Sprintf("%s in %s", text.Plural(len(finder.Found()), "puzzle"), text.Plural(finder.Games(), "game"))
		})
		return done, err
	})
	if err == nil {
		_, err = finder.Flush(cmd.Context())
	}
	d.end()
	found := finder.Found()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %d of %d puzzles were found, none is written", config.ErrInterrupted, len(found), o.Count)
	}
	if err != nil {
		return err
	}
	kept := keptBy(o.Out)
	if o.Out != "" || !o.JSON {
		if err := writeOutput(cmd, o.Out, func(w io.Writer) error { return puzzle.Write(w, found) }); err != nil {
			return err
		}
	}
	result := newPuzzlesResult(o, finder)
	if o.Out == "" && !o.JSON {
		if result.Count == 0 {
			d.log.Warn(fmt.Sprintf("no puzzle was found in %s: more games hold more puzzles", text.Plural(result.Games, "game")))
		}
		return nil
	}
	return show(cmd, &o.Common, result.text(o.Count, kept), result)
}

// errEnough ends the reading of a run's games early.
var errEnough = errors.New("enough")

// eachGame calls do for the games of a run or a file until do reports that it is done or returns an error.
func eachGame(o *puzzlesOptions, argument string, do func(*record.Game) (done bool, err error)) error {
	if !isRecords(argument) {
		err := readRuns(o.Runs, func(runs *runfolder.Runs) error {
			return runs.Games(argument, func(g *record.Game, _ store.Key) error {
				if err := o.check(argument, g); err != nil {
					return err
				}
				done, err := do(g)
				if err == nil && done {
					err = errEnough
				}
				return err
			})
		})
		if info, missing := os.Stat(argument); errors.Is(err, store.ErrNoRun) && missing == nil && info.IsDir() {
			_, err = record.ReadFile(argument, o.conditions()) // refuses a folder, such as one of exported games
		}
		if errors.Is(err, errEnough) {
			return nil
		}
		return err
	}
	games, err := record.ReadFile(argument, o.conditions())
	for i := range games {
		if err := o.check(argument, &games[i]); err != nil {
			return err
		}
	}
	for i := range games {
		if done, err := do(&games[i]); done || err != nil {
			return err
		}
	}
	return err
}

func (o *puzzlesOptions) conditions() record.Conditions {
	return record.Conditions{Size: o.Size, Rule: o.Rule}
}

// check refuses a game of the file or run with another rule or size than was typed.
func (o *puzzlesOptions) check(argument string, g *record.Game) error {
	if err := o.conditions().Check(g, o.Typed(&o.Size), o.Typed(&o.Rule)); err != nil {
		return config.Usagef("%s: %w", argument, err)
	}
	return nil
}

// isRecords reports whether an argument names a file of records and not a run: the file exists, or the name
// looks like that of a file. A folder may be that of a run.
func isRecords(argument string) bool {
	info, err := os.Stat(argument)
	_, named := record.FormatOf(argument)
	return err == nil && !info.IsDir() || named || !isRun(argument)
}

// puzzlesResult is what `tune puzzles --json` prints.
type puzzlesResult struct {
	Out     string          `json:"out"`
	Count   int             `json:"count"`
	Games   int             `json:"games"` // games that were searched
	VCF     int             `json:"vcf"`
	VCT     int             `json:"vct"`
	Levels  []int           `json:"levels"`            // number of puzzles of each level, from level 1
	Puzzles []puzzle.Puzzle `json:"puzzles,omitempty"` // the puzzles, where they are not written to a file
}

func newPuzzlesResult(o *puzzlesOptions, finder *puzzle.Finder) puzzlesResult {
	found := finder.Found()
	r := puzzlesResult{Out: o.Out, Count: len(found), Games: finder.Games(), Levels: make([]int, puzzle.MaxLevel)}
	for _, p := range found {
		r.Levels[p.Level-1]++
		if p.Kind == puzzle.VCF {
			r.VCF++
		}
	}
	r.VCT = len(found) - r.VCF
	if o.Out == "" {
		r.Puzzles = found
	}
	return r
}

// text returns for people what was found, and the next command. kept says where the file before is, see keptBy.
func (r *puzzlesResult) text(wanted int, kept string) string {
	if r.Count == 0 {
		return fmt.Sprintf("No puzzle was found in %s, and %s is empty%s: more games hold more puzzles.\n", text.Plural(r.Games, "game"), r.Out, kept)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s: %d by fours, %d by threats, by level %v; written to %s%s\n", text.Plural(r.Count, "puzzle"), text.Plural(r.Games, "game"), r.VCF, r.VCT, r.Levels, r.Out, kept)
	if r.Count < wanted {
		fmt.Fprintf(&b, "%d were wanted: more games hold more puzzles.\n", wanted)
	}
	b.WriteString(next("opens the page to solve them: Puzzles, Open a file", "play", "web"))
	return b.String()
}
