package pattern

import "fmt"

// Rule says which rows of stones win.
type Rule uint8

const (
	// Freestyle: five or more in a row win.
	Freestyle Rule = iota
	// Standard: exactly five in a row win; a longer row is worth nothing.
	Standard
	// NumRules counts the rules that are played.
	NumRules = iota
)

var ruleNames = [NumRules]string{"freestyle", "standard"}

// String returns the rule's name as the command line and the weight files spell it.
func (r Rule) String() string {
	if int(r) < len(ruleNames) {
		return ruleNames[r]
	}
	return fmt.Sprintf("rule(%d)", uint8(r))
}

// ParseRule returns the rule with the given name, or an error that lists the names.
func ParseRule(name string) (Rule, error) {
	for r, n := range ruleNames {
		if n == name {
			return Rule(r), nil
		}
	}
	return 0, fmt.Errorf("rule %q is not one of %v", name, ruleNames)
}

// Reach is how many cells on each side of a stone can share a winning row with it,
// the cell that spoils the row included: 4 in freestyle, 5 where a sixth stone matters.
func (r Rule) Reach() int {
	if r == Freestyle {
		return 4
	}
	return 5
}
