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

// To prove that it has the engine, a worker searches positions that a nonce chooses. Anybody can copy a
// signature, but not the engine's moves in positions never seen before.
const (
	proofPositions = 6    // positions of each rule
	proofNodes     = 1000 // nodes of each search
	proofSize      = 15
	proofPlies     = 8
)

// Prove searches the positions that the nonce chooses and returns a hash of the results.
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
			position, err := proofPosition(binary.BigEndian.Uint64(seed[:]), rule, proofSize, i)
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
	return hex.EncodeToString(hash.Sum(nil)[:ownProof/2]), nil
}

// proofPosition plays up to proofPlies random moves near the centre. A draw that is occupied or forbidden is left out.
func proofPosition(seed uint64, rule pattern.Rule, size, number int) (*board.Board, error) {
	b, err := board.New(size, rule)
	if err != nil {
		return nil, err
	}
	rng := stream.New(seed, "proof %d", number)
	width := min(7, size)
	low := (size - width) / 2
	for range proofPlies {
		c := board.At(low+rng.IntN(width), low+rng.IntN(width))
		if b.Legal(c) == nil {
			b.Play(c)
		}
	}
	return b, nil
}

// nonceLife is how long one nonce is handed out. Workers that join within this time share it, so the coordinator
// computes a proof only once for all of them. See examiner.accepts for how long it is accepted.
const nonceLife = time.Minute

// examiner makes nonces and knows the right proofs. Safe for concurrent use.
type examiner struct {
	mu                   sync.Mutex
	nonce, proof         string
	issued               time.Time
	lastNonce, lastProof string // the previous ones
}

// current returns the nonce on which workers prove our engine and outside, the engine from outside; nil: there
// is none.
func (e *examiner) current(ctx context.Context, outside *Outside) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.nonce != "" && time.Since(e.issued) < nonceLife {
		return e.nonce, nil
	}
	nonce := newNonce()
	rule, size := outside.board()
	proof, err := outside.prove(ctx, nonce, rule, size)
	if err != nil && e.nonce != "" && ctx.Err() == nil {
		e.issued = time.Now() // the engine could play before, so the last nonce stays
		return e.nonce, nil
	}
	if err != nil {
		return "", err
	}
	e.lastNonce, e.lastProof = e.nonce, e.proof
	e.nonce, e.proof, e.issued = nonce, proof, time.Now()
	return nonce, nil
}

// accepts reports whether the proof is right, and whether the nonce is one of the last two that were handed out: without
// joining workers there is no new one, and a proof has no time by which it must arrive. Where the games of an engine from outside
// do not repeat, whether two of them are equal is chance. So a proof of our engine alone is enough: audits find a worker that has
// another engine.
func (e *examiner) accepts(nonce, proof string) (right, known bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if nonce == "" || nonce != e.nonce && nonce != e.lastNonce {
		return false, false
	}
	want := e.proof
	if nonce == e.lastNonce {
		want = e.lastProof
	}
	if common := min(len(want), len(proof)); common == ownProof {
		want, proof = want[:common], proof[:common]
	}
	return proof == want, true
}

// ownProof is the length of the proof of our engine, hexadecimal digits.
const ownProof = 32

// newNonce returns 16 random bytes in hexadecimal.
func newNonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
