package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/store"
	"quintune/internal/text"
	"quintune/internal/tuner"
)

func showCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:     "show [RUN]",
		Short:   "Show what a run was asked to do and what it has come to, by default the latest",
		Example: "  tune show\n  tune show r-huang-1-0123abcd --json",
		Args:    cobra.MaximumNArgs(1),
	}, &storedOptions{}, showRun)
}

// shown is what `tune show --json` prints.
type shown struct {
	Name        string             `json:"name"`
	Run         string             `json:"run"`
	Parent      string             `json:"parent"` // run that it was forked from, "" for none
	Engine      string             `json:"engine"`
	Commit      string             `json:"commit"`
	Begun       string             `json:"begun"`
	Start       string             `json:"start"`
	Rule        string             `json:"rule"`
	Size        int                `json:"size"`
	Groups      []string           `json:"groups"`
	Optimizer   string             `json:"optimizer"`
	Seed        uint64             `json:"seed"`
	Nodes       int64              `json:"nodes"`
	Budget      int                `json:"budget"`
	Games       int                `json:"games"`
	Generations int                `json:"generations"`
	Open        int                `json:"open"` // games of the open step that are stored
	Done        bool               `json:"done"`
	Checks      []tuner.Check      `json:"checks"`
	Gates       []match.GateReport `json:"gates"`
	Validation  *match.Report      `json:"validation"`
	Further     []match.Report     `json:"further"`
	Ended       int                `json:"ended"`      // games of an evolution that was ended before its time, 0: it was not
	Audited     int                `json:"audited"`    // games played once more for comparison, in no budget
	PlayedOut   int                `json:"played_out"` // games played on beyond a proven win, in no budget
	Overturned  int                `json:"overturned"` // of these, games that the claimed winner did not win
	Dropped     []string           `json:"dropped"`    // workers that older programs put out
	Faults      []tuner.Fault      `json:"faults"`     // of opponents from outside

	Reproducible bool               `json:"reproducible"` // no engine from outside plays
	Sensitivity  *tuner.Sensitivity `json:"sensitivity"`  // the last one that was measured, null for none
}

func showRun(cmd *cobra.Command, o *storedOptions, args []string) error {
	var row store.Run
	var record tuner.Record
	var state tuner.State
	var mattered *tuner.Sensitivity
	err := readRuns(o.Runs, func(runs *tuner.Runs) error {
		name, err := runNamed(runs, args)
		if err == nil {
			row, record, state, err = runs.Load(name)
		}
		if err == nil {
			mattered, err = runs.Sensitivity(name)
		}
		return err
	})
	if err != nil {
		return err
	}
	spec := &record.Spec
	s := shown{
		Name: row.Name, Run: row.Hash, Parent: row.Parent, Engine: row.Engine, Commit: record.Commit,
		Begun: record.Begun.Format("2006-01-02 15:04:05 MST"),
		Start: spec.StartName, Rule: spec.Rule, Size: spec.Size, Groups: spec.Groups, Optimizer: spec.Optimizer,
		Seed: spec.Seed, Nodes: spec.Nodes, Budget: spec.Budget, Games: state.Games, Generations: state.Generations,
		Open: row.Open, Done: state.Done, Checks: state.Checks, Validation: state.Validation, Further: state.Further,
		Ended: state.Ended, Audited: state.Audited, PlayedOut: state.PlayedOut, Overturned: state.Overturned, Dropped: state.Dropped, Faults: state.Faults,
		Reproducible: spec.Reproducible, Sensitivity: mattered,
	}
	for _, g := range state.Gates {
		s.Gates = append(s.Gates, g.Report)
	}
	return show(cmd, &o.Common, s.text(), s)
}

