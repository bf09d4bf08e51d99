package ga

import "fmt"

// roster is the list of outside opponents, to which champions are added.
type roster []Opponent

// add appends a gated champion, of a generation, and returns its index.
func (r *roster) add(name string, from int) int {
	*r = append(*r, Opponent{Name: name, Kind: OldChampion, From: from})
	return len(*r) - 1
}

// CheckOpponents reports stored opponents that do not begin with the configured
// ones: the caller would play somebody else under the same index.
func CheckOpponents(stored, configured []Opponent) error {
	if len(stored) < len(configured) {
		return fmt.Errorf("ga: checkpoint: %d opponents, %d are configured", len(stored), len(configured))
	}
	for i, o := range configured {
		if stored[i] != o {
			return fmt.Errorf("ga: checkpoint: opponent %d is %+v, %+v is configured", i, stored[i], o)
		}
	}
	return roster(stored).validate()
}

func (r roster) validate() error {
	for i, o := range r {
		if o.Kind != Anchor && o.Kind != OldChampion && o.Kind != Rival {
			return fmt.Errorf("ga: opponent %d (%s) is of unknown kind %q", i, o.Name, o.Kind)
		}
	}
	return nil
}
