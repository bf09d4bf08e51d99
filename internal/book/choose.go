package book

import (
	"fmt"

	"quintune/internal/stream"
)

// Block returns the n openings of a generation, in the order in which they are played: drawn from the
// book without repetition by PCG(seed, "block <generation>"). Retired openings are passed over without
// changing the order of the others. retired may be nil. It is an error when fewer than n openings are left.
func (b *Book) Block(seed uint64, generation, n int, retired *Retirement) ([]Opening, error) {
	return b.take(stream.New(seed, "block %d", generation).Perm(len(b.Openings)), n, retired)
}

// Series returns the n openings of a match, gate or validation, in the order in which they are played:
// all different, drawn by PCG(seed, "series <purpose>"). A shorter series is the beginning of a longer
// one. Games are deterministic, so an opening is good for one pair of two players; asking for more pairs
// than there are openings is an error that names both numbers.
func (b *Book) Series(seed uint64, purpose string, n int) ([]Opening, error) {
	return b.take(stream.New(seed, "series %s", purpose).Perm(len(b.Openings)), n, nil)
}

func (b *Book) take(order []int, n int, retired *Retirement) ([]Opening, error) {
	if n < 0 {
		return nil, fmt.Errorf("book: %d pairs are asked for", n)
	}
	var taken []Opening
	for _, i := range order {
		if len(taken) == n {
			break
		}
		if !retired.Retired(b.Openings[i].Key) {
			taken = append(taken, b.Openings[i])
		}
	}
	if len(taken) < n {
		return nil, fmt.Errorf("book: %d pairs need as many openings, but there are only %d (a repeated opening is the same pair again)",
			n, len(taken))
	}
	return taken, nil
}
