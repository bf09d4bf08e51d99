package player

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/baseline"
	"quintune/pattern"
	"quintune/search"
)

func TestParseBaselines(t *testing.T) {
	for _, name := range baseline.Names() {
		p, err := Parse("baseline:" + name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		unit, err := baseline.Unit(name)
		if err != nil || p.Unit != unit {
			t.Errorf("%s counts %q (%v), want %q", name, p.Unit, err, unit)
		}
		if p.Weights != nil || p.External() || p.Contestant(TimeControl{}).Open == nil || p.Name != "baseline:"+name {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestBaselinesPlay(t *testing.T) {
	for _, name := range baseline.Names() {
		for _, move := range []time.Duration{0, time.Millisecond} {
			r := playMatch(t, "baseline:"+name, "baseline:random", move)
			for i, g := range r.Games {
				if g.Fault != nil {
					t.Errorf("%s, time %v: game %d: %v after %s", name, move, i, g.Fault, board.FormatMoves(g.Moves))
				}
			}
		}
	}
}

func TestBaselineRefusesOnOpening(t *testing.T) {
	p, err := Parse("baseline:zhang")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(15, pattern.Standard, search.Limits{Nodes: 1}); err == nil || !strings.Contains(err.Error(), "zhang does not play standard") {
		t.Errorf("%v", err)
	}
}

// A limit of time ends a search that has no other, and is not a fault; a context that ends is.
func TestBaselineUnderTime(t *testing.T) {
	p, err := Parse("baseline:sjtu-mcts")
	if err != nil {
		t.Fatal(err)
	}
	player, err := p.Open(15, pattern.Freestyle, search.Limits{Time: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	position := boardtest.SetUp(t, 15, pattern.Freestyle, "h8i9g7")
	start := time.Now()
	reply, err := player.Move(context.Background(), position)
	if err != nil || position.Legal(reply.Move) != nil || reply.Nodes == 0 {
		t.Errorf("%+v (%v)", reply, err)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("the move took %v", took)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := player.Move(ended, position); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want the context's", err)
	}
}
