//go:build system

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/pattern"
)

// The measurement of 200 games at 100 ms a move is
//
//	go test -tags system -count=1 -v -timeout 5h -run TestManager ./cmd/play -args -games 200 -move 100ms -grace 1s
//
// with the tolerance of GomocupJudge; without it a busy machine cannot fail the test.
var (
	games = flag.Int("games", 4, "games that TestManagerPlaysGames plays")
	move  = flag.Duration("move", 20*time.Millisecond, "time of a move in TestManagerPlaysGames")
	grace = flag.Duration("grace", 20*time.Second, "what TestManagerPlaysGames adds to the time of a move before it is a loss")
)

// build compiles the program under a name that makes it an engine, and returns its path.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "pbrain-quintune")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// TestManagerPlaysGames lets the built program play itself under our manager: boards of 15 and 20,
// both rules, every game from another opening, no fault allowed. One process a side plays all games.
func TestManagerPlaysGames(t *testing.T) {
	command := fmt.Sprintf(`"%s"`, build(t))
	var players [2]*gomocup.Client
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
	var times []time.Duration
	outcomes := map[board.Outcome]int{}
	for game := range *games {
		config := gomocup.GameConfig{
			Size: []int{15, 20}[game%2], Rule: []pattern.Rule{pattern.Freestyle, pattern.Standard}[game/2%2],
			Limits: gomocup.GameLimits{Turn: *move}, SendByBoard: game%8 >= 4,
		}
		config.Opening = opening(t, game, config.Size, config.Rule)
		record, err := gomocup.PlayGame(context.Background(), players[game%2], players[1-game%2], config)
		if err != nil {
			t.Fatal(err)
		}
		if record.Fault != nil {
			t.Fatalf("game %d, %d %v: %v by %v after %d moves", game, config.Size, config.Rule, record.Fault, record.FaultBy, len(record.Moves))
		}
		outcomes[record.Outcome]++
		for _, m := range record.Moves[len(config.Opening):] {
			times = append(times, m.Elapsed)
		}
	}
	slices.Sort(times)
	late := len(times) - lastWithin(times, *move)
	t.Logf("%d games, %d moves: median %v, 99 %% %v, longest %v, %d beyond the limit of %v; %v",
		*games, len(times), times[len(times)/2], times[len(times)*99/100], times[len(times)-1], late, *move, outcomes)
}

// lastWithin counts the times, in rising order, that are not above the limit.
func lastWithin(times []time.Duration, limit time.Duration) int {
	n, _ := slices.BinarySearch(times, limit+1)
	return n
}

// opening returns a few random stones near the centre, another list for each game.
func opening(t *testing.T, game, size int, rule pattern.Rule) []board.Cell {
	t.Helper()
	b, err := board.New(size, rule)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(8, uint64(game)))
	for range game % 6 {
		near := b.Near(nil)
		b.Play(near[rng.IntN(len(near))])
	}
	return b.Moves()
}

// TestInterrupt stops a thinking engine with Ctrl-C's signal.
func TestInterrupt(t *testing.T) {
	cmd := exec.Command(build(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "START 15\nINFO timeout_turn 60000\nBEGIN\nTURN 0,0\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(answers).ReadString('\n'); err != nil || line != "OK\n" {
		t.Fatalf("%q (%v)", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("the program ended with %v, want status 130", err)
	}
}
