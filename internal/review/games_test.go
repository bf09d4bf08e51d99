//go:build !long

package review

// selfPlayGames is the number of games of TestNoWinningMoveIsMarked.
const selfPlayGames = 24
