package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/weights/weightstest"
)

// Nodes of the soundness tests.
const (
	soundGameNodes   = 150    // of a move of the games
	soundSearchNodes = 2000   // of the searches whose claims are checked
	soundVCTNodes    = 5000   // of the solver of threats
	soundProofNodes  = 200000 // most nodes of one answer in a proof
)

// soundDefenders is the number of seeded defenders that a claim is played out against.
const soundDefenders = 20

// claims counts what was checked, and how much of it failed.
type claims struct {
	positions, fours, threats, wins, losses, failed int
	traps                                           int    // victories that end with a four whose answer is forbidden
	depths                                          [8]int // search wins by plies: below 4, 8, 12, …
}

func (c *claims) String() string {
	return fmt.Sprintf("%d positions: %d victories by fours, %d by threats (%d by a forbidden answer), %d wins and %d losses of the search (wins by plies/4: %v), %d failed",
		c.positions, c.fours, c.threats, c.traps, c.wins, c.losses, c.depths, c.failed)
}

// Every claim of the solvers and of the search holds in positions from games.
func TestClaimsHold(t *testing.T) {
	c := checkGames(t, 2, 120, 4, pattern.Freestyle, pattern.Standard)
	t.Log(c)
	if c.fours < 5 || c.threats < 5 || c.wins < 10 || c.losses < 1 {
		t.Errorf("too few claims were met: %v", c)
	}
}

func TestRenjuClaimsHold(t *testing.T) {
	c := checkGames(t, 6, 100, 10, pattern.Renju)
	c.add(checkFouls(t, 150, 10))
	t.Log(c)
	if c.fours < 20 || c.threats < 2 || c.wins < 10 || c.losses < 2 || c.traps < 1 {
		t.Errorf("too few claims were met: %v", c)
	}
}

// checkFouls checks the claims in positions full of forbidden points: all wins, and one loss in losses.
func checkFouls(t *testing.T, positions uint64, losses int) *claims {
	c := &claims{}
	for seed := range positions {
		b := foulPosition(t, seed)
		if rng := rand.New(rand.NewPCG(9, seed)); rng.IntN(2) == 0 {
			b.Pass()
		}
		p := prover{t: t, claims: c, rng: rand.New(rand.NewPCG(10, seed)), player: newEngine(t, b), engine: newEngine(t, b)}
		c.positions++
		p.checkSolvers(b)
		p.checkSearch(b, losses)
	}
	return c
}

func (c *claims) add(d *claims) {
	c.positions += d.positions
	c.fours += d.fours
	c.threats += d.threats
	c.traps += d.traps
	c.wins += d.wins
	c.losses += d.losses
	c.failed += d.failed
	for i := range c.depths {
		c.depths[i] += d.depths[i]
	}
}

// checkGames checks the claims in positions from seeded games under the rules in turn: all wins, and one loss
// in losses.
func checkGames(t *testing.T, seed uint64, positions, losses int, rules ...pattern.Rule) *claims {
	c := &claims{}
	for game := uint64(0); c.positions < positions; game++ {
		rng := rand.New(rand.NewPCG(seed, game))
		b := randomOpening(t, rng, rules[game%uint64(len(rules))])
		p := prover{t: t, claims: c, rng: rng, player: newEngine(t, b), engine: newEngine(t, b)}
		for b.Outcome() == board.Ongoing && c.positions < positions {
			c.positions++
			p.checkSolvers(b)
			p.checkSearch(b, losses)
			b.Play(p.player.Search(context.Background(), b, Limits{Nodes: soundGameNodes}, nil).Best)
		}
	}
	return c
}

// randomOpening returns a board of 15 or, in one game of four, 20 with four to nine stones near the middle.
func randomOpening(t *testing.T, rng *rand.Rand, rule pattern.Rule) *board.Board {
	t.Helper()
	size := 15
	if rng.IntN(4) == 0 {
		size = 20
	}
	b := boardtest.New(t, size, rule)
	for stones := 4 + rng.IntN(6); b.Stones() < stones; {
		if c := board.At(size/2-3+rng.IntN(7), size/2-3+rng.IntN(7)); b.Legal(c) == nil {
			b.Play(c)
		}
	}
	return b
}

// prover checks claims by playing them out.
type prover struct {
	t      *testing.T
	claims *claims
	rng    *rand.Rand
	player *Engine // of the games and of the defenders
	engine *Engine // whose claims are checked
	proved map[uint64]bool
}

