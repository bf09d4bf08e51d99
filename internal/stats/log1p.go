package stats

import "math"

// Log1p returns ln(1+x) for x in [0, 1], within one unit in the last place, with the same bits on every machine.
//
// math.Log1p lets the compiler fuse products with sums (on arm64 and with GOAMD64=v3), which changes the last
// bit. The method is that of FreeBSD's s_log1p.c: 1+x is 1+f or 2(1+f), then ln(1+f) by a polynomial, with every
// product rounded on its own.
func Log1p(x float64) float64 {
	const (
		sqrt2Less1 = 4.142135623730950488017e-01
		tiny       = 1.0 / (1 << 54)
		small      = 1.0 / (1 << 29)
		ln2High    = 6.93147180369123816490e-01
		ln2Low     = 1.90821492927058770002e-10
		p1         = 6.666666666666735130e-01
		p2         = 3.999999999940941908e-01
		p3         = 2.857142874366239149e-01
		p4         = 2.222219843214978396e-01
		p5         = 1.818357216161805012e-01
		p6         = 1.531383769920937332e-01
		p7         = 1.479819860511658591e-01
	)
	switch {
	case x < tiny:
		return x
	case x < small:
		return x - float64(x*x*0.5)
	case x == 1:
		return math.Ln2
	}
	f, lost := x, 0.0 // rounding error of 1+x, relative to 1+x
	sum := 1 + x
	halved := sum >= math.Sqrt2
	switch {
	case halved:
		lost = (x - (sum - 1)) / sum
		f = float64(sum/2) - 1
	case x >= sqrt2Less1:
		f = sum - 1
	}
	half := float64(0.5 * f * f)
	s := f / (2 + f)
	z := float64(s * s)
	poly := p6 + float64(z*p7)
	poly = p5 + float64(z*poly)
	poly = p4 + float64(z*poly)
	poly = p3 + float64(z*poly)
	poly = p2 + float64(z*poly)
	poly = p1 + float64(z*poly)
	tail := float64(s * (half + float64(z*poly)))
	if !halved {
		return f - (half - tail)
	}
	return ln2High - ((half - (tail + (ln2Low + lost))) - f)
}
