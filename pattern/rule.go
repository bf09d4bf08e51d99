package pattern

import "fmt"

// Rule determines which rows of stones win, and which Black may not make.
type Rule uint8

const (
	// Freestyle: five or more in a row win.
	Freestyle Rule = iota
	// Standard: exactly five in a row win; a longer row is worth nothing.
	Standard
	// Renju: White plays as in freestyle. For Black exactly five win; overlines, double fours and double
	// threes are forbidden.
	Renju
	// NumRules counts the rules that are played.
	NumRules = iota
)

var ruleNames = [NumRules]string{"freestyle", "standard", "renju"}

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

// Reach returns the number of cells on each side of a stone that can share a winning row with it, or spoil
// it: the greater of both colours' Law.Reach.
func (r Rule) Reach() int { return max(r.Black().Reach(), r.White().Reach()) }

// Black returns the law of the rule for Black.
func (r Rule) Black() Law { return [NumRules]Law{Free, Exact, Restricted}[r] }

// White returns the law of the rule for White.
func (r Rule) White() Law { return [NumRules]Law{Free, Exact, Free}[r] }

// Law determines which rows win for one colour, and which it may not make.
type Law uint8

const (
	// Free: five or more win.
	Free Law = iota
	// Exact: exactly five win.
	Exact
	// Restricted (renju's Black): exactly five win. A stone that makes no five may make no overline, no
	// two fours and no two threes.
	Restricted
	// NumLaws counts the laws.
	NumLaws = iota
)

// Reach returns the number of cells on each side of a stone that matter to its row: 4, or 5 where a sixth
// stone spoils a five.
func (l Law) Reach() int {
	if l == Free {
		return 4
	}
	return 5
}
