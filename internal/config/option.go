package config

import (
	"slices"
	"strings"
)

// Option declares one setting of one or more commands. All there is to say about it stands here
// once: flag, file key, variable, default, help and checks are derived from it.
type Option struct {
	Name     string   // of the flag and the key in the file: lower case with dashes
	Short    string   // one letter, "" for none
	Commands []string // that take it, such as "tune run"; a program's name alone stands for its bare command
	Default  string   // as on the command line
	Help     string   // without default and bounds, which are added
	Kind     Kind
	Varies   string // what Default is, in words, where it depends on the machine
	FlagOnly bool   // means something else to each command: neither in the file nor a variable
}

// anyCommand marks the options that every command of both programs takes.
const anyCommand = "*"

// Options returns the declarations of both programs: the file is shared, so each has to know the
// keys of the other. A name may stand there more than once, for different commands.
func Options() []Option {
	return slices.Concat(commonOptions(), tuneOptions(), playOptions())
}

// takes says whether the command takes the option.
func (o *Option) takes(command string) bool {
	return slices.Contains(o.Commands, command) || slices.Contains(o.Commands, anyCommand)
}

// variablePrefix begins the names of our environment variables.
const variablePrefix = "QUINTUNE_"

// variable returns the name of the option's environment variable.
func (o *Option) variable() string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(o.Name, "-", "_"))
}

// usage is the help text with the bounds.
func (o *Option) usage() string {
	if o.Kind.bounds == "" {
		return o.Help
	}
	return o.Help + ", " + o.Kind.bounds
}

// optionsOf returns the options that a command takes.
func optionsOf(command string) []Option {
	return slices.DeleteFunc(Options(), func(o Option) bool { return !o.takes(command) })
}

// commonOptions are taken by every command.
func commonOptions() []Option {
	everywhere := []string{anyCommand}
	return []Option{
		{Name: "config", Commands: everywhere, Kind: Text("FILE"), FlagOnly: true, Help: "configuration file; without it " + DefaultFile + " in the working directory, if there"},
		{Name: "json", Commands: everywhere, Default: "false", Kind: Switch(), Help: "print one JSON object as the last line"},
		{Name: "quiet", Commands: everywhere, Default: "false", Kind: Switch(), Help: "show warnings and errors alone"},
		{Name: "log-format", Commands: everywhere, Default: "text", Kind: OneOf("text", "json"), Help: "how diagnostics are written to stderr"},
	}
}
