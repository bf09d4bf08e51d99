package store

import (
	"context"
	"testing"
	"time"
)

// BenchmarkStoredPair measures what storing adds to a pair of games.
func BenchmarkStoredPair(b *testing.B) {
	db := newDB(b)
	s := begin(b, db, "r")
	batch := sampleBatch(b, b.N, 15)
	runner := s.Runner(&player{})
	b.ResetTimer()
	if _, err := runner.Run(context.Background(), batch, nil); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
}

// BenchmarkCommittedPair measures a pair that has a commit for itself.
func BenchmarkCommittedPair(b *testing.B) {
	db := newDB(b)
	s := begin(b, db, "r")
	batch := sampleBatch(b, b.N, 15)
	runner := s.Runner(&player{after: func(int) { s.pace = pace{began: time.Now().Add(-time.Hour)} }})
	b.ResetTimer()
	if _, err := runner.Run(context.Background(), batch, nil); err != nil {
		b.Fatal(err)
	}
}
