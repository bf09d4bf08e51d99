package ga

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quintune/internal/stats"
)

// inFlight returns a small configuration whose width is soon tried.
func inFlight(n int) Config {
	c := DefaultConfig()
	c.Genes, c.Seed, c.Budget, c.InFlight = landscapeGenes(6), 5, 12_000, n
	return c
}

// A batch depends on the results of all batches but the L−1 before it, whenever it is opened, and whoever restores what.
func TestBatchesInFlightDependOnOldResultsAlone(t *testing.T) {
	for _, method := range []string{MethodGA, MethodSPSA} {
		for _, n := range []int{2, 3, 8} {
			t.Run(fmt.Sprintf("%s %d", method, n), func(t *testing.T) {
				l := newLandscape(2, 6)
				plain, ahead := mustNew(t, method, inFlight(n)), mustNew(t, method, inFlight(n))
				results := map[int][]stats.Pentanomial{}
				for closed := 0; ; closed++ {
					open := ahead.Open()
					if len(open) > n {
						t.Fatalf("%d batches are open, at most %d may be", len(open), n)
					}
					for i, b := range open {
						if b.Generation != closed+i {
							t.Fatalf("open batch %d is generation %d, want %d", i, b.Generation, closed+i)
						}
						if results[b.Generation] == nil {
							results[b.Generation] = l.play(b)
						}
					}
					b, more := plain.Ask()
					if more != (len(open) > 0) {
						t.Fatalf("Ask has a batch: %v, Open has %d", more, len(open))
					}
					if !more {
						break
					}
					if !reflect.DeepEqual(b, open[0]) {
						t.Fatalf("generation %d differs where others are open", closed)
					}
					for _, o := range []Optimizer{plain, ahead} {
						if err := o.Tell(results[closed]); err != nil {
							t.Fatal(err)
						}
					}
					if closed%3 == 0 {
						ahead = restored(t, method, inFlight(n), ahead)
					}
					if closed%7 == 0 { // with all that is open
						ahead.Open()
						ahead = restored(t, method, inFlight(n), ahead)
					}
				}
				if !reflect.DeepEqual(plain.Champion(), ahead.Champion()) || plain.Progress().Games != 12_000 {
					t.Errorf("champions %v and %v after %d games", plain.Champion(), ahead.Champion(), plain.Progress().Games)
				}
			})
		}
	}
}

func restored(t *testing.T, method string, c Config, o Optimizer) Optimizer {
	t.Helper()
	fresh := mustNew(t, method, c)
	if err := fresh.Restore([]byte(mustCheckpoint(t, o))); err != nil {
		t.Fatal(err)
	}
	return fresh
}

// Two results may be told at once: the batch between is drawn from what was known before the second.
func TestTellTwiceWithoutAsking(t *testing.T) {
	l := newLandscape(2, 6)
	once, twice := mustNew(t, MethodGA, inFlight(3)), mustNew(t, MethodGA, inFlight(3))
	open := once.Open()
	twice.Open()
	for _, b := range open[:2] {
		for _, o := range []Optimizer{once, twice} {
			if err := o.Tell(l.play(b)); err != nil {
				t.Fatal(err)
			}
		}
		once.Open()
	}
	if !reflect.DeepEqual(once.Open(), twice.Open()) {
		t.Error("the open batches depend on when they are asked for")
	}
}

// Results are refused for a batch that nobody has seen, and so is a result told twice where the next one was not asked for.
func TestTellRefusesBatchesThatNobodyHasSeen(t *testing.T) {
	l := newLandscape(2, 6)
	for _, method := range Methods() {
		for _, n := range []int{1, 2, 3} {
			t.Run(fmt.Sprintf("%s %d", method, n), func(t *testing.T) {
				o := mustNew(t, method, inFlight(n))
				refused := func(b Batch) {
					t.Helper()
					before := mustCheckpoint(t, o)
					if err := o.Tell(l.play(b)); !errors.Is(err, errNothingAsked) || mustCheckpoint(t, o) != before {
						t.Errorf("told of what nobody has seen after generation %d: error %v, state changed: %v", b.Generation, err, mustCheckpoint(t, o) != before)
					}
				}
				for range 2 {
					b, _ := o.Ask()
					if err := o.Tell(l.play(b)); err != nil {
						t.Fatal(err)
					}
					refused(b)
				}
				open := o.Open()
				if n > 1 {
					o = restored(t, method, inFlight(n), o)
				}
				for _, b := range open {
					if err := o.Tell(l.play(b)); err != nil {
						t.Fatal(err)
					}
				}
				refused(open[n-1])
			})
		}
	}
}

// A budget below what was played and asked for is refused with batches in flight, which it does not hold.
func TestBudgetHoldsWhatIsInFlight(t *testing.T) {
	l := newLandscape(2, 6)
	for _, method := range Methods() {
		o := mustNew(t, method, inFlight(3))
		played := 0
		for range 40 {
			b, _ := o.Ask()
			if err := o.Tell(l.play(b)); err != nil {
				t.Fatal(err)
			}
			played += b.Games()
		}
		o.Open()
		for _, budget := range []int{500, played + 10} {
			c := inFlight(3)
			c.Budget = budget
			err := mustNew(t, method, c).Restore([]byte(mustCheckpoint(t, o)))
			if want := fmt.Sprintf("the budget of %d games is smaller", budget); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", method, err, want)
			}
		}
	}
}

// What was in flight when the strategy went back to the start is about another centre: it moves nothing.
func TestResultsFromBeforeTheReturnAreDropped(t *testing.T) {
	o := mustNew(t, MethodGA, inFlight(3))
	b := evenUntilTrial(t, o)
	if err := o.Tell([]stats.Pentanomial{{int64(b.Pairings[0].Pairs), 0, 0, 0, 0}}); err != nil {
		t.Fatal(err)
	}
	start := make([]float64, 6)
	for range 2 {
		b, _ = o.Ask()
		won := make([]stats.Pentanomial, len(b.Pairings))
		for i := range won {
			won[i][4] = int64(b.Pairings[i].Pairs)
		}
		if err := o.Tell(won); err != nil {
			t.Fatal(err)
		}
		if got := o.Champion(); !reflect.DeepEqual(got, start) {
			t.Fatalf("generation %d moved the champion to %v", b.Generation, got)
		}
	}
}

// BenchmarkInFlight reports what generations in flight cost: the mean and the worst of eight landscapes of each family.
func BenchmarkInFlight(b *testing.B) {
	for _, f := range families {
		for _, n := range []int{1, 2, 4, 8, 16} {
			b.Run(fmt.Sprintf("%s/%d", f.name, n), func(b *testing.B) {
				reportFamily(b, f, 86, 40_000, func(c Config) (Optimizer, error) {
					c.InFlight = n
					return New(MethodGA, c)
				})
			})
		}
	}
}
