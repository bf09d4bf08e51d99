package main

import (
	"fmt"
	"os"
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
	config.Var(d, &o.OlderThan, "older-than", "", config.Optional(config.Span(time.Minute, 100_000*time.Hour)), "runs that were begun longer ago", config.FlagOnly)
	config.Var(d, &o.Keep, "keep", "", config.Optional(config.Whole(0, 1_000_000)), "all runs but this number of the latest", config.FlagOnly)
	config.Var(d, &o.Games, "games", "false", config.Switch(), "delete only the games and keep all figures", config.FlagOnly)
	config.Var(d, &o.Yes, "yes", "false", config.Switch(), "delete; without it prune only lists what it would delete", config.FlagOnly)
}

func pruneCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "prune [RUN...]",
		Short: "Delete runs, or only their games, and give the room back to the disk",
		Long: `Lists what it would delete, and deletes it with --yes: the runs that are named; or else of all finished runs those that --older-than and
--keep leave over. Unfinished runs are deleted only by name, and a run that is being played never. With --games all figures of the runs
stay, and they can be resumed; only their games go.`,
		Example: `  tune prune --older-than 720h --keep 3
  tune prune r-huang-1-0123abcd --yes
  tune prune --games --yes`,
		Args: cobra.ArbitraryArgs,
	}, &pruneOptions{}, prune)
}

// pruned is what `tune prune --json` prints.
type pruned struct {
	Runs    []string `json:"runs"`
	Games   bool     `json:"games"`   // only their games
	Deleted bool     `json:"deleted"` // false: nothing was done without --yes
	Before  int64    `json:"before"`  // bytes of the database
	After   int64    `json:"after"`
}

func prune(cmd *cobra.Command, o *pruneOptions, args []string) error {
	chosen := o.OlderThan > 0 || o.IsSet(&o.Keep)
	if len(args) > 0 && chosen {
		return config.Usagef("prune takes either names of runs, or --older-than and --keep")
	}
	if len(args) == 0 && !chosen && !o.Games {
		return config.Usagef("prune needs the names of runs, --older-than, --keep or --games")
	}
	if _, err := os.Stat(o.Runs); err != nil {
		return err
	}
	return changeRuns(o.Runs, func(runs *runfolder.Runs) error {
		result := pruned{Games: o.Games, Deleted: o.Yes}
		var err error
		if result.Runs, err = prunable(o, runs, args); err != nil {
			return err
		}
		result.Before = runs.Size()
		if result.Deleted {
			if err := deleteRuns(runs, &result); err != nil {
				return err
			}
		}
		result.After = runs.Size()
		return show(cmd, &o.Common, result.text(), result)
	})
}

// prunable returns the runs that are meant.
func prunable(o *pruneOptions, runs *runfolder.Runs, args []string) ([]string, error) {
	list := []string{}
	for _, name := range args {
		if _, err := runs.Row(name); err != nil {
			return nil, err
		}
		list = append(list, name)
	}
	if len(args) > 0 {
		return list, nil
	}
	all, err := runs.List()
	if err != nil {
		return nil, err
	}
	for i, s := range all {
		old := time.Since(s.Begun) > o.OlderThan
		if s.Status == runfolder.StatusDone && old && i < len(all)-o.Keep {
			list = append(list, s.Name)
		}
	}
	return list, nil
}

func deleteRuns(runs *runfolder.Runs, p *pruned) error {
	for _, name := range p.Runs {
		remove := runs.Remove
		if p.Games {
			remove = runs.RemoveGames
		}
		if err := remove(name); err != nil {
			return err
		}
	}
	return runs.DB().Compact()
}

// text tells people what was done.
func (p *pruned) text() string {
	if len(p.Runs) == 0 {
		return "nothing to delete\n"
	}
	what, done := "run", "would be deleted; do it with --yes"
	if p.Games {
		what = "games of run"
	}
	if p.Deleted {
		done = "deleted"
	}
	var b strings.Builder
	for _, name := range p.Runs {
		fmt.Fprintf(&b, "%s %s: %s\n", what, name, done)
	}
	fmt.Fprintf(&b, "the database has %s", megabytes(p.Before))
	if p.Deleted {
		fmt.Fprintf(&b, ", now %s", megabytes(p.After))
	}
	return b.String() + "\n"
}
