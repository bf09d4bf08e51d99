package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
)

func configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Show the effective configuration of `tune run`, with the origin of every value",
		Example: "  QUINTUNE_SEED=7 tune config --nodes 2000",
		RunE:    config.Loaded(showConfig),
	}
	config.Declare(cmd, "tune run")
	return cmd
}

func showConfig(cmd *cobra.Command, v *config.Values, _ []string) error {
	type entry struct {
		Name   string `json:"name"`
		Value  string `json:"value"`
		Origin string `json:"origin"`
	}
	var text strings.Builder
	var list []entry
	for _, e := range v.Entries() {
		fmt.Fprintf(&text, "%-12s %-20s %s\n", e.Name, e.Value, e.Origin)
		list = append(list, entry(e))
	}
	return show(cmd, v, text.String(), map[string]any{"config": list})
}
