package weights

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintune/pattern"
)

func mustSpace(t testing.TB, base *Set, groups ...string) *Space {
	t.Helper()
	sp, err := NewSpace(base, groups)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

func mustEncode(t testing.TB, sp *Space, s *Set) *Projection {
	t.Helper()
	p, err := sp.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustDecode(t testing.TB, sp *Space, genes []float64) *Set {
	t.Helper()
	s, err := sp.Decode(genes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// randomGenes returns uniformly distributed genes, many of them exactly at an end.
func randomGenes(rng *rand.Rand, n int) []float64 {
	genes := make([]float64, n)
	for i := range genes {
		genes[i] = max(-1, min(1, 3*rng.Float64()-1.5))
	}
	return genes
}

var allGroups = DefaultGroups(pattern.Freestyle)

// corners returns genomes that push as many weights as possible to their bounds.
func corners(n int) [][]float64 {
	return [][]float64{slices.Repeat([]float64{1}, n), slices.Repeat([]float64{-1}, n), make([]float64, n)}
}

// TestEveryGenomeIsValid checks bounds and order, and that a decoded set is its own projection.
func TestEveryGenomeIsValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, groups := range [][]string{allGroups, {"line", "cell", "order", "tempo", "search"}, {"line"}, {"tempo", "order"}, {"search"}} {
		base := mustPreset(t, "zhang") // not in order
		sp := mustSpace(t, base, groups...)
		n := len(sp.Genes())
		genomes := corners(n)
		for range 300 {
			genomes = append(genomes, randomGenes(rng, n))
		}
		for _, genes := range genomes {
			s := mustDecode(t, sp, genes)
			checkOrder(t, s, groups)
			p := mustEncode(t, sp, s)
			if len(p.Moved) > 0 || len(p.Scaled) > 0 || !p.Set.Equal(s) {
				t.Fatalf("%v: a decoded set moves: %v %v", groups, p.Scaled, p.Moved)
			}
			if again := mustDecode(t, sp, p.Genes); !again.Equal(s) {
				t.Fatalf("%v: the projected genes decode to another set", groups)
			}
		}
	}
}

// A frozen weight keeps its value in every genome, and the classes stay in order; its family is not multiplied.
func TestFrozenWeightsAreKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for _, c := range []struct {
		base   string
		groups []string
		frozen map[string]int32
	}{
		{"huang", []string{"line", "cell"}, map[string]int32{"line.open_two.self": 260}},
		{"zhang", DefaultGroups(pattern.Freestyle), map[string]int32{"line.open_two.self": 70, "order.four.self": 3000}},
		{"huang", DefaultGroups(pattern.Freestyle), map[string]int32{"line.open_three.self": 1550}}, // fixes the scale of its family otherwise
	} {
		base := mustPreset(t, c.base)
		sp, err := NewSpace(base, c.groups, slices.Collect(maps.Keys(c.frozen))...)
		if err != nil {
			t.Fatal(err)
		}
		start := mustEncode(t, sp, base)
		if len(start.Scaled) > 0 {
			t.Errorf("%s: %v", c.base, start.Scaled)
		}
		n := len(sp.Genes())
		genomes := append(corners(n), start.Genes)
		for range 100 {
			genomes = append(genomes, randomGenes(rng, n))
		}
		for _, genes := range genomes {
			s := mustDecode(t, sp, genes)
			checkOrder(t, s, c.groups)
			real := sp.Real(genes)
			for name, want := range c.frozen {
				if got, _ := s.Get(name); got != want || real[current.index[name]] != float64(want) {
					t.Fatalf("%s: %s is %d and %v, want %d", c.base, name, got, real[current.index[name]], want)
				}
			}
			if again := mustDecode(t, sp, mustEncode(t, sp, s).Genes); !again.Equal(s) {
				t.Fatalf("%s: the projected genes decode to another set", c.base)
			}
		}
	}
}

func checkOrder(t *testing.T, s *Set, groups []string) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	for d, v := range s.All() {
		if d.Above == "" || !slices.Contains(groups, d.Group) {
			continue
		}
		if below, _ := s.Get(d.Above); v <= below {
			t.Fatalf("%s is %d, %s is %d", d.Name, v, d.Above, below)
		}
	}
}

// TestProjectionIsIdempotent brings arbitrary sets into the space twice.
func TestProjectionIsIdempotent(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	sp := mustSpace(t, mustPreset(t, "huang"), allGroups...)
	for range 300 {
		s := New("random", pattern.Freestyle, 15)
		for i, d := range Declarations() {
			s.Values[i] = d.Min + rng.Int32N(d.Max-d.Min+1)
		}
		once := mustEncode(t, sp, s)
		checkOrder(t, once.Set, allGroups)
		for i, z := range once.Genes {
			if !(z >= -1 && z <= 1) {
				t.Fatalf("gene %s is %v", sp.Genes()[i].Name, z)
			}
		}
		twice := mustEncode(t, sp, once.Set)
		if !twice.Set.Equal(once.Set) || len(twice.Moved)+len(twice.Scaled) > 0 {
			t.Fatalf("moved again: %v %v", twice.Scaled, twice.Moved)
		}
	}
}

// TestHuangIsInTheBox: encoding and decoding huang gives huang, whatever the base, except for its two equal twos.
func TestHuangIsInTheBox(t *testing.T) {
	huang := mustPreset(t, "huang")
	for _, base := range []string{"huang", "flat", "zhang"} {
		t.Run(base, func(t *testing.T) {
			start := mustPreset(t, base)
			for i, d := range Declarations() {
				if !d.Gene { // the score of a five is not tuned
					start.Values[i] = huang.Values[i]
				}
			}
			p := mustEncode(t, mustSpace(t, start, DefaultGroups(pattern.Freestyle)...), huang)
			want := []Move{
				{"line.open_two_3.self", 260, 260, 270},
				{"line.open_two_3.opponent", 240, 240, 250},
				{"order.open_two_3.self", 260, 260, 270},
				{"order.open_two_3.opponent", 240, 240, 250},
			}
			if len(p.Scaled) > 0 || !slices.Equal(p.Moved, want) {
				t.Errorf("from %s: scaled %v, moved %v, want %v", base, p.Scaled, p.Moved, want)
			}
			for i, d := range Declarations() {
				from, to := float64(huang.Values[i]), float64(p.Set.Values[i])
				if math.Abs(to-from) > 0.05*from {
					t.Errorf("from %s: %s is %v, not near %v", base, d.Name, to, from)
				}
			}
		})
	}
}

// TestHuangIsInside leaves room for evolution on both sides of most weights of huang.
func TestHuangIsInside(t *testing.T) {
	sp := mustSpace(t, mustPreset(t, "huang"), DefaultGroups(pattern.Freestyle)...)
	for i, z := range mustEncode(t, sp, mustPreset(t, "huang")).Genes {
		g := sp.Genes()[i]
		if math.Abs(z) > 0.5 && !strings.Contains(g.Name, "open_two_3") {
			t.Errorf("gene %s is %v at huang", g.Name, z)
		}
	}
}

func TestPresetsProject(t *testing.T) {
	for _, name := range []string{"huang", "zhang", "shapes", "sjtu", "flat"} {
		t.Run(name, func(t *testing.T) {
			s := mustPreset(t, name)
			sp := mustSpace(t, s, DefaultGroups(pattern.Freestyle)...)
			p := mustEncode(t, sp, s)
			checkOrder(t, p.Set, DefaultGroups(pattern.Freestyle))
			differ := 0
			for i, v := range p.Set.Values {
				if v != s.Values[i] && Declarations()[i].Mirror == "" {
					differ++
				}
			}
			wantScaled := name == "zhang" || name == "sjtu"
			if (len(p.Scaled) > 0) != wantScaled || len(p.Scaled) == 0 && len(p.Moved) != differ {
				t.Errorf("%s: scaled %v, %d weights differ, moved %v", name, p.Scaled, differ, p.Moved)
			}
		})
	}
}

// TestScaleIsDead: a set times a factor has the same genome if all groups of the family are tuned.
func TestScaleIsDead(t *testing.T) {
	huang := mustPreset(t, "huang")
	sp := mustSpace(t, huang, DefaultGroups(pattern.Freestyle)...)
	doubled := huang.Clone()
	for i, d := range Declarations() {
		if d.Gene && d.Group == "line" {
			doubled.Values[i] *= 2
		}
	}
	p, q := mustEncode(t, sp, huang), mustEncode(t, sp, doubled)
	if !slices.Equal(q.Scaled, []Rescale{{"position", 0.5}}) || !p.Set.Equal(q.Set) || len(q.Moved) != len(p.Moved) {
		t.Errorf("scaled %v, moved %v", q.Scaled, q.Moved)
	}
	frozen := mustSpace(t, huang, "line", "tempo") // with the cell group frozen the scale is fixed, so factors matter
	if r := mustEncode(t, frozen, doubled); len(r.Scaled) > 0 {
		t.Errorf("scaled by %v beside a frozen group", r.Scaled)
	}
}

// TestGenes checks the number of genes of groups: one for each weight, without the two anchors where their
// families are complete.
func TestGenes(t *testing.T) {
	const anchor = "line.open_three.self"
	search := len(mustSpace(t, mustPreset(t, "huang"), SearchGroup).Genes())
	tests := []struct {
		groups  []string
		genes   int
		anchors []string // weights without a gene
	}{
		{DefaultGroups(pattern.Freestyle), 86 + 110 + search, []string{"line.open_three.self", "order.open_three.self"}},
		{[]string{"line", "cell", "tempo", "pair"}, 65 + 110, []string{"line.open_three.self"}},
		{[]string{"line"}, 22, nil},
		{[]string{"cell"}, 22, nil},
		{[]string{"order"}, 21, []string{"order.open_three.self"}},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.groups, ", "), func(t *testing.T) {
			sp := mustSpace(t, mustPreset(t, "huang"), test.groups...)
			genes := sp.Genes()
			if len(genes) != test.genes {
				t.Errorf("%v: %d genes, want %d", test.groups, len(genes), test.genes)
			}
			for _, g := range genes {
				if slices.Contains(test.anchors, g.Name) || strings.Contains(g.Name, ".five.") || !strings.HasPrefix(g.Name, g.Group+".") {
					t.Errorf("%v: gene %+v", test.groups, g)
				}
			}
			hasAnchor := slices.ContainsFunc(genes, func(g Gene) bool { return g.Name == anchor && g.Above == "line.open_two_4.self" })
			if want := slices.Contains(test.groups, "line") && !slices.Contains(test.anchors, anchor); hasAnchor != want {
				t.Errorf("%v: the anchor is a gene: %v", test.groups, hasAnchor)
			}
		})
	}
}

