package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quintune/pattern"
)

// originDefault is the origin of values that nobody has set.
const originDefault = "default"

// Entry is one option's value as text, and where it comes from: "default", "file NAME",
// "variable NAME" or "flag --NAME".
type Entry struct {
	Name, Value, Origin string
}

// value is a checked value.
type value struct {
	parsed any
	entry  Entry
}

// Values are the values of all options of one command. They never change and are safe for
// concurrent use. The getters panic for a name that is not declared for the command, or of another
// kind: both are mistakes of the program.
type Values struct {
	order  []string
	byName map[string]value
	unused []Entry
}

// Entries returns all values as text with their origins, in the order of the declaration.
func (v *Values) Entries() []Entry {
	list := make([]Entry, len(v.order))
	for i, name := range v.order {
		list[i] = v.byName[name].entry
	}
	return list
}

// Unused returns the settings of the configuration file that are for other commands, or for the other
// program, in the order of the declaration.
func (v *Values) Unused() []Entry { return slices.Clone(v.unused) }

// IsSet says whether somebody has given the value: it is not the default.
func (v *Values) IsSet(name string) bool { return v.value(name).entry.Origin != originDefault }

// Typed says whether the value was given as a flag on the command line, rather than by a file or a variable.
func (v *Values) Typed(name string) bool {
	return strings.HasPrefix(v.value(name).entry.Origin, flagOriginPrefix)
}

func (v *Values) value(name string) value {
	found, ok := v.byName[name]
	if !ok {
		panic(fmt.Sprintf("config: option %s is not declared for this command", name))
	}
	return found
}

func get[T any](v *Values, name string) T {
	typed, ok := v.value(name).parsed.(T)
	if !ok {
		panic(fmt.Sprintf("config: option %s is a %T", name, v.value(name).parsed))
	}
	return typed
}

// String returns a Text or OneOf option.
func (v *Values) String(name string) string { return get[string](v, name) }

// Strings returns a Some or Several option, nil where nothing is named.
func (v *Values) Strings(name string) []string {
	return append([]string(nil), get[[]string](v, name)...)
}

// Bool returns a Switch option.
func (v *Values) Bool(name string) bool { return get[bool](v, name) }

// Int returns a Whole option whose bounds fit an int.
func (v *Values) Int(name string) int { return int(get[int64](v, name)) }

// Int64 returns a Whole option.
func (v *Values) Int64(name string) int64 { return get[int64](v, name) }

// Uint64 returns a Seed option.
func (v *Values) Uint64(name string) uint64 { return get[uint64](v, name) }

// Float returns a Number option.
func (v *Values) Float(name string) float64 { return get[float64](v, name) }

// Duration returns a Span option, 0 where an optional one is not set.
func (v *Values) Duration(name string) time.Duration { return get[time.Duration](v, name) }

// Rule returns a Rule option.
func (v *Values) Rule(name string) pattern.Rule { return get[pattern.Rule](v, name) }

// Budget returns a Spending option.
func (v *Values) Budget(name string) Budget { return get[Budget](v, name) }

// Bounds returns an EloBounds option.
func (v *Values) Bounds(name string) Bounds { return get[Bounds](v, name) }
