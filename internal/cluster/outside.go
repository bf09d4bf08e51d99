package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"quintune/board"
	"quintune/internal/bench"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/selfplay"
)

// Outside is an engine from outside that a run tunes, as its coordinator and the workers that have it know it. Its command is
// each one's own: no message holds one.
type Outside struct {
	Hash    string // hash of everything that affects its games
	Repeats bool   // equal values give equal games, so results can be compared
	// Contestant returns the engine under values as they travel: a JSON object, name to number; "" for the start values.
	Contestant func(values string) (selfplay.Contestant, error)
}

// signature returns the signature of our engine, together with that of the engine from outside if there is one.
func (o *Outside) signature() string {
	if o == nil {
		return bench.Signature()
	}
	return bench.Signature() + " engine " + o.Hash
}

// EnginePrefix begins the names under which an engine with its values travels.
const EnginePrefix = "engine:"

// named returns the contestant of a name. A name holds no command.
func (o *Outside) named(ref string) (selfplay.Contestant, error) {
	if values, tuned := strings.CutPrefix(ref, EnginePrefix); tuned && o != nil {
		return o.Contestant(values)
	}
	if !strings.HasPrefix(ref, baselinePrefix) {
		return selfplay.Contestant{}, fmt.Errorf("cluster: %.80q is not a player that travels by name", ref)
	}
	p, err := player.Parse(ref)
	if err != nil {
		return selfplay.Contestant{}, fmt.Errorf("cluster: %w", err)
	}
	return p.Contestant(player.TimeControl{}), nil
}

// outsideProofNodes limits a move of the games that prove an engine from outside.
const outsideProofNodes = 300

// prove returns the proof of our engine, and of the one from outside: a pair of games that it plays with its start values from a
// position that the nonce chooses. One that does not repeat its games has to play them, and that is all.
func (o *Outside) prove(ctx context.Context, nonce string) (string, error) {
	own, err := Prove(ctx, nonce)
	if err != nil || o == nil {
		return own, err
	}
	c, err := o.Contestant("")
	if err != nil {
		return "", err
	}
	seed := sha256.Sum256([]byte(nonce))
	position, err := proofPosition(binary.BigEndian.Uint64(seed[:]), pattern.Freestyle, 0)
	if err != nil {
		return "", err
	}
	results, err := selfplay.NewPool(1).Run(ctx, &selfplay.Batch{
		Contestants: []selfplay.Contestant{c}, Pairings: []selfplay.Pairing{{Opening: position.Moves()}},
		Rule: pattern.Freestyle, Size: proofSize, Nodes: outsideProofNodes,
	}, nil)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for i := range results[0].Games {
		g := &results[0].Games[i]
		if g.Fault != nil {
			return "", fmt.Errorf("cluster: the engine from outside cannot play: %w", g.Fault)
		}
		if o.Repeats {
			fmt.Fprintln(h, board.FormatMoves(g.Moves), g.Outcome)
		}
	}
	return own + hex.EncodeToString(h.Sum(nil)[:8]), nil
}
