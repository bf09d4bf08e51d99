package ga

// space maps between genomes of the caller (all genes) and points of the search
// (free genes only), so that no optimiser can move a frozen gene.
type space struct {
	genes []Gene
	free  []int // index of each free gene
}

func newSpace(genes []Gene) space {
	s := space{genes: append([]Gene(nil), genes...)}
	for i, g := range genes {
		if !g.Frozen {
			s.free = append(s.free, i)
		}
	}
	return s
}

// start returns the point of the start genome.
func (s space) start() []float64 {
	point := make([]float64, len(s.free))
	for i, g := range s.free {
		point[i] = s.genes[g].Start
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
		genome[g] = point[i]
	}
	return genome
}

// groups returns for each free gene the number of its group, numbered in order
// of first appearance, and how many groups there are.
func (s space) groups() (of []int, count int) {
	number := map[string]int{}
	of = make([]int, len(s.free))
	for i, g := range s.free {
		name := s.genes[g].Group
		n, known := number[name]
		if !known {
			n = len(number)
			number[name] = n
		}
		of[i] = n
	}
	return of, len(number)
}

func clamp(x float64) float64 { return max(-1, min(1, x)) }
