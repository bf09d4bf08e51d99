package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"quintune/board"
	"quintune/internal/baseline"
	"quintune/internal/bench"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/selfplay"
)

// Outside is an engine from outside that a run tunes. The coordinator and each worker that has the engine hold
// one. Each starts the engine by a command of its own; no message contains a command.
type Outside struct {
	Hash    string // hash of everything that affects its games
	Timed   bool   // time limits its moves, so its games prove nothing
	Repeats bool   // equal values give equal games, so results can be compared in audits; set before the first batch

	// Rule and Size of the run's board, on which the engine is proved. The coordinator sets them and tells them to workers.
	Rule pattern.Rule
	Size int
	// Contestant returns the engine with the given values. values is a JSON object from name to number; "" stands for the
	// start values.
	Contestant func(values string) (selfplay.Contestant, error)
}

// signature returns the signature of our engine, followed by that of the engine from outside where there is one.
func (o *Outside) signature() string {
	if o == nil {
		return bench.Signature()
	}
	return bench.Signature() + " engine " + o.Hash
}

// EnginePrefix begins the name of an engine from outside in messages. The values follow.
const EnginePrefix = "engine:"

// named returns the contestant with the name. A name contains no command.
func (o *Outside) named(ref string) (selfplay.Contestant, error) {
	if values, tuned := strings.CutPrefix(ref, EnginePrefix); tuned && o != nil {
		return o.Contestant(values)
	}
	if !strings.HasPrefix(ref, baseline.Prefix) {
		return selfplay.Contestant{}, fmt.Errorf("cluster: %.80q is not a player that travels by name", ref)
	}
	p, err := player.Parse(ref)
	if err != nil {
		return selfplay.Contestant{}, fmt.Errorf("cluster: %w", err)
	}
	return p.Contestant(player.TimeControl{}), nil
}

// outsideProofNodes is the node limit of a move in the games that prove an engine from outside.
const outsideProofNodes = 300

// prove returns the proof of our engine, followed by that of the one from outside. The latter plays a pair of games, with its
// start values, on a board of the run from a position that the nonce chooses. If its games cannot be repeated, it only has to
// finish them.
func (o *Outside) prove(ctx context.Context, nonce string, rule pattern.Rule, size int) (string, error) {
	own, err := Prove(ctx, nonce)
	if err != nil || o == nil {
		return own, err
	}
	games := ""
	for range mostTries { // it may fail by chance
		if games, err = o.proofGames(ctx, nonce, rule, size); err == nil || ctx.Err() != nil {
			break
		}
	}
	return own + games, err
}

// proofGames returns the hash of the games that prove the engine, "" where they need not repeat.
func (o *Outside) proofGames(ctx context.Context, nonce string, rule pattern.Rule, size int) (string, error) {
	c, err := o.Contestant("")
	if err != nil {
		return "", err
	}
	seed := sha256.Sum256([]byte(nonce))
	position, err := proofPosition(binary.BigEndian.Uint64(seed[:]), rule, size, 0)
	if err != nil {
		return "", err
	}
	pair := selfplay.Pairing{Opening: position.Moves()}
	results, err := selfplay.NewPool(1).Run(ctx, &selfplay.Batch{
		Contestants: []selfplay.Contestant{c}, Pairings: []selfplay.Pairing{pair, pair},
		Rule: rule, Size: size, Nodes: outsideProofNodes,
	}, nil)
	if err != nil {
		return "", err
	}
	var played [2]string
	for i := range results {
		for k := range results[i].Games {
			g := &results[i].Games[k]
			if g.Fault != nil {
				return "", fmt.Errorf("cluster: the engine from outside cannot play %v on %d×%d: %w", rule, size, size, g.Fault)
			}
			played[i] += fmt.Sprintln(board.FormatMoves(g.Moves), g.Outcome)
		}
	}
	if o.Timed || played[0] != played[1] {
		return "", nil
	}
	games := sha256.Sum256([]byte(played[0]))
	return hex.EncodeToString(games[:8]), nil
}

// board returns the board on which the engine is proved.
func (o *Outside) board() (rule pattern.Rule, size int) {
	if o == nil || o.Size == 0 {
		return pattern.Freestyle, proofSize
	}
	return o.Rule, o.Size
}

// comparable reports whether two results of a pair have to be equal.
func (o *Outside) comparable() bool { return o == nil || o.Repeats }
