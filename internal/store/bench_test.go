package store

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// BenchmarkCommittedPair measures a pair with a commit of its own.
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

// BenchmarkClosedStep measures the closing of a generation, without its pairs.
func BenchmarkClosedStep(b *testing.B) {
	db := newDB(b)
	s := begin(b, db, "r")
	step := sampleStep(0)
	step.State.Optimizer = json.RawMessage(`"` + strings.Repeat("0123456789", 20_000) + `"`)
	g := step.Generation
	g.Values = make([]float64, 250)
	b.ResetTimer()
	for b.Loop() {
		if err := s.CloseStep(step); err != nil {
			b.Fatal(err)
		}
		g.Number++
	}
}
