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
	"quintune/pattern"
)

// The measurement of 2 000 games at 50 ms a move is
//
//	go test -tags system -count=1 -v -timeout 5h -run TestManager ./cmd/play -args -games 2000 -move 50ms -grace 1s -tables 2
//
// with the tolerance of GomocupJudge; without -grace a busy machine cannot fail the test. The engine for
// Windows plays 20 games with -args -games 20 -engine "wine pbrain-quintune64.exe" where wine is installed.
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

// tournament is what TestManagerPlaysGames counts.
type tournament struct {
	mu       sync.Mutex
	begun    int
	played   int
	outcomes map[board.Outcome]int
	times    []time.Duration // of all moves
	peak     int64           // bytes that a process has held
}

// TestManagerPlaysGames lets the built program play itself under our manager: boards of 15 and 20,
// all rules, every game from another opening, no fault allowed, memory below Gomocup's limit. One
// process a side and table plays all games.
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

// launchPair starts two engines, to be ended with the test.
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

// next returns the number of the next game, -1 when there is none to begin.
func (a *tournament) next(end time.Time) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.begun == *games || time.Now().After(end) {
		return -1
	}
	a.begun++
	return a.begun - 1
}

// play plays a game; a fault is an error of the test.
func (a *tournament) play(t *testing.T, players [2]*gomocup.Client, game int) {
	config := gomocup.GameConfig{
		Size: []int{15, 20}[game%2], Rule: pattern.Rule(game / 2 % pattern.NumRules),
		Limits: gomocup.GameLimits{Turn: *move, Memory: tournamentLimit}, SendByBoard: game%8 >= 4,
	}
	config.Opening = opening(game, config.Size, config.Rule)
	record, err := gomocup.PlayGame(context.Background(), players[game%2], players[1-game%2], config)
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
	for _, p := range players {
		if peak, ok := p.PeakMemory(); ok {
			a.peak = max(a.peak, peak)
		}
	}
}

// lastWithin counts the times, in rising order, that are not above the limit.
func lastWithin(times []time.Duration, limit time.Duration) int {
	n, _ := slices.BinarySearch(times, limit+1)
	return n
}

// opening returns a few random stones near the centre, another list for each game.
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
