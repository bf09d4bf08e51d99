package record

import (
	"fmt"
	"strconv"
	"strings"

	"quintune/board"
)

// sgfReader reads the game trees of a collection. The main line follows the first child of every node and is
// read strictly.
type sgfReader struct {
	sgfLexer
	conditions Conditions
}

// maxNesting bounds how deep variations lie in each other. Programs that open one for every move need one for each cell of the board.
const maxNesting = 10_000

// readSGF reads a collection of games.
func readSGF(data []byte, c Conditions) ([]Game, error) {
	r := sgfReader{sgfLexer{text: string(data), line: 1}, c}
	var games []Game
	for r.skipBlanks(); !r.done(); r.skipBlanks() {
		if len(games) == MaxGames {
			return nil, atLine(r.line, fmt.Errorf("there are more than %d games", MaxGames))
		}
		start := r.line
		g, err := r.tree()
		if err != nil {
			return nil, err
		}
		if err := g.settle(); err != nil {
			return nil, atLine(start, fmt.Errorf("the game that begins here: %w", err))
		}
		g.branch()
		games = append(games, g.Game)
	}
	return games, nil
}

// tree reads one game tree. Its main line ends at the first closing parenthesis; variations follow.
func (r *sgfReader) tree() (*sgfGame, error) {
	g := &sgfGame{Game: Game{Size: r.conditions.Size, Rule: r.conditions.Rule}}
	at, open, main := sgfPlace{node: &g.root}, []sgfPlace(nil), true // open: where the parentheses began
	for {
		r.skipBlanks()
		switch r.peek() {
		case '(':
			if len(open) == maxNesting {
				return nil, r.fail("more than %d ( lie in each other", maxNesting)
			}
			r.take()
			open = append(open, at)
		case ')':
			last := len(open) - 1
			if last < 0 {
				return nil, r.fail("a ) closes nothing")
			}
			r.take()
			main = false
			if at, open = open[last], open[:last]; last == 0 {
				return g, g.finish()
			}
		case ';':
			if len(open) == 0 {
				return nil, r.fail("a node stands outside ( )")
			}
			r.take()
			node, err := r.node()
			if err == nil && main {
				at, err = g.add(at, node)
			} else if err == nil {
				at = g.vary(at, node)
			}
			if err != nil {
				return nil, err
			}
		default:
			return nil, r.fail("%s where ( ) or ; is wanted", r.found())
		}
	}
}

// sgfGame is a game while its nodes are read.
type sgfGame struct {
	Game
	root  sgfNode         // root of the tree of moves
	nodes int             // number of nodes of the main line so far
	moved int             // number of the last node with a move
	set   [2][]board.Cell // stones of AB and AW of a node
}

// add reads a node of the main line and returns the position after it.
func (g *sgfGame) add(at sgfPlace, node []sgfProperty) (sgfPlace, error) {
	if g.nodes == 0 {
		if err := g.begin(node); err != nil {
			return at, err
		}
	}
	g.nodes++
	played := len(g.Moves)
	for _, p := range node {
		if err := g.stones(p); err != nil {
			return at, atLine(p.line, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	if err := g.setUp(); err != nil {
		return at, atLine(node[0].line, err)
	}
	for _, p := range node {
		if p.name != "C" || played == len(g.Moves) {
			continue
		}
		if opening := g.Moves[played].readComment(p.values[0]); opening && g.Opening == played {
			g.Opening++
		}
	}
	for _, m := range g.Moves[played:] {
		at = at.below(m)
	}
	return at, nil
}

// finish returns the error of a tree without a node.
func (g *sgfGame) finish() error {
	if g.nodes == 0 {
		return fmt.Errorf("a game tree has no node")
	}
	return nil
}

// stones reads a property that sets up stones.
func (g *sgfGame) stones(p sgfProperty) error {
	colour := board.Black
	switch p.name {
	case "B", "AB":
	case "W", "AW":
		colour = board.White
	case "AE":
		return fmt.Errorf("stones that are taken away are not part of the game")
	default:
		return nil
	}
	for i, value := range p.values {
		cell, err := sgfCell(value, g.Size)
		switch {
		case err != nil:
			return err
		case len(p.name) == 2:
			g.set[colour] = append(g.set[colour], cell)
			continue
		case i > 0 || g.moved == g.nodes:
			return fmt.Errorf("a node holds two moves")
		case colour != Colour(len(g.Moves)):
			return fmt.Errorf("move %d is %v's, not %v's", len(g.Moves)+1, colour.Other(), colour)
		}
		g.Moves = append(g.Moves, Move{Cell: cell})
		g.moved = g.nodes
	}
	return nil
}

// setUp converts the stones of AB and AW, which have no order, to moves with alternating colours. They are in the order of the file
// where none is without a foul or an end before the last stone.
func (g *sgfGame) setUp() error {
	black, white := g.set[board.Black], g.set[board.White]
	if len(black)+len(white) == 0 {
		return nil
	}
	if len(g.Moves) > 0 {
		return fmt.Errorf("AB and AW: stones are set up after the first move")
	}
	if extra := len(black) - len(white); extra < 0 || extra > 1 {
		return fmt.Errorf("AB and AW: %d black and %d white stones are set up, so that colours do not alternate", len(black), len(white))
	}
	moves, err := Arrange(g.Size, g.Rule, black, white)
	if err != nil {
		moves = nil
		for i := range black {
			moves = append(append(moves, black[i]), white[i:min(i+1, len(white))]...)
		}
	}
	for _, m := range moves {
		g.Moves = append(g.Moves, Move{Cell: m})
	}
	g.Opening = len(g.Moves)
	g.set = [2][]board.Cell{}
	return nil
}

// sgfCell reads a cell: two letters for the column and the row from the top, or a letter and a number for the
// row from the bottom.
func sgfCell(value string, size int) (board.Cell, error) {
	value = strings.TrimSpace(value)
	if len(value) < 2 || len(value) > 3 {
		return board.NoCell, fmt.Errorf("%.20q is not a cell (hh, or h8 from the bottom), and nobody passes", value)
	}
	x, y := int(value[0])-'a', int(value[1])-'a'
	if row, err := strconv.ParseUint(value[1:], 10, 8); err == nil { // Atoi takes a sign
		y = size - int(row)
	} else if len(value) == 3 {
		return board.NoCell, fmt.Errorf("%.20q is not a cell (hh, or h8 from the bottom)", value)
	}
	if x < 0 || y < 0 || x >= size || y >= size {
		return board.NoCell, fmt.Errorf("%.20q is outside the board of size %d", value, size)
	}
	return board.At(x, y), nil
}
