package ga_test

import (
	"fmt"
	"math"

	"quintune/ga"
	"quintune/internal/stats"
)

// The strategy finds the optimum of two genes, (.5, -.25), from games alone: nobody tells it the loss.
func Example() {
	config := ga.DefaultConfig()
	config.Genes = []ga.Gene{{Name: "x"}, {Name: "y"}}
	config.Seed, config.Budget = 1, 4000
	optimizer, err := ga.New(ga.MethodGA, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	loss := func(g []float64) float64 { return math.Hypot(g[0]-.5, g[1]+.25) }
	for batch, more := optimizer.Ask(); more; batch, more = optimizer.Ask() {
		results := make([]stats.Pentanomial, len(batch.Pairings))
		for i, p := range batch.Pairings {
			// The better genome wins both games of a pair.
			if loss(batch.Genomes[p.A]) < loss(batch.Genomes[p.B]) {
				results[i][4] = int64(p.Pairs)
			} else {
				results[i][0] = int64(p.Pairs)
			}
		}
		if err := optimizer.Tell(results); err != nil {
			fmt.Println(err)
			return
		}
	}
	champion := optimizer.Champion()
	fmt.Println(optimizer.Progress().Games, "games")
	fmt.Println("less than .05 from the optimum:", loss(champion) < .05)
	// Output:
	// 4000 games
	// less than .05 from the optimum: true
}
