//go:build long

package search

import (
	"testing"

	"quintune/pattern"
)

// This test takes minutes and therefore has a build tag: go test -tags long -run Long -v -timeout 2h ./search

// docs/results/soundness.md reports the results of this test.
func TestClaimsHoldLong(t *testing.T) {
	c := checkGames(t, 3, 5000, 10, pattern.Freestyle, pattern.Standard)
	t.Log(c)
}

func TestRenjuClaimsHoldLong(t *testing.T) {
	c := checkGames(t, 7, 2000, 10, pattern.Renju)
	c.add(checkFouls(t, 3000, 10))
	t.Log(c)
}

func TestOtherRepliesLeaveTheThreatLong(t *testing.T) {
	checkReplies(t, 5, 500, 8)
}

func TestPuzzlesLong(t *testing.T) {
	checkPuzzles(t, 200000, map[string]float64{"win1": 1, "block": 1, "double_threat": 1, "vcf": .99, "vct": .8, "defend": .9})
}

func TestSmallBoardsAgreeWithExhaustiveSearchLong(t *testing.T) {
	checkSmallBoards(t, 2, 10_000, 11)
}

func TestEmptyBoardsAreNotWonLong(t *testing.T) { checkEmptyBoards(t, 1_000_000) }

func TestThreatWinsHoldLong(t *testing.T) { checkThreatWins(t, 5000) }

func TestSmallThreatWinsAgreeWithExhaustiveSearchLong(t *testing.T) { checkSmallThreatWins(t, 4, 200) }
