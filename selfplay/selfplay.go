// Package selfplay plays games between players in parallel. It takes pairings and returns their results in the
// same order.
//
// The unit is the pair: one opening played twice with the colours changed. A game is a pure function of both
// players, opening, node limit, rule and size, of the pairing's Seed, and of the batch's PlayOut. So a result does not depend on the
// worker, the time, or the number of workers.
package selfplay

import (
	"context"
	"fmt"
	"time"

	"quintune/board"
	"quintune/pattern"
	"quintune/weights"
)

// Reply is a player's answer to a position.
type Reply struct {
	Move board.Cell
	// Claim is the number of plies to a proven win, negative for a loss, 0 without a proof. Only players that prove their
	// claims may set it.
	Claim int
	Nodes int64         // that the player spent, in its own measure; 0 for a player that does not count them
	Took  time.Duration // measured by the player's clock; 0 for a player without one
}

// Player plays games. It is used by one goroutine at a time.
type Player interface {
	// NewGame forgets earlier games. The seed is a function of the game; a player's random choices must depend on nothing
	// else.
	NewGame(seed uint64) error
	// Move chooses a move in a game that is not over. It must leave the position as it is, and not keep it. An error ends the game
	// and counts as a fault of the player.
	Move(ctx context.Context, position *board.Board) (Reply, error)
}

// Contestant is a player of a batch: weights for our own engine, or a player of another kind.
type Contestant struct {
	Weights *weights.Set // for our own engine, within their bounds; see weights.Set.Check
	// Open makes a player of another kind for one worker; nil where Weights are given. The worker calls Close on a player
	// that is an io.Closer. An error of Open ends the batch, even for a liable player.
	Open func(size int, rule pattern.Rule, nodes int64) (Player, error)
	Name string // for records of games, "" for none; does not affect a game
	// Identity identifies everything that affects the games of a player of another kind besides the batch, such as its
	// values. A stored pair counts only for the same identity. "" where it is not known; then Name takes its place.
	Identity string
	// Liable means, for a player of another kind, that a failure in the second attempt counts as a loss. So a candidate
	// that always fails has the worst rating. The pairs of other players would be void.
	Liable bool
	// Remote is the argument with which another process opens the same player, such as "baseline:huang". It is "" for
	// weights, and for players that only this process can open.
	Remote string
}

// Pairing is one pair to be played.
type Pairing struct {
	A, B    int          // indices of Batch.Contestants
	Opening []board.Cell // legal moves from the empty board, Black first; the game is not over after them
	Seed    uint64       // for random choices of players
}

// Batch is a list of pairs and their common conditions.
type Batch struct {
	Contestants []Contestant
	Pairings    []Pairing
	Rule        pattern.Rule
	Size        int
	Nodes       int64  // node limit of a move, in moves made by our engine
	PlayOut     bool   // do not end games at a proven win or where no five is possible any more
	Search      bool   // pairings are not played: A searches the position after the opening once; see Game.Score
	Purpose     string // for records of games, such as "generation 12"; does not affect a game
	Order       int    // on a cluster, batches with a lower Order are handed out first; Pool ignores it; does not affect a game
}

// Game is one finished game.
type Game struct {
	Outcome     board.Outcome
	Moves       []board.Cell    // opening included
	Times       []time.Duration // [move]; 0 or missing where no clock ran; not part of the result
	Adjudicated bool            // ended by a proven win, or because no five is possible any more
	Nodes       int64           // of both sides together
	// Score is what a batch of searches has in place of an outcome, in points from the side to move, or a proven end. Moves are
	// then the opening and the move that the search prefers. Such a result has one game, Games[0].
	Score  int32
	Fault  error        // why a side lost before the end, a forbidden move included; nil for a game that was played to its end
	Faulty board.Colour // the side at fault
}

// Result is one finished pair: Games[0] with A as Black, Games[1] with A as White.
type Result struct {
	Games [2]Game
	// Discarded holds the games of a first attempt in which a player failed; nil: there was none. Such a pair is played a
	// second time.
	Discarded []Game
	// Worker is the name of the worker that played the pair, "" where it is not known. Audits use it. It is not part of
	// the result.
	Worker string
}

// Points returns A's points in the pair times two, 0 to 4: the index in a stats.Pentanomial.
func (r *Result) Points() int {
	points := 0
	for i := range r.Games {
		switch r.Games[i].Outcome {
		case board.Draw:
			points++
		case board.WinFor(board.Colour(i)):
			points += 2
		}
	}
	return points
}

// Void reports whether the pair does not count because a player failed in the second attempt too. A forbidden
// move, or the failure of a liable player, is a loss instead.
func (r *Result) Void() bool { return r.Games[0].failed() || r.Games[1].failed() }

// Runner plays batches. It calls done, if not nil, once for each finished pair with its index, in any order but
// never from two goroutines at a time. It returns all results by index. After an error, or when ctx is done, the
// results are incomplete.
type Runner interface {
	Run(ctx context.Context, batch *Batch, done func(index int, result *Result)) ([]Result, error)
}

// Check returns an error that names what is wrong with the contestants, the indices of pairings or the node limit. A wrong size, rule or
// opening is an error of Run instead, and weights are not checked.
func (b *Batch) Check() error {
	for i := range b.Pairings {
		p := &b.Pairings[i]
		for _, side := range [2]int{p.A, p.B} {
			if side < 0 || side >= len(b.Contestants) {
				return fmt.Errorf("selfplay: pairing %d names contestant %d of %d", i, side, len(b.Contestants))
			}
		}
	}
	for i, c := range b.Contestants {
		switch {
		case (c.Weights == nil) == (c.Open == nil):
			return fmt.Errorf("selfplay: contestant %d needs either weights or a way to open a player", i)
		case b.Search && c.Weights == nil:
			return fmt.Errorf("selfplay: contestant %d of a batch of searches has no weights", i)
		}
	}
	if b.Nodes < 1 {
		return fmt.Errorf("selfplay: the node limit is %d, less than 1", b.Nodes)
	}
	return nil
}
