package cluster

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"quintune/board"
	"quintune/selfplay"
)

// send returns a result as it travels.
func send(index int, r *selfplay.Result) played {
	return played{index, sendGames(r.Games[:]), sendGames(r.Discarded)}
}

func sendGames(games []selfplay.Game) []game {
	var list []game
	for i := range games {
		g := &games[i]
		sent := game{Outcome: g.Outcome, Moves: board.FormatMoves(g.Moves), Adjudicated: g.Adjudicated, Nodes: g.Nodes, Faulty: g.Faulty}
		if g.Fault != nil {
			sent.Fault, sent.Kind = g.Fault.Error(), selfplay.FaultKind(g.Fault)
		}
		list = append(list, sent)
	}
	return list
}

// receive returns the result that was sent for a pairing, after replaying its games: what could not have
// been played is refused here. Whether it is what the engine plays is for the audits. The board is of the batch's
// size and rule; its position is lost.
func receive(p *played, b *selfplay.Batch, position *board.Board) (selfplay.Result, error) {
	var r selfplay.Result
	pairing := &b.Pairings[p.Index]
	if len(p.Games) != len(r.Games) || len(p.Discarded) != 0 && len(p.Discarded) != len(r.Games) {
		return r, fmt.Errorf("has %d and %d games, not 2 and 0 or 2", len(p.Games), len(p.Discarded))
	}
	var err error
	for i := range p.Games {
		if r.Games[i], err = p.Games[i].replay(position, pairing.Opening); err != nil {
			return r, fmt.Errorf("game %d: %w", i, err)
		}
	}
	for i := range p.Discarded {
		g, err := p.Discarded[i].replay(position, pairing.Opening)
		if err != nil {
			return r, fmt.Errorf("discarded game %d: %w", i, err)
		}
		r.Discarded = append(r.Discarded, g)
	}
	return r, nil
}

// replay plays the game's moves on the board and returns it.
func (g *game) replay(b *board.Board, opening []board.Cell) (selfplay.Game, error) {
	moves, err := board.ParseMoves(g.Moves)
	if err != nil {
		return selfplay.Game{}, err
	}
	if len(moves) < len(opening) || !slices.Equal(moves[:len(opening)], opening) {
		return selfplay.Game{}, fmt.Errorf("%.40s does not begin with its opening", g.Moves)
	}
	b.Reset()
	for _, m := range moves {
		if err := b.Legal(m); err != nil {
			return selfplay.Game{}, err
		}
		b.Play(m)
	}
	end := b.Outcome()
	switch {
	case g.Outcome <= board.Ongoing || g.Outcome > board.Draw || g.Faulty > board.White || g.Nodes < 0:
		return selfplay.Game{}, fmt.Errorf("outcome %d, side %d or nodes %d out of bounds", g.Outcome, g.Faulty, g.Nodes)
	case g.Fault == "" && !g.Adjudicated && end != g.Outcome:
		return selfplay.Game{}, fmt.Errorf("is given as %v, but the board says %v", g.Outcome, end)
	case (g.Fault != "" || g.Adjudicated) && end != board.Ongoing:
		return selfplay.Game{}, fmt.Errorf("ended early, but the board says %v", end)
	}
	result := selfplay.Game{Outcome: g.Outcome, Moves: moves, Adjudicated: g.Adjudicated, Nodes: g.Nodes, Faulty: g.Faulty}
	if g.Fault != "" {
		result.Fault = &remoteFault{g.Kind, g.Fault}
	}
	return result, nil
}

// remoteFault is a failure that happened elsewhere, with the text that the error had there.
type remoteFault struct{ kind, text string }

func (f *remoteFault) Error() string     { return f.text }
func (f *remoteFault) FaultKind() string { return f.kind }

// digest is a hash of a result: equal digests stand for results that agree bit by bit.
type digest uint64

// digestOf hashes the pair as it travels, without its place in the batch.
func digestOf(p *played) digest {
	data, err := json.Marshal(played{0, p.Games, p.Discarded})
	if err != nil {
		panic(fmt.Sprintf("cluster: a result does not encode: %v", err)) // strings and numbers alone
	}
	sum := sha256.Sum256(data)
	return digest(binary.BigEndian.Uint64(sum[:]))
}
