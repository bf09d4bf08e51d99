package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/tuner"
)

func listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the stored runs",
		Example: "  tune list --runs runs",
		RunE:    config.Loaded(list),
	}
	config.Declare(cmd, "tune list")
	return cmd
}

func list(cmd *cobra.Command, v *config.Values, _ []string) error {
	runs, err := tuner.ListRuns(v.String("runs"))
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&text, "%s  %s  %d of %d games  %s\n", r.Begun.Local().Format("2006-01-02 15:04"), r.Name, r.Games, r.Budget, r.Status)
	}
	return show(cmd, v, text.String(), map[string]any{"runs": runs})
}
