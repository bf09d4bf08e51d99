package config

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Options is a pointer to the struct that holds the options of a command, one field each. The struct embeds Common.
type Options interface {
	// Declare calls Var for every option but those of Common.
	Declare(d *Declaration)
	common() *Common
}

// Common holds the options of every command. It also records the origin of the values of all options.
type Common struct {
	JSON      bool
	Quiet     bool
	LogFormat string

	source source
}

func (c *Common) common() *Common { return c }

func (c *Common) declare(d *Declaration) {
	d.Group("Output and configuration")
	Var(d, new(string), configFlag, "", Text("FILE"), "configuration file; without it "+DefaultFile+" in the working directory, if there", FlagOnly, endings(fileEndings()...))
	Var(d, &c.JSON, "json", "false", Switch(), "print one JSON object as the last line")
	Var(d, &c.Quiet, "quiet", "false", Switch(), "show warnings and errors alone")
	Var(d, &c.LogFormat, "log-format", "text", OneOf("text", "json"), "how diagnostics are written to stderr")
}

// IsSet reports whether a flag, a variable or the file set the option. field is the address of the option's
// field.
func (c *Common) IsSet(field any) bool { return c.source.origin(field) != OriginDefault }

// Typed reports whether a flag set the option, not a file or a variable. field is the address of the option's
// field.
func (c *Common) Typed(field any) bool { return strings.HasPrefix(c.source.origin(field), flagOrigin) }

// Entries returns the values of all options as text with their origins, in the order of the declaration.
func (c *Common) Entries() []Entry {
	list := make([]Entry, len(c.source.values))
	for i, v := range c.source.values {
		list[i] = v.Entry
	}
	return list
}

// Unused returns the settings of the configuration file that the command does not use, by name.
func (c *Common) Unused() []Entry { return slices.Clone(c.source.unused) }

// Option describes one setting of a command. Flag, file key, variable, default, help and checks are derived from it.
type Option struct {
	Name     string // of the flag and the key in the file: lower case with dashes
	Short    string // one letter, "" for none
	Default  string // as it would be typed
	Help     string // without default and bounds, which are added
	Group    string // title in the help and in the example file
	Varies   string // the default in words, where it depends on the machine
	FlagOnly bool   // has a meaning of its own for this command, so it is neither in the file nor a variable
	Hidden   bool   // an option of an older version: accepted, but not in the help

	yieldsTo []string // flags; see YieldsTo
	endings  []string // of the files that the shell completes; nil: of all
	form
	field any                                         // address of the field
	read  func(text string) (store func(), err error) // store fills the field
}

// Usage returns the help text with the bounds.
func (o *Option) Usage() string {
	if o.bounds == "" {
		return o.Help
	}
	return o.Help + ", " + o.bounds
}

// Placeholder returns what stands for a value in the help.
func (o *Option) Placeholder() string {
	if o.placeholder == "" {
		return "true|false"
	}
	return o.placeholder
}

// flagAlone reports whether neither the file nor a variable sets the option. flags are those of the command line.
func (o *Option) flagAlone(flags *pflag.FlagSet) bool {
	return o.FlagOnly || slices.ContainsFunc(o.yieldsTo, func(other string) bool {
		return flags.Changed(other) && flags.Lookup(other).Value.String() != ""
	})
}

// variablePrefix begins the names of our environment variables.
const variablePrefix = "QUINTUNE_"

