package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/runfolder"
)

// pruneOptions are the options of `tune prune`.
type pruneOptions struct {
	config.Common
	runsOption
	OlderThan time.Duration // 0: any age
	Keep      int
	Games     bool
	Yes       bool
}

func (o *pruneOptions) Declare(d *config.Declaration) {
	o.runsOption.Declare(d)
	d.Group("What is deleted")
	config.Var(d, &o.OlderThan, "older-than", "", config.Optional(config.Span(time.Minute, 100_000*time.Hour)), "what was begun longer ago", config.FlagOnly)
	config.Var(d, &o.Keep, "keep", "", config.Optional(config.Whole(0, 1_000_000)), "all runs but this number of the latest, and likewise of ladders and matches", config.FlagOnly)
	config.Var(d, &o.Games, "games", "false", config.Switch(), "delete only the games of runs and keep all figures", config.FlagOnly)
	config.Var(d, &o.Yes, "yes", "false", config.Switch(), "delete; without it prune only lists what it would delete", config.FlagOnly)
}

func pruneCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "prune [NAME...]",
		Short: "Delete runs, ladders and matches, or only games of runs",
		Long: `Lists what it would delete, and deletes it with --yes: the runs, ladders and matches that are named; or else of all that are
finished those that --older-than and --keep leave over. What is unfinished is deleted only by name, and what is being played
never. With --games all figures of the runs stay, and they can be resumed; only their games go. The disk gets the room back.`,
		Example: `  tune prune --older-than 720h --keep 3
  tune prune r-huang-1-0123abcd --yes
  tune prune --games --yes`,
		Args: cobra.ArbitraryArgs,
	}, &pruneOptions{}, prune)
}

// pruned is what `tune prune --json` prints.
type pruned struct {
	Runs    []string `json:"runs"`
	Kept    []string `json:"kept"`    // ladders and matches
	Games   bool     `json:"games"`   // only the games of the runs
	Deleted bool     `json:"deleted"` // false: nothing was done without --yes
	Before  int64    `json:"before"`  // size of the database, in bytes
	After   int64    `json:"after"`
}

func prune(cmd *cobra.Command, o *pruneOptions, args []string) error {
	chosen := o.OlderThan > 0 || o.IsSet(&o.Keep)
	if len(args) > 0 && chosen {
		return config.Usagef("prune takes either names, or --older-than and --keep")
	}
	if len(args) == 0 && !chosen && !o.Games {
		return config.Usagef("prune needs names of runs, ladders or matches, --older-than, --keep or --games")
	}
	if !hasRuns(o.Runs) {
		return fmt.Errorf("there is no run in %s", o.Runs)
	}
	return changeRuns(o.Runs, func(runs *runfolder.Runs) error {
		what := runfolder.Pruning{Names: args, OlderThan: o.OlderThan, Keep: o.Keep, Games: o.Games}
		meant, err := runs.Prunable(&what)
		if err != nil {
			return err
		}
		result := pruned{Runs: append([]string{}, meant.Runs...), Kept: []string{}, Games: o.Games, Deleted: o.Yes, Before: runs.Size()}
		for _, k := range meant.Kept {
			result.Kept = append(result.Kept, k.Name)
		}
		if result.Deleted {
			if err := runs.Prune(&what, &meant); err != nil {
				return err
			}
		}
		result.After = runs.Size()
		told := result.text()
		if !result.Deleted && len(result.Runs)+len(result.Kept) > 0 {
			told += next("deletes them", append(config.Repeat(cmd, args), "--yes")...)
		}
		return show(cmd, &o.Common, told, result)
	})
}

// text returns for people what was done.
func (p *pruned) text() string {
	if len(p.Runs)+len(p.Kept) == 0 {
		return "nothing to delete\n"
	}
	what, done := "run ", "would be deleted; do it with --yes"
	if p.Games {
		what = "games of run "
	}
	if p.Deleted {
		done = "deleted"
	}
	var b strings.Builder
	for _, name := range p.Runs {
		fmt.Fprintf(&b, "%s%s: %s\n", what, name, done)
	}
	for _, name := range p.Kept {
		fmt.Fprintf(&b, "%s: %s\n", name, done)
	}
	fmt.Fprintf(&b, "the database has %s", megabytes(p.Before))
	if p.Deleted {
		fmt.Fprintf(&b, ", now %s", megabytes(p.After))
	}
	return b.String() + "\n"
}
