package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/player"
)

func diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "diff A B",
		Short:   "List the weights in which two sets differ",
		Example: "  tune diff huang weights.json",
		Args:    cobra.ExactArgs(2),
		RunE:    config.Loaded(diff),
	}
	config.Declare(cmd, "tune diff")
	return cmd
}

func diff(cmd *cobra.Command, v *config.Values, args []string) error {
	a, err := player.Weights(args[0])
	if err != nil {
		return err
	}
	b, err := player.Weights(args[1])
	if err != nil {
		return err
	}
	type difference struct {
		Name string `json:"name"`
		A    int32  `json:"a"`
		B    int32  `json:"b"`
	}
	list := []difference{}
	var text strings.Builder
	for d, value := range a.All() {
		other, err := b.Get(d.Name)
		if err != nil {
			return err
		}
		if other != value {
			list = append(list, difference{d.Name, value, other})
			fmt.Fprintf(&text, "%-32s %6d %6d\n", d.Name, value, other)
		}
	}
	return show(cmd, v, text.String(), map[string]any{"a": args[0], "b": args[1], "differences": list})
}
