package baseline

import (
	"context"
	"testing"

	"quintune/board"
	"quintune/pattern"
)

// BenchmarkMove is the mean time of a move in positions of five, twelve and twenty-two stones with nothing to be
// answered at once, on 15×15 with 1000 nodes where they count.
func BenchmarkMove(b *testing.B) {
	var positions []*board.Board
	for _, text := range []string{"f9i6j9g8f5", "i7i11j9j11g9i9h8j6f10e11i10h10", "o9o7j9j7n6k6i8k7h7g6l8m7l7k8k9l9i6m10n11m8m9k10"} {
		position, err := board.New(15, pattern.Freestyle)
		if err != nil {
			b.Fatal(err)
		}
		moves, err := board.ParseMoves(text)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range moves {
			position.Play(c)
		}
		positions = append(positions, position)
	}
	for _, name := range append(Names(), "huang?depth=0") {
		b.Run(name, func(b *testing.B) { benchmarkMoves(b, name, positions) })
	}
}

func benchmarkMoves(b *testing.B, name string, positions []*board.Board) {
	player, err := Open(name, 15, pattern.Freestyle, 1000)
	if err != nil {
		b.Fatal(err)
	}
	var nodes int64
	for b.Loop() {
		for _, position := range positions {
			reply, err := player.Move(context.Background(), position)
			if err != nil {
				b.Fatal(err)
			}
			nodes += reply.Nodes
		}
	}
	moves := float64(b.N * len(positions))
	b.ReportMetric(1000*b.Elapsed().Seconds()/moves, "ms/move")
	b.ReportMetric(float64(nodes)/moves, "nodes/move")
}
