package book

import "fmt"

// Part is what an opening of a book is used for. Nothing that was tuned on one part is judged on it.
type Part uint8

const (
	Train Part = iota // games of the optimisers
	Gate              // the test that a candidate must pass
	Match             // matches and ladders
	// NumParts counts the parts.
	NumParts = iota
)

var partNames = [NumParts]string{"train", "gate", "match"}

// String returns "train", "gate" or "match".
func (p Part) String() string {
	if int(p) < len(partNames) {
		return partNames[p]
	}
	return fmt.Sprintf("part(%d)", uint8(p))
}

// PartOf returns the part of the opening with the canonical key. Of four openings about one is for
// training, two for gates, which are long, and one for matches. The rule never changes, since
// stored results rely on it: the key is mixed, because the least of eight hashes is mostly a small
// number, and its top two bits tell.
func PartOf(key uint64) Part {
	key = (key ^ key>>33) * 0xff51afd7ed558ccd
	key = (key ^ key>>33) * 0xc4ceb9fe1a85ec53
	switch (key ^ key>>33) >> 62 {
	case 0:
		return Train
	case 1, 2:
		return Gate
	default:
		return Match
	}
}

// Part returns the openings of one part, in the order of the book.
func (b *Book) Part(p Part) *Book {
	part := &Book{Rule: b.Rule, Size: b.Size}
	for _, o := range b.Openings {
		if PartOf(o.Key) == p {
			part.Openings = append(part.Openings, o)
		}
	}
	return part
}
