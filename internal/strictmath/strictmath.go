// Package strictmath has functions of package math with the same bits on every processor. Weights, checkpoints and
// ratings are computed with them, so that a run has the same bytes everywhere.
//
// In package math some of these functions are written in assembly, which differs between processors and even between
// models of one. In others the compiler fuses products and sums where the processor can. Here a product is fused where
// math.FMA says so, and rounded elsewhere. The bits are those of package math on amd64 with FMA,
// but for logarithms and powers of subnormal numbers, which are wrong there.
package strictmath

import "math"

// Exp returns e^x within one unit in the last place. The method is that of exp_amd64.s of the Go library: x = k ln 2 + r,
// a Taylor series for e^(r/16) − 1, and four squarings.
func Exp(x float64) float64 {
	const (
		overflow  = 7.09782712893384e+02
		underflow = -746
		ln2High   = 0.69314718055966295651160180568695068359375
		ln2Low    = 0.28235290563031577122588448175013436025525412068e-12
	)
	switch {
	case math.IsNaN(x) || x > overflow:
		return x * math.Inf(1)
	case x < underflow:
		return 0
	}
	k := math.RoundToEven(x * math.Log2E)
	r := math.FMA(-k, ln2High, x)
	r = math.FMA(-k, ln2Low, r) * .0625
	y := math.FMA(r, 2.4801587301587301587e-5, 1.9841269841269841270e-4)
	y = math.FMA(r, y, 1.3888888888888888889e-3)
	y = math.FMA(r, y, 8.3333333333333333333e-3)
	y = math.FMA(r, y, 4.1666666666666666667e-2)
	y = math.FMA(r, y, 1.6666666666666666667e-1)
	y = math.FMA(r, y, .5)
	y = math.FMA(r, y, 1)
	y = float64(y * r) // e^(r/16) − 1
	y = float64(y * (y + 2))
	y = float64(y * (y + 2))
	y = float64(y * (y + 2))
	return math.Ldexp(math.FMA(y+2, y, 1), int(k))
}

// Log returns the natural logarithm. The method is that of FreeBSD's e_log.c, as in log.go of the Go library.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	const (
		ln2High = 6.93147180369123816490e-01
		ln2Low  = 1.90821492927058770002e-10
	)
	f, k := fraction-1, float64(exponent)
	s := f / (2 + f)
	square := float64(s * s)
	fourth := float64(square * square)
	odd := 2.857142874366239149e-01 + float64(fourth*(1.818357216161805012e-01+float64(fourth*1.479819860511658591e-01)))
	odd = square * (6.666666666666735130e-01 + float64(fourth*odd))
	even := float64(fourth * (3.999999999940941908e-01 + float64(fourth*(2.222219843214978396e-01+float64(fourth*1.531383769920937332e-01)))))
	half := float64(.5 * f * f)
	tail := float64(s * (half + (float64(odd) + even)))
	return float64(k*ln2High) - ((half - (tail + float64(k*ln2Low))) - f)
}

// Log10 returns the decimal logarithm.
func Log10(x float64) float64 { return Log(x) * (1 / math.Ln10) }

// Pow returns x^y. It is not a number where x is negative, nor for 0^0, ∞^0 and 1^∞, which are 1 in package math. The method is
// that of pow.go of the Go library: the fraction of y by Exp and Log, its whole part by squaring.
func Pow(x, y float64) float64 {
	switch {
	case !(x > 0) || math.IsInf(x, 1) || !(math.Abs(y) < 1<<32):
		return Exp(y * Log(x))
	case y == .5:
		return math.Sqrt(x)
	case y == -.5:
		return 1 / math.Sqrt(x)
	}
	whole, part := math.Modf(math.Abs(y))
	result, exponent := 1.0, 0
	if part != 0 {
		if part > .5 {
			part--
			whole++
		}
		result = Exp(part * Log(x))
	}
	base, shift := math.Frexp(x)
	for i := int64(whole); i != 0; i >>= 1 {
		if i&1 == 1 {
			result *= base
			exponent += shift
		}
		base = float64(base * base)
		shift *= 2
		if base < .5 {
			base += base
			shift--
		}
	}
	if y < 0 {
		result, exponent = 1/result, -exponent
	}
	return math.Ldexp(result, exponent)
}

