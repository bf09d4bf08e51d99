// Package selfplay plays games between players: pairings in, results out, in order and in parallel.
//
// The unit is the pair: one opening played twice with the colours changed. A game is a pure function
// of both players, opening, node limit, rule and size. So a result does not depend on the worker, the
// time, or the number of workers.
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
	// Claim is the number of plies to a proven win, negative for a loss, 0 without a proof. Only players
	// whose claims are proofs may make any.
	Claim int
	Nodes int64
	Took  time.Duration // by the player's clock; 0 for a player that has none
}

// Player plays games. It is used by one goroutine at a time.
type Player interface {
	// NewGame forgets what came before. The seed is a function of the game; a player that
	// chooses at random draws from it alone.
	NewGame(seed uint64) error
	// Move answers a position of an ongoing game. An error ends the game and is a fault of the player.
	Move(ctx context.Context, position *board.Board) (Reply, error)
}

// Contestant is one side of pairings: either weights for our own engine, or a player of another kind.
type Contestant struct {
	Weights *weights.Set
	// Open makes a player of another kind for one worker; nil where Weights are given. The worker closes a
	// player that is an io.Closer.
	Open func(size int, rule pattern.Rule, nodes int64) (Player, error)
	Name string // for records of the games, "" for none; changes no game
	// Identity is all that decides the games of a player of another kind, beside the batch, such as its values: stored pairs
	// count for it alone. "" where it is not known; then the name stands for it.
	Identity string
	// Liable, of a player of another kind, makes its failure in the second attempt a loss like any other. So a candidate that
	// always fails has the worst rating, where the pairs of others would be void.
	Liable bool
	// Remote is the argument by which another process opens the same player, such as "baseline:huang"; "" for
	// weights, and for players that only this process can open.
	Remote string
}

// Pairing is one pair to be played.
type Pairing struct {
	A, B    int          // indices of Batch.Contestants
	Opening []board.Cell // from the empty board, Black first; no winner on it
	Seed    uint64       // for players that choose at random
}

// Batch is a list of pairs and the conditions they share.
type Batch struct {
	Contestants []Contestant
	Pairings    []Pairing
	Rule        pattern.Rule
	Size        int
	Nodes       int64  // limit a move, made moves of our engine
	PlayOut     bool   // play proven wins to the end
	Purpose     string // for records of the games, such as "generation 12"; changes no game
	Order       int    // of batches that a runner plays at the same time, lower ones come first; changes no game
}

// Game is one finished game.
type Game struct {
	Outcome     board.Outcome
	Moves       []board.Cell    // opening included
	Times       []time.Duration // [move]; 0 or missing where no clock ran; not part of the result
	Adjudicated bool            // ended by a proven win, or because no five was possible any more
	Nodes       int64
	Fault       error        // why a side lost before the end, a foul included; nil for a game that was played to its end
	Faulty      board.Colour // the side at fault
}

// Result is one finished pair: Games[0] with A as Black, Games[1] with A as White.
type Result struct {
	Games [2]Game
	// Discarded are the games of a first attempt in which a player failed. Such a pair is played once
	// more. Nil: there was none.
	Discarded []Game
	// Worker is the name of the worker that played the pair, "" where that is not known. Audits use it. It
	// is not part of the result.
	Worker string
}

// Points returns A's points of the pair times two, 0 to 4: the index of a pentanomial.
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

// Void reports whether the pair counts for nothing, since a player failed in the second attempt too. A foul is a loss
// like any other, and so is the failure of a liable player.
func (r *Result) Void() bool { return r.Games[0].failed() || r.Games[1].failed() }

// Runner plays batches. It calls done, if not nil, once for each finished pair with its index, in
// any order but never at the same time, and returns all results by index. After an error or a
// cancelled ctx the results are incomplete.
type Runner interface {
	Run(ctx context.Context, batch *Batch, done func(index int, result *Result)) ([]Result, error)
}

// Check returns an error that names what is wrong with a batch.
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
		if (c.Weights == nil) == (c.Open == nil) {
			return fmt.Errorf("selfplay: contestant %d needs either weights or a way to open a player", i)
		}
	}
	if b.Nodes < 1 {
		return fmt.Errorf("selfplay: the node limit is %d, less than 1", b.Nodes)
	}
	return nil
}
