//go:build system

package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/internal/gomocup/gomocuptest"
	"quintune/pattern"
)

// This command plays 2 000 games at 50 ms a move:
//
//	go test -tags system -count=1 -v -timeout 5h -run TestManager ./cmd/play -args -games 2000 -move 50ms -grace 1s -tables 2
//
// It has the tolerance of GomocupJudge. Without -grace, late moves on a busy machine do not fail the test. Where
// wine is installed, -args -games 20 -engine "wine pbrain-quintune64.exe" plays 20 games of the engine for
// Windows.
var (
	games  = flag.Int("games", 4, "games that TestManagerPlaysGames plays")
	move   = flag.Duration("move", 20*time.Millisecond, "time of a move in TestManagerPlaysGames")
	grace  = flag.Duration("grace", 20*time.Second, "what TestManagerPlaysGames adds to the time of a move before it is a loss")
	tables = flag.Int("tables", 1, "games that TestManagerPlaysGames plays at the same time")
	engine = flag.String("engine", "", "command line of the engine that plays itself in TestManagerPlaysGames; without it the program is built")
	period = flag.Duration("period", 24*time.Hour, "after which TestManagerPlaysGames begins no game")
)

// tournamentLimit is Gomocup's limit of a process, bytes.
const tournamentLimit = 350 << 20

// tournament holds the counts of TestManagerPlaysGames.
type tournament struct {
	mu       sync.Mutex
	begun    int
	played   int
	outcomes map[board.Outcome]int
	times    []time.Duration // of all moves
	peak     int64           // most bytes that a process has used
}

// TestManagerPlaysGames lets the built program play itself under our manager, on boards of 15 and 20 and under
// all rules. Every game has another opening. No fault is allowed, and memory must stay below Gomocup's limit.
// One process for each side and table plays all games.
func TestManagerPlaysGames(t *testing.T) {
	command := *engine
	if command == "" {
		command = fmt.Sprintf(`"%s"`, build(t))
	}
	all := tournament{outcomes: map[board.Outcome]int{}}
	end := time.Now().Add(*period)
	var running sync.WaitGroup
	for range *tables {
		players := launchPair(t, command)
		running.Go(func() {
			for game := all.next(end); game >= 0 && !t.Failed(); game = all.next(end) {
				all.play(t, players, game)
			}
		})
	}
	running.Wait()
	slices.Sort(all.times)
	if runtime.GOOS == "linux" && (all.peak == 0 || all.peak > tournamentLimit) {
		t.Errorf("a process held %d bytes of %d", all.peak, int64(tournamentLimit))
	}
	late := len(all.times) - lastWithin(all.times, *move)
	t.Logf("%d games, %d moves: median %v, 99 %% %v, longest %v, %d beyond the limit of %v; %v; at most %d MiB a process",
		all.played, len(all.times), all.times[len(all.times)/2], all.times[len(all.times)*99/100], all.times[len(all.times)-1],
		late, *move, all.outcomes, all.peak>>20)
}

// launchPair starts two engines that end with the test.
func launchPair(t *testing.T, command string) (players [2]*gomocup.Client) {
	t.Helper()
	for i := range players {
		client, err := gomocup.Launch(command, gomocup.ClientOptions{Dir: t.TempDir(), Tolerance: *grace})
		if err != nil {
			t.Fatal(err)
		}
		players[i] = client
		t.Cleanup(func() {
			if err := client.Quit(); err != nil {
				t.Error(err)
			}
		})
	}
	return players
}

// next returns the number of the next game, -1 after the last one.
func (a *tournament) next(end time.Time) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.begun == *games || time.Now().After(end) {
		return -1
	}
	a.begun++
	return a.begun - 1
}

// play plays a game. A fault fails the test.
func (a *tournament) play(t *testing.T, players [2]*gomocup.Client, game int) {
	config := gomocuptest.GameConfig{
		Size: []int{15, 20}[game%2], Rule: pattern.Rule(game / 2 % pattern.NumRules),
		Limits: gomocup.GameLimits{Turn: *move, Memory: tournamentLimit}, SendByBoard: game%8 >= 4,
	}
	config.Opening = opening(game, config.Size, config.Rule)
	record, err := gomocuptest.PlayGame(context.Background(), players[game%2], players[1-game%2], config)
	if err != nil {
		t.Error(err)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if record.Fault != nil {
		t.Errorf("game %d, %d %v: %v by %v after %d moves", game, config.Size, config.Rule, record.Fault, record.FaultBy, len(record.Moves))
	}
	a.played++
	a.outcomes[record.Outcome]++
	for _, m := range record.Moves[len(config.Opening):] {
		a.times = append(a.times, m.Elapsed)
	}
	a.peak = max(a.peak, gomocuptest.PeakMemory())
}

// lastWithin counts the times up to the limit; times are sorted in ascending order.
func lastWithin(times []time.Duration, limit time.Duration) int {
	n, _ := slices.BinarySearch(times, limit+1)
	return n
}

// opening returns a few random stones near the centre, different for each game.
func opening(game, size int, rule pattern.Rule) []board.Cell {
	b, err := board.New(size, rule)
	if err != nil {
		panic(err)
	}
	rng := rand.New(rand.NewPCG(8, uint64(game)))
	for range game % 6 {
		near := slices.DeleteFunc(b.Near(nil), func(c board.Cell) bool { return b.Legal(c) != nil })
		b.Play(near[rng.IntN(len(near))])
	}
	return b.Moves()
}
