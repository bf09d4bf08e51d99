package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	parameterName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	variableName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// protocolKeys are the keys of INFO that managers send themselves.
var protocolKeys = []string{
	"timeout_turn", "timeout_match", "time_left", "time_increment", "max_memory", "max_node", "max_depth",
	"thread_num", "hash_size", "game_type", "rule", "evaluate", "folder", "show_detail",
}

// checkSpelling returns an error unless a parameter of some engine may have the name.
func checkSpelling(name string) error {
	if !parameterName.MatchString(name) || len(name) > 100 {
		return fmt.Errorf("%.60q is not a letter followed by letters, digits, _, . and -, 100 at most", name)
	}
	return nil
}

// checkName returns an error unless a parameter may have the name.
func (f *File) checkName(name string) error {
	if err := checkSpelling(name); err != nil {
		return err
	}
	switch {
	case f.parameter(name) != nil:
		return fmt.Errorf("%q is given twice", name)
	case f.Pass == Environment && !variableName.MatchString(name):
		return fmt.Errorf("%q cannot be the name of an environment variable", name)
	case f.Pass == Info && slices.Contains(protocolKeys, strings.ToLower(name)):
		return fmt.Errorf("%q is a key of the protocol itself", name)
	}
	return nil
}
