package config

import (
	"errors"
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

// Kind describes the values of an option of type T: how they are parsed, and which are refused.
type Kind[T any] struct {
	form
	optional bool // an empty text is the zero value
	// read parses a text. Its error continues the option's name: "is 7, outside …".
	read func(text string) (T, error)
}

// form is the part of a kind that help, completion and files use.
type form struct {
	placeholder string   // of the value in the help, "" for a switch
	bounds      string   // for the help, "" where the placeholder is enough
	choices     []string // for the shell's completion
	repeated    bool     // the flag may be given several times; the texts are kept with separator between them
}

// parse parses a text as the option does, empty texts included.
func (k Kind[T]) parse(text string) (value T, err error) {
	if text == "" && k.optional {
		return value, nil
	}
	return k.read(text)
}

// Optional returns a kind that takes an empty text as well, as the zero value.
func Optional[T any](k Kind[T]) Kind[T] {
	k.optional = true
	return k
}

// Where returns a kind of the values that check accepts; its error continues the option's name. An empty text of an optional
// kind is not checked.
func (k Kind[T]) Where(check func(T) error) Kind[T] {
	read := k.read
	k.read = func(text string) (T, error) {
		value, err := read(text)
		if err == nil {
			err = check(value)
		}
		return value, err
	}
	return k
}

// maxText bounds the length of texts, bytes: longer than any path.
const maxText = 8192

// Text is printable text, empty where nothing is set.
func Text(placeholder string) Kind[string] {
	return Kind[string]{form: form{placeholder: placeholder}, read: func(text string) (string, error) {
		if len(text) > maxText {
			return "", fmt.Errorf("has %d bytes, outside [0, %d]", len(text), maxText)
		}
		if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return "", fmt.Errorf("is %.40q, which holds unprintable characters", text)
		}
		return text, nil
	}}
}

// Folder is the path of a folder. An empty one, as from an unset variable of a script, is refused.
func Folder() Kind[string] {
	kind := Text("DIR")
	read := kind.read
	kind.read = func(text string) (string, error) {
		if text == "" {
			return "", errors.New("is empty, not the name of a folder")
		}
		return read(text)
	}
	return kind
}

// maxLabel bounds the length of labels, bytes.
const maxLabel = 100

