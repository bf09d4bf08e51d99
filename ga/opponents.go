package ga

import (
	"fmt"
	"slices"
)

// roster is the growing list of outside opponents.
type roster []Opponent

// at returns the indices of the opponents of one kind that take part in a
// generation, newest first.
func (r roster) at(generation int, kind OpponentKind) []int {
	var indices []int
	for i, o := range r {
		if o.Kind == kind && o.From <= generation {
			indices = append(indices, i)
		}
	}
	slices.Reverse(indices)
	return indices
}

// add appends a gated champion that takes part from a generation on, and returns
// its index.
func (r *roster) add(name string, from int) int {
	*r = append(*r, Opponent{Name: name, Kind: OldChampion, From: from})
	return len(*r) - 1
}

// checkAgainst reports a stored roster that does not begin with the configured
// opponents: the caller would play somebody else under the same index.
func (r roster) checkAgainst(configured []Opponent) error {
	if len(r) < len(configured) {
		return fmt.Errorf("ga: checkpoint: %d opponents, %d are configured", len(r), len(configured))
	}
	for i, o := range configured {
		if r[i] != o {
			return fmt.Errorf("ga: checkpoint: opponent %d is %+v, %+v is configured", i, r[i], o)
		}
	}
	return r.validate()
}

func (r roster) validate() error {
	for i, o := range r {
		if o.Kind != Anchor && o.Kind != OldChampion {
			return fmt.Errorf("ga: opponent %d (%s) is of unknown kind %q", i, o.Name, o.Kind)
		}
	}
	return nil
}

// shares says how a candidate's pairs are spread; the fields sum to one.
type shares struct{ peer, champion, anchor float64 }

// sharesAt gives the share of a kind without opponents to the other kinds, in
// proportion.
func sharesAt(c Config, champions, anchors int) shares {
	s := shares{c.PeerShare, c.ChampionShare, c.AnchorShare}
	if champions == 0 {
		s.champion = 0
	}
	if anchors == 0 {
		s.anchor = 0
	}
	sum := s.peer + s.champion + s.anchor
	return shares{s.peer / sum, s.champion / sum, s.anchor / sum}
}

// cost returns the games that one candidate's pair costs on average: two, but a
// pair between peers serves two candidates.
func (s shares) cost() float64 { return s.peer + 2*(s.champion+s.anchor) }
