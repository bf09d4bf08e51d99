package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/report"
	"quintune/internal/store"
	"quintune/internal/tuner"
	"quintune/weights"
)

// reportOptions are the options of `tune report`.
type reportOptions struct {
	config.Common
	runsOption
	Output string
	PNG    string // "": none
}

func (o *reportOptions) Declare(d *config.Declaration) {
	o.runsOption.Declare(d)
	d.Group("The report")
	config.Var(d, &o.Output, "output", "report.html", config.Text("FILE"), "where to write the report, one HTML file", config.FlagOnly, config.Short("o"))
	config.Var(d, &o.PNG, "png", "", config.Text("DIR"), "folder for all pictures as PNG and SVG; without it none", config.FlagOnly)
}

func reportCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "report [RUN]",
		Short: "Write what a run has come to as one HTML file, by default of the latest",
		Long: `Writes one HTML file that needs no other: what the weights gained and on how many games, the verdicts of gates and
validations in words, the rating curve, the population, the weights on their way and side by side with the start, and
the command that runs it again. With --png the pictures are written as well, as PNG and SVG.`,
		Example: "  tune report -o report.html\n  tune report r-huang-1-0123abcd -o report.html --png pictures",
		Args:    cobra.MaximumNArgs(1),
	}, &reportOptions{}, reportRun)
}

// reported is what `tune report --json` prints.
type reported struct {
	Name     string   `json:"name"`
	Report   string   `json:"report"`
	Pictures []string `json:"pictures"`
}

func reportRun(cmd *cobra.Command, o *reportOptions, args []string) error {
	var run *report.Run
	err := readRuns(o.Runs, func(runs *tuner.Runs) error {
		name, err := runNamed(runs, args)
		if err == nil {
			run, err = reportOf(runs, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	result := reported{Name: run.Name, Report: o.Output, Pictures: []string{}}
	if err := writeOutput(cmd, result.Report, run.WriteHTML); err != nil {
		return err
	}
	if o.PNG != "" {
		if result.Pictures, err = writePictures(cmd, o.PNG, run.Pictures()); err != nil {
			return err
		}
	}
	text := strings.Join(append([]string{run.Headline(), run.Basis(), result.Report}, result.Pictures...), "\n") + "\n"
	return show(cmd, &o.Common, text, result)
}

// writePictures writes all pictures in all formats into a folder, and returns their paths.
func writePictures(cmd *cobra.Command, folder string, pictures []report.Picture) ([]string, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("png: %w", err)
	}
	var paths []string
	for _, p := range pictures {
		for _, format := range report.Formats() {
			picture, err := p.Render(format)
			if err != nil {
				return nil, err
			}
			path := filepath.Join(folder, p.Name+"."+format)
			err = writeOutput(cmd, path, func(w io.Writer) error {
				_, err := w.Write(picture)
				return err
			})
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// reportOf returns what is stored of a run, for its report.
func reportOf(runs *tuner.Runs, name string) (*report.Run, error) {
	row, record, state, err := runs.Load(name)
	if err != nil {
		return nil, err
	}
	s := &record.Spec
	r := &report.Run{
		Name: name, ID: record.Run, Begun: record.Begun, Done: state.Done, Start: s.StartName, Rule: s.Rule, Size: s.Size, Nodes: s.Nodes,
		Optimizer: s.Optimizer, Seed: s.Seed, Budget: s.Budget, Games: state.Games, Evolution: state.Evolution,
		Engine: s.Engine, Commit: record.Commit, Arch: strings.TrimSpace(record.GoArch + " " + record.GoLevel),
	}
	r.Commands, r.Notes = reproduction(&record, &state)
	addMatches(r, &state)
	generations, err := runs.DB().Generations(row)
	if err != nil {
		return nil, err
	}
	for i := range generations {
		g := &generations[i]
		r.Generations = append(r.Generations, report.Generation{
			Games: g.Games, Spread: g.Spread, Sigma: g.Sigma, Best: g.Best, Mean: g.Mean, Values: g.Champion,
		})
	}
	if err := addSensitivity(r, runs); err != nil {
		return nil, err
	}
	return r, addWeights(r, runs, s, generations)
}

// addSensitivity adds what `tune sensitivity` has measured of the run last.
func addSensitivity(r *report.Run, runs *tuner.Runs) error {
	s, err := runs.Sensitivity(r.Name)
	if err != nil || s == nil {
		return err
	}
	for _, c := range s.Changes {
		if c.Cost != nil {
			r.Sensitivity = append(r.Sensitivity, report.Ablation{
				Weight: c.Name, Pairs: c.Cost.Pairs, Elo: c.Cost.Elo, Low: c.Cost.EloLow, High: c.Cost.EloHigh,
			})
		}
	}
	return nil
}

// addMatches adds the checks, gates and validations.
func addMatches(r *report.Run, state *tuner.State) {
	for _, check := range state.Checks {
		elo := check.Pairs.Elo()
		r.Checks = append(r.Checks, report.Point{Games: check.Games, Elo: elo.Elo, Low: elo.Low, High: elo.High})
	}
	for i := range state.Gates {
		g := &state.Gates[i].Report
		r.Gates = append(r.Gates, report.Gate{
			Opponent: g.B, Final: state.Gates[i].Final, Passed: g.Passed, Verdict: g.Verdict, Pairs: g.Pairs,
			Elo: g.Elo, Low: g.EloLow, High: g.EloHigh, LLR: g.LLR, Lower: g.Lower, Upper: g.Upper, NElo0: g.NElo0, NElo1: g.NElo1, Alpha: g.Alpha,
		})
	}
	add := func(v *match.Report) {
		r.Validations = append(r.Validations, report.Validation{
			Opponent: v.B, Nodes: v.Nodes, Games: v.Games, Wins: v.Wins, Draws: v.Draws, Losses: v.Losses,
			Elo: v.Elo, Low: v.EloLow, High: v.EloHigh, Openings: v.Openings,
		})
	}
	if state.Validation != nil {
		add(state.Validation)
	}
	for i := range state.Further {
		add(&state.Further[i])
	}
}

// addWeights adds all weights before and after: those that the run recommends, or before it has closed a
// generation the start itself.
func addWeights(r *report.Run, runs *tuner.Runs, s *tuner.Spec, generations []store.Generation) error {
	start, err := weights.Unmarshal(s.Start)
	if err != nil {
		return err
	}
	final := start
	if len(generations) > 0 {
		if final, err = runs.Recommended(r.Name); err != nil {
			return err
		}
	}
	i := 0
	for d, value := range start.All() {
		r.Weights = append(r.Weights, report.Weight{
			Name: d.Name, Group: d.Group, Doc: d.Doc, Start: value, Final: final.Values[i], Distance: d.Distance(value, final.Values[i]),
			Idle: !d.Counts(start.Rule),
		})
		i++
	}
	return nil
}
