//go:build system

package search_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/book"
	"quintune/internal/stats"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights/weightstest"
)

// These commands measure the levels, and two threads at 200 ms a move:
//
//	go test -tags system -count=1 -v -timeout 5h -run TestLevelLadder ./search -args -pairs 100
//	go test -tags system -count=1 -v -timeout 5h -run TestTwoThreads ./search -args -pairs 100 -move 200ms
//
// These measure what each feature of the search is worth:
//
//	go test -tags system -count=1 -v -timeout 5h -run TestFeatures ./search -args -pairs 200 -nodes 10000
//	go test -tags system -count=1 -v -timeout 5h -run TestFeatureEffects ./search -args -pairs 4000 -nodes 10000
var (
	pairs = flag.Int("pairs", 1, "openings, each played twice, for every comparison")
	least = flag.Int("least", 2, "first level that meets the one below in TestLevelLadder")
	most  = flag.Int("most", int(search.MaxLevel), "last level that does")
	move  = flag.Duration("move", 0, "time of a move in TestTwoThreads; 0: nodes for each thread")
	nodes = flag.Int64("nodes", 500, "nodes of a move in TestFeatures and TestFeatureEffects")
	seed  = flag.Uint64("seed", 1, "of the openings and lots")

	effects = flag.String("effects", "", "features of TestFeatureEffects, separated by commas; empty: all")
)

// topNodes takes the place of the time limit of a game against a person at search.MaxLevel, about half a second.
const topNodes = 400_000

// seat is one of the two players of a measurement.
type seat struct {
	engine *search.Engine
	choose func(position *board.Board, seed uint64) (board.Cell, error)
}

// TestLevelLadder lets each level play against the level below it.
func TestLevelLadder(t *testing.T) {
	for level := search.Level(*least); level <= search.Level(*most); level++ {
		result := score(t, atLevel(t, level), atLevel(t, level-1))
		t.Logf("level %d against level %d: %s", level, level-1, told(result))
		if *pairs >= 50 && result.Score() < .55 {
			t.Errorf("level %d is hardly stronger than level %d", level, level-1)
		}
	}
}

// TestTwoThreads lets two threads play against one, with equal time or with equal nodes for each thread.
func TestTwoThreads(t *testing.T) {
	result := score(t, withThreads(t, 2), withThreads(t, 1))
	t.Logf("two threads against one: %s", told(result))
	if *pairs >= 50 && result.Elo().High < 0 {
		t.Error("two threads are weaker than one")
	}
}

// TestFeatures plays, for each feature, the search without it against the whole search.
func TestFeatures(t *testing.T) {
	whole := without(t, 0)
	for _, feature := range search.Features() {
		result := score(t, without(t, feature), whole)
		t.Logf("without %v: %s", feature, told(result))
		if *pairs >= 50 && result.Elo().Low > 0 {
			t.Errorf("the search is stronger without %v", feature)
		}
	}
}

// TestFeatureEffects measures several features in the same games. In every pair each feature is given by lot to
// one of the two sides, so every pair contributes to the estimate of every effect. As many pairs are played at a
// time as there are processors. The LLR is that of a search without the feature, with nElo bounds [-10, 0]: 2.94
// accepts the removal.
func TestFeatureEffects(t *testing.T) {
	features := effectFeatures(t)
	openings := matchOpenings(t)
	next := make(chan int)
	var mutex sync.Mutex
	results := make([]stats.Pentanomial, len(features))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				lots, points := effectPair(t, openings[i], features, uint64(i))
				mutex.Lock()
				for j, side := range lots {
					of := stats.Pentanomial{}
					of[int(2*points)]++
					if side == 0 { // the first side lacks the feature
						of = of.Mirror()
					}
					results[j] = results[j].Add(of)
				}
				mutex.Unlock()
			}
		})
	}
	for i := range openings {
		next <- i
	}
	close(next)
	workers.Wait()
	for j, f := range features {
		nElo := results[j].NElo()
		simpler := stats.SPRT{NElo0: -10, NElo1: 0, Alpha: .05, Beta: .05}
		t.Logf("%v: %s, nElo %+.1f [%.1f, %.1f], LLR without it %.2f",
			f, told(results[j]), nElo.Elo, nElo.Low, nElo.High, simpler.LLR(results[j].Mirror()))
	}
}

