package baseline

import (
	"math"
	"math/rand/v2"

	"quintune/board"
	"quintune/pattern"
)

// sjtuMCTS is Monte-Carlo tree search: selection, expansion, random play-out, back-propagation (SJTU,
// 2019; its authors found it far from satisfactory). The default policy comes first.
//
// Selection is by UCB1 (Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, 2006). Nodes try the
// neighbours of stones, as the authors' minimax does; play-outs fill the bounding box of the stones
// grown by two. The first move that was tried most is played.
type sjtuMCTS struct {
	rule   pattern.Rule
	scores sjtuScores // for the default policy alone
	rng    *rand.Rand

	grid  grid
	nodes []mctsNode // 0 is the root
	cells []spot
	path  []int32
}

// mctsNode is a position, named by the move that leads to it.
type mctsNode struct {
	at       spot
	visits   int32
	points   int32 // half points of the side that made the move
	first    int32 // child
	children int32 // 0: not expanded
}

const (
	mctsMaxNodes    = 1 << 20 // nodes of the tree: a full tree gets no new ones, its leaves are only played out
	mctsMaxPlayouts = 1 << 20 // a move, where nothing else limits them
	mctsExploration = 1.4     // weight of what was tried seldom, about √2
)

func newSjtuMCTS(_ int, rule pattern.Rule, _ settings) system {
	return &sjtuMCTS{rule: rule, scores: sjtuScores{table: sjtuExpert()}}
}

func (m *sjtuMCTS) newGame(rng *rand.Rand) { m.rng = rng }

func (m *sjtuMCTS) choose(position *board.Board, b *budget) board.Cell {
	if position.Stones() == 0 {
		return board.At(position.Size()/2, position.Size()/2)
	}
	m.scores.load(position)
	if move, ok := sjtuPolicy(position, &m.scores); ok {
		return move
	}
	m.grid = m.scores.grid
	m.nodes = append(m.nodes[:0], mctsNode{})
	m.expand(0)
	if m.nodes[0].children == 0 {
		return position.AllEmpty(nil)[0]
	}
	us := stoneOf(position.SideToMove())
	for range mctsMaxPlayouts {
		if !b.spend() {
			break
		}
		m.playout(us)
	}
	best := &m.nodes[m.nodes[0].first]
	for i := range m.children(0) {
		if child := &m.children(0)[i]; child.visits > best.visits {
			best = child
		}
	}
	return best.at.cell()
}

// children returns the children of a node, which are neighbours in the tree.
func (m *sjtuMCTS) children(node int32) []mctsNode {
	n := &m.nodes[node]
	return m.nodes[n.first : n.first+n.children]
}

// expand gives a node its children in random order.
func (m *sjtuMCTS) expand(node int32) {
	m.cells = m.grid.near(m.cells[:0])
	if len(m.nodes)+len(m.cells) > mctsMaxNodes {
		return
	}
	m.rng.Shuffle(len(m.cells), func(i, j int) { m.cells[i], m.cells[j] = m.cells[j], m.cells[i] })
	m.nodes[node].first, m.nodes[node].children = int32(len(m.nodes)), int32(len(m.cells))
	for _, at := range m.cells {
		m.nodes = append(m.nodes, mctsNode{at: at})
	}
}

// playout goes from the root to a leaf and expands the leaf if it was visited before. From there it plays random moves to the
// end of the game, and adds the result to every node on the way back. us is the stone of the side to move at the root.
func (m *sjtuMCTS) playout(us square) {
	m.path = append(m.path[:0], 0)
	side, winner := us, empty
	for node := int32(0); winner == empty; side = side.other() {
		if n := &m.nodes[node]; n.children == 0 {
			if n.visits == 0 {
				break
			}
			if m.expand(node); m.nodes[node].children == 0 {
				break
			}
		}
		node = m.selected(node)
		m.path = append(m.path, node)
		at := m.nodes[node].at
		m.grid.squares[at] = side
		if m.grid.wins(at, side, m.rule) {
			winner = side
		}
	}
	if winner == empty {
		winner = m.random(side)
	}
	m.count(us, winner)
}

// selected returns the child that UCB1 chooses; those that were never tried come first.
func (m *sjtuMCTS) selected(node int32) int32 {
	logarithm := math.Log(float64(m.nodes[node].visits))
	best, highest := int32(0), math.Inf(-1)
	children := m.children(node)
	for i := range children {
		c := &children[i]
		if c.visits == 0 {
			return m.nodes[node].first + int32(i)
		}
		visits := float64(c.visits)
		bound := float64(mctsExploration*math.Sqrt(logarithm/visits)) + float64(c.points)/(2*visits)
		if bound > highest {
			best, highest = m.nodes[node].first+int32(i), bound
		}
	}
	return best
}

// random plays random moves to the end and returns the winner's stone, empty for a draw. It leaves the stones as
// they were before.
func (m *sjtuMCTS) random(side square) square {
	m.cells = m.grid.box(m.cells[:0], 2, 0)
	winner, played := empty, 0
	for played < len(m.cells) && winner == empty {
		i := played + m.rng.IntN(len(m.cells)-played)
		m.cells[played], m.cells[i] = m.cells[i], m.cells[played]
		at := m.cells[played]
		m.grid.squares[at] = side
		played++
		if m.grid.wins(at, side, m.rule) {
			winner = side
		}
		side = side.other()
	}
	for _, at := range m.cells[:played] {
		m.grid.squares[at] = empty
	}
	return winner
}

// count adds a result to the nodes of the path and takes their stones off the board.
func (m *sjtuMCTS) count(us, winner square) {
	for i, node := range m.path {
		n := &m.nodes[node]
		n.visits++
		if i == 0 {
			continue
		}
		mover := us
		if i%2 == 0 {
			mover = us.other()
		}
		switch winner {
		case mover:
			n.points += 2
		case empty:
			n.points++
		}
		m.grid.squares[n.at] = empty
	}
}
