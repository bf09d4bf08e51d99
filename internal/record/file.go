package record

import (
	"fmt"
	"os"
)

// MaxFile bounds a file of games, bytes.
const MaxFile = 1 << 30

// ReadFile returns the games of a file in the format that DetectFile finds. The rule that the name of a psq file ends in
// counts before that of the conditions.
func ReadFile(path string, c Conditions) ([]Game, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() || info.Size() > MaxFile {
		return nil, fmt.Errorf("%s is not a file of records of at most %d bytes", path, MaxFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	format := DetectFile(path, data)
	if rule, ok := RuleOfName(path); ok && format == PSQ {
		c.Rule = rule
	}
	games, err := Parse(data, format, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return games, nil
}
