package config

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// playerArgument is the placeholder of player arguments in the help.
const playerArgument = "PLAYER"

// CompletePlayers makes the shell offer the names, and files, wherever a command of the tree takes a player: for
// options of kind Player, and as arguments of the commands that are named.
func CompletePlayers(root *cobra.Command, names []string, commands ...string) {
	offer := func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		fitting := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, begun) })
		return fitting, cobra.ShellCompDirectiveDefault
	}
	root.Flags().VisitAll(func(flag *pflag.Flag) {
		if flag.Value.Type() != playerArgument {
			return
		}
		if err := root.RegisterFlagCompletionFunc(flag.Name, offer); err != nil {
			panic(err) // the flag is there, and nobody else completes it
		}
	})
	if slices.Contains(commands, root.Name()) {
		root.ValidArgsFunction = offer
	}
	for _, sub := range root.Commands() {
		CompletePlayers(sub, names, commands...)
	}
}
