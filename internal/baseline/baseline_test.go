package baseline

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/selfplay"
)

// mustOpen returns a player of the system.
func mustOpen(t *testing.T, name string, size int, nodes int64) selfplay.Player {
	t.Helper()
	p, err := Open(name, size, pattern.Freestyle, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// setUp returns a freestyle position with the stones of both colours, Black to move unless
// white is asked for.
func setUp(t *testing.T, size int, blacks, whites string, toMove board.Colour) *board.Board {
	t.Helper()
	b, err := board.New(size, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	for colour, text := range [2]string{blacks, whites} {
		for _, c := range boardtest.Moves(t, text) {
			b.Place(board.Colour(colour), c)
		}
	}
	if b.SideToMove() != toMove {
		b.Pass()
	}
	return b
}

// answer returns the player's move in the position, which must be legal.
func answer(t *testing.T, p selfplay.Player, position *board.Board) board.Cell {
	t.Helper()
	reply, err := p.Move(context.Background(), position)
	if err == nil {
		err = position.Legal(reply.Move)
	}
	if err != nil {
		t.Fatal(err)
	}
	if reply.Claim != 0 {
		t.Errorf("claims %d plies: what a system of the literature finds is not a proof", reply.Claim)
	}
	return reply.Move
}

// playGame plays a game between players by colour and returns its last position.
func playGame(t *testing.T, players [2]selfplay.Player, size int, seed uint64) *board.Board {
	t.Helper()
	position := setUp(t, size, "", "", board.Black)
	for colour, p := range players {
		if err := p.NewGame(2*seed + uint64(colour)); err != nil {
			t.Fatal(err)
		}
	}
	for position.Outcome() == board.Ongoing {
		position.Play(answer(t, players[position.SideToMove()], position))
	}
	return position
}

func TestOpenRefusals(t *testing.T) {
	tests := []struct {
		name  string
		size  int
		rule  pattern.Rule
		nodes int64
		want  []string
	}{
		{"plain", 15, pattern.Freestyle, 1, append([]string{"plain"}, Names()...)},
		{"", 15, pattern.Freestyle, 1, []string{`""`, "zhang"}},
		{"zhang", 15, pattern.Standard, 1, []string{"zhang", "standard", "only freestyle"}},
		{"sjtu-mcts", 15, pattern.Renju, 1, []string{"sjtu-mcts", "renju", "only freestyle, standard"}},
		{"zhang", 4, pattern.Freestyle, 1, []string{"zhang", "size is 4", "[5, 22]"}},
		{"random", 23, pattern.Freestyle, 1, []string{"random", "size is 23", "[5, 22]"}},
		{"random", 15, pattern.NumRules, 1, []string{"random", "rule(", "freestyle, standard"}},
		{"random", 15, pattern.Freestyle, -1, []string{"random", "-1", "less than 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Open(test.name, test.size, test.rule, test.nodes)
			if err == nil {
				t.Errorf("%s, size %d, %v, %d nodes is accepted", test.name, test.size, test.rule, test.nodes)
				return
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not name %q", err, part)
				}
			}
		})
	}
	if _, err := Unit("plain"); err == nil {
		t.Error("Unit knows a system that there is not")
	}
}

func TestMoveRefusals(t *testing.T) {
	p := mustOpen(t, "zhang", 15, 1)
	over := setUp(t, 15, "a1b1c1d1e1", "", board.White)
	if _, err := p.Move(context.Background(), over); err == nil {
		t.Error("a finished game is answered")
	}
	if _, err := p.Move(context.Background(), setUp(t, 16, "", "", board.Black)); err == nil || !strings.Contains(err.Error(), "size 15") {
		t.Errorf("a board of another size: %v", err)
	}
}

// ladderNodes is a limit at which a system plays a game quickly.
func ladderNodes(t *testing.T, name string) int64 {
	t.Helper()
	unit, err := Unit(name)
	if err != nil {
		t.Fatal(err)
	}
	if unit == "" {
		return 1
	}
	return 60
}

// playPairs plays pairs of the systems from the empty board to the end.
func playPairs(t *testing.T, a, b string, size, pairs int, nodes int64) []selfplay.Result {
	t.Helper()
	return playOpenings(t, a, b, size, make([][]board.Cell, pairs), nodes)
}

// playOpenings plays a pair of the systems from each opening to the end.
func playOpenings(t *testing.T, a, b string, size int, openings [][]board.Cell, nodes int64) []selfplay.Result {
	t.Helper()
	batch := &selfplay.Batch{Size: size, Nodes: max(1, nodes), PlayOut: true}
	for _, name := range []string{a, b} {
		batch.Contestants = append(batch.Contestants, selfplay.Contestant{
			Open: func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
				return Open(name, size, rule, nodes)
			},
		})
	}
	for i, opening := range openings {
		batch.Pairings = append(batch.Pairings, selfplay.Pairing{A: 0, B: 1, Opening: opening, Seed: uint64(1000 * i)})
	}
	results, err := selfplay.NewPool(1).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range results {
		for _, g := range append(results[i].Games[:], results[i].Discarded...) {
			if g.Fault != nil {
				t.Fatalf("%s against %s, pair %d: %v's fault: %v after %s", a, b, i, g.Faulty, g.Fault, board.FormatMoves(g.Moves))
			}
		}
	}
	return results
}

// Every system plays legal games, and the same ones again from the same seed.
func TestGamesAreLegalAndRepeatable(t *testing.T) {
	for _, name := range Names() {
		for _, size := range []int{5, 15, 20} {
			nodes := ladderNodes(t, name)
			first := playPairs(t, name, "random", size, 1, nodes)
			again := playPairs(t, name, "random", size, 1, nodes)
			for i := range first[0].Games {
				if !slices.Equal(first[0].Games[i].Moves, again[0].Games[i].Moves) {
					t.Errorf("%s on size %d: the same seed gives other games", name, size)
				}
			}
		}
	}
}

// Random play-outs use the length of rows, and random moves use the board's rules. So these systems play other
// rules too.
func TestGamesByOtherRules(t *testing.T) {
	for _, test := range []struct {
		name string
		rule pattern.Rule
	}{{"random", pattern.Standard}, {"random", pattern.Renju}, {"sjtu-mcts", pattern.Standard}} {
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(3) {
				position, err := board.New(9, test.rule)
				if err != nil {
					t.Fatal(err)
				}
				p, err := Open(test.name, 9, test.rule, 20)
				if err != nil {
					t.Fatal(err)
				}
				if err := p.NewGame(seed); err != nil {
					t.Fatal(err)
				}
				for position.Outcome() == board.Ongoing {
					position.Play(answer(t, p, position))
				}
			}
		})
	}
}

