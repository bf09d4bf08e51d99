package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/tuner"
)

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
