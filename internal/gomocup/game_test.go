package gomocup_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/gomocup"
	"quintune/internal/gomocup/gomocuptest"
	"quintune/pattern"
)

func formatGame(r gomocuptest.GameRecord) string {
	m := make([]board.Cell, len(r.Moves))
	for i := range m {
		m[i] = r.Moves[i].Cell
	}
	return board.FormatMoves(m)
}

func TestPlayGame(t *testing.T) {
	five := gomocup.GameLimits{Turn: 5 * time.Second}
	for name, c := range map[string]struct {
		config  gomocuptest.GameConfig
		outcome board.Outcome
		moves   string
	}{
		"black wins":    {gomocuptest.GameConfig{Size: 15, Limits: five}, board.BlackWins, "a1a3b1b3c1c3d1d3e1"},
		"by board":      {gomocuptest.GameConfig{Size: 15, Limits: five, SendByBoard: true}, board.BlackWins, "a1a3b1b3c1c3d1d3e1"},
		"opening":       {gomocuptest.GameConfig{Size: 15, Limits: five, Opening: boardtest.Moves(t, "h8h9")}, board.BlackWins, "h8h9a1a3b1b3c1c3d1d3e1"},
		"white to move": {gomocuptest.GameConfig{Size: 15, Limits: five, Opening: boardtest.Moves(t, "h8h9j9")}, board.WhiteWins, "h8h9j9a3a1b3b1c3c1d3d1e3"},
		"overline is nothing": {
			gomocuptest.GameConfig{Size: 6, Rule: pattern.Standard, Limits: five, Opening: boardtest.Moves(t, "f1f6b1a6c1b6")},
			board.WhiteWins, "f1f6b1a6c1b6a1a3d1b3e1c3a2d3b2e3",
		},
		"draw after":   {gomocuptest.GameConfig{Size: 15, Limits: five, DrawAfter: 4}, board.Draw, "a1a3b1b3"},
		"on the clock": {gomocuptest.GameConfig{Size: 15, Limits: gomocup.GameLimits{Match: 10 * time.Second}}, board.BlackWins, "a1a3b1b3c1c3d1d3e1"},
	} {
		t.Run(name, func(t *testing.T) {
			black, white := gomocup.Player(t, gomocup.RowPlayer(0)), gomocup.Player(t, gomocup.RowPlayer(2))
			for range 2 { // the same engines play again
				r, err := gomocuptest.PlayGame(t.Context(), black, white, c.config)
				if err != nil || r.Fault != nil {
					t.Fatalf("%v, fault %v", err, r.Fault)
				}
				if got := formatGame(r); got != c.moves || r.Outcome != c.outcome {
					t.Errorf("%v by %s, not %v by %s", r.Outcome, got, c.outcome, c.moves)
				}
				for i, m := range r.Moves {
					if m.Elapsed != 0 && i < len(c.config.Opening) {
						t.Errorf("move %d took %v", i, m.Elapsed)
					}
				}
			}
		})
	}
}

// The opening comes as BOARD, later moves as TURN; with SendByBoard everything comes as BOARD.
func TestPlayGameCommands(t *testing.T) {
	one, two := boardtest.Moves(t, "h8"), boardtest.Moves(t, "h8h9")
	for want, c := range map[string]gomocuptest.GameConfig{
		"TURN 0,2 TURN 1,2":                             {DrawAfter: 4},
		"BOARD 0,2,2 DONE BOARD 0,2,2 0,0,1 1,2,2 DONE": {DrawAfter: 4, SendByBoard: true},
		"BOARD 7,7,2 DONE TURN 0,2":                     {DrawAfter: 4, Opening: one},
		"BOARD 7,7,2 DONE BOARD 7,7,2 0,0,1 0,2,2 DONE": {DrawAfter: 4, Opening: one, SendByBoard: true},
		"BOARD 7,7,2 7,8,1 0,2,2 DONE TURN 1,2":         {DrawAfter: 6, Opening: two},
	} {
		t.Run(want, func(t *testing.T) {
			var heard strings.Builder
			black, white := gomocup.Player(t, gomocup.RowPlayer(2)), gomocup.Overheard(t, gomocup.RowPlayer(0), &heard)
			c.Size = 15
			if _, err := gomocuptest.PlayGame(t.Context(), black, white, c); err != nil {
				t.Fatal(err)
			}
			_, got, _ := strings.Cut(strings.ReplaceAll(heard.String(), "\n", " "), "timeout_match 0 ")
			if strings.TrimSpace(got) != want {
				t.Errorf("%+v: heard %q, not %q", c, got, want)
			}
		})
	}
}

