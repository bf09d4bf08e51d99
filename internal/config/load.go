package config

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"quintune/internal/text"
)

// Load fills the options that Bind gave to the command, after cobra has parsed its flags. For an old file
// without sections it logs a warning. Every error is a usage error, but a file that cannot be read is a failure; see Exit.
func Load(cmd *cobra.Command) (*Common, error) {
	c := cmd.Flags().Lookup(configFlag).Value.(*flagValue).common
	file, err := load(cmd, c)
	if err != nil {
		return nil, UsageOfArgument(err)
	}
	if file.flat {
		NewLogger(cmd.ErrOrStderr(), c).Warn("settings outside a section count for both programs: put those of tune below a line "+
			"`tune:`, and those of play below `play:`, each with two blanks before it", "file", file.name)
	}
	return c, nil
}

func load(cmd *cobra.Command, c *Common) (*file, error) {
	known, taken := optionsBelow(cmd.Root()), OptionsOf(cmd)
	v := viper.New()
	v.AllowEmptyEnv(true)
	file, err := readFile(v, cmd.Flags().Lookup(configFlag), cmd.Root().Name(), known)
	if err != nil {
		return nil, err
	}
	if err := checkEnvironment(known, taken, cmd.Root().Name()); err != nil {
		return nil, err
	}
	c.source = source{}
	for _, o := range taken {
		text, origin, err := lookUp(v, o, cmd.Flags(), file.name)
		if err != nil {
			return nil, err
		}
		store, err := o.read(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %s %w", origin, o.Name, err)
		}
		store()
		c.source.values = append(c.source.values, valueOf{Entry{o.Name, text, origin}, o.field})
	}
	for _, s := range file.settings {
		if !slices.ContainsFunc(taken, func(o *Option) bool { return o.Name == s.Name && !o.flagAlone(cmd.Flags()) }) {
			c.source.unused = append(c.source.unused, s)
		}
	}
	return file, nil
}

// lookUp returns the text of an option and where it comes from.
func lookUp(v *viper.Viper, o *Option, flags *pflag.FlagSet, file string) (text, origin string, err error) {
	flag := flags.Lookup(o.Name)
	if o.flagAlone(flags) {
		// The file is not searched: for a flag-only option it may have the setting of another command.
		if flag.Changed {
			return flag.Value.String(), flagOrigin + o.Name, nil
		}
		return o.Default, OriginDefault, nil
	}
	v.SetDefault(o.Name, o.Default)
	if err := v.BindEnv(o.Name, variable(o.Name)); err != nil {
		return "", "", err
	}
	if err := v.BindPFlag(o.Name, flag); err != nil {
		return "", "", err
	}
	return v.GetString(o.Name), originOf(v, o, flag, file), nil
}

const (
	OriginDefault = "default" // the value was not set anywhere
	flagOrigin    = "flag --" // begins the origin of values from the command line
)

// originOf names the place that an option's value comes from, in viper's order.
func originOf(v *viper.Viper, o *Option, flag *pflag.Flag, file string) string {
	_, inEnvironment := os.LookupEnv(variable(o.Name))
	switch {
	case flag.Changed:
		return flagOrigin + o.Name
	case inEnvironment:
		return "variable " + variable(o.Name)
	case v.InConfig(o.Name):
		return fileOrigin(file)
	}
	return OriginDefault
}

func fileOrigin(file string) string { return "file " + file }

// Entry is an option's value as text, and its origin: "default", "file NAME", "variable NAME" or "flag --NAME".
type Entry struct {
	Name, Value, Origin string
}

// Typed reports whether a flag set the option, not a file or a variable.
func (e Entry) Typed() bool { return strings.HasPrefix(e.Origin, flagOrigin) }

// source holds where the values of a command came from.
type source struct {
	values []valueOf
	unused []Entry // keys of the file that the command does not use
}

// valueOf is the value of a field.
type valueOf struct {
	Entry
	field any // address
}

// origin returns where the value of the field at the address came from.
func (s *source) origin(field any) string {
	for _, v := range s.values {
		if v.field == field {
			return v.Origin
		}
	}
	return OriginDefault
}

// checkEnvironment refuses variables with our prefix that are not settings, and values that no option with the
// name accepts. It checks all of them, in the order of their names, whatever command runs. It also refuses the setting of
// another program which the command, whose options are taken, has as a flag: it would be passed over silently.
func checkEnvironment(known, taken []*Option, program string) error {
	names := allSettings()
	environment := os.Environ()
	slices.Sort(environment)
	for _, entry := range environment {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(strings.ToUpper(name), variablePrefix) {
			continue
		}
		i := slices.IndexFunc(names, func(setting string) bool { return variable(setting) == name })
		if i < 0 {
			if k := slices.IndexFunc(known, func(o *Option) bool { return o.FlagOnly && variable(o.Name) == name }); k >= 0 {
				return fmt.Errorf("unknown variable %s: %s is a flag only", name, known[k].Name)
			}
			variables := make([]string, len(names))
			for i, setting := range names {
				variables[i] = variable(setting)
			}
			return fmt.Errorf("unknown variable %.60s%s", name, text.DidYouMean(name, variables))
		}
		setting := names[i]
		if !slices.Contains(settings[program], setting) && slices.ContainsFunc(taken, func(o *Option) bool { return o.Name == setting }) {
			other := slices.IndexFunc(programs(), func(p string) bool { return slices.Contains(settings[p], setting) })
			return fmt.Errorf("variable %s is a setting of %s; here %s is a flag only: unset the variable, and give --%s where it is meant",
				name, programs()[other], setting, setting)
		}
		if err := checkAny(known, setting, value); err != nil {
			return fmt.Errorf("variable %s: %w", name, err)
		}
	}
	return nil
}

// checkAny refuses a value that no option with the name accepts.
func checkAny(known []*Option, name, text string) (err error) {
	for _, o := range known {
		if o.Name != name || o.FlagOnly {
			continue
		}
		if _, err = o.read(text); err == nil {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("%s %w", name, err)
	}
	return nil
}
