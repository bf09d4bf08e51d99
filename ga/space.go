package ga

import (
	"fmt"
	"math"
	"slices"
)

// space maps between genomes of the caller (all genes) and points of the search
// (free genes only, each in its own unit), so that no optimiser can move a frozen gene.
type space struct {
	genes []Gene
	free  []int     // index of each free gene
	reach []float64 // [free gene]: a point lies within ± this, one over the gene's unit
}

func newSpace(genes []Gene) space {
	s := space{genes: slices.Clone(genes)}
	for i, g := range genes {
		s.genes[i].Values = slices.Clone(g.Values)
		if !g.isFrozen() {
			s.free, s.reach = append(s.free, i), append(s.reach, 1/max(1, g.Unit))
		}
	}
	return s
}

// start returns the point of the start genome.
func (s space) start() []float64 {
	point := make([]float64, len(s.free))
	for i, g := range s.free {
		point[i] = s.genes[g].Start * s.reach[i]
	}
	return point
}

// expand returns the whole genome of a point.
func (s space) expand(point []float64) []float64 {
	genome := make([]float64, len(s.genes))
	for i, g := range s.genes {
		genome[i] = g.Start
	}
	for i, g := range s.free {
		genome[g] = clamp(point[i]/s.reach[i], 1)
	}
	return genome
}

// away returns half of the way from one genome to another, as a point.
func (s space) away(to, from []float64) []float64 {
	point := make([]float64, len(s.free))
	for i, g := range s.free {
		point[i] = (to[g] - from[g]) / 2 * s.reach[i]
	}
	return point
}

// clamp returns the number nearest to x within ± reach.
func clamp(x, reach float64) float64 { return max(-reach, min(reach, x)) }

// follow lets a path fade and adds a direction to it, so that unit variance stays unit variance.
func follow(path, direction []float64, fade float64) {
	gain := math.Sqrt(fade * (2 - fade))
	for i, x := range direction {
		path[i] = float64((1-fade)*path[i]) + float64(gain*x)
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// windowShare is the last part of a run whose centres are averaged: the best individual ever seen is mostly the luckiest.
const windowShare = .30

// trail remembers where the centre of a strategy was, in blocks of equally many generations: a long run stores no more
// than a short one. The average over the last 30 % plays the trials, and is a part of the champion.
type trail struct {
	Closed int         `json:"closed"` // generations noted
	Block  int         `json:"block"`  // generations a block
	Sums   [][]float64 `json:"sums"`   // [block][free gene], oldest first; the last one may be unfinished
}

// mostBlocks is the number of blocks at which neighbours become one. The 30 % are exact to within two blocks.
const mostBlocks = 128

func newTrail() trail { return trail{Block: 1} }

// add notes the centre of a generation.
func (t *trail) add(centre []float64) {
	if t.Closed%t.Block == 0 {
		if len(t.Sums) == mostBlocks {
			t.halve()
		}
		if t.Closed%t.Block == 0 {
			t.Sums = append(t.Sums, make([]float64, len(centre)))
		}
	}
	last := t.Sums[len(t.Sums)-1]
	for i, x := range centre {
		last[i] += x
	}
	t.Closed++
}

// halve joins neighbouring blocks.
func (t *trail) halve() {
	for i := range len(t.Sums) / 2 {
		joined := t.Sums[2*i]
		for g, x := range t.Sums[2*i+1] {
			joined[g] += x
		}
		t.Sums[i] = joined
	}
	t.Sums, t.Block = t.Sums[:len(t.Sums)/2], 2*t.Block
}

// average returns the average over the window, nil before the first generation is noted. It is the average of Polyak (1990) and
// Ruppert (1988), over a suffix.
func (t *trail) average() []float64 {
	if t.Closed == 0 {
		return nil
	}
	first := int((1 - windowShare) * float64(t.Closed) / float64(t.Block))
	mean := make([]float64, len(t.Sums[0]))
	for _, sum := range t.Sums[first:] {
		for i, x := range sum {
			mean[i] += x
		}
	}
	for i := range mean {
		mean[i] = clamp(mean[i]/float64(t.Closed-first*t.Block), 1)
	}
	return mean
}

// check reports a stored trail that no run can have left.
func (t trail) check(genes int) error {
	if t.Block < 1 || t.Closed < 0 || len(t.Sums) > mostBlocks || len(t.Sums) != (t.Closed+t.Block-1)/t.Block {
		return fmt.Errorf("ga: checkpoint: a trail of %d generations in %d blocks of %d", t.Closed, len(t.Sums), t.Block)
	}
	for b, sum := range t.Sums {
		if err := checkVector(fmt.Sprintf("block %d of the trail", b), sum, genes, float64(t.Block)); err != nil {
			return err
		}
	}
	return nil
}