// effectFeatures returns the features that the flag names.
func effectFeatures(t *testing.T) (list []search.Feature) {
	t.Helper()
	if *effects == "" {
		return search.Features()
	}
	for _, name := range strings.Split(*effects, ",") {
		f, err := search.ParseFeature(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	return list
}

// effectPair plays one pair and returns the points of the first side. lots[feature] is the side that plays
// without the feature.
func effectPair(t *testing.T, o book.Opening, features []search.Feature, number uint64) (lots []int, points float64) {
	rng := rand.New(rand.NewPCG(*seed, number))
	var off [2]search.Feature
	for _, f := range features {
		side := rng.IntN(2)
		lots = append(lots, side)
		off[side] |= f
	}
	return lots, pairPoints(t, o, without(t, off[0]), without(t, off[1]), number)
}

func without(t *testing.T, off search.Feature) seat {
	e := newSeatEngine(t, search.Options{Off: off})
	return seat{e, func(position *board.Board, _ uint64) (board.Cell, error) {
		return e.Search(context.Background(), position, search.Limits{Nodes: *nodes}, nil).Best, nil
	}}
}

func atLevel(t *testing.T, level search.Level) seat {
	e := newSeatEngine(t, search.Options{})
	return seat{e, func(position *board.Board, seed uint64) (board.Cell, error) {
		r, err := e.SearchLevel(context.Background(), position, level, search.Limits{Nodes: topNodes}, seed)
		return r.Best, err
	}}
}

func withThreads(t *testing.T, threads int) seat {
	e := newSeatEngine(t, search.Options{TableEntries: 1 << 18, Threads: threads})
	limits := search.Limits{Nodes: int64(20_000 * threads)}
	if *move > 0 {
		limits = search.Limits{Time: *move}
	}
	return seat{e, func(position *board.Board, _ uint64) (board.Cell, error) {
		return e.Search(context.Background(), position, limits, nil).Best, nil
	}}
}

func newSeatEngine(t *testing.T, options search.Options) *search.Engine {
	t.Helper()
	set := weightstest.Preset(t, "default")
	e, err := search.NewEngine(set, 15, pattern.Freestyle, options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// score returns a's result against b over pairs of openings from the match part.
func score(t *testing.T, a, b seat) (result stats.Pentanomial) {
	t.Helper()
	for i, o := range matchOpenings(t) {
		result[int(2*pairPoints(t, o, a, b, uint64(i)))]++
	}
	return result
}

func matchOpenings(t *testing.T) []book.Opening {
	t.Helper()
	openings, err := book.Embedded(pattern.Freestyle, 15).Part(book.Match).Series(*seed, "seats", *pairs)
	if err != nil {
		t.Fatal(err)
	}
	return openings
}

// pairPoints returns the points of a from both games of a pair, 0 to 2.
func pairPoints(t *testing.T, o book.Opening, a, b seat, seed uint64) float64 {
	t.Helper()
	return gamePoints(t, o.Moves, [2]seat{a, b}, board.Black, seed) + gamePoints(t, o.Moves, [2]seat{b, a}, board.White, seed)
}

// told formats a result with the 95 % interval of its Elo.
func told(result stats.Pentanomial) string {
	elo := result.Elo()
	return fmt.Sprintf("%.1f %% of %d games, %+.0f Elo [%.0f, %.0f], pairs by points %v",
		100*result.Score(), result.Games(), elo.Elo, elo.Low, elo.High, result)
}

// gamePoints returns the points of the colour in one game, in which every move must be legal; seats are indexed by colour.
func gamePoints(t *testing.T, opening []board.Cell, seats [2]seat, colour board.Colour, seed uint64) float64 {
	t.Helper()
	b := boardtest.New(t, 15, pattern.Freestyle)
	for _, c := range opening {
		b.Play(c)
	}
	for _, s := range seats {
		s.engine.NewGame()
	}
	for b.Outcome() == board.Ongoing {
		c, err := seats[b.SideToMove()].choose(b, seed)
		if err := cmp.Or(err, b.Legal(c)); err != nil {
			t.Fatal(err)
		}
		b.Play(c)
	}
	switch b.Outcome() {
	case board.Draw:
		return .5
	case board.WinFor(colour):
		return 1
	}
	return 0
}
