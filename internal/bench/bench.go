// Package bench searches fixed positions to a fixed depth. The number of nodes and a hash of the results are the
// engine's signature, which changes when play changes and never otherwise.
package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"quintune/board"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// Depth is the depth of the signatures, plies.
const Depth = 9

// Found is the result of one position.
type Found struct {
	Position string // "rule-size-name"
	Best     board.Cell
	Score    int32 // points from the side to move
	Nodes    int64
}

// Report is the result of a bench.
type Report struct {
	Depth   int
	Found   []Found
	Elapsed time.Duration // of the searches alone
}

// Run searches every fixed position with the weights to the depth in plies, each as a new game.
// Everything but Elapsed is a pure function of weights, depth and engine. The error is that of ctx.
func Run(ctx context.Context, set *weights.Set, depth int) (*Report, error) {
	engines := map[conditions]*search.Engine{}
	r := &Report{Depth: depth}
	for _, p := range positions() {
		key := conditions{p.board.Size(), p.board.Rule()}
		e := engines[key]
		if e == nil {
			var err error
			if e, err = search.NewEngine(set, key.size, key.rule, search.Options{}); err != nil {
				return nil, err
			}
			engines[key] = e
		}
		e.NewGame()
		start := time.Now()
		found := e.Search(ctx, p.board, search.Limits{Depth: depth}, nil)
		r.Elapsed += time.Since(start)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.Found = append(r.Found, Found{p.name, found.Best, found.Score, found.Nodes})
	}
	return r, nil
}

// conditions select an engine.
type conditions struct {
	size int
	rule pattern.Rule
}

// Nodes returns the sum over all positions.
func (r *Report) Nodes() int64 {
	var sum int64
	for _, f := range r.Found {
		sum += f.Nodes
	}
	return sum
}

// Speed returns nodes a second.
func (r *Report) Speed() float64 {
	return float64(r.Nodes()) / max(r.Elapsed.Seconds(), 1e-9)
}

// Hash returns eight hexadecimal digits: the start of SHA-256 of best move, score and nodes of
// every position.
func (r *Report) Hash() string {
	sum := sha256.Sum256([]byte(r.lines()))
	return hex.EncodeToString(sum[:4])
}

// Signature returns "nodes-hash".
func (r *Report) Signature() string { return fmt.Sprintf("%d-%s", r.Nodes(), r.Hash()) }

// lines lists the results, one position a line.
func (r *Report) lines() string {
	var b strings.Builder
	for _, f := range r.Found {
		fmt.Fprintf(&b, "%s %v %d %d\n", f.Position, f.Best, f.Score, f.Nodes)
	}
	return b.String()
}
