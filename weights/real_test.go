package weights

import (
	"math"
	"math/rand/v2"
	"testing"
)

// everything returns the space of all groups with the base huang.
func everything(t *testing.T) *Space {
	t.Helper()
	var groups []string
	for _, g := range Groups() {
		if g.Renju {
			continue
		}
		groups = append(groups, g.Name)
	}
	sp, err := NewSpace(mustPreset(t, "huang"), groups)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// Rounding moves a weight by at most one half, plus one half for each class below it.
func TestRealIsDecodeWithoutRounding(t *testing.T) {
	sp := everything(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		genes := make([]float64, len(sp.Genes()))
		for i := range genes {
			genes[i] = .6*rng.Float64() - .3 // far from the bounds
		}
		s, err := sp.Decode(genes)
		if err != nil {
			t.Fatal(err)
		}
		chain := make([]float64, len(s.Values))
		for _, st := range sp.steps {
			chain[st.decl] = .51
			if st.above >= 0 {
				chain[st.decl] += chain[st.above]
			}
		}
		for to, from := range sp.schema.mirrors(sp.base.Rule) {
			chain[to] = chain[from]
		}
		for i, v := range sp.Real(genes) {
			d := &sp.schema.decls[i]
			v = max(float64(d.Min), min(float64(d.Max), v))
			if math.Abs(v-float64(s.Values[i])) > chain[i] {
				t.Fatalf("%s is %v, decoded %d", d.Name, v, s.Values[i])
			}
		}
	}
}

// Multiplying a wholly tuned family by any factor gives the same genes.
func TestNearestIsTheInverseOfReal(t *testing.T) {
	sp := everything(t)
	rng := rand.New(rand.NewPCG(2, 1))
	for _, scale := range []float64{1, .2, 5} {
		genes := make([]float64, len(sp.Genes()))
		for i := range genes {
			genes[i] = 2*rng.Float64() - 1
		}
		values := sp.Real(genes)
		for _, a := range sp.anchors {
			for i, inFamily := range a.inFamily {
				if inFamily {
					values[i] *= scale
				}
			}
		}
		for i, got := range sp.Nearest(values) {
			if math.Abs(got-genes[i]) > 1e-6 {
				t.Errorf("scale %v, gene %s: %v, want %v", scale, sp.genes[i].Name, got, genes[i])
			}
		}
	}
}

// Values far out of bounds keep their ratios when the anchor's increment does not determine a factor.
func TestNearestBringsGreatValuesWithinBounds(t *testing.T) {
	sp := everything(t)
	values := sp.Real(make([]float64, len(sp.Genes())))
	for _, a := range sp.anchors {
		for i, inFamily := range a.inFamily {
			if inFamily {
				values[i] *= 1000
			}
		}
	}
	got, err := sp.Decode(sp.Nearest(values))
	if err != nil {
		t.Fatal(err)
	}
	four, _ := got.Get("line.four.self")
	two, _ := got.Get("line.closed_two.self")
	if ratio := float64(four) / float64(two); ratio < 10 || ratio > 40 { // 2450 / 120 of huang
		t.Errorf("a four is worth %d, a closed two %d", four, two)
	}
}

// The ends of every gene lie on the bounds in Reaches.
func TestReachesAreTheEndsOfGenes(t *testing.T) {
	sp := everything(t)
	for _, end := range []float64{-1, 1} {
		genes := make([]float64, len(sp.Genes()))
		for i := range genes {
			genes[i] = end
		}
		values := sp.Real(genes)
		for _, r := range sp.Reaches() {
			d := &sp.schema.decls[r.Place]
			got, want := values[r.Place], r.Most
			if r.Above >= 0 {
				got -= values[r.Above]
			}
			if end < 0 {
				want = r.Least
			}
			if d.Scale == Linear {
				got = max(r.Least, min(r.Most, got)) // the end nearer to the reference may be beyond the bound
			}
			if math.Abs(got-want) > 1e-6*math.Abs(want) {
				t.Errorf("%s: %v at gene %v, want %v", d.Name, got, end, want)
			}
		}
	}
}
