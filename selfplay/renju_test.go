package selfplay_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/book"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// In self-play under renju Black never plays a forbidden move, and a slow plain judge confirms every result.
func TestRenjuGames(t *testing.T) { checkRenju(t, 10) }

// checkRenju plays pairs to their end and judges every move. Then it plays them again, ending each game at the
// first proven win. If the players themselves cannot win such a game on the board, a longer search must.
func checkRenju(t *testing.T, pairs int) {
	t.Helper()
	openings := book.Embedded(pattern.Renju, 15).Openings
	batch := &selfplay.Batch{Rule: pattern.Renju, Size: 15, Nodes: 100, PlayOut: true}
	for _, name := range []string{"huang", "zhang", "default"} {
		set := weightstest.Preset(t, name)
		batch.Contestants = append(batch.Contestants, selfplay.Contestant{Weights: set})
	}
	for i := range pairs {
		batch.Pairings = append(batch.Pairings, selfplay.Pairing{A: i % 3, B: (i + 1) % 3, Opening: openings[i].Moves})
	}
	results, err := selfplay.NewPool(2).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	batch.PlayOut = false
	claimed, err := selfplay.NewPool(2).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	met := map[board.Outcome]int{}
	points := 0 // positions in which Black had forbidden cells
	for i := range results {
		for k := range results[i].Games {
			g := &results[i].Games[k]
			points += judge(t, g)
			met[g.Outcome]++
			if early := &claimed[i].Games[k]; early.Outcome != g.Outcome && !holds(t, early) {
				t.Errorf("pair %d: %v was claimed after %s, but the game ends with %v", i, early.Outcome, board.FormatMoves(early.Moves), g.Outcome)
			}
		}
	}
	t.Logf("%d games: %v, %d positions with forbidden cells", 2*pairs, met, points)
	if met[board.BlackWins] == 0 || met[board.WhiteWins] == 0 || points == 0 {
		t.Errorf("games %v, want wins of both colours; %d positions with forbidden cells, want some", met, points)
	}
}

// holds reports whether a longer search confirms the outcome of a game that ended by a proven win.
func holds(t *testing.T, g *selfplay.Game) bool {
	t.Helper()
	b := boardtest.New(t, 15, pattern.Renju)
	for _, m := range g.Moves {
		b.Play(m)
	}
	set := weightstest.Preset(t, "huang")
	e, err := search.NewEngine(set, 15, pattern.Renju, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plies := search.PliesToWin(e.Search(context.Background(), b, search.Limits{Nodes: 500_000}, nil).Score)
	return plies > 0 && g.Outcome == board.WinFor(b.SideToMove()) || plies < 0 && g.Outcome == board.WinFor(b.SideToMove().Other())
}

// judge replays a game with the slow plain rules. It returns the number of positions in which Black was to move
// and had forbidden cells.
func judge(t *testing.T, g *selfplay.Game) (points int) {
	t.Helper()
	b := boardtest.New(t, 15, pattern.Renju)
	if g.Fault != nil {
		t.Errorf("%s: %v", board.FormatMoves(g.Moves), g.Fault)
	}
	for _, m := range g.Moves {
		if b.SideToMove() == board.Black {
			if foul := boardtest.Foul(b, m); foul != board.NoFoul {
				t.Errorf("%s: %v is a %v", board.FormatMoves(g.Moves), m, foul)
			}
			points += min(1, len(b.AllForbidden(nil)))
		}
		if boardtest.Outcome(b) != board.Ongoing || !b.Empty(m) {
			t.Fatalf("%s goes on at %v after %v", board.FormatMoves(g.Moves), m, boardtest.Outcome(b))
		}
		b.Play(m)
	}
	if boardtest.Outcome(b) != g.Outcome || g.Adjudicated {
		t.Errorf("%s: %v, by the slow version %v", board.FormatMoves(g.Moves), g.Outcome, boardtest.Outcome(b))
	}
	return points
}

// fouling is a player that plays a forbidden move as soon as there is one.
type fouling struct{ selfplay.Player }

func (f fouling) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	if cells := position.AllForbidden(nil); len(cells) > 0 && position.SideToMove() == board.Black {
		return selfplay.Reply{Move: cells[0]}, nil
	}
	return f.Player.Move(ctx, position)
}

// A forbidden move loses the game, and the pair counts, whether other failures of the player lose or not.
func TestFoulsLose(t *testing.T) {
	for _, liable := range []bool{false, true} {
		t.Run(fmt.Sprintf("liable %v", liable), func(t *testing.T) { checkFoul(t, liable) })
	}
}

func checkFoul(t *testing.T, liable bool) {
	t.Helper()
	set := weightstest.Preset(t, "huang")
	moves, err := board.ParseMoves("g8a1i8o15h7a15h9o1") // Black at h8 would make two open threes
	if err != nil {
		t.Fatal(err)
	}
	batch := &selfplay.Batch{
		Rule: pattern.Renju, Size: 15, Nodes: 100,
		Contestants: []selfplay.Contestant{{Weights: set}, {Open: func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
			e, err := selfplay.NewEngine(set, size, rule, nodes, 0)
			return fouling{e}, err
		}, Liable: liable}},
		Pairings: []selfplay.Pairing{{A: 0, B: 1, Opening: moves}},
	}
	results, err := selfplay.NewPool(1).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	g := r.Games[1] // the fouling player is Black
	if g.Outcome != board.WhiteWins || !errors.Is(g.Fault, board.ErrForbidden) || selfplay.FaultKind(g.Fault) != selfplay.FaultForbidden {
		t.Errorf("%v, fault %v", g.Outcome, g.Fault)
	}
	if last := g.Moves[len(g.Moves)-1]; last != board.At(7, 7) || len(g.Moves) != 9 {
		t.Errorf("the last move is %v, not the foul", last)
	}
	if r.Void() || r.Discarded != nil || r.Games[0].Fault != nil {
		t.Errorf("the pair is void %v, discarded %v, faults %v", r.Void(), r.Discarded, r.Games[0].Fault)
	}
}
