package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
)

func configCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "config",
		Short: "Show the effective configuration of `tune run`, with the origin of every value",
		Long: "Shows every value of `tune run` and where it comes from. Settings of the file that are for other commands\n" +
			"are listed as not used.",
		Example: "  QUINTUNE_SEED=7 tune config --nodes 2000",
	}, &runOptions{}, showConfig)
}

func showConfig(cmd *cobra.Command, o *runOptions, _ []string) error {
	type entry struct {
		Name   string `json:"name"`
		Value  string `json:"value"`
		Origin string `json:"origin"`
	}
	var text strings.Builder
	list, unused := []entry{}, []entry{}
	for _, e := range o.Entries() {
		fmt.Fprintf(&text, "%-12s %-20s %s\n", e.Name, e.Value, e.Origin)
		list = append(list, entry(e))
	}
	for _, e := range o.Unused() {
		fmt.Fprintf(&text, "%-12s %-20s %s, not used by tune run\n", e.Name, e.Value, e.Origin)
		unused = append(unused, entry(e))
	}
	return show(cmd, &o.Common, text.String(), map[string]any{"config": list, "unused": unused})
}