// TestFrozenStays: weights of groups that are not selected stay those of the base, whatever set is encoded.
func TestFrozenStays(t *testing.T) {
	base := proven(t)
	sp := mustSpace(t, base, "tempo")
	p := mustEncode(t, sp, mustPreset(t, "huang"))
	for i, d := range Declarations() {
		if d.Group != "tempo" && p.Set.Values[i] != base.Values[i] {
			t.Errorf("%s moved from %d to %d", d.Name, base.Values[i], p.Set.Values[i])
		}
	}
	if p.Set.Provenance != nil || p.Set.Rule != base.Rule || p.Set.Size != base.Size {
		t.Errorf("projected to %+v", p.Set)
	}
	if !slices.ContainsFunc(p.Moved, func(m Move) bool { return m.Name == "line.four.self" && m.From == 2450 && m.To == 3000 }) {
		t.Errorf("the frozen four is not among the moved: %v", p.Moved)
	}
}

func TestSpaceRefuses(t *testing.T) {
	huang := mustPreset(t, "huang")
	broken := huang.Clone()
	broken.Values[0] = -1
	for _, test := range []struct {
		base   *Set
		groups []string
		want   string
	}{
		{huang, nil, "weights: no group is selected of [line cell order tempo pair search]"},
		{huang, []string{"Line"}, `weights: group "Line" is not one of [line`},
		{huang, []string{"line", "line"}, `weights: group "line" is selected twice`},
		{broken, []string{"line"}, "weights: line.dead.self is -1"},
	} {
		t.Run(test.want, func(t *testing.T) {
			if _, err := NewSpace(test.base, test.groups); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	sp := mustSpace(t, huang, "order")
	if _, err := sp.Encode(broken); err == nil {
		t.Error("a broken set was encoded")
	}
	genes := make([]float64, 21)
	if _, err := sp.Decode(genes[:20]); err == nil || err.Error() != "weights: a genome has 20 genes, not 21" {
		t.Errorf("short genome: %v", err)
	}
	genes[0] = math.NaN()
	if _, err := sp.Decode(genes); err == nil || err.Error() != "weights: gene order.closed_one.self is not a number" {
		t.Errorf("NaN: %v", err)
	}
	genes[0] = math.Inf(1)
	far := mustDecode(t, sp, genes)
	genes[0] = 1
	if near := mustDecode(t, sp, genes); !near.Equal(far) {
		t.Error("a gene beyond 1 is not the gene 1")
	}
}

// TestScales checks gene values with a declaration of one weight for each scale.
func TestScales(t *testing.T) {
	decls := []Decl{
		{Name: "a.log", Group: "a", Max: 1000, Scale: Log, Ref: 100, Gene: true, Since: 1},
		{Name: "a.above", Group: "a", Max: 1000, Scale: Log, Ref: 104, Gene: true, Since: 1, Above: "a.log"}, // increment 10
		{Name: "a.linear", Group: "a", Min: -100, Max: 50, Scale: Linear, Ref: 10, Gene: true, Since: 1},
		{Name: "a.signed", Group: "a", Min: -1000, Max: 1000, Scale: Signed, Ref: 10, Gene: true, Since: 1},
	}
	sc := mustSchema(testGroups, decls, nil)
	sp, err := sc.newSpace(&Set{Name: "x", Size: 15, Values: []int32{100, 110, 0, 0}}, []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		genes []float64
		want  []int32
	}{
		{[]float64{0, 0, 0, 0}, []int32{100, 110, 10, 0}},
		{[]float64{1, 1, 1, 1}, []int32{800, 880, 50, 1000}},
		{[]float64{-1, -1, -1, -1}, []int32{13, 14, -70, -1000}},          // eight references below, within the bound
		{[]float64{1.0 / 3, 2.0 / 3, .25, .5}, []int32{200, 240, 30, 70}}, // 10 sinh(asinh(100)/2)
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.genes), func(t *testing.T) {
			s := mustDecode(t, sp, test.genes)
			if !slices.Equal(s.Values, test.want) {
				t.Errorf("%v decode to %v, want %v", test.genes, s.Values, test.want)
			}
		})
	}
}

// TestLimitsLeaveRoom: genes at their upper ends still give each class more than the class below it, along both
// branches of a tree, and the decoded weights encode to the same genes.
func TestLimitsLeaveRoom(t *testing.T) {
	gene := func(name, above string) Decl {
		return Decl{Name: name, Group: "a", Max: 50, Scale: Log, Ref: 40, Gene: true, Since: 1, Above: above}
	}
	decls := []Decl{gene("a.root", ""), gene("a.low", "a.root"), gene("a.branch", "a.root"), gene("a.high", "a.low")}
	sp, err := mustSchema(testGroups, decls, nil).newSpace(&Set{Name: "x", Size: 15, Values: make([]int32, 4)}, []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	s := mustDecode(t, sp, []float64{1, 1, 1, 1})
	if want := []int32{48, 49, 50, 50}; !slices.Equal(s.Values, want) {
		t.Errorf("decoded to %v, want %v", s.Values, want)
	}
	if p := mustEncode(t, sp, s); !p.Set.Equal(s) {
		t.Errorf("projected to %v", p.Set.Values)
	}
}

// A space is immutable: what a caller writes to its genes does not reach it.
func TestGenesAreACopy(t *testing.T) {
	sp := everything(t)
	for i, g := range sp.Genes() {
		want := slices.Clone(g.Values)
		clear(g.Values)
		if got := sp.Genes()[i].Values; !slices.Equal(got, want) {
			t.Errorf("the values of %s are %v after a write to a copy, want %v", g.Name, got, want)
		}
	}
}

// A gene lists the integers of its weight where they are few, and each is decoded from its place in the list.
func TestFewValues(t *testing.T) {
	sp := everything(t)
	listed := 0
	for i, g := range sp.Genes() {
		if g.Values == nil {
			continue
		}
		listed++
		genes := make([]float64, len(sp.Genes()))
		for k, z := range g.Values {
			genes[i] = z
			s := mustDecode(t, sp, genes)
			genes[i] = g.Values[0]
			first := mustDecode(t, sp, genes)
			if got, least := s.mustGet(g.Name), first.mustGet(g.Name); got != least+int32(k) {
				t.Errorf("value %d of %s, gene %v, is %d, the least is %d", k, g.Name, z, got, least)
			}
		}
	}
	if listed < 5 {
		t.Errorf("%d genes have few values, want those of depths and counts at least", listed)
	}
}
