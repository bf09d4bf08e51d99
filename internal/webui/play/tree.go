package play

import (
	"encoding/json"
	"errors"
	"fmt"

	"quintune/board"
	"quintune/internal/record"
)

// tree is a move with its continuations, in the format of the page: a list of the move, null at the root, and
// the trees that follow it. The first of them is the main line.
type tree []any

// treeOf returns the tree of a record, nil for one without variations.
func treeOf(g *record.Game) tree {
	if len(g.Variations) == 0 {
		return nil
	}
	return grown(tree{nil}, 0, g.Moves, g.Variations)
}

// grown adds a line of moves to a tree, with its variations. The line begins with move number ply. A variation may
// replace a foul that followed the line.
func grown(t tree, ply int, moves []record.Move, variations []record.Variation) tree {
	here := 0 // number of variations of the first move
	for here < len(variations) && variations[here].Ply == ply {
		here++
	}
	if len(moves) > 0 {
		t = append(t, grown(tree{moves[0].Cell.String()}, ply+1, moves[1:], variations[here:]))
	}
	for _, v := range variations[:here] {
		t = append(t, grown(tree{v.Moves[0].Cell.String()}, ply+1, v.Moves[1:], v.Variations))
	}
	return t
}

// errTree is the error for data that are not a tree.
var errTree = errors.New("tree is not a list of a move and the trees that follow it")

// readTree sets the lines of a record to those of the page's tree. Moves that the game had already keep their
// data.
func readTree(g *record.Game, text json.RawMessage) error {
	var root tree
	if err := json.Unmarshal(text, &root); err != nil || len(root) == 0 || root[0] != nil {
		return errTree
	}
	known := g.Moves
	b, err := g.Board(0)
	if err != nil {
		return err
	}
	g.Moves = nil
	if g.Moves, g.Variations, err = linesOf(b, root, known); err != nil {
		return err
	}
	shared := record.Shared(g.Moves, known)
	if shared == max(len(g.Moves), len(known)) {
		return nil
	}
	// The main line is not that of the game, so its outcome must be determined.
	whole, err := g.Board(len(g.Moves))
	if err != nil {
		return err
	}
	g.Outcome, g.Reason, g.Opening = whole.Outcome(), record.ReasonUnknown, min(g.Opening, shared)
	if g.Outcome != board.Ongoing {
		g.Reason = record.ReasonBoard
	}
	return nil
}

// linesOf returns the first line below a node of the tree, with the variations of its moves. The board must be
// in the position of the node, and is returned to it. known are the game's moves from there on, nil where the
// node is not part of the game.
func linesOf(b *board.Board, at tree, known []record.Move) (moves []record.Move, variations []record.Variation, err error) {
	begun := b.Ply()
	defer func() {
		for b.Ply() > begun {
			b.Undo()
		}
	}()
	for len(at) > 1 {
		var main tree
		var mainKnown []record.Move
		for i, child := range at[1:] {
			next, ok := child.([]any)
			if !ok || len(next) == 0 {
				return nil, nil, errTree
			}
			m, rest, err := treeMove(b, next, known)
			if err != nil {
				return nil, nil, err
			}
			if i == 0 {
				main, mainKnown = next, rest
				moves = append(moves, m)
				continue
			}
			b.Play(m.Cell)
			line, further, err := linesOf(b, next, rest)
			b.Undo()
			if err != nil {
				return nil, nil, err
			}
			variations = append(variations, record.Variation{Ply: b.Ply(), Moves: append([]record.Move{m}, line...), Variations: further})
		}
		b.Play(moves[len(moves)-1].Cell)
		at, known = main, mainKnown
	}
	return moves, variations, nil
}

// treeMove returns the legal move of a node, and the data of the moves after it.
func treeMove(b *board.Board, node tree, known []record.Move) (m record.Move, rest []record.Move, err error) {
	name, ok := node[0].(string)
	if !ok {
		return m, nil, errTree
	}
	if m.Cell, err = board.ParseCell(name); err == nil {
		err = b.Legal(m.Cell)
	}
	if err != nil {
		return m, nil, fmt.Errorf("tree: move %d: %w", b.Ply()+1, err)
	}
	if len(known) > 0 && known[0].Cell == m.Cell {
		return known[0], known[1:], nil
	}
	return m, nil, nil
}
