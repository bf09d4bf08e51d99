package ga

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quintune/internal/stats"
)

// variants are the optimisers that must all keep the contract of Optimizer.
var variants = []struct {
	name, method string
}{{"spsa", MethodSPSA}, {"ga", MethodGA}}

// smallConfig is a run of about thirty generations with an anchor, a frozen gene
// and an odd number of genes.
func smallConfig() Config {
	c := DefaultConfig()
	c.Genes = landscapeGenes(9)
	c.Genes[4].Frozen, c.Genes[4].Start = true, .625
	c.Genes[5].Start = -1
	c.Opponents = []Opponent{{Name: "start", Kind: Anchor}}
	c.Seed, c.Budget = 7, 1200
	return c
}

func mustNew(t *testing.T, method string, c Config) Optimizer {
	t.Helper()
	o, err := New(method, c)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func mustCheckpoint(t *testing.T, o Optimizer) string {
	t.Helper()
	data, err := o.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// transcript runs an optimiser to its end, adds a champion before and one during
// the third generation, lets replace exchange it at every point where a process
// may die, and returns all batches, checkpoints and champions.
func transcript(t *testing.T, o Optimizer, replace func(Optimizer) Optimizer) []string {
	t.Helper()
	l := newLandscape(3, 9)
	var lines []string
	for generation := 0; ; generation++ {
		if generation == 2 {
			o.AddChampion("before")
		}
		o = replace(o)
		b, more := o.Ask()
		if !more {
			return append(lines, mustJSON(t, o.Champion()), mustJSON(t, o.Opponents()))
		}
		lines = append(lines, mustJSON(t, b))
		if generation == 2 {
			o.AddChampion("during")
		}
		o = replace(o)
		if again, _ := o.Ask(); mustJSON(t, again) != mustJSON(t, b) {
			t.Fatalf("generation %d: asked again, the open batch differs", generation)
		}
		if err := o.Tell(l.play(b)); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, mustCheckpoint(t, o), mustJSON(t, o.Champion()), mustJSON(t, o.Progress()))
	}
}

func same(o Optimizer) Optimizer { return o }

func TestSameSeedSameBytes(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			c := smallConfig()
			first := transcript(t, mustNew(t, v.method, c), same)
			second := transcript(t, mustNew(t, v.method, c), same)
			if !reflect.DeepEqual(first, second) {
				t.Error("two runs of one seed differ")
			}
			c.Seed++
			if other := transcript(t, mustNew(t, v.method, c), same); other[0] == first[0] {
				t.Error("another seed gave the same first batch")
			}
		})
	}
}

func TestGenomesStayInBoundsAndFrozenGenesStay(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			c := smallConfig()
			o, l := mustNew(t, v.method, c), newLandscape(3, 9)
			moved := false
			for b, more := o.Ask(); more; b, more = o.Ask() {
				for _, g := range append(b.Genomes, o.Champion()) {
					if g[4] != .625 {
						t.Fatalf("the frozen gene is %v, want .625", g[4])
					}
					for i, x := range g {
						if !(x >= -1 && x <= 1) {
							t.Fatalf("gene %d is %v, want it within [-1, 1]", i, x)
						}
						moved = moved || i != 4 && x != c.Genes[i].Start
					}
				}
				if err := o.Tell(l.play(b)); err != nil {
					t.Fatal(err)
				}
			}
			if !moved {
				t.Error("no free gene ever moved")
			}
		})
	}
}

// A gene with a unit of 4 moves four times as far as it would with one of 1, in the batches and to the champion, by the same results.
func TestUnits(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			c := smallConfig()
			c.Width, c.Perturb = .01, .01
			for i := range c.Genes {
				c.Genes[i].Start, c.Genes[i].Values = 0, nil // far from the bounds
			}
			narrow := mustNew(t, v.method, c)
			units := []float64{1, 4, 0, 2}
			for i := range c.Genes {
				c.Genes[i].Unit = units[i%len(units)]
			}
			wide, l := mustNew(t, v.method, c), newLandscape(3, 9)
			stretched := func(genome []float64) []float64 {
				genome = slices.Clone(genome)
				for i := range genome {
					genome[i] *= max(1, c.Genes[i].Unit)
				}
				return genome
			}
			for range 5 {
				one, _ := narrow.Ask()
				other, more := wide.Ask()
				if !more || len(other.Genomes) < 4 {
					t.Fatal("there is no batch to compare")
				}
				for k := range one.Genomes {
					if want := stretched(one.Genomes[k]); !slices.Equal(other.Genomes[k], want) {
						t.Fatalf("genome %d is %v, want %v", k, other.Genomes[k], want)
					}
				}
				results := l.play(one)
				if err := errors.Join(narrow.Tell(results), wide.Tell(results)); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := wide.Champion(), stretched(narrow.Champion()); !slices.Equal(got, want) || slices.Max(got) == 0 {
				t.Errorf("the champion is %v, want %v", got, want)
			}
		})
	}
}