func TestPlayGameOnAFullBoard(t *testing.T) {
	// columns of two against two in turn: no five on a board of five
	order := boardtest.Moves(t, "a1b1c1d1e1a2b2c2d2e2b3a3d3c3a4e3c4b4e4d4a5b5c5d5e5")
	inOrder := func() gomocup.Engine {
		return gomocup.MovePlayer(func(p gomocup.Position) (board.Cell, error) { return order[len(p.Stones)], nil })
	}
	black, white := gomocup.Player(t, inOrder()), gomocup.Player(t, inOrder())
	r, err := gomocuptest.PlayGame(t.Context(), black, white, gomocuptest.GameConfig{Size: 5})
	if err != nil || r.Fault != nil || r.Outcome != board.Draw || len(r.Moves) != 25 {
		t.Errorf("%v, %v after %s, fault %v", err, r.Outcome, formatGame(r), r.Fault)
	}
}

func TestPlayGameAgainstFaults(t *testing.T) {
	const brief, patient = 200 * time.Millisecond, time.Minute // as in TestFaults
	for behaviour, want := range map[string]gomocup.FaultKind{
		"crash": gomocup.FaultCrash, "hang": gomocup.FaultTimeout, "same": gomocup.FaultIllegal, "outside": gomocup.FaultIllegal, "error": gomocup.FaultProtocol, "dead": gomocup.FaultCrash,
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			tolerance := patient
			if want == gomocup.FaultTimeout {
				tolerance = brief
			}
			bad, err := gomocup.Launch(gomocup.LaunchLine(t, behaviour), gomocup.ClientOptions{Tolerance: tolerance})
			if err != nil {
				t.Fatal(err)
			}
			defer bad.Kill()
			good := gomocup.Player(t, gomocup.MovePlayer(nil))
			r, err := gomocuptest.PlayGame(t.Context(), good, bad, gomocuptest.GameConfig{Size: 15, Limits: gomocup.GameLimits{Turn: 50 * time.Millisecond}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Fault == nil || r.Fault.Kind != want || r.FaultBy != board.White || r.Outcome != board.BlackWins {
				t.Errorf("%v, fault %v by %v; want %v", r.Outcome, r.Fault, r.FaultBy, want)
			}
			if moves := formatGame(r); moves != "h8" && behaviour != "dead" {
				t.Errorf("moves %s", moves)
			}
			if !good.Alive() {
				t.Error("the engine without a fault was ended")
			}
		})
	}
}

func TestPlayGameRefusesBadConfigurations(t *testing.T) {
	black, white := gomocup.Player(t, gomocup.MovePlayer(nil)), gomocup.Player(t, gomocup.MovePlayer(nil))
	for part, c := range map[string]gomocuptest.GameConfig{
		"size":         {Size: 3},
		"move 2":       {Size: 15, Opening: boardtest.Moves(t, "h8h8")},
		"game is over": {Size: 15, Opening: boardtest.Moves(t, "a1a2b1b2c1c2d1d2e1")},
	} {
		t.Run(part, func(t *testing.T) {
			if _, err := gomocuptest.PlayGame(t.Context(), black, white, c); err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v: %v", c, err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gomocuptest.PlayGame(ctx, black, white, gomocuptest.GameConfig{Size: 15}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestTwoProcessesPlay(t *testing.T) {
	var clients [2]*gomocup.Client
	for i := range clients {
		c, err := gomocup.Launch(gomocup.LaunchLine(t, "good"), gomocup.ClientOptions{Tolerance: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Kill()
		clients[i] = c
	}
	r, err := gomocuptest.PlayGame(t.Context(), clients[0], clients[1], gomocuptest.GameConfig{Size: 15, Opening: boardtest.Moves(t, "a1"), Limits: gomocup.GameLimits{Turn: time.Second}})
	if err != nil || r.Fault != nil || r.Outcome == board.Ongoing {
		t.Fatalf("%v, %+v", err, r)
	}
	for _, c := range clients {
		if err := c.Quit(); err != nil {
			t.Errorf("Quit: %v", err)
		}
	}
}
