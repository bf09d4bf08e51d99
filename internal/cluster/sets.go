package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"golang.org/x/sync/singleflight"

	"quintune/internal/strictjson"
	"quintune/pattern"
	"quintune/weights"
)

// setFile is a set of weights in a message. It holds the values only, since nothing else affects a game.
type setFile struct {
	Schema string  `json:"schema"`
	Values []int32 `json:"values"`
}

// sendSet encodes a set and returns the hash that names it.
func sendSet(s *weights.Set) (hash string, data []byte) {
	data, err := json.Marshal(setFile{weights.Fingerprint(), s.Values})
	if err != nil {
		panic(fmt.Sprintf("cluster: weights do not encode: %v", err)) // the set holds numbers only
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16]), data
}

// receiveSet decodes a set. It refuses bytes with another hash, another schema, and values out of bounds.
func receiveSet(hash string, data []byte) (*weights.Set, error) {
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:16]); got != hash {
		return nil, fmt.Errorf("cluster: weights %s arrived with hash %s", hash, got)
	}
	var f setFile
	if err := strictjson.Decode(data, &f); err != nil {
		return nil, fmt.Errorf("cluster: weights %s: %w", hash, err)
	}
	if f.Schema != weights.Fingerprint() {
		return nil, fmt.Errorf("cluster: weights %s have schema %s, not %s", hash, f.Schema, weights.Fingerprint())
	}
	s := weights.New(hash, pattern.Freestyle, 15)
	declared := weights.Declarations()
	if len(f.Values) != len(declared) {
		return nil, fmt.Errorf("cluster: weights %s have %d values, not %d", hash, len(f.Values), len(declared))
	}
	for i := range declared {
		if err := declared[i].Check(int64(f.Values[i])); err != nil {
			return nil, fmt.Errorf("cluster: weights %s: %w", hash, err)
		}
	}
	copy(s.Values, f.Values)
	return s, nil
}

// shelf holds the sets of the open batches, which workers request by hash. Safe for concurrent use.
type shelf struct {
	mu   sync.Mutex
	sets map[int]map[string]json.RawMessage // by serial of the batch
}

// put adds the sets of a batch.
func (s *shelf) put(serial int, sets map[string]json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sets == nil {
		s.sets = map[int]map[string]json.RawMessage{}
	}
	s.sets[serial] = sets
}

// drop removes the sets of a batch.
func (s *shelf) drop(serial int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sets, serial)
}

// data returns the bytes of a set, nil where no open batch has it.
func (s *shelf) data(hash string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sets := range s.sets {
		if data := sets[hash]; data != nil {
			return data
		}
	}
	return nil
}

// mostKept is the number of sets that a worker keeps, enough for two large generations.
const mostKept = 1200

// setCache requests sets of weights by hash and keeps them. Safe for concurrent use.
type setCache struct {
	mu      sync.Mutex
	sets    map[string]*weights.Set
	order   []string           // hashes, oldest first
	fetched singleflight.Group // by hash: jobs that lack the same set ask once
}

// set returns the weights with the hash, and fetches them where they are not in the cache.
func (c *setCache) set(ctx context.Context, hash string, fetch func(context.Context, string) ([]byte, error)) (*weights.Set, error) {
	c.mu.Lock()
	s := c.sets[hash]
	c.mu.Unlock()
	if s != nil {
		return s, nil
	}
	got, err, shared := c.fetched.Do(hash, func() (any, error) { return fetch(ctx, hash) })
	if err != nil && shared && ctx.Err() == nil { // perhaps the other job was told to end
		got, err = fetch(ctx, hash)
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: weights %s: %w", hash, err)
	}
	data, _ := got.([]byte)
	if s, err = receiveSet(hash, data); err != nil {
		return nil, err
	}
	c.keep(hash, s)
	return s, nil
}

// keep adds a set, and drops the oldest where there are too many.
func (c *setCache) keep(hash string, s *weights.Set) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sets == nil {
		c.sets = map[string]*weights.Set{}
	}
	if c.sets[hash] == nil {
		c.sets[hash] = s
		c.order = append(c.order, hash)
	}
	if len(c.order) > mostKept {
		delete(c.sets, c.order[0])
		c.order = c.order[1:]
	}
}
