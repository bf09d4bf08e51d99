package review

import (
	"context"
	"math/rand/v2"
	"testing"

	"quintune/board"
	"quintune/internal/record"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// No move of a game that the engine plays against itself is called bad where it starts a win that the solvers prove, and
// none for a loss of 0 %.
func TestNoWinningMoveIsMarked(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 4))
	set, err := weights.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for n := range selfPlayGames {
		rule := pattern.Rule(n % pattern.NumRules)
		engine, err := search.NewEngine(set, 15, rule, search.Options{})
		if err != nil {
			t.Fatal(err)
		}
		game := selfPlayed(t, engine, rule, rng)
		r, err := Game(context.Background(), engine, set, game, Limits{Search: search.Limits{Nodes: 300}, VCF: 2000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for ply := range r.Notes {
			marked += checkNote(t, engine, game, ply, &r.Notes[ply])
		}
	}
	if marked == 0 {
		t.Error("no move of any game is marked")
	}
	t.Logf("%d moves of %d games are marked", marked, selfPlayGames)
}

// checkNote checks one note by solvers of its own and returns 1 where the move is marked.
func checkNote(t *testing.T, engine *search.Engine, game *record.Game, ply int, n *Note) int {
	t.Helper()
	if n.Verdict == Fine {
		return 0
	}
	b, err := game.Board(ply)
	if err != nil {
		t.Fatal(err)
	}
	played := game.Moves[ply].Cell
	if n.Loss < .01 {
		t.Errorf("%s, move %v: a %s for a loss of %v", board.FormatMoves(b.Moves()), played, n.Verdict, n.Loss)
	}
	for name, solve := range map[string]func(context.Context, *board.Board, int64) search.Solution{"VCF": engine.SolveVCF, "VCT": engine.SolveVCT} {
		if s := solve(context.Background(), b, 5000); s.Win && s.Line[0] == played {
			t.Errorf("%s: %v starts a win by %s in %d plies and is called a %s", board.FormatMoves(b.Moves()), played, name, s.Plies, n.Verdict)
		}
	}
	return 1
}

// selfPlayed returns a game of the engine against itself after three stones drawn near the middle, at a low level, where
// it errs.
func selfPlayed(t *testing.T, engine *search.Engine, rule pattern.Rule, rng *rand.Rand) *record.Game {
	t.Helper()
	b, err := board.New(15, rule)
	if err != nil {
		t.Fatal(err)
	}
	engine.NewGame()
	game := &record.Game{Size: 15, Rule: rule}
	for b.Outcome() == board.Ongoing && b.Ply() < 60 {
		var c board.Cell
		if b.Ply() < 3 {
			if c = board.At(5+rng.IntN(5), 5+rng.IntN(5)); b.Legal(c) != nil {
				continue
			}
		} else {
			r, err := engine.SearchLevel(context.Background(), b, 4, search.Limits{Nodes: 300}, rng.Uint64())
			if err != nil {
				t.Fatal(err)
			}
			c = r.Best
		}
		game.Moves = append(game.Moves, record.Move{Cell: c})
		b.Play(c)
	}
	game.Outcome = b.Outcome()
	return game
}
