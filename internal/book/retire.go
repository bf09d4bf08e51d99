package book

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"quintune/internal/strictjson"
)

// Retirement finds training openings from which nothing can be learnt: if nearly every pair splits (each player
// wins with the same colour), the opening is lost for one colour. It counts pairs and splits of each opening.
// The zero value is ready to use. For a nil *Retirement, Retired and Len say that nothing is retired. It is not safe for concurrent use.
//
// Its JSON is a list sorted by key, so equal counts give equal bytes.
type Retirement struct {
	counts map[uint64]splits
	dead   map[uint64]bool // result of Until: the retired openings; nil: the counts decide
}

// splits is the record of one opening.
type splits struct {
	Key   uint64 `json:"key,string"`
	Pairs int    `json:"pairs"`
	Split int    `json:"split"`
	Since int    `json:"since,omitempty"` // one more than the generation after which Date first found it retired; 0: not retired
}

// Clone returns a copy that later counts do not change.
func (r *Retirement) Clone() *Retirement {
	return &Retirement{counts: maps.Clone(r.counts), dead: r.dead}
}

// Add counts one pair of the opening with the key.
func (r *Retirement) Add(key uint64, split bool) {
	if r.counts == nil {
		r.counts = map[uint64]splits{}
	}
	s := r.counts[key]
	s.Key = key
	s.Pairs++
	if split {
		s.Split++
	}
	r.counts[key] = s
}

// deadShare is the share of split pairs from which on an opening is retired. Between equal players half of the
// pairs of a fair opening split.
const deadShare = 0.9

// Retired reports whether the opening is retired: with 95 % confidence (lower end of Wilson's interval, 1927)
// more than nine in ten of its pairs split. That takes at least 35 pairs.
func (r *Retirement) Retired(key uint64) bool {
	if r == nil {
		return false
	}
	if r.dead != nil {
		return r.dead[key]
	}
	s := r.counts[key]
	return s.Pairs > 0 && wilsonLow(s.Split, s.Pairs) > deadShare
}

// Date records which openings are retired after a generation, for Until.
func (r *Retirement) Date(generation int) {
	for key, s := range r.counts {
		if s.Since == 0 && r.Retired(key) {
			s.Since = generation + 1
			r.counts[key] = s
		}
	}
}

// Until returns the openings that were retired after the generation or earlier. Later counts do not change it.
func (r *Retirement) Until(generation int) *Retirement {
	old := &Retirement{dead: map[uint64]bool{}}
	for key, s := range r.counts {
		if s.Since > 0 && s.Since <= generation+1 {
			old.dead[key] = true
		}
	}
	return old
}

// Len returns the number of retired openings.
func (r *Retirement) Len() int {
	n := 0
	if r == nil {
		return n
	}
	if r.dead != nil {
		return len(r.dead)
	}
	for key := range r.counts {
		if r.Retired(key) {
			n++
		}
	}
	return n
}

// wilsonLow returns the lower end of the 95 % interval of a share of k in n.
func wilsonLow(k, n int) float64 {
	const z = 1.96
	share, count := float64(k)/float64(n), float64(n)
	spread := float64(z * math.Sqrt(share*(1-share)/count+z*z/(4*count*count)))
	return (share + z*z/(2*count) - spread) / (1 + z*z/count)
}

// MarshalJSON writes the counts, sorted by key.
func (r *Retirement) MarshalJSON() ([]byte, error) {
	list := slices.AppendSeq(make([]splits, 0, len(r.counts)), maps.Values(r.counts)) // [] where there is none
	slices.SortFunc(list, func(a, b splits) int { return cmp.Compare(a.Key, b.Key) })
	return json.Marshal(list)
}

// UnmarshalJSON reads what MarshalJSON wrote. Keys that repeat and counts that cannot be are errors.
func (r *Retirement) UnmarshalJSON(data []byte) error {
	var list []splits
	if err := strictjson.Decode(data, &list); err != nil {
		return fmt.Errorf("book: retirement: %w", err)
	}
	counts := make(map[uint64]splits, len(list))
	for _, s := range list {
		if _, repeated := counts[s.Key]; repeated {
			return fmt.Errorf("book: retirement: key %d comes twice", s.Key)
		}
		if s.Split < 0 || s.Pairs < 1 || s.Split > s.Pairs || s.Since < 0 {
			return fmt.Errorf("book: retirement: key %d has %d splits of %d pairs, retired since %d", s.Key, s.Split, s.Pairs, s.Since)
		}
		counts[s.Key] = s
	}
	r.counts = counts
	return nil
}