// Label is a name that is fit for a file, a table and a web address: letters, digits, dots, dashes and
// underscores, a letter or digit first. It may be empty.
func Label() Kind[string] {
	valid := regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9][A-Za-z0-9._-]{0,%d}$`, maxLabel-1))
	return Optional(Kind[string]{form: form{placeholder: "NAME"}, read: func(text string) (string, error) {
		if !valid.MatchString(text) {
			return "", fmt.Errorf("is %.120q, not 1 to %d of A-Z a-z 0-9 . _ -, a letter or digit first", text, maxLabel)
		}
		return text, nil
	}})
}

// playerArgument is the placeholder of player arguments in the help.
const playerArgument = "PLAYER"

// Player is a player argument, empty where nothing is set. internal/player reads it; see also CompletePlayers.
func Player() Kind[string] { return Text(playerArgument) }

// Switch is true or false.
func Switch() Kind[bool] {
	return Kind[bool]{read: func(text string) (bool, error) {
		switch text {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return false, fmt.Errorf("is %.40q, neither true nor false", text)
	}}
}

// Whole is a whole number within [low, high].
func Whole[T int | int64](low, high T) Kind[T] {
	bounds := fmt.Sprintf("in [%d, %d]", low, high)
	if int64(high) == math.MaxInt64 {
		bounds = fmt.Sprintf("at least %d", low)
	}
	k := Kind[T]{form: form{placeholder: "N", bounds: bounds}}
	if low == 0 && int64(high) == math.MaxInt64 {
		k.bounds = "" // smaller values are out of the question, so the help need not show the bound
	}
	k.read = func(text string) (T, error) {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("is %.40q, not a whole number %s", text, bounds)
		}
		if v < int64(low) || v > int64(high) {
			return 0, fmt.Errorf("is %d, not %s", v, bounds)
		}
		return T(v), nil
	}
	return k
}

// Size is the side of a board.
func Size() Kind[int] { return Whole(board.MinSize, board.MaxSize) }

// maxThreads bounds the threads of a search.
const maxThreads = 256

// Threads is the number of threads that search together.
func Threads() Kind[int] { return Whole(1, maxThreads) }

// Seed is a seed of random streams.
func Seed() Kind[uint64] {
	return Kind[uint64]{form: form{placeholder: "N"}, read: func(text string) (uint64, error) {
		v, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("is %.40q, not a whole number in [0, %d]", text, uint64(math.MaxUint64))
		}
		return v, nil
	}}
}

// Number is a finite number within [low, high].
func Number(low, high float64) Kind[float64] {
	bounds := fmt.Sprintf("in [%v, %v]", low, high)
	return Kind[float64]{form: form{placeholder: "X", bounds: bounds}, read: func(text string) (float64, error) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) {
			return 0, fmt.Errorf("is %.40q, not a number %s", text, bounds)
		}
		if v < low || v > high {
			return 0, fmt.Errorf("is %v, not %s", v, bounds)
		}
		return v, nil
	}}
}

// Span is a duration within [low, high] with its unit.
func Span(low, high time.Duration) Kind[time.Duration] {
	bounds := fmt.Sprintf("in [%s, %s]", spell(low), spell(high))
	return Kind[time.Duration]{form: form{placeholder: "TIME", bounds: bounds}, read: func(text string) (time.Duration, error) {
		v, err := time.ParseDuration(text)
		if err != nil {
			return 0, fmt.Errorf("is %.40q, not a time with a unit, such as 250ms, 10s, 2h", text)
		}
		if v < low || v > high {
			return 0, fmt.Errorf("is %v, not %s", v, bounds)
		}
		return v, nil
	}}
}

// spell formats a duration without zeros at its end: 1h, not 1h0m0s.
func spell(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// OneOf is one of the names.
func OneOf(names ...string) Kind[string] { return OneOfOr(nil, names...) }

// OneOfOr is OneOf with further names of older versions, which the help does not show.
func OneOfOr(former []string, names ...string) Kind[string] {
	return Kind[string]{form: form{placeholder: strings.Join(names, "|"), choices: names}, read: func(text string) (string, error) {
		if !slices.Contains(names, text) && !slices.Contains(former, text) {
			return "", fmt.Errorf("is %.40q, not one of %s", text, strings.Join(names, ", "))
		}
		return text, nil
	}}
}

// Some is a comma-separated list of the names, each at most once. If no names are given, any texts are allowed.
func Some(names ...string) Kind[[]string] {
	shape := form{placeholder: "NAME,...", choices: names}
	if len(names) > 0 {
		shape.bounds = "of " + strings.Join(names, ", ")
	}
	return Kind[[]string]{form: shape, read: func(text string) ([]string, error) {
		list := strings.Split(text, ",")
		for i, name := range list {
			if len(names) > 0 && !slices.Contains(names, name) {
				return nil, fmt.Errorf("names %.40q, not one of %s", name, strings.Join(names, ", "))
			}
			if slices.Contains(list[:i], name) {
				return nil, fmt.Errorf("names %s twice", name)
			}
		}
		return list, nil
	}}
}

// separator separates the texts of a repeated option. No text contains it.
const separator = "\n"

// Several is a list of printable texts, nil where nothing is set: the flag may be repeated, the file holds a
// list or a text with one a line.
func Several(placeholder string) Kind[[]string] {
	one := Text(placeholder)
	shape := form{placeholder: placeholder, repeated: true}
	return Optional(Kind[[]string]{form: shape, read: func(text string) ([]string, error) {
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
	}})
}

// SeveralPlayers is a list of player arguments, as Several.
func SeveralPlayers() Kind[[]string] { return Several(playerArgument) }

// Rule is the rule of the game.
func Rule() Kind[pattern.Rule] {
	names := make([]string, pattern.NumRules)
	for r := range names {
		names[r] = pattern.Rule(r).String()
	}
	text := OneOf(names...)
	return Kind[pattern.Rule]{form: text.form, read: func(name string) (pattern.Rule, error) {
		if _, err := text.read(name); err != nil {
			return 0, err
		}
		return pattern.ParseRule(name)
	}}
}
