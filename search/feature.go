package search

import (
	"fmt"
	"strings"
)

// Feature is a part of the search that can be switched off to measure its worth. A set of features is the sum of
// its members.
type Feature uint32

const (
	Aspiration          Feature = 1 << iota // the root is searched in a narrow window first
	Reductions                              // late move reductions
	Futility                                // quiet moves that cannot raise the score to alpha are skipped
	ReverseFutility                         // nodes far above beta are cut
	MoveCount                               // fewer candidates near the horizon
	ThreatExtension                         // first answers to a threatened open four do not reduce the depth
	Killers                                 // killer and counter moves gain in move ordering
	History                                 // history of cells
	RootFours                               // continuous fours at the root
	Improving                               // more reduction where the static score is not improving
	ThreatWins                              // some four-threes and double threes count as known wins
	CutNodes                                // more reduction where a fail high is expected
	FourReductions                          // more reduction for plain fours
	FourPruning                             // near the horizon plain fours are not tried against a threat
	ThreatReductions                        // late answers to a threatened open four are reduced
	ClassHistory                            // history by cell classes
	ContinuationHistory                     // history by the move's class and its direction and distance from the last moves
	Corrections                             // correction history of the static score
	ThreatGuard                             // no reverse futility where a four-three of the other side would win
	PositionalMoves                         // less reduction for moves that make and stop at most an open two
	UnknownCutNodes                         // more reduction at expected cut nodes without a TT move
)

// featureNames holds the name of each feature, indexed by its bit.
var featureNames = [...]string{
	"Aspiration", "Reductions", "Futility", "ReverseFutility", "MoveCount", "ThreatExtension",
	"Killers", "History", "RootFours", "Improving",
	"ThreatWins", "CutNodes", "FourReductions", "FourPruning", "ThreatReductions", "ClassHistory", "ContinuationHistory", "Corrections", "ThreatGuard",
	"PositionalMoves", "UnknownCutNodes",
}

// Features returns every feature, in the order of the declaration.
func Features() []Feature {
	all := make([]Feature, len(featureNames))
	for i := range all {
		all[i] = 1 << i
	}
	return all
}

// String returns the names of the set, such as "Futility+History"; "none" for the empty set.
func (f Feature) String() string {
	var names []string
	for i, name := range featureNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "+")
}

// ParseFeature returns the feature with the name, in upper or lower case. An unknown name is an error, which lists those that are known.
func ParseFeature(name string) (Feature, error) {
	for i, n := range featureNames {
		if strings.EqualFold(n, name) {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("search: feature %q is unknown, want one of %s", name, strings.Join(featureNames[:], ", "))
}
