package config

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageTemplate is cobra's with the flags in groups.
const usageTemplate = `Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding }} {{summary .}}{{end}}{{end}}{{end}}{{if .HasAvailableFlags}}

{{flagGroups .}}{{end}}{{if .HasAvailableSubCommands}}

"{{.CommandPath}} COMMAND --help" tells more about a command.{{end}}
`

// writeHelp writes the help of a command: its description, and its usage.
func writeHelp(cmd *cobra.Command) error {
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n", description(cmd)); err != nil {
		return err
	}
	return cmd.Usage() // UsageString would hide the terminal, and so its width
}

// pageWidth is how wide help is where it is not written to a terminal.
const pageWidth = 100

// flagGroups returns the flags of a command under the titles of their groups, wrapped to the terminal.
func flagGroups(cmd *cobra.Command) string {
	var titles []string
	groups := map[string]*pflag.FlagSet{}
	add := func(title string, flag *pflag.Flag) {
		if groups[title] == nil {
			titles = append(titles, title)
			groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			groups[title].SortFlags = false
		}
		groups[title].AddFlag(flag)
	}
	title := "Flags"
	cmd.LocalFlags().SortFlags = false
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if value, ok := flag.Value.(*flagValue); ok {
			title = value.option.Group
		}
		add(title, flag) // --help and --version belong to the last group
	})
	width := widthOf(cmd.OutOrStdout())
	var b strings.Builder
	for _, title := range titles {
		fmt.Fprintf(&b, "%s:\n%s\n", title, groups[title].FlagUsagesWrapped(width))
	}
	return strings.TrimRight(b.String(), "\n")
}

// widthOf returns the columns of a terminal, or pageWidth.
func widthOf(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if columns, _, err := term.GetSize(f.Fd()); err == nil && columns > 0 {
			return columns
		}
	}
	return pageWidth
}

// description returns what a command does, wrapped to the terminal.
func description(cmd *cobra.Command) string {
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	return wrap(strings.TrimSpace(text), widthOf(cmd.OutOrStdout()))
}

// summary returns the short description of a command in a list of commands, wrapped to the terminal.
func summary(cmd *cobra.Command) string {
	column := len("  ") + cmd.NamePadding() + len(" ")
	return strings.ReplaceAll(wrap(cmd.Short, widthOf(cmd.OutOrStdout())-column), "\n", "\n"+strings.Repeat(" ", column))
}

// wrap fills the paragraphs of a text to the width. Lines that begin with a blank stay as they are.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0 // 0: at the beginning of a line
	for line := range strings.Lines(text) {
		if line == "\n" || line[0] == ' ' {
			if column > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line)
			column = 0
			continue
		}
		for word := range strings.FieldsSeq(line) {
			length := utf8.RuneCountInString(word)
			switch {
			case column == 0:
			case column+1+length > width:
				b.WriteByte('\n')
				column = 0
			default:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += length
		}
	}
	return b.String()
}

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
