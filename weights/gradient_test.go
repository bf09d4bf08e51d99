package weights

import (
	"math"
	"math/rand/v2"
	"testing"
)

// everything returns the space of all groups around huang.
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

// Rounding moves a weight by one half, and by as much again for each class below it.
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

func TestBackwardIsTheSlope(t *testing.T) {
	sp := everything(t)
	rng := rand.New(rand.NewPCG(2, 1))
	genes := make([]float64, len(sp.Genes()))
	for i := range genes {
		genes[i] = 2*rng.Float64() - 1
	}
	factors := make([]float64, len(sp.base.Values))
	for i := range factors {
		factors[i] = rng.NormFloat64()
	}
	f := func() float64 {
		sum := 0.0
		for i, v := range sp.Real(genes) {
			sum += factors[i] * v
		}
		return sum
	}
	const h = 1e-5
	for i, got := range sp.Backward(genes, factors) {
		was := genes[i]
		genes[i] = was + h
		up := f()
		genes[i] = was - h
		down := f()
		genes[i] = was
		if want := (up - down) / (2 * h); math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("gene %s: slope %v, by differences %v", sp.genes[i].Name, got, want)
		}
	}
}
