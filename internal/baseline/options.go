package baseline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// option is a setting of a system that may be chosen behind its name: huang?depth=4&candidates=20.
type option struct {
	name             string
	usual, low, high int
	meaning          string // with its unit
}

// settings are the values of all options of a system, by name.
type settings map[string]int

// usual returns the settings that the system has where nothing is said.
func (e *entry) usual() settings {
	s := settings{}
	for _, o := range e.options {
		s[o.name] = o.usual
	}
	return s
}

// parse splits a name from the options behind it. The error names what is unknown or out of bounds.
func parse(text string) (entry, settings, error) {
	name, rest, chosen := strings.Cut(text, "?")
	e, err := find(name)
	if err != nil || !chosen {
		return e, e.usual(), err
	}
	values := e.usual()
	seen := map[string]bool{}
	for part := range strings.SplitSeq(rest, "&") {
		key, number, _ := strings.Cut(part, "=")
		i := slices.IndexFunc(e.options, func(o option) bool { return o.name == key })
		switch {
		case i < 0 && len(e.options) == 0:
			return e, nil, fmt.Errorf("baseline %s has no options, and so no %.40q", name, key)
		case i < 0:
			return e, nil, fmt.Errorf("baseline %s: option %.40q is not one of %s", name, key, e.optionNames())
		case seen[key]:
			return e, nil, fmt.Errorf("baseline %s: option %s is given twice", name, key)
		}
		seen[key] = true
		o := e.options[i]
		value, err := strconv.Atoi(number)
		if err != nil || value < o.low || value > o.high {
			return e, nil, fmt.Errorf("baseline %s: option %s is %.40q, not a whole number in [%d, %d]", name, key, number, o.low, o.high)
		}
		values[key] = value
	}
	return e, values, nil
}

func (e *entry) optionNames() string {
	names := make([]string, len(e.options))
	for i, o := range e.options {
		names[i] = o.name
	}
	return strings.Join(names, ", ")
}

// Help lists the systems for people, a line each: what a limit of nodes counts, and the options with
// their bounds and usual values.
func Help() string {
	var b strings.Builder
	for _, e := range entries() {
		unit := e.unit
		if unit == "" {
			unit = "nothing"
		}
		fmt.Fprintf(&b, "  %-12s a limit of nodes counts %s\n", e.name, unit)
		for _, o := range e.options {
			fmt.Fprintf(&b, "    %s=%d: %s, in [%d, %d]\n", o.name, o.usual, o.meaning, o.low, o.high)
		}
	}
	return b.String()
}
