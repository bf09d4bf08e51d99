package config

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"quintune/board"
	"quintune/pattern"
)

// Kind says which values an option takes: how they are read, and what is refused.
type Kind struct {
	placeholder string   // for the value in the help
	bounds      string   // for the help, "" where the placeholder says all
	choices     []string // for the shell's completion
	zero        any      // the value of an empty text in an Optional kind
	optional    bool
	repeated    bool // the flag may come more than once; the texts are kept with separator between
	// read returns the value, of the type of zero. Its error goes on after the option's name: "is 7, outside …".
	read func(text string) (any, error)
}

// parse reads a text as the option would, empty texts included.
func (k Kind) parse(text string) (any, error) {
	if text == "" && k.optional {
		return k.zero, nil
	}
	return k.read(text)
}

// Optional returns a kind that takes an empty text as well, as the zero value.
func Optional(k Kind) Kind {
	k.optional = true
	return k
}

// maxText bounds the length of texts, bytes: longer than any path.
const maxText = 8192

// Text is printable text, read by Values.String; empty where nothing is set.
func Text(placeholder string) Kind {
	return Kind{placeholder: placeholder, zero: "", read: func(text string) (any, error) {
		if len(text) > maxText {
			return nil, fmt.Errorf("has %d bytes, outside [0, %d]", len(text), maxText)
		}
		if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return nil, fmt.Errorf("is %.40q, which holds unprintable characters", text)
		}
		return text, nil
	}}
}

// maxLabel bounds the length of labels, bytes.
const maxLabel = 100

// Label is a name that is fit for a file, a table and a web address: letters, digits, dots, dashes and
// underscores, a letter or digit first; or empty. It is read by Values.String.
func Label() Kind {
	valid := regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9][A-Za-z0-9._-]{0,%d}$`, maxLabel-1))
	return Optional(Kind{placeholder: "NAME", zero: "", read: func(text string) (any, error) {
		if !valid.MatchString(text) {
			return nil, fmt.Errorf("is %.120q, not 1 to %d of A-Z a-z 0-9 . _ -, a letter or digit first", text, maxLabel)
		}
		return text, nil
	}})
}

// Player is a player argument, read by Values.String; empty where nothing is set. What it names is found
// out by internal/player; see also CompletePlayers.
func Player() Kind { return Text(playerArgument) }

// Switch is true or false, read by Values.Bool.
func Switch() Kind {
	return Kind{zero: false, read: func(text string) (any, error) {
		switch text {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, fmt.Errorf("is %.40q, neither true nor false", text)
	}}
}

// Whole is a whole number within [low, high], read by Values.Int and Values.Int64.
func Whole(low, high int64) Kind {
	k := Kind{placeholder: "N", zero: int64(0), bounds: fmt.Sprintf("in [%d, %d]", low, high)}
	if high == math.MaxInt64 {
		k.bounds = fmt.Sprintf("at least %d", low)
	}
	k.read = func(text string) (any, error) {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("is %.40q, no whole number %s", text, k.bounds)
		}
		if v < low || v > high {
			return nil, fmt.Errorf("is %d, not %s", v, k.bounds)
		}
		return v, nil
	}
	return k
}

// Size is the side of a board, read by Values.Int.
func Size() Kind { return Whole(board.MinSize, board.MaxSize) }

// Seed is a seed of random streams, read by Values.Uint64.
func Seed() Kind {
	return Kind{placeholder: "N", zero: uint64(0), read: func(text string) (any, error) {
		v, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("is %.40q, no whole number in [0, %d]", text, uint64(math.MaxUint64))
		}
		return v, nil
	}}
}

// Number is a finite number within [low, high], read by Values.Float.
func Number(low, high float64) Kind {
	bounds := fmt.Sprintf("in [%v, %v]", low, high)
	return Kind{placeholder: "X", zero: 0.0, bounds: bounds, read: func(text string) (any, error) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) {
			return nil, fmt.Errorf("is %.40q, no number %s", text, bounds)
		}
		if v < low || v > high {
			return nil, fmt.Errorf("is %v, not %s", v, bounds)
		}
		return v, nil
	}}
}

// Span is a duration within [low, high] with its unit, read by Values.Duration.
func Span(low, high time.Duration) Kind {
	bounds := fmt.Sprintf("in [%v, %v]", low, high)
	return Kind{placeholder: "TIME", zero: time.Duration(0), bounds: bounds, read: func(text string) (any, error) {
		v, err := time.ParseDuration(text)
		if err != nil {
			return nil, fmt.Errorf("is %.40q, no time with a unit, such as 250ms, 10s, 2h", text)
		}
		if v < low || v > high {
			return nil, fmt.Errorf("is %v, not %s", v, bounds)
		}
		return v, nil
	}}
}

// OneOf is one of the names, read by Values.String.
func OneOf(names ...string) Kind {
	return Kind{placeholder: strings.Join(names, "|"), choices: names, zero: "", read: func(text string) (any, error) {
		if !slices.Contains(names, text) {
			return nil, fmt.Errorf("is %.40q, not one of %s", text, strings.Join(names, ", "))
		}
		return text, nil
	}}
}

// Some is a list of the names, each at most once, with commas between; read by Values.Strings.
func Some(names ...string) Kind {
	return Kind{placeholder: "NAME,…", choices: names, zero: []string(nil), bounds: "of " + strings.Join(names, ", "), read: func(text string) (any, error) {
		list := strings.Split(text, ",")
		for i, name := range list {
			if !slices.Contains(names, name) {
				return nil, fmt.Errorf("names %.40q, not one of %s", name, strings.Join(names, ", "))
			}
			if slices.Contains(list[:i], name) {
				return nil, fmt.Errorf("names %s twice", name)
			}
		}
		return list, nil
	}}
}

// separator stands between the texts of a repeated option: no text holds one.
const separator = "\n"

// Several is a list of printable texts: the flag may be repeated, the file holds a list or a text with one a
// line. Read by Values.Strings, nil where nothing is set.
func Several(placeholder string) Kind {
	one := Text(placeholder)
	return Kind{placeholder: placeholder, zero: []string(nil), optional: true, repeated: true, read: func(text string) (any, error) {
		list := strings.Split(text, separator)
		for i, part := range list {
			if _, err := one.read(part); err != nil {
				return nil, err
			}
			if part == "" {
				return nil, fmt.Errorf("has an empty text")
			}
			if slices.Contains(list[:i], part) {
				return nil, fmt.Errorf("names %.80q twice", part)
			}
		}
		return list, nil
	}}
}

// TimeOfDay is an hour and minute of the local clock, such as 07:00; read by Values.String, empty where not set.
func TimeOfDay() Kind {
	return Optional(Kind{placeholder: "HH:MM", zero: "", read: func(text string) (any, error) {
		if _, err := time.Parse("15:04", text); err != nil {
			return nil, fmt.Errorf("is %.40q, no time of the day such as 07:00", text)
		}
		return text, nil
	}})
}

// Rule is the rule of the game, read by Values.Rule.
func Rule() Kind {
	names := make([]string, pattern.NumRules)
	for r := range names {
		names[r] = pattern.Rule(r).String()
	}
	k := OneOf(names...)
	checked := k.read
	k.zero = pattern.Freestyle
	k.read = func(text string) (any, error) {
		if _, err := checked(text); err != nil {
			return nil, err
		}
		return pattern.ParseRule(text)
	}
	return k
}
