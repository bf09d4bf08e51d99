package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quintune/board"
	"quintune/internal/record"
)

// tree is a move with those that may follow it, as the page keeps them: a list of the move, null at the root, and the trees
// that follow. The first goes on with the main line.
type tree []any

// treeOf returns the tree of a record, nil of one without variations.
func treeOf(g *record.Game) tree {
	if len(g.Variations) == 0 {
		return nil
	}
	return grown(tree{nil}, 0, g.Moves, g.Variations)
}

// grown adds a line that begins with the move of the index ply, and its variations, to a tree.
func grown(t tree, ply int, moves []record.Move, variations []record.Variation) tree {
	if len(moves) == 0 {
		return t
	}
	here := 0 // variations of the first move
	for here < len(variations) && variations[here].Ply == ply {
		here++
	}
	t = append(t, grown(tree{moves[0].Cell.String()}, ply+1, moves[1:], variations[here:]))
	for _, v := range variations[:here] {
		t = append(t, grown(tree{v.Moves[0].Cell.String()}, ply+1, v.Moves[1:], v.Variations))
	}
	return t
}

// errTree is the error of what is not a tree.
var errTree = errors.New("tree is not a list of a move and the trees that follow it")

// readTree gives the game of a record the lines of the page's tree. What is known of the game's moves stays with them.
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
	if slices.EqualFunc(g.Moves, known, func(a, b record.Move) bool { return a.Cell == b.Cell }) {
		return nil
	}
	// Another line than that on the board is the main one, and has an outcome of its own.
	whole, err := g.Board(len(g.Moves))
	if err == nil {
		g.Outcome, g.Reason = whole.Outcome(), record.ReasonUnknown
	}
	return err
}

// linesOf returns the first line below a node of the tree, with the variations of its moves. The board is in the position of the node, and is
// so again afterwards. known are the moves of the game from there on, nil where the node is not of the game.
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

// treeMove returns the legal move of a node, and what is known of the moves after it.
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