func (p *prover) fail(b *board.Board, format string, args ...any) {
	p.t.Helper()
	p.claims.failed++
	p.t.Errorf("%v %d %s: %s", b.Rule(), b.Size(), board.FormatMoves(b.Moves()), fmt.Sprintf(format, args...))
}

// checkSolvers proves the victories that the solvers claim.
func (p *prover) checkSolvers(b *board.Board) {
	fours := p.engine.SolveVCF(context.Background(), b, soundSearchNodes)
	if fours.Win {
		p.claims.fours++
		checkFours(p.t, b, fours)
		p.countTrap(b, fours)
		return
	}
	threats := p.engine.SolveVCT(context.Background(), b, soundVCTNodes)
	if threats.Win {
		p.claims.threats++
		checkLine(p.t, b, threats)
		p.countTrap(b, threats)
		p.proved = map[uint64]bool{}
		p.proveThreats(b, threats)
	}
}

// countTrap counts a victory whose last four has only forbidden answers.
func (p *prover) countTrap(b *board.Board, s Solution) {
	if len(s.Line) <= 2 {
		return
	}
	before := s.Line[:len(s.Line)-2]
	for _, c := range before {
		b.Play(c)
	}
	if b.Foul(s.Line[len(s.Line)-1]) != board.NoFoul {
		p.claims.traps++
	}
	for range before {
		b.Undo()
	}
}

// proveThreats tries every reply on the board to the solution's move; the solver must answer each. Where the move
// leaves the winner a five, the replies are those that take it away.
func (p *prover) proveThreats(b *board.Board, s Solution) {
	if p.proved[b.Hash()] {
		return
	}
	p.proved[b.Hash()] = true
	winner := b.SideToMove()
	b.Play(s.Line[0])
	defer b.Undo()
	if b.Outcome() == board.WinFor(winner) {
		return
	}
	if canWin(b) {
		p.fail(b, "makes five against a victory by threats")
		return
	}
	replies := boardtest.LegalMoves(b)
	switch fives := boardtest.Fives(b, winner); len(fives) {
	case 0:
	case 1:
		replies = slices.DeleteFunc(replies, func(c board.Cell) bool { return c != fives[0] })
	default:
		return
	}
	for _, reply := range replies {
		b.Play(reply)
		if answer := p.solve(b); answer.Win {
			p.proveThreats(b, answer)
		} else {
			p.fail(b, "refutes a victory by threats")
		}
		b.Undo()
	}
}

// solve answers with a victory by fours or else by threats.
func (p *prover) solve(b *board.Board) Solution {
	if b.Outcome() != board.Ongoing {
		return Solution{}
	}
	s := p.engine.SolveVCF(context.Background(), b, soundSearchNodes)
	for nodes := int64(soundSearchNodes); nodes <= soundProofNodes && !s.Win; nodes *= 10 {
		s = p.engine.SolveVCT(context.Background(), b, nodes)
	}
	return s
}

// checkSearch searches the position and proves what the score claims.
func (p *prover) checkSearch(b *board.Board, losses int) {
	p.engine.NewGame()
	r := p.engine.Search(context.Background(), b, Limits{Nodes: soundSearchNodes}, nil)
	switch plies := PliesToWin(r.Score); {
	case plies > 0:
		p.claims.wins++
		p.claims.depths[min(plies/4, len(p.claims.depths)-1)]++
		b.Play(r.Best)
		p.proveLoss(b, plies-1, "win")
		b.Undo()
	case plies < 0 && p.rng.IntN(losses) == 0:
		p.claims.losses++
		p.proveLoss(b, -plies, "loss")
	}
}

// proveLoss lets the side to move try every reply, each of which must leave a proven win within the
// plies, and then plays the game out against seeded defenders.
func (p *prover) proveLoss(b *board.Board, plies int, what string) {
	if plies == 0 {
		if b.Outcome() != board.WinFor(b.SideToMove().Other()) {
			p.fail(b, "the claimed five is none")
		}
		return
	}
	for _, reply := range boardtest.LegalMoves(b) {
		b.Play(reply)
		if p.winner(b, plies-1) == board.NoCell {
			p.fail(b, "no win within %d plies after a claimed %s", plies-1, what)
		}
		b.Undo()
	}
	for range soundDefenders {
		p.playOut(b, plies, what)
	}
}

