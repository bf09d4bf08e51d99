package ga

import (
	"fmt"
	"math"
	"testing"

	"quintune/internal/stream"
)

func TestPairingsServeEveryCandidateAlike(t *testing.T) {
	for _, c := range []struct {
		lambda, pairs, champions, anchors int
	}{{8, 2, 0, 0}, {12, 2, 0, 1}, {128, 4, 0, 1}, {128, 8, 3, 2}, {64, 8, 2, 0}, {4, 3, 1, 1}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			f := field{lambda: c.lambda, pairs: c.pairs, block: 9}
			for k := range c.champions + c.anchors {
				if k < c.champions {
					f.champions = append(f.champions, k)
				} else {
					f.anchors = append(f.anchors, k)
				}
			}
			f.shares = sharesAt(DefaultConfig(), c.champions, c.anchors)
			checkField(t, f)
		})
	}
}

func checkField(t *testing.T, f field) {
	t.Helper()
	met := make([][]int, f.lambda) // [candidate][opening] pairs
	for i := range met {
		met[i] = make([]int, f.pairs)
	}
	peers := make([]int, f.lambda)
	outside := map[int]int{}
	again := 0 // meetings of two who have met before
	seen := map[[2]int]bool{}
	for _, p := range f.pairings(stream.New(1, "test")) {
		if p.A == p.B || p.Pairs != 1 || p.Block != f.block {
			t.Fatalf("pairing %+v", p)
		}
		met[p.A][p.Opening]++
		if p.B >= 0 {
			met[p.B][p.Opening]++
			both := [2]int{min(p.A, p.B), max(p.A, p.B)}
			if seen[both] {
				again++
			}
			seen[both] = true
			peers[p.A]++
			peers[p.B]++
		} else {
			outside[-1-p.B]++
		}
	}
	if again > 0 && f.lambda > 2*f.pairs {
		t.Errorf("%d times two meet again", again)
	}
	least, most, total := f.pairs, 0, 0
	for i := range met {
		for opening, n := range met[i] {
			if n != 1 {
				t.Errorf("candidate %d plays %d pairs on opening %d", i, n, opening)
			}
		}
		least, most, total = min(least, peers[i]), max(most, peers[i]), total+peers[i]
	}
	if most-least > 1 {
		t.Errorf("candidates play between %d and %d peer pairs", least, most)
	}
	slots := float64(f.lambda * f.pairs)
	checkShare(t, "peers", float64(total), slots*f.shares.peer)
	checkShare(t, "champions", sumOf(outside, f.champions), slots*f.shares.champion)
	checkShare(t, "anchors", sumOf(outside, f.anchors), slots*f.shares.anchor)
}

func sumOf(counts map[int]int, keys []int) float64 {
	sum := 0
	for _, k := range keys {
		sum += counts[k]
	}
	return float64(sum)
}

func checkShare(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 2 {
		t.Errorf("%s take %v pairs of candidates, their share is %v", name, got, want)
	}
}

func TestSharesOfAbsentKindsGoToTheOthers(t *testing.T) {
	for _, c := range []struct {
		champions, anchors int
		want               shares
	}{
		{1, 1, shares{.6, .25, .15}},
		{0, 1, shares{.8, 0, .2}},
		{1, 0, shares{.6 / .85, .25 / .85, 0}},
		{0, 0, shares{1, 0, 0}},
	} {
		got := sharesAt(DefaultConfig(), c.champions, c.anchors)
		for i, d := range []float64{got.peer - c.want.peer, got.champion - c.want.champion, got.anchor - c.want.anchor} {
			if math.Abs(d) > 1e-12 {
				t.Errorf("%d champions, %d anchors: share %d of %+v, want %+v", c.champions, c.anchors, i, got, c.want)
			}
		}
	}
}
