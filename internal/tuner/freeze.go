package tuner

import (
	"fmt"
	"slices"

	"quintune/weights"
)

// frozenGenes returns which genes the names freeze. A name that is not a gene of the tuned groups, one that comes
// twice, and names that leave no gene to tune are errors.
func frozenGenes(genes []weights.Gene, names []string) ([]bool, error) {
	frozen := make([]bool, len(genes))
	for k, name := range names {
		i := slices.IndexFunc(genes, func(g weights.Gene) bool { return g.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("tuner: weight %.60q is to be frozen, but it is none of the %d genes of the tuned groups", name, len(genes))
		}
		if slices.Contains(names[:k], name) {
			return nil, fmt.Errorf("tuner: weight %s is frozen twice", name)
		}
		frozen[i] = true
	}
	if len(names) >= len(genes) {
		return nil, fmt.Errorf("tuner: all %d genes are frozen, none is left to tune", len(genes))
	}
	return frozen, nil
}