// playOut plays a lost position to its end: a defender who chooses at random among the search's move, own
// fours, answers to fours and cells near the stones, against the winner's proofs.
func (p *prover) playOut(b *board.Board, plies int, what string) {
	played := 0
	for b.Outcome() == board.Ongoing {
		move := p.defence(b)
		if played%2 == 1 {
			if move = p.winner(b, plies-played); move == board.NoCell {
				p.fail(b, "no win within %d plies in a claimed %s in %d", plies-played, what, plies)
				break
			}
		}
		b.Play(move)
		played++
	}
	if b.Outcome() != board.Ongoing && (played%2 == 1 || played > plies || b.Outcome() == board.Draw) {
		p.fail(b, "%v after %d plies, a %s in %d was claimed", b.Outcome(), played, what, plies)
	}
	for range played {
		b.Undo()
	}
}

// defence returns a seeded defender's move.
func (p *prover) defence(b *board.Board) board.Cell {
	if p.rng.IntN(3) == 0 {
		return p.player.Search(context.Background(), b, Limits{Nodes: soundGameNodes}, nil).Best
	}
	mover := b.SideToMove()
	cells := b.AtLeast(mover, pattern.CellFour, nil)
	cells = b.AtLeast(mover.Other(), pattern.CellFive, cells)
	if len(cells) == 0 || p.rng.IntN(3) == 0 {
		cells = b.AtLeast(mover.Other(), pattern.CellClosedThree, cells)
	}
	cells = slices.DeleteFunc(cells, func(c board.Cell) bool { return b.Legal(c) != nil })
	if len(cells) == 0 || p.rng.IntN(4) == 0 {
		cells = append(cells, boardtest.LegalMoves(b)...)
	}
	return cells[p.rng.IntN(len(cells))]
}

// forced returns the only answer to a four if it wins within the plies against every reply, else NoCell. Search
// does not go deep where there is one move.
func (p *prover) forced(b *board.Board, answer board.Cell, plies int) board.Cell {
	if b.Legal(answer) != nil {
		return board.NoCell
	}
	b.Play(answer)
	defer b.Undo()
	if b.Outcome() != board.Ongoing || canWin(b) {
		return board.NoCell
	}
	for _, reply := range boardtest.LegalMoves(b) {
		b.Play(reply)
		found := p.winner(b, plies-2)
		b.Undo()
		if found == board.NoCell {
			return board.NoCell
		}
	}
	return answer
}

// winner returns a move that is proven to win within the plies, NoCell where none is found. It asks the
// solver of fours, the search, and at last a search with more nodes and without solvers, whose wins by
// fours are not the shortest.
func (p *prover) winner(b *board.Board, plies int) board.Cell {
	if b.Outcome() != board.Ongoing {
		return board.NoCell
	}
	within := func(n int) bool { return n > 0 && n <= plies }
	mover := b.SideToMove()
	if own, other := boardtest.Fives(b, mover), boardtest.Fives(b, mover.Other()); len(own) == 0 && len(other) == 1 {
		return p.forced(b, other[0], plies)
	}
	for nodes := int64(soundSearchNodes); nodes <= soundProofNodes; nodes *= 10 {
		if s := p.engine.SolveVCF(context.Background(), b, nodes); within(s.Plies) {
			return s.Line[0]
		}
		if r := p.engine.Search(context.Background(), b, Limits{Nodes: nodes}, nil); within(PliesToWin(r.Score)) {
			return r.Best
		}
	}
	set := weightstest.Preset(p.t, "huang")
	plain, err := NewEngine(set, b.Size(), b.Rule(), Options{TableEntries: 1 << 18, Off: RootFours | Futility | MoveCount | ReverseFutility})
	if err != nil {
		p.t.Fatal(err)
	}
	if r := plain.Search(context.Background(), b, Limits{Nodes: 10 * soundProofNodes}, nil); within(PliesToWin(r.Score)) {
		return r.Best
	}
	return board.NoCell
}

// An iteration that the limit interrupts does not replace the move of a proven win.
func TestProvenWinKeepsItsMove(t *testing.T) {
	b := boardtest.SetUp(t, 15, pattern.Freestyle, "f8f7f5e8g6e6h7e4i8j9g8e5e7g9i6e2e3f9")
	for nodes := int64(800); nodes < 4000; nodes += 100 {
		var proven Result
		r := newEngine(t, b).Search(context.Background(), b, Limits{Nodes: nodes}, func(r Result) { proven = r })
		if PliesToWin(proven.Score) <= 0 {
			t.Fatalf("no win is claimed in %d nodes", nodes)
		}
		if r.Best != proven.Best || r.Score != proven.Score {
			t.Errorf("%d nodes: %v for a win in %d, proved for %v", nodes, r.Best, PliesToWin(r.Score), proven.Best)
		}
	}
}
