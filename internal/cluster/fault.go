package cluster

import "quintune/board"

// flipFrom returns a fault that flips the winner of the first game of every result from that number on, where
// nobody can see it without playing the game: the win was proven, not played out.
func flipFrom(from int64) func(*played, int64) {
	return func(p *played, n int64) {
		g := &p.Games[0]
		if n < from || !g.Adjudicated {
			return
		}
		switch g.Outcome {
		case board.BlackWins:
			g.Outcome = board.WhiteWins
		case board.WhiteWins:
			g.Outcome = board.BlackWins
		}
	}
}
