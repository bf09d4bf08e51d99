package config

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Repeat returns the arguments that run a command again as it was typed, beginning with its name. Flags for the
// form of the output are left out, and so are those in omit.
func Repeat(cmd *cobra.Command, args []string, omit ...string) []string {
	line := append(strings.Fields(cmd.CommandPath()), args...)
	omit = append(omit, "json", "quiet", "log-format")
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		value, ours := flag.Value.(*flagValue)
		switch {
		case !ours || slices.Contains(omit, flag.Name):
		case value.option.placeholder == "": // a switch
			line = append(line, "--"+flag.Name+"="+value.text)
		case value.option.repeated:
			for _, text := range strings.Split(value.text, separator) {
				line = append(line, "--"+flag.Name, text)
			}
		default:
			line = append(line, "--"+flag.Name, value.text)
		}
	})
	return line
}
