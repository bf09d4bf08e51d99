package strictmath

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// functions draw an argument, and return it with the value here and that of package math.
var functions = []struct {
	name string
	draw func(*rand.Rand) (x, got, want float64)
	bits uint64 // hash of the values of 200 000 arguments
}{
	{"Exp", func(rng *rand.Rand) (x, got, want float64) {
		if x = float64(1400*rng.Float64()) - 700; rng.IntN(2) == 0 {
			x /= 1000
		}
		return x, Exp(x), math.Exp(x)
	}, 0xa693e9e1f89fc1e8},
	{"Log", func(rng *rand.Rand) (x, got, want float64) {
		if x = math.Ldexp(rng.Float64(), rng.IntN(1000)-500); rng.IntN(2) == 0 {
			x = .5 + rng.Float64()
		}
		return x, Log(x), math.Log(x)
	}, 0x840ac62d1ab960d1},
	{"Log10", func(rng *rand.Rand) (x, got, want float64) {
		x = math.Ldexp(rng.Float64(), rng.IntN(60)-30)
		return x, Log10(x), math.Log10(x)
	}, 0xfa48e30c4772eb08},
	{"Log1p", func(rng *rand.Rand) (x, got, want float64) {
		x = math.Ldexp(rng.Float64(), 10-rng.IntN(70))
		return x, Log1p(x), math.Log1p(x)
	}, 0x1d68032d23dfb768},
	{"Pow", func(rng *rand.Rand) (x, got, want float64) {
		x, y := math.Ldexp(rng.Float64(), rng.IntN(20)-8), float64(4*rng.Float64())-2
		return x, Pow(x, y), math.Pow(x, y)
	}, 0x7ffc9a4a6b016c6f},
	{"Pow of ten", func(rng *rand.Rand) (x, got, want float64) {
		x = float64(40*rng.Float64()) - 20
		return x, Pow(10, x), math.Pow(10, x)
	}, 0x210d530cefbd14d},
	{"Hypot", func(rng *rand.Rand) (x, got, want float64) {
		x, y := 100*rng.Float64(), 100*rng.Float64()
		return x, Hypot(x, y), math.Hypot(x, y)
	}, 0x72cd9287d1adc434},
	{"Sinh", func(rng *rand.Rand) (x, got, want float64) {
		if x = float64(60*rng.Float64()) - 30; rng.IntN(2) == 0 {
			x /= 30
		}
		return x, Sinh(x), math.Sinh(x)
	}, 0x6f651c4139344d4d},
	{"Asinh", func(rng *rand.Rand) (x, got, want float64) {
		x = math.Ldexp(rng.Float64()-.5, rng.IntN(70)-35)
		return x, Asinh(x), math.Asinh(x)
	}, 0xd2bfadbdae11c49a},
}

// The values are those of package math but for the last bits, and the same bits on every processor.
func TestFunctionsHaveTheSameBitsEverywhere(t *testing.T) {
	const most = 1e-15 // relative difference
	for _, f := range functions {
		t.Run(f.name, func(t *testing.T) {
			bits := fnv.New64()
			rng := rand.New(rand.NewPCG(1, 2))
			for range 200_000 {
				x, got, want := f.draw(rng)
				if math.Abs(got-want) > most*math.Abs(want) {
					t.Fatalf("%s(%v): got %v, want %v", f.name, x, got, want)
				}
				bits.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(got)))
			}
			if got := bits.Sum64(); got != f.bits {
				t.Errorf("got bits that sum to %#x, want %#x", got, f.bits)
			}
		})
	}
}

func TestFunctionsAtTheirEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"Exp(0)", Exp(0), 1},
		{"Exp(1000)", Exp(1000), inf},
		{"Exp(∞)", Exp(inf), inf},
		{"Exp(−∞)", Exp(-inf), 0},
		{"Exp(−1000)", Exp(-1000), 0},
		{"Exp(NaN)", Exp(nan), nan},
		{"Log(1)", Log(1), 0},
		{"Log(0)", Log(0), -inf},
		{"Log(−1)", Log(-1), nan},
		{"Log(∞)", Log(inf), inf},
		{"Log(NaN)", Log(nan), nan},
		{"Log1p(0)", Log1p(0), 0},
		{"Log1p(1e-17)", Log1p(1e-17), 1e-17},
		{"Log1p(1)", Log1p(1), math.Ln2},
		{"Pow(2, 10)", Pow(2, 10), 1024},
		{"Pow(4, -0.5)", Pow(4, -.5), .5},
		{"Pow(10, −∞)", Pow(10, -inf), 0},
		{"Pow(10, ∞)", Pow(10, inf), inf},
		{"Pow(0, 2)", Pow(0, 2), 0},
		{"Pow(−1, 2)", Pow(-1, 2), nan},
		{"Hypot(0, 0)", Hypot(0, 0), 0},
		{"Hypot(−3, 4)", Hypot(-3, 4), 5},
		{"Hypot(1, ∞)", Hypot(1, inf), inf},
		{"Sinh(0)", Sinh(0), 0},
		{"Asinh(0)", Asinh(0), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, want := test.got, test.want; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: got %v, want %v", test.name, got, want)
			}
		})
	}
}
