package cluster

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"quintune/board"
	"quintune/internal/bench"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// A proof of the engine is a search of positions that a nonce chooses: a signature can be repeated by
// anyone who has read it, the moves on positions never seen before cannot.
const (
	proofPositions = 6    // of each rule
	proofNodes     = 1000 // each
	proofSize      = 15
	proofPlies     = 8
)

// Prove searches the positions of a nonce and returns a hash of what the engine finds.
func Prove(ctx context.Context, nonce string) (string, error) {
	set, err := weights.Preset(bench.SignaturePreset)
	if err != nil {
		return "", err
	}
	seed := sha256.Sum256([]byte(nonce))
	hash := sha256.New()
	for rule := range pattern.Rule(pattern.NumRules) {
		engine, err := search.NewEngine(set, proofSize, rule, search.Options{})
		if err != nil {
			return "", err
		}
		for i := range proofPositions {
			position, err := proofPosition(binary.BigEndian.Uint64(seed[:]), rule, i)
			if err != nil {
				return "", err
			}
			engine.NewGame()
			found := engine.Search(ctx, position, search.Limits{Nodes: proofNodes}, nil)
			if err := ctx.Err(); err != nil {
				return "", err
			}
			fmt.Fprintf(hash, "%v %v %d %d\n", rule, found.Best, found.Score, found.Nodes)
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), nil
}

// proofPosition draws stones about the centre until the game is not over.
func proofPosition(seed uint64, rule pattern.Rule, number int) (*board.Board, error) {
	b, err := board.New(proofSize, rule)
	if err != nil {
		return nil, err
	}
	rng := stream.New(seed, "proof %d", number)
	for range proofPlies {
		c := board.At(4+rng.IntN(7), 4+rng.IntN(7))
		if b.Outcome() == board.Ongoing && b.Legal(c) == nil {
			b.Play(c)
		}
	}
	return b, nil
}

// nonceLife is how long a nonce is asked for: workers that join together share one, so that a thousand
// of them cost one proof here.
const nonceLife = time.Minute

// examiner hands out nonces and knows their proofs. Safe for concurrent use.
type examiner struct {
	mu     sync.Mutex
	nonce  string
	proof  string
	issued time.Time
	last   map[string]string // the nonce before, with its proof
}

// current returns a nonce to prove our engine on, and the one from outside; nil: there is none.
func (e *examiner) current(ctx context.Context, outside *Outside) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.nonce != "" && time.Since(e.issued) < nonceLife {
		return e.nonce, nil
	}
	nonce := newNonce()
	proof, err := outside.prove(ctx, nonce)
	if err != nil {
		return "", err
	}
	e.last = map[string]string{e.nonce: e.proof}
	e.nonce, e.proof, e.issued = nonce, proof, time.Now()
	return nonce, nil
}

// accepts reports whether the proof is right, and whether the nonce is one of ours that is still good.
func (e *examiner) accepts(nonce, proof string) (right, known bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	want, known := e.last[nonce]
	if nonce == e.nonce {
		want, known = e.proof, true
	}
	return known && nonce != "" && proof == want, known && nonce != ""
}

// newNonce returns 16 random bytes as text.
func newNonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
