package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/record"
	"quintune/internal/review"
	"quintune/search"
	"quintune/weights/weightstest"
)

// In blunderGame White does not answer a three, which becomes a four.
const blunderGame = "h8a1i8a15j8o1k8o15l8"

func TestReviewText(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "game.txt", blunderGame)
	out, log, status := play(t, "", "analyze", "game.txt", "--weights", "huang", "--nodes", "2000", "--json")
	if status != 0 {
		t.Fatalf("status %d, %s", status, log)
	}
	for _, part := range []string{
		"unknown (black) against unknown (white), freestyle, black wins (board)\n", "\n   9  black  l8    win in 1 ply\n", "\nblunders: black ", "\n{\"best\":null,\"game\":{\"size\":15,",
	} {
		t.Run(part, func(t *testing.T) {
			if !strings.Contains(out, part) {
				t.Errorf("%q is missing in\n%s", part, out)
			}
		})
	}
}

func TestReviewJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	a := analyse(t, "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,9,5\r\n", "-", "--nodes", "2000")
	game := a["game"].(map[string]any)
	moves := game["moves"].([]any)
	if len(moves) != 2 || a["best"] == nil || a["score"] == nil || game["result"] != "ongoing" || game["rule"] != "freestyle" {
		t.Fatalf("%v", a)
	}
	second := moves[1].(map[string]any)
	for key, want := range map[string]any{"ply": 2.0, "side": "white", "move": "i9", "win": nil, "missed_vcf": nil} {
		if second[key] != want {
			t.Errorf("%s is %v, want %v", key, second[key], want)
		}
	}
}

// The speed is that of all searches, not of the last position's.
func TestReviewSpeed(t *testing.T) {
	games, err := record.Parse([]byte("h8i9"), record.Plain, record.DefaultConditions())
	if err != nil {
		t.Fatal(err)
	}
	found := &review.Review{Notes: make([]review.Note, 2), Last: &search.Result{Nodes: 300}, Nodes: 1200}
	last, err := games[0].Board(2)
	if err != nil {
		t.Fatal(err)
	}
	r := newGameReview(found, weightstest.Preset(t, "huang"), &games[0], last, 2*time.Second)
	if r.Nodes != 300 || r.NPS != 600 {
		t.Errorf("%d nodes, %d a second, want 300 and 600", r.Nodes, r.NPS)
	}
}

func TestReviewSGF(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, args := range map[string][]string{
		"moves": {"analyze", "--moves", blunderGame, "--format", "sgf", "--nodes", "2000", "--weights", "huang"},
		"stdin": {"analyze", "-", "--format", "sgf", "--nodes", "2000", "--weights", "huang"},
	} {
		t.Run(name, func(t *testing.T) {
			out, log, status := play(t, blunderGame, args...)
			if status != 0 {
				t.Fatalf("%s: status %d, %s", name, status, log)
			}
			games, err := record.Parse([]byte(out), record.SGF, record.DefaultConditions())
			if err != nil || len(games) != 1 || board.FormatMoves(games[0].Cells()) != blunderGame {
				t.Fatalf("%s: %+v (%v)", name, games, err)
			}
			for i, m := range games[0].Moves {
				if m.Score == nil && m.Win == 0 {
					t.Errorf("%s: move %d has no score", name, i+1)
				}
			}
		})
	}
}

func TestReviewEndsWithItsContext(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx := cancelled()
	out, _, status := playIn(t, ctx, strings.NewReader(blunderGame), "analyze", "-")
	if status != 130 || out != "" {
		t.Errorf("status %d, %q", status, out)
	}
}

// cancelled returns a context that has ended.
func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