// text tells a run to people.
func (s *shown) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s), begun %s, commit %s\n", s.Name, s.Run, s.Begun, s.Commit)
	fmt.Fprintf(&b, "%s of %s from %s, %s on %d×%d, %d nodes a move, seed %d\n",
		s.Optimizer, strings.Join(s.Groups, ","), s.Start, s.Rule, s.Size, s.Size, s.Nodes, s.Seed)
	if s.Parent != "" {
		fmt.Fprintf(&b, "forked from run %s\n", s.Parent)
	}
	b.WriteString(s.progress())
	for _, c := range s.Checks {
		elo := c.Pairs.Elo()
		fmt.Fprintf(&b, "check after %d games: %s in %s\n", c.Games, text.Elo(elo.Elo, elo.Low, elo.High), text.Plural(c.Pairs.Pairs(), "pair"))
	}
	for _, g := range s.Gates {
		fmt.Fprintf(&b, "gate against %s: %s after %s, %s\n", g.B, g.Verdict, text.Plural(g.Pairs, "pair"), text.Elo(g.Elo, g.EloLow, g.EloHigh))
	}
	if val := s.Validation; val != nil {
		fmt.Fprintf(&b, "validation against %s: %s in %d games\n", val.B, text.Elo(val.Elo, val.EloLow, val.EloHigh), val.Games)
	}
	for i := range s.Further {
		val := &s.Further[i]
		fmt.Fprintf(&b, "further against %s at %d nodes: %s in %d games\n", val.B, val.Nodes, text.Elo(val.Elo, val.EloLow, val.EloHigh), val.Games)
	}
	b.WriteString(s.trouble())
	if s.Sensitivity != nil {
		b.WriteString("\n" + sensitivityText(s.Name, s.Sensitivity))
	}
	return b.String()
}

// trouble tells what was out of the ordinary.
func (s *shown) trouble() string {
	var b strings.Builder
	if s.Ended > 0 {
		fmt.Fprintf(&b, "the evolution was ended after %d of its games: --budget %dgames --evolution %d repeats that\n", s.Ended, s.Budget, s.Ended)
	}
	for _, f := range s.Faults {
		fmt.Fprintf(&b, "faults of %s: %d × %s, first %s\n", f.Player, f.Count, f.Kind, f.First)
	}
	for _, worker := range s.Dropped {
		fmt.Fprintf(&b, "%s was dropped: its games came out differently when replayed\n", worker)
	}
	if !s.Reproducible {
		b.WriteString("not reproducible: an engine from outside plays\n")
	}
	return b.String()
}

// progress tells how far the run has come.
func (s *shown) progress() string {
	switch {
	case s.Done:
		return fmt.Sprintf("done: %d of %d games, %s\n", s.Games, s.Budget, text.Plural(s.Generations, "generation"))
	case s.Games+s.Open == 0:
		return fmt.Sprintf("begun, but no pair is finished yet; the budget is %d games\n", s.Budget)
	}
	return fmt.Sprintf("unfinished: %d of %d games, %s closed, %d games of the next step\n",
		s.Games+s.Open, s.Budget, text.Plural(s.Generations, "generation"), s.Open)
}

func listCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:     "list",
		Short:   "List the stored runs, the latest last",
		Example: "  tune list --runs runs",
	}, &storedOptions{}, list)
}

func list(cmd *cobra.Command, o *storedOptions, _ []string) error {
	var runs []tuner.Summary
	err := readRuns(o.Runs, func(r *tuner.Runs) (err error) {
		runs, err = r.List()
		return err
	})
	if err != nil {
		return err
	}
	var text strings.Builder
	for i := range runs {
		text.WriteString(summaryText(&runs[i]))
	}
	return show(cmd, &o.Common, text.String(), map[string]any{"runs": runs})
}

// summaryText is one line for people.
func summaryText(s *tuner.Summary) string {
	if s.Run == "" {
		return fmt.Sprintf("%s  %s\n", s.Name, s.Status)
	}
	line := fmt.Sprintf("%s  %s  %d of %d games  %s", s.Begun.Local().Format("2006-01-02 15:04"), s.Name, s.Games+s.Open, s.Budget, s.Status)
	if s.Parent != "" {
		line += "  forked from " + s.Parent
	}
	return line + "\n"
}
