package player

import (
	"context"
	"io"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
)

func TestClock(t *testing.T) {
	nodes := search.Limits{Nodes: 7}
	free := clock{control: TimeControl{Threads: 2}}
	if free.newGame(); free.limits(nodes) != nodes || free.spend(time.Hour) != nil {
		t.Errorf("%+v without a limit of time", free)
	}
	turn := clock{control: TimeControl{Move: time.Second}}
	if turn.newGame(); turn.limits(nodes) != (search.Limits{Nodes: 7, Time: time.Second}) || turn.spend(time.Hour) != nil {
		t.Errorf("%+v: %+v", turn, turn.limits(nodes))
	}
	game := clock{control: TimeControl{Game: time.Minute, Increment: time.Second}}
	game.newGame()
	if l := game.limits(nodes); l.Time <= l.Optimum || l.Optimum < time.Second || l.Time > 15*time.Second {
		t.Errorf("%+v", l)
	}
	if err := game.spend(time.Minute + lateness); err != nil || game.left != time.Second-lateness {
		t.Errorf("%v are left (%v)", game.left, err)
	}
	err := game.spend(time.Second + time.Millisecond)
	if selfplay.FaultKind(err) != "timeout" || err.Error() != "timeout: the clock of the game is overdrawn by 501 ms" {
		t.Errorf("%v", err)
	}
	if game.newGame(); game.left != time.Minute {
		t.Errorf("a new game begins with %v", game.left)
	}
}

// Every kind of player plays under a clock of the game, with times of its moves.
func TestPlayersUnderAClock(t *testing.T) {
	for _, argument := range []string{"huang", "baseline:sjtu-mcts", engineCommand(t, "sound")} {
		t.Run(argument, func(t *testing.T) {
			p, err := Parse(argument)
			if err != nil {
				t.Fatal(err)
			}
			contestant := p.Contestant(TimeControl{Game: 10 * time.Second, Increment: time.Millisecond, Threads: 2})
			if contestant.Name != p.Name {
				t.Errorf("%s is named %q", argument, contestant.Name)
			}
			player, err := contestant.Open(15, pattern.Freestyle, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := player.NewGame(1); err != nil {
				t.Fatal(err)
			}
			position := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9g7")
			reply, err := player.Move(context.Background(), position)
			if err != nil || position.Legal(reply.Move) != nil || reply.Took <= 0 {
				t.Errorf("%s: %+v (%v)", argument, reply, err)
			}
			if closer, ok := player.(io.Closer); ok {
				if err := closer.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestUnderNodesIsRepeatable(t *testing.T) {
	p, err := Parse("huang")
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Contestant(TimeControl{Threads: 1}); c.Weights != p.Weights || c.Open != nil {
		t.Errorf("%+v", c)
	}
	player, err := p.Contestant(TimeControl{Threads: 2}).Open(15, pattern.Freestyle, 500)
	if err != nil {
		t.Fatal(err)
	}
	if err := player.NewGame(1); err != nil {
		t.Fatal(err)
	}
	if reply, err := player.Move(context.Background(), boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9")); err != nil || reply.Move == board.NoCell {
		t.Errorf("%+v (%v)", reply, err)
	}
}
