package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/journal"
	"quintune/internal/runfolder"
	"quintune/internal/stats"
	"quintune/internal/text"
)

func listCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "list",
		Short: "List the stored runs, ladders and matches",
		Long: fmt.Sprintf(`Lists the runs of the tuner with the verdict of their gates and the Elo of their validation, with its 95 %% interval. Below are
the ladders and matches whose pairs are kept; an interval says nothing below %d pairs. Both are in the order in which they were
begun or last resumed, which is not that of the first column. All of them are in the database of --runs; tune prune deletes them.`,
			stats.FewestPairs),
		Example: "  tune list --runs runs",
	}, &storedOptions{}, list)
}

func list(cmd *cobra.Command, o *storedOptions, _ []string) error {
	runs, kept, err := stored(o.Runs)
	if err != nil {
		return err
	}
	if len(runs)+len(kept) == 0 {
		config.NewLogger(cmd.ErrOrStderr(), &o.Common).Info("nothing is stored in " + o.Runs + " yet: `tune run` begins a run")
	}
	return show(cmd, &o.Common, listText(&o.runsOption, runs, kept), map[string]any{"runs": runs, "kept": kept})
}

// stored returns the runs of a folder and its ladders and matches.
func stored(folder string) (runs []runfolder.Listed, kept []journal.Kept, err error) {
	kept = []journal.Kept{}
	err = readRuns(folder, func(r *runfolder.Runs) (err error) {
		if runs, err = r.List(); err == nil && r.DB() != nil {
			kept, err = journal.List(r.DB(), folder)
		}
		return err
	})
	return runs, kept, err
}

// listText is the list for people: two tables, and the next command.
func listText(o *runsOption, runs []runfolder.Listed, kept []journal.Kept) string {
	var b strings.Builder
	if len(runs) > 0 {
		rows := [][]string{{"begun", "run", "games", "state", "verdict", "Elo"}}
		for i := range runs {
			rows = append(rows, runRow(&runs[i]))
		}
		b.WriteString(text.Table(rows, func(column int) bool { return column != 2 }))
	}
	if len(kept) > 0 {
		if len(runs) > 0 {
			b.WriteString("\n")
		}
		rows := [][]string{{"begun", "ladder or match", "pairs", "state", "verdict", "Elo", "players"}}
		for i := range kept {
			rows = append(rows, keptRow(&kept[i]))
		}
		b.WriteString(text.Table(rows, func(column int) bool { return column != 2 }))
	}
	for i := range slices.Backward(runs) {
		if !runs[i].OldFormat() { // tune show refuses such a run
			b.WriteString(next("shows the latest run", o.withRuns("tune", "show", runs[i].Name)...))
			break
		}
	}
	return b.String()
}

// runRow is the row of a run.
func runRow(s *runfolder.Listed) []string {
	if s.OldFormat() {
		return []string{"", s.Name, "", s.Status, "", ""}
	}
	state := s.Status
	if s.Parent != "" {
		state += ", forked from " + s.Parent
	}
	return []string{
		text.Time(s.Begun), s.Name, fmt.Sprintf("%d of %d", s.AllGames(), s.Budget), state, cmp.Or(s.Verdict, "-"), measureText(s.Measure, s.Against),
	}
}

// keptRow is the row of a ladder or match.
func keptRow(k *journal.Kept) []string {
	state := runfolder.StatusOpen
	switch {
	case k.Damaged:
		state = "damaged"
	case k.Playing:
		state = runfolder.StatusPlaying
	case k.Done:
		state = runfolder.StatusDone
	}
	return []string{
		text.Time(k.Begun), k.Name, fmt.Sprintf("%d of %d", k.Pairs, k.Budget/2), state, cmp.Or(k.Verdict, "-"), measureText(k.Measure, ""),
		text.Printable(strings.TrimSpace(k.Purpose + " " + strings.Join(k.Players, ", "))),
	}
}

// measureText returns an Elo with its interval, and the opponent where it is named.
func measureText(e *stats.Estimate, opponent string) string {
	if e == nil {
		return "-"
	}
	measured := text.Interval(e.Elo, e.Low, e.High)
	if opponent != "" {
		measured += " against " + text.Printable(opponent)
	}
	return measured
}
