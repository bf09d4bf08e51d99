package record

import (
	"quintune/board"
)

// sgfNode is a move of a game tree, or its root.
type sgfNode struct {
	Move
	next []*sgfNode // the first child continues the line
}

// child returns the child of n for a move, and adds it where there is none. A move that exists keeps its first
// comment.
func (n *sgfNode) child(m Move) *sgfNode {
	for _, c := range n.next {
		if c.Cell == m.Cell {
			return c
		}
	}
	c := &sgfNode{Move: m}
	n.next = append(n.next, c)
	return c
}

// sgfPlace is a position in a game tree: its last move and the number of moves. Its node is nil after a node
// that is not a move of the game.
type sgfPlace struct {
	node *sgfNode
	ply  int
}

// below returns the position after a move.
func (p sgfPlace) below(m Move) sgfPlace { return sgfPlace{p.node.child(m), p.ply + 1} }

// vary returns the position after a node of a variation. Unlike the main line, a variation ends at a node that
// is not a move of the game, such as stones that are set up.
func (g *sgfGame) vary(at sgfPlace, node []sgfProperty) sgfPlace {
	if at.node == nil {
		return at
	}
	var move *Move
	for _, p := range node {
		switch p.name {
		case "AB", "AW", "AE":
			return sgfPlace{}
		case "B", "W":
			cell, err := sgfCell(p.values[0], g.Size)
			if err != nil || move != nil || len(p.values) > 1 || (p.name == "W") != (Colour(at.ply) == board.White) {
				return sgfPlace{}
			}
			move = &Move{Cell: cell}
		}
	}
	if move == nil {
		return at
	}
	for _, p := range node {
		if p.name == "C" {
			move.readComment(p.values[0])
		}
	}
	return at.below(*move)
}

// branch adds the variations of the tree to the game, whose main line is legal.
func (g *sgfGame) branch() {
	b, err := board.New(g.Size, g.Rule)
	if err != nil {
		return // a game without moves may have no board
	}
	at := &g.root
	for i, m := range g.Moves {
		for _, other := range at.next {
			if other.Cell != m.Cell && b.Legal(other.Cell) == nil {
				g.Variations = append(g.Variations, other.variation(b, i))
			}
		}
		if i == len(g.Moves)-1 {
			return // and this move may be forbidden
		}
		b.Play(m.Cell)
		at = at.child(m)
	}
}

// variation returns the line that begins with the legal move n, as far as it is legal, with its own variations.
// It leaves the board as it was.
func (n *sgfNode) variation(b *board.Board, ply int) Variation {
	v := Variation{Ply: ply}
	for at := n; at != nil; {
		v.Moves = append(v.Moves, at.Move)
		b.Play(at.Cell)
		var on *sgfNode
		for _, c := range at.next {
			switch {
			case b.Legal(c.Cell) != nil:
			case on == nil:
				on = c
			default:
				v.Variations = append(v.Variations, c.variation(b, b.Ply()))
			}
		}
		at = on
	}
	for range v.Moves {
		b.Undo()
	}
	return v
}
