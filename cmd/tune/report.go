package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/report"
	"quintune/internal/run"
	"quintune/internal/runfolder"
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
	if err := checkOutput("output", o.Output); err != nil {
		return err
	}
	if ending := strings.ToLower(filepath.Ext(o.Output)); !slices.Contains([]string{"", ".html", ".htm"}, ending) {
		config.NewLogger(cmd.ErrOrStderr(), &o.Common).Warn("a report is HTML, for which few programs take a file that ends in "+ending, "output", o.Output)
	}
	var r *report.Run
	err := readRuns(o.Runs, func(runs *runfolder.Runs) error {
		name, err := runNamed(runs, args, false)
		if err == nil {
			r, err = o.reportOf(runs, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	kept := keptBy(o.Output)
	result := reported{Name: r.Name, Report: o.Output, Pictures: []string{}}
	if err := writeOutput(cmd, result.Report, r.WriteHTML); err != nil {
		return err
	}
	if o.PNG != "" {
		if result.Pictures, err = writePictures(cmd, o.PNG, r.Pictures()); err != nil {
			return err
		}
	}
	text := strings.Join(append([]string{r.Headline(), r.Basis(), result.Report + kept}, result.Pictures...), "\n") + "\n"
	text += next("writes the values to a file", o.withRuns("tune", "export", r.Name, "--format", "csv", "-o", r.Name+".csv")...)
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
			if err := writeOutput(cmd, path, whole(picture)); err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// reportOf returns the stored data of a run for its report.
func (o *runsOption) reportOf(runs *runfolder.Runs, name string) (*report.Run, error) {
	s, err := runs.Load(name)
	if err != nil {
		return nil, err
	}
	r := &report.Run{Summary: s.Row.Summary, State: s.State, Limit: s.Record.Spec.Limit()}
	r.Commands, r.Notes = s.Record.Reproduction(&s.State)
	if r.Generations, err = runs.DB().Generations(s.Row); err != nil {
		return nil, err
	}
	var outdated bool
	if r.Sensitivity, outdated, err = runs.Sensitivity(s); err != nil {
		return nil, err
	}
	if outdated {
		r.Outdated = o.outdated(name, &s.Record)
	}
	return r, addWeights(r, runs, s)
}

// addWeights adds all weights before and after. The latter are those that the run recommends, or the start while
// no generation is closed.
func addWeights(r *report.Run, runs *runfolder.Runs, s *runfolder.Stored) error {
	all, err := s.Record.Spec.Parameters()
	if err != nil {
		return err
	}
	var final []float64          // nil: the start
	if r.State.Generations > 0 { // of a run of another machine no generation is stored
		best, err := runs.Recommended(s)
		if err != nil {
			return err
		}
		final = best.Numbers()
	}
	for i, p := range all {
		w := run.Value{Parameter: p, Now: p.Start}
		if final != nil {
			w.Now = final[i]
		}
		r.Weights = append(r.Weights, w)
	}
	return nil
}
