package ladder

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/book"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/selfplay"
)

// lots is a player that chooses its moves at random among the cells near stones, and completes a five where it sees one
// in the given hundredths of the cases; failing makes it fail at its first move of every game.
type lots struct {
	skill   int
	failing bool
	game    uint64
}

func (p *lots) NewGame(seed uint64) error {
	p.game = seed
	return nil
}

func (p *lots) Move(ctx context.Context, b *board.Board) (selfplay.Reply, error) {
	if p.failing {
		return selfplay.Reply{}, &selfplay.Fault{Kind: "crash", Text: "it never works"}
	}
	rng := stream.New(p.game, "ply %d", b.Ply())
	cells := b.Near(nil)
	if fives := b.AtLeast(b.SideToMove(), pattern.CellFive, nil); len(fives) > 0 && rng.IntN(100) < p.skill {
		cells = fives
	}
	return selfplay.Reply{Move: cells[rng.IntN(len(cells))], Nodes: 1}, nil
}

// contestant returns a player of the ladder; skill below 0 is one that fails.
func contestant(name string, skill int) Player {
	return Player{Argument: name, Name: name, Identity: fmt.Sprint("skill ", skill), Unit: "cells", Contestant: selfplay.Contestant{
		Open: func(int, pattern.Rule, int64) (selfplay.Player, error) {
			return &lots{skill: skill, failing: skill < 0}, nil
		},
	}}
}

// testConfig returns a ladder of three on a board of 9.
func testConfig(pairs int) Config {
	b := &book.Book{Rule: pattern.Freestyle, Size: 9}
	for i := range 40 {
		moves := []board.Cell{board.At(4, 4), board.At(i%9, i/9), board.At(8, 8)}
		b.Openings = append(b.Openings, book.Opening{Moves: moves, Key: uint64(i)})
	}
	return Config{
		Players:  []Player{contestant("good", 90), contestant("middling", 40), contestant("poor", 0)},
		Gauntlet: AllPlayAll, Pairs: pairs, Size: 9, Nodes: 5, Seed: 3, Book: b, Engine: "test",
	}
}

func mustNew(t *testing.T, c Config) *Ladder {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// play plays the ladder with a journal at the path; "" is without.
func play(ctx context.Context, t *testing.T, l *Ladder, path string, workers int, watch func()) error {
	t.Helper()
	var j *Journal
	if path != "" {
		var err error
		if j, err = l.OpenFile(path); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		}()
	}
	return l.Play(ctx, selfplay.NewPool(workers), j, watch)
}

// standing plays the ladder to its end and returns how it stands.
func standing(t *testing.T, c Config, path string, workers int) *Standing {
	t.Helper()
	l := mustNew(t, c)
	if err := play(t.Context(), t, l, path, workers, nil); err != nil {
		t.Fatal(err)
	}
	s, err := l.Standing(0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPairings(t *testing.T) {
	c := testConfig(4)
	for _, test := range []struct {
		gauntlet int
		want     []Pairing
	}{
		{AllPlayAll, []Pairing{{0, 1}, {0, 2}, {1, 2}}},
		{0, []Pairing{{0, 1}, {0, 2}}},
		{1, []Pairing{{1, 0}, {1, 2}}},
		{2, []Pairing{{2, 0}, {2, 1}}},
	} {
		t.Run(fmt.Sprintf("gauntlet %d", test.gauntlet), func(t *testing.T) {
			c.Gauntlet = test.gauntlet
			l := mustNew(t, c)
			if !slices.Equal(l.pairings, test.want) {
				t.Errorf("gauntlet %d: %v, want %v", test.gauntlet, l.pairings, test.want)
			}
			if _, all := l.Pairs(); all != 4*len(test.want) {
				t.Errorf("gauntlet %d: %d pairs, want %d", test.gauntlet, all, 4*len(test.want))
			}
		})
	}
}

// No opening comes twice in a pairing, and every pairing has openings of its own.
func TestOpeningsAreDrawnForEveryPairing(t *testing.T) {
	l := mustNew(t, testConfig(20))
	for i, openings := range l.openings {
		seen := map[uint64]bool{}
		for _, o := range openings {
			if seen[o.Key] {
				t.Errorf("pairing %d has opening %d twice", i, o.Key)
			}
			seen[o.Key] = true
		}
	}
	if reflect.DeepEqual(l.openings[0], l.openings[1]) {
		t.Error("two pairings have the same openings")
	}
}

func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"one player":        {func(c *Config) { c.Players = c.Players[:1] }, "1 players, fewer than 2"},
		"a player twice":    {func(c *Config) { c.Players[2] = c.Players[0] }, "good is given twice"},
		"gauntlet":          {func(c *Config) { c.Gauntlet = 3 }, "player 3, outside [0, 3)"},
		"no pairs":          {func(c *Config) { c.Pairs = 0 }, "0 pairs"},
		"no limit":          {func(c *Config) { c.Nodes = 0 }, "either a limit of nodes or one of time"},
		"two limits":        {func(c *Config) { c.TimeControl.Move = 1 }, "either a limit of nodes or one of time"},
		"too few openings":  {func(c *Config) { c.Pairs = 41 }, "only 40"},
		"nobody at anchor":  {nil, "player 9, outside [0, 3)"},
		"before the anchor": {nil, "player -1, outside [0, 3)"},
	} {
		t.Run(name, func(t *testing.T) {
			c := testConfig(2)
			var err error
			if test.change != nil {
				test.change(&c)
				_, err = New(c)
			} else {
				_, err = mustNew(t, c).Standing(map[bool]int{true: 9, false: -1}[name == "nobody at anchor"])
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: error %v, want %q", name, err, test.want)
			}
		})
	}
}