func TestBudgetIsUsedAndNeverExceeded(t *testing.T) {
	for _, v := range variants {
		for _, budget := range []int{0, 1, 2, 15, 16, 20, 100, 110, 120, 400, 1999, 5000, 20_001} {
			t.Run(fmt.Sprintf("%s/%d", v.name, budget), func(t *testing.T) {
				c := smallConfig()
				c.Budget = budget
				o, l := mustNew(t, v.method, c), newLandscape(3, 9)
				games, generation := 0, 0
				for b, more := o.Ask(); more; b, more = o.Ask() {
					if b.Generation != generation {
						t.Fatalf("generation %d is numbered %d", generation, b.Generation)
					}
					generation++
					if generation%4 == 0 {
						o.AddChampion("champion")
					}
					games += b.Games()
					if err := o.Tell(l.play(b)); err != nil {
						t.Fatal(err)
					}
					if p := o.Progress(); p.Games != games || p.Budget != budget {
						t.Fatalf("progress says %d of %d games, played %d", p.Games, p.Budget, games)
					}
				}
				if games > budget {
					t.Errorf("%d games, want %d at most", games, budget)
				}
				if least := budget * 8 / 10; budget >= 400 && games < least {
					t.Errorf("%d games, want %d or more", games, least)
				}
			})
		}
	}
}

func TestTellRefusesWhatDoesNotFit(t *testing.T) {
	l := newLandscape(3, 9)
	for _, v := range variants {
		for _, flying := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s %d", v.name, flying), func(t *testing.T) {
				c := smallConfig()
				c.InFlight = flying
				o := mustNew(t, v.method, c)
				if err := o.Tell(nil); err == nil {
					t.Error("told before asking: no error")
				}
				o.Open()
				b, _ := o.Ask()
				if flying > 1 { // one closed: the next Open draws another
					if err := o.Tell(l.play(b)); err != nil {
						t.Fatal(err)
					}
				}
				before := mustCheckpoint(t, o)
				b, _ = restored(t, v.method, c, o).Ask()
				good := l.play(b)
				for _, test := range []struct {
					name   string
					change func([]stats.Pentanomial) []stats.Pentanomial
				}{
					{"none", func([]stats.Pentanomial) []stats.Pentanomial { return nil }},
					{"one short", func(r []stats.Pentanomial) []stats.Pentanomial { return r[1:] }},
					{"one over", func(r []stats.Pentanomial) []stats.Pentanomial { return append(r, stats.Pentanomial{}) }},
					{"a pair too many", func(r []stats.Pentanomial) []stats.Pentanomial { r[1] = stats.Pentanomial{1, 0, 0, 0, 1}; return r }},
					{"a negative count", func(r []stats.Pentanomial) []stats.Pentanomial { r[1] = stats.Pentanomial{-1}; return r }},
				} {
					if err := o.Tell(test.change(slices.Clone(good))); err == nil {
						t.Errorf("%s: no error", test.name)
					}
					if mustCheckpoint(t, o) != before {
						t.Errorf("%s: a refused result changed the state", test.name)
					}
				}
				voided := o.Progress().VoidedPairs
				good[0] = stats.Pentanomial{} // void
				if err := o.Tell(good); err != nil {
					t.Error(err)
				}
				if got := o.Progress().VoidedPairs - voided; got != 1 {
					t.Errorf("%d void pairs counted, want 1", got)
				}
			})
		}
	}
}

// An optimiser keeps no slice of its caller: a configuration that is changed afterwards changes no batch.
func TestConfigIsCopied(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			config := func() Config {
				c := smallConfig()
				c.Genes[0].Values = []float64{-1, -.1, 0, .1, 1}
				c.Opponents = append(c.Opponents, Opponent{Name: "rival", Kind: Rival})
				return c
			}
			c := config()
			o := mustNew(t, v.method, c)
			c.Genes[0].Values[1], c.Genes[0].Values[3] = -.9, .9
			c.Genes[1].Start = 1
			c.Opponents[0].Kind = Rival
			got := transcript(t, o, func(o Optimizer) Optimizer {
				if err := o.Restore([]byte(mustCheckpoint(t, o))); err != nil {
					t.Fatal(err)
				}
				return o
			})
			if want := transcript(t, mustNew(t, v.method, config()), same); !reflect.DeepEqual(got, want) {
				t.Error("the batches changed with the caller's configuration")
			}
		})
	}
}

func TestConfigErrorsNameTheThing(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"gene0":                                 func(c *Config) { c.Genes[0].Start = 1.5 },
		"gene1":                                 func(c *Config) { c.Genes[1].Values = []float64{.5, 0} },
		"gene3":                                 func(c *Config) { c.Genes[3].Unit = .5 },
		"gene2":                                 func(c *Config) { c.Genes[2].Values = []float64{0, 1.5} },
		"no free":                               func(c *Config) { c.Genes = nil },
		"budget":                                func(c *Config) { c.Budget = -1 },
		"rate":                                  func(c *Config) { c.Rate = -1 },
		"perturb":                               func(c *Config) { c.Perturb = 2 },
		"perturb is 1e-162, outside [1e-09, 1]": func(c *Config) { c.Perturb = 1e-162 },
		"width is 1e-300, outside [1e-09, 1]":   func(c *Config) { c.Width = 1e-300 },
		"kind":                                  func(c *Config) { c.Opponents[0].Kind = "friend" },
	} {
		for _, v := range variants {
			t.Run(want+"/"+v.name, func(t *testing.T) {
				c := smallConfig()
				change(&c)
				o, err := New(v.method, c)
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v does not contain %q", err, want)
				}
				if o != nil {
					t.Errorf("an optimiser %T beside the error %v, want nil", o, err)
				}
			})
		}
	}
	if _, err := New("random", smallConfig()); err == nil {
		t.Error("unknown method: no error")
	}
}