// Hypot returns √(x²+y²).
func Hypot(x, y float64) float64 {
	long, short := max(math.Abs(x), math.Abs(y)), min(math.Abs(x), math.Abs(y))
	if long == 0 || math.IsInf(long, 1) {
		return long
	}
	ratio := short / long
	return long * math.Sqrt(1+float64(ratio*ratio))
}

// Sinh returns the hyperbolic sine, by J. F. Hart et al., "Computer Approximations", #2029.
func Sinh(x float64) float64 {
	const (
		p0 = -0.6307673640497716991184787251e+6
		p1 = -0.8991272022039509355398013511e+5
		p2 = -0.2894211355989563807284660366e+4
		p3 = -0.2630563213397497062819489e+2
		q0 = -0.6307673640497716991212077277e+6
		q1 = 0.1521517378790019070696485176e+5
		q2 = -0.173678953558233699533450911e+3
	)
	size := math.Abs(x)
	var y float64
	switch {
	case size > 21:
		y = Exp(size) * .5
	case size > .5:
		e := Exp(size)
		y = (e - 1/e) * .5
	default:
		y = polynomial(size*size, p3, p2, p1, p0) * size / polynomial(size*size, 1, q2, q1, q0)
	}
	return math.Copysign(y, x)
}

// Asinh returns the inverse of Sinh.
func Asinh(x float64) float64 {
	const (
		near = 1.0 / (1 << 28) // below it, x equals its asinh
		far  = 1 << 28         // above it, adding 1 to the square of x changes nothing
	)
	size := math.Abs(x)
	square := float64(size * size)
	var y float64
	switch {
	case size > far:
		y = Log(size) + math.Ln2
	case size > 2:
		y = Log(float64(2*size) + 1/(math.Sqrt(square+1)+size))
	case size < near:
		y = size
	default:
		y = Log1p(size + square/(1+math.Sqrt(1+square)))
	}
	return math.Copysign(y, x)
}

// Log1p returns ln(1+x) for x of at least 0, by FreeBSD's s_log1p.c: 1+x is 2^k (1+f), then ln(1+f) by a polynomial.
func Log1p(x float64) float64 {
	const (
		ln2High  = 6.93147180369123816490e-01
		ln2Low   = 1.90821492927058770002e-10
		halfRoot = 0x0006a09e667f3bcd // mantissa of √2
		tiny     = 1.0 / (1 << 54)
		small    = 1.0 / (1 << 29)
	)
	switch {
	case x < tiny:
		return x
	case x < small:
		return x - float64(x*x*.5)
	}
	k, f, lost := 0.0, x, 0.0 // 1+x = 2^k (1+f); lost is the rounding error of 1+x
	if x >= math.Sqrt2-1 {
		u := 1 + x
		bits := math.Float64bits(u)
		exponent := int(bits>>52) - 1023
		if lost = x - (u - 1); exponent > 0 {
			lost = 1 - (u - x)
		}
		lost /= u
		bits &= 1<<52 - 1
		if bits < halfRoot {
			u = math.Float64frombits(bits | 0x3ff0000000000000)
		} else {
			exponent++
			u = math.Float64frombits(bits | 0x3fe0000000000000)
		}
		k, f = float64(exponent), u-1
	}
	half := float64(.5 * f * f)
	s := f / (2 + f)
	z := float64(s * s)
	rest := float64(z * polynomial(z, 1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
		2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01))
	correction := float64(s * (half + rest))
	if k == 0 {
		return f - (half - correction)
	}
	return float64(k*ln2High) - ((half - (correction + (float64(k*ln2Low) + lost))) - f)
}

// polynomial returns the value of a polynomial at x. The coefficients begin with the highest power.
func polynomial(x float64, coefficients ...float64) float64 {
	sum := 0.0
	for _, c := range coefficients {
		sum = float64(sum*x) + c
	}
	return sum
}
