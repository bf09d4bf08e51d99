//go:build unix

package cluster

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"quintune/board"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// noPlay returns a result for every pair without playing it.
type noPlay struct{}

func (noPlay) Run(_ context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results := make([]selfplay.Result, len(b.Pairings))
	for i := range results {
		moves := slices.Clone(b.Pairings[i].Opening)
		for cell := board.At(0, 0); len(moves) == len(b.Pairings[i].Opening); cell++ {
			if !slices.Contains(moves, cell) {
				moves = append(moves, cell)
			}
		}
		for g := range results[i].Games {
			results[i].Games[g] = selfplay.Game{Outcome: board.BlackWins, Moves: moves, Adjudicated: true}
		}
	}
	return results, nil
}

// processorTime returns the processor time of this process on all cores.
func processorTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkTasks sends tasks of one pair each that are not played, so all of the time is overhead. The workers
// run in this process too, so the time of both sides counts: ms/task is elapsed time, cpu-ms/task processor
// time.
func BenchmarkTasks(b *testing.B) {
	const tasks = 10_000
	for _, way := range []struct{ name, listen string }{{"in-process", ""}, {"tcp", "127.0.0.1:0"}} {
		b.Run(way.name, func(b *testing.B) {
			timing := Timing{Task: 1, Slack: time.Minute}.withDefaults()
			c := open(b, Config{Listen: way.listen, Timing: timing, Log: slog.New(slog.DiscardHandler)})
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan error)
			go func() {
				config := WorkerConfig{
					URL: c.Address(), Jobs: 32, Name: "none", Log: slog.New(slog.DiscardHandler),
					Player: func() selfplay.Runner { return noPlay{} },
				}
				l := link{url: config.URL}
				if way.listen == "" {
					l = link{local: c.server.inner}
				}
				ended <- newWorker(&config).work(ctx, l)
			}()
			if _, err := c.Ready(ctx); err != nil {
				b.Fatal(err)
			}
			c.judge = noPlay{}
			c.each = time.Nanosecond // a short known time of a pair, but still one pair a task
			batch := &selfplay.Batch{
				Contestants: []selfplay.Contestant{{Weights: weightstest.Preset(b, "huang")}},
				Rule:        pattern.Freestyle, Size: 15, Nodes: 1,
			}
			for range tasks {
				batch.Pairings = append(batch.Pairings, selfplay.Pairing{Opening: []board.Cell{board.At(7, 7)}})
			}
			used := processorTime(b)
			for b.Loop() {
				c.each = time.Nanosecond
				if _, err := c.Run(ctx, batch, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime(b)-used).Seconds()*1e3/tasks/float64(b.N), "cpu-ms/task")
			b.ReportMetric(b.Elapsed().Seconds()*1e3/tasks/float64(b.N), "ms/task")
			stop()
			if err := <-ended; err != nil {
				b.Error(err)
			}
		})
	}
}

// BenchmarkResults decodes, replays and hashes results of real pairs as the coordinator does. cpu-µs/pair is
// processor time.
func BenchmarkResults(b *testing.B) {
	const pairs = 8
	batch := &selfplay.Batch{
		Contestants: []selfplay.Contestant{{Weights: weightstest.Preset(b, "huang")}, {Weights: weightstest.Preset(b, "zhang")}},
		Rule:        pattern.Freestyle, Size: 15, Nodes: 1000,
	}
	for i := range pairs {
		opening := []board.Cell{board.At(7, 7), board.At(5+i%4, 8), board.At(9, 5+i/4)}
		batch.Pairings = append(batch.Pairings, selfplay.Pairing{A: 0, B: 1, Opening: opening, Seed: uint64(i)})
	}
	var sent answer
	plies := 0
	for i, r := range byPool(b, batch) {
		sent.Pairs = append(sent.Pairs, send(i, &r, batch))
		plies += len(r.Games[0].Moves) + len(r.Games[1].Moves)
	}
	data, err := json.Marshal(&sent)
	if err != nil {
		b.Fatal(err)
	}
	position, err := board.New(batch.Size, batch.Rule)
	if err != nil {
		b.Fatal(err)
	}
	used := processorTime(b)
	for b.Loop() {
		var a answer
		if err := json.Unmarshal(data, &a); err != nil {
			b.Fatal(err)
		}
		for i := range a.Pairs {
			if _, err := receive(&a.Pairs[i], batch, position); err != nil {
				b.Fatal(err)
			}
			digestOf(&a.Pairs[i])
		}
	}
	b.ReportMetric((processorTime(b)-used).Seconds()*1e6/pairs/float64(b.N), "cpu-µs/pair")
	b.ReportMetric(float64(plies)/pairs, "plies/pair")
	b.ReportMetric(float64(len(data))/pairs, "bytes/pair")
}