// The standing is the same for any number of workers, after any interruptions, and when fewer pairs were played
// first.
func TestStandingDependsOnTheConfigurationAlone(t *testing.T) {
	const pairs = 12
	want := standing(t, testConfig(pairs), "", 1)
	if want.Finished != 3*pairs || want.Rungs[0].Player != "good" || want.Rungs[2].Player != "poor" {
		t.Fatalf("%+v", want)
	}
	if got := standing(t, testConfig(pairs), "", 4); !reflect.DeepEqual(got, want) {
		t.Errorf("four workers: %+v, want %+v", got, want)
	}
	path := filepath.Join(t.TempDir(), "runs", "ladder.jsonl")
	standing(t, testConfig(pairs/2), path, 2)
	for range 3 {
		l := mustNew(t, testConfig(pairs))
		ctx, stop := context.WithCancel(t.Context())
		left := 3
		err := play(ctx, t, l, path, 2, func() {
			if left--; left == 0 {
				stop()
			}
		})
		stop()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v, want an interruption", err)
		}
	}
	l := mustNew(t, testConfig(pairs))
	j, err := l.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if finished, _ := l.Pairs(); finished < 3*pairs/2+9 || finished >= 3*pairs {
		t.Errorf("%d pairs are kept, want %d or more of %d", finished, 3*pairs/2+9, 3*pairs)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := standing(t, testConfig(pairs), path, 3); !reflect.DeepEqual(got, want) {
		t.Errorf("in pieces: %+v, want %+v", got, want)
	}
	games := 0
	again := mustNew(t, testConfig(pairs))
	if err := play(t.Context(), t, again, path, 1, func() { games++ }); err != nil || games > 0 {
		t.Errorf("a finished ladder is played on: %d pairs (%v)", games, err)
	}
}

// Fewer pairs than the journal holds are the first ones of them.
func TestFewerPairsAreTheFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ladder.jsonl")
	standing(t, testConfig(8), path, 1)
	want := standing(t, testConfig(5), "", 1)
	if got := standing(t, testConfig(5), path, 1); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Records hold every game with its players and its opening, pairing by pairing.
func TestGamesAreWrittenDown(t *testing.T) {
	l := mustNew(t, testConfig(2))
	if err := play(t.Context(), t, l, "", 2, nil); err != nil {
		t.Fatal(err)
	}
	games := l.Games()
	if len(games) != 12 {
		t.Fatalf("%d games, want 12", len(games))
	}
	for i, g := range games {
		p, pair := l.pairings[i/4], i/2%2
		want := [2]string{l.config.Players[p.A].Name, l.config.Players[p.B].Name}
		if i%2 == 1 {
			want[0], want[1] = want[1], want[0]
		}
		opening := l.openings[i/4][pair].Moves
		if g.Players != want || g.Opening != len(opening) || !slices.Equal(g.Cells()[:g.Opening], opening) || g.Outcome == board.Ongoing {
			t.Errorf("game %d: %+v, want players %v from the opening %v to an end", i, g, want, opening)
		}
	}
}
