package store

import (
	"context"
	"testing"
	"time"
)

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
