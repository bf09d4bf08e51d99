// Package config is the configuration of both programs: one declaration per option, from which
// flags, file keys, variables, defaults and checks are derived.
//
// A value comes from the flag, else from the variable QUINTUNE_NAME, else from the file (--config
// FILE, or quintune.yaml in the working directory), else it is the default. All that is given is
// checked, used or not: unknown, misspelt, repeated and differently cased names, texts of the
// wrong kind and values out of range are refused by name. viper joins the four sources at start-up
// inside Load and is gone when it returns; what remains never changes.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// Load returns the values of all options of a command to which Declare gave its flags, after cobra
// has parsed them. Every error is a wrong usage, see Exit.
func Load(cmd *cobra.Command) (*Values, error) {
	v, err := load(cmd.Annotations[commandKey], cmd.Flags())
	if err != nil {
		return nil, Usage(err)
	}
	return v, nil
}

func load(command string, flags *pflag.FlagSet) (*Values, error) {
	v := newViper()
	file, err := readFile(v, flags.Lookup("config"))
	if err != nil {
		return nil, err
	}
	if err := checkEnvironment(); err != nil {
		return nil, err
	}
	options := optionsOf(command)
	values := &Values{byName: make(map[string]value, len(options))}
	for _, o := range options {
		flag := flags.Lookup(o.Name)
		text, origin, err := lookUp(v, o, flag, file)
		if err != nil {
			return nil, err
		}
		parsed, err := o.Kind.parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %s %w", origin, o.Name, err)
		}
		values.byName[o.Name] = value{parsed, Entry{o.Name, text, origin}}
		values.order = append(values.order, o.Name)
	}
	values.unused = unusedOf(v, values, file)
	return values, nil
}

// unusedOf returns the settings of the file that the command does not take: those of other commands, and of
// the other program.
func unusedOf(v *viper.Viper, values *Values, file string) []Entry {
	var unused []Entry
	for _, o := range shared() {
		if _, taken := values.byName[o.Name]; !taken && v.InConfig(o.Name) && !slices.ContainsFunc(unused, func(e Entry) bool { return e.Name == o.Name }) {
			unused = append(unused, Entry{o.Name, v.GetString(o.Name), "file " + file})
		}
	}
	return unused
}

// lookUp returns the text of an option and where it comes from.
func lookUp(v *viper.Viper, o Option, flag *pflag.Flag, file string) (text, origin string, err error) {
	if o.FlagOnly {
		// Not through viper: another command's option of that name may stand in the file.
		if flag.Changed {
			return flag.Value.String(), flagOrigin(o), nil
		}
		return o.Default, originDefault, nil
	}
	v.SetDefault(o.Name, o.Default)
	if err := v.BindEnv(o.Name, o.variable()); err != nil {
		return "", "", err
	}
	if err := v.BindPFlag(o.Name, flag); err != nil {
		return "", "", err
	}
	return v.GetString(o.Name), originOf(v, o, flag, file), nil
}

// readFile reads the configuration file, if there is one, and returns its name.
func readFile(v *viper.Viper, flag *pflag.Flag) (string, error) {
	file := DefaultFile
	if flag.Changed {
		file = flag.Value.String()
	} else if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if ext := filepath.Ext(file); !slices.Contains([]string{".yaml", ".yml", ".json"}, ext) {
		return "", fmt.Errorf("config is %.60q, whose ending is none of .yaml, .yml, .json", file)
	}
	v.SetConfigFile(file)
	v.SetConfigType(fileType)
	err := v.ReadInConfig()
	var parse viper.ConfigParseError
	if errors.As(err, &parse) {
		err = fmt.Errorf("%s: %w", file, errors.Unwrap(parse))
	}
	return file, err
}

// originOf names the place that an option's value comes from, in viper's order.
func originOf(v *viper.Viper, o Option, flag *pflag.Flag, file string) string {
	_, inEnvironment := os.LookupEnv(o.variable())
	switch {
	case flag.Changed:
		return flagOrigin(o)
	case inEnvironment:
		return "variable " + o.variable()
	case v.InConfig(o.Name):
		return "file " + file
	}
	return originDefault
}

// flagOriginPrefix begins the origin of values from the command line.
const flagOriginPrefix = "flag --"

func flagOrigin(o Option) string { return flagOriginPrefix + o.Name }
