package player

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"quintune/pattern"
	"quintune/weights"
)

// IsFile reports whether a player argument names a weights file.
func IsFile(argument string) bool { return strings.HasSuffix(argument, fileEnding) }

// CheckRule refuses a file whose weights were made for another rule; presets are for any. See Misused.
func CheckRule(argument string, set *weights.Set, rule pattern.Rule) error {
	if IsFile(argument) && set.Rule != rule {
		return argumentError{fmt.Errorf("%s: rule is %s, not %s: play it with --rule %s", argument, set.Rule, rule, set.Rule)}
	}
	return nil
}

// Start returns the weights of a preset or file as the start of a run on a board, and the name that the provenance gives
// them: that of a file is its set's with a hash, for a path says nothing elsewhere.
func Start(argument string, rule pattern.Rule, size int) (name string, set *weights.Set, err error) {
	if set, err = Weights(argument); err != nil {
		return "", nil, err
	}
	if err := CheckRule(argument, set, rule); err != nil {
		return "", nil, err
	}
	set.Rule, set.Size = rule, size
	if !IsFile(argument) {
		return argument, set, nil
	}
	data, err := weights.Marshal(set)
	if err != nil {
		return "", nil, err
	}
	sum := sha256.Sum256(data)
	return set.Name + "@" + hex.EncodeToString(sum[:4]), set, nil
}
