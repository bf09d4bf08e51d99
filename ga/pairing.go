package ga

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// roster is the list of outside opponents, to which champions are added.
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

// field is what a generation's pairings are drawn for.
type field struct {
	lambda, pairs      int // candidates, even; pairs of each
	shares             shares
	champions, anchors []int // indices of the outside opponents
	block              int
}

// fieldFor returns the size and the opponents of a generation, when `spent` games
// of the budget are used up, and how many of its candidates become parents.
func fieldFor(c Config, opponents roster, generation, spent int) (f field, mu int) {
	f = field{
		champions: opponents.at(generation, OldChampion),
		anchors:   opponents.at(generation, Anchor),
		block:     generation,
	}
	f.shares = sharesAt(c, len(f.champions), len(f.anchors))
	p := planFor(c, spent, f.shares.cost())
	f.lambda, f.pairs = p.lambda, p.pairs
	return f, p.mu
}

// pairings draws a generation's pairs in rounds: in round r every candidate
// plays one pair on opening r of the block, so all candidates meet the same
// openings. The share of outside pairs is spread evenly over the rounds, and
// over the candidates to within one pair. Peers meet as in a Swiss tournament in
// which all rounds are played at once, so that there are no standings to pair by:
// at random, and nobody twice while there is somebody else.
func (f field) pairings(rng *rand.Rand) []Pairing {
	var list []Pairing
	order := rng.Perm(f.lambda)
	outsider := 0 // place in order of the next candidate that plays outside
	peers, champions := 0, 0
	champion, anchor := cycle{f.champions, 0}, cycle{f.anchors, 0}
	met := map[[2]int]bool{}
	for round := range f.pairs {
		slots := float64((round + 1) * f.lambda)
		p := f.evenPeers(slots, peers)
		outside := f.lambda - p
		c := min(outside, int(float64(slots*f.shares.champion)+.5)-champions)
		if len(f.anchors) == 0 {
			c = outside
		}
		peers, champions = peers+p, champions+c

		away := make([]bool, f.lambda)
		for i := range outside {
			a := order[outsider%f.lambda]
			outsider++
			away[a] = true
			next := &anchor
			if i < c {
				next = &champion
			}
			list = append(list, Pairing{A: a, B: -1 - next.take(), Pairs: 1, Block: f.block, Opening: round})
		}
		list = append(list, f.peerRound(rng, away, round, met)...)
	}
	return list
}

// evenPeers returns how many candidates play each other in a round, so that the
// total so far is as near to its share of the slots as an even number can be.
func (f field) evenPeers(slots float64, before int) int {
	if len(f.champions)+len(f.anchors) == 0 {
		return f.lambda
	}
	want := 2*int(float64(slots*f.shares.peer/2)+.5) - before
	return max(0, min(f.lambda, want))
}

// peerRound pairs those who are not away, and notes in met who has met whom.
func (f field) peerRound(rng *rand.Rand, away []bool, round int, met map[[2]int]bool) []Pairing {
	var home []int
	for i, out := range away {
		if !out {
			home = append(home, i)
		}
	}
	rng.Shuffle(len(home), func(i, j int) { home[i], home[j] = home[j], home[i] })
	var list []Pairing
	for i := 0; i+1 < len(home); i += 2 {
		a := home[i]
		for k := i + 1; k < len(home); k++ {
			if !met[[2]int{min(a, home[k]), max(a, home[k])}] {
				home[i+1], home[k] = home[k], home[i+1]
				break
			}
		}
		b := home[i+1]
		met[[2]int{min(a, b), max(a, b)}] = true
		list = append(list, Pairing{A: a, B: b, Pairs: 1, Block: f.block, Opening: round})
	}
	return list
}

// cycle deals opponents in turn.
type cycle struct {
	indices []int
	next    int
}

func (c *cycle) take() int {
	i := c.indices[c.next%len(c.indices)]
	c.next++
	return i
}
