package stats_test

import (
	"fmt"

	"quintune/internal/stats"
)

// Pairs are counted by their score, from both games lost to both games won.
func ExamplePentanomial() {
	result := stats.Pentanomial{39, 8843, 26675, 9240, 44}
	elo := result.Elo()
	fmt.Printf("%d games, %.2f Elo [%.2f, %.2f]\n", result.Games(), elo.Elo, elo.Low, elo.High)
	fmt.Printf("LLR of nElo 0.5 against 2.5: %.2f\n", result.LLR(.5, 2.5))
	// Output:
	// 89682 games, 1.58 Elo [0.55, 2.61]
	// LLR of nElo 0.5 against 2.5: 2.94
}
