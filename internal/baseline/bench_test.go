package baseline

import (
	"context"
	"testing"

	"quintune/board"
	"quintune/pattern"
)

// BenchmarkMove is the time of a move in a quiet position of twelve stones, with 1000 nodes where they count.
func BenchmarkMove(b *testing.B) {
	position, err := board.New(15, pattern.Freestyle)
	if err != nil {
		b.Fatal(err)
	}
	moves, err := board.ParseMoves("h8i9g7i7i8g8j10h10f9k6e6l9")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range moves {
		position.Play(c)
	}
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			player, err := Open(name, 15, pattern.Freestyle, 1000)
			if err != nil {
				b.Fatal(err)
			}
			var nodes int64
			for b.Loop() {
				reply, err := player.Move(context.Background(), position)
				if err != nil {
					b.Fatal(err)
				}
				nodes += reply.Nodes
			}
			b.ReportMetric(1000*b.Elapsed().Seconds()/float64(b.N), "ms/move")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/move")
		})
	}
}
