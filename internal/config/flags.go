package config

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandKey is the annotation in which Declare leaves the command's name for Load.
const commandKey = "quintune.command"

// Declare gives a cobra command the flags of the options declared for the name, such as
// "tune run", the common ones included. The name is not taken from the cobra tree since a bare
// program may stand for one of its commands. It panics when a flag is already there.
func Declare(cmd *cobra.Command, name string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[commandKey] = name
	for _, o := range optionsOf(name) {
		flag := cmd.Flags().VarPF(&flagValue{option: o, text: o.Default}, o.Name, o.Short, o.usage())
		if _, ok := o.Kind.zero.(bool); ok {
			flag.NoOptDefVal = "true"
		}
		if o.Varies != "" {
			flag.Annotations = map[string][]string{variesKey: {o.Varies}}
		}
		if choices := o.Kind.choices; choices != nil {
			complete := cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)
			if err := cmd.RegisterFlagCompletionFunc(o.Name, complete); err != nil {
				panic(err)
			}
		}
	}
	cmd.Flags().SortFlags = false
}

// flagValue is the pflag.Value of an option: the checked text.
type flagValue struct {
	option Option
	text   string
	given  bool
}

var _ pflag.Value = (*flagValue)(nil)

// Set takes a text that the option's kind can read.
func (f *flagValue) Set(text string) error {
	if _, err := f.option.Kind.parse(text); err != nil {
		return fmt.Errorf("%s %w", f.option.Name, err)
	}
	if f.option.Kind.repeated && f.given {
		text = f.text + separator + text
	}
	f.text, f.given = text, true
	return nil
}

// String returns the text.
func (f *flagValue) String() string { return f.text }

// Type returns the placeholder of the value in the help.
func (f *flagValue) Type() string {
	if f.option.Kind.placeholder == "" {
		return "bool"
	}
	return f.option.Kind.placeholder
}