// variable returns the name of the option's environment variable.
func variable(name string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// Declaration collects the options of one command.
type Declaration struct {
	group   string
	options []*Option
}

// Group begins a group of options with a title for people.
func (d *Declaration) Group(title string) { d.group = title }

// Var declares an option that is stored in the field. value is the default as it would be typed. Var panics if
// the kind refuses the default, which is an error of the program.
func Var[T any](d *Declaration, field *T, name, value string, kind Kind[T], help string, changes ...func(*Option)) {
	o := &Option{Name: name, Default: value, Help: help, Group: d.group, form: kind.form, field: field}
	o.read = func(text string) (func(), error) {
		v, err := kind.parse(text)
		return func() { *field = v }, err
	}
	for _, change := range changes {
		change(o)
	}
	if _, err := o.read(value); err != nil {
		panic("config: the default of " + name + " " + err.Error())
	}
	d.options = append(d.options, o)
}

// FlagOnly is an argument of Var: the option can be set by a flag only, not by the file or a variable.
func FlagOnly(o *Option) { o.FlagOnly = true }

// YieldsTo is an argument of Var: the option cannot be set together with these others, which are named by their flags.
// Where one of them is typed, the file and the variable of the option do not count.
func YieldsTo(others ...string) func(*Option) { return func(o *Option) { o.yieldsTo = others } }

// Hidden is an argument of Var: the option belongs to an older version, and the help does not show it.
func Hidden(o *Option) { o.Hidden = true }

// Short is an argument of Var: the flag also has a one-letter form.
func Short(letter string) func(*Option) { return func(o *Option) { o.Short = letter } }

// Varies is an argument of Var: the default depends on the machine, as words explains.
func Varies(words string) func(*Option) { return func(o *Option) { o.Varies = words } }

// Choices is an argument of Var: the shell completes these names, but other values are accepted too.
func Choices(names ...string) func(*Option) { return func(o *Option) { o.choices = names } }

// endings is an argument of Var: the shell completes files with these endings.
func endings(list ...string) func(*Option) { return func(o *Option) { o.endings = list } }

// Bind gives the command the flags of its options and a run function that fills o before it calls run. It returns cmd.
func Bind[O Options](cmd *cobra.Command, o O, run func(cmd *cobra.Command, o O, args []string) error) *cobra.Command {
	var d Declaration
	o.Declare(&d)
	o.common().declare(&d)
	cmd.Flags().SortFlags = false
	for _, option := range d.options {
		addFlag(cmd, option, o.common())
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := Load(cmd); err != nil {
			return err
		}
		return run(cmd, o, args)
	}
	return cmd
}

func addFlag(cmd *cobra.Command, o *Option, c *Common) {
	flag := cmd.Flags().VarPF(&flagValue{option: o, common: c, text: o.Default}, o.Name, o.Short, o.Usage())
	flag.Hidden = o.Hidden
	if o.placeholder == "" {
		flag.NoOptDefVal = "true"
	}
	if o.endings != nil {
		if err := cmd.MarkFlagFilename(o.Name, o.endings...); err != nil {
			panic(err) // the flag exists
		}
	}
	if o.choices != nil {
		complete := cobra.FixedCompletions(o.choices, cobra.ShellCompDirectiveNoFileComp)
		if err := cmd.RegisterFlagCompletionFunc(o.Name, complete); err != nil {
			panic(err) // the flag is new
		}
	}
}

// OptionsOf returns the options that Bind gave to a command, in the order of the declaration.
func OptionsOf(cmd *cobra.Command) []*Option {
	var list []*Option
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if value, ok := flag.Value.(*flagValue); ok {
			list = append(list, value.option)
		}
	})
	return list
}

// optionsBelow returns the options of a command and of all below it. A name may stand there more than once.
func optionsBelow(cmd *cobra.Command) []*Option {
	list := OptionsOf(cmd)
	for _, sub := range cmd.Commands() {
		list = append(list, optionsBelow(sub)...)
	}
	return list
}

// flagValue is the pflag.Value of an option. It holds the checked text.
type flagValue struct {
	option *Option
	common *Common // of the command
	text   string
	given  bool
}

var _ pflag.Value = (*flagValue)(nil)

// Set takes a text that the option's kind can read.
func (f *flagValue) Set(text string) error {
	if _, err := f.option.read(text); err != nil {
		return &valueError{f.option.Name, err}
	}
	if f.option.repeated && f.given {
		text = f.text + separator + text
	}
	f.text, f.given = text, true
	return nil
}

// String returns the text.
func (f *flagValue) String() string { return f.text }

// Type returns the placeholder of the value in the help.
func (f *flagValue) Type() string {
	if f.option.placeholder == "" {
		return "bool"
	}
	return f.option.placeholder
}