func TestNodesAreLimited(t *testing.T) {
	units := map[string]string{
		"finard": "visited nodes", "shapes": "visited nodes", "sjtu-minimax": "visited nodes",
		"sjtu-mcts": "play-outs", "sjtu-ga": "fitness evaluations",
	}
	position := setUp(t, 15, "h8i9f7", "g7h9", board.White)
	for _, name := range Names() {
		unit, err := Unit(name)
		if err != nil || unit != units[name] {
			t.Errorf("%s counts %q (%v), want %q", name, unit, err, units[name])
		}
		for _, limit := range []int64{1, 7, 100} {
			reply, err := mustOpen(t, name, 15, limit).Move(context.Background(), position)
			if err != nil {
				t.Fatal(err)
			}
			if unit != "" && (reply.Nodes > limit || reply.Nodes == 0) {
				t.Errorf("%s: %d %s, the limit is %d", name, reply.Nodes, unit, limit)
			}
		}
	}
	all, err := mustOpen(t, "huang", 15, 1).Move(context.Background(), position)
	if err != nil || all.Nodes < 2 {
		t.Errorf("huang minds the limit: %d nodes (%v)", all.Nodes, err)
	}
}

// Systems with random choices choose differently with another seed.
func TestSeedsMatter(t *testing.T) {
	results := playPairs(t, "random", "random", 7, 2, 1)
	if slices.Equal(results[0].Games[0].Moves, results[1].Games[0].Moves) {
		t.Error("two seeds give the same random game")
	}
}

func TestMoveKeepsThePosition(t *testing.T) {
	for _, name := range Names() {
		position := setUp(t, 15, "h8i9", "g7", board.White)
		before, hash := position.Moves(), position.Hash()
		answer(t, mustOpen(t, name, 15, 50), position)
		if !slices.Equal(before, position.Moves()) || hash != position.Hash() {
			t.Errorf("%s has changed the position that it was shown", name)
		}
	}
}

// If the context has ended, or ends during the move, the player returns a legal move and the context's error.
func TestMoveRespectsTheContext(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range Names() {
		p := mustOpen(t, name, 15, 0)
		for _, position := range []*board.Board{
			setUp(t, 15, "", "", board.Black),
			setUp(t, 15, "h8", "", board.White),
			setUp(t, 15, "h8i9", "g7j8", board.Black),
		} {
			checkInterrupted(t, p, name, ended, position)
			short, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
			checkInterrupted(t, p, name, short, position)
			cancel()
		}
	}
}

// checkInterrupted expects a legal move soon, and the context's error where it has ended.
func checkInterrupted(t *testing.T, p selfplay.Player, name string, ctx context.Context, position *board.Board) {
	t.Helper()
	start := time.Now()
	reply, err := p.Move(ctx, position)
	if took := time.Since(start); took > time.Minute {
		t.Errorf("%s goes on for %v", name, took)
	}
	if err != nil && !errors.Is(err, ctx.Err()) || errors.Is(ctx.Err(), context.Canceled) && err == nil {
		t.Errorf("%s: error is %v, that of the context %v", name, err, ctx.Err())
	}
	if err := position.Legal(reply.Move); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}
