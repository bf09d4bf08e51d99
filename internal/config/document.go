package config

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// variesKey is the annotation in which Declare leaves the words for a default that depends on the machine.
const variesKey = "quintune.varies"

// Document makes a command tree fit for documents about it: it gets --version, help and completion, as Execute
// gives it, and where a default depends on the machine its help says so in words.
func Document(root *cobra.Command) {
	furnish(root, "")
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	inWords(root)
}

func inWords(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if words := flag.Annotations[variesKey]; len(words) > 0 {
			flag.DefValue = words[0]
		}
	})
	for _, sub := range cmd.Commands() {
		inWords(sub)
	}
}
