// Package ga holds optimisers of bounded vectors behind one ask-and-tell
// interface: an [Optimizer] asks for games by naming pairings of genomes, and is
// told the pentanomial of each pairing. It knows nothing of the game that is
// played, so every optimiser is compared on synthetic landscapes in
// milliseconds (docs/results/landscapes.md).
//
// Genes lie in [-1, 1]. The unit of play is the pair: one opening, both colours.
// Everything is a pure function of the configuration and the results: random
// streams are derived from (seed, purpose), sums run in index order, and a
// checkpoint of a closed generation continues byte for byte.
//
// No optimiser is safe for concurrent use.
package ga
