package weights

import "math"

// The hyperbolic functions of package math, with every product rounded before it is added. In package math the
// compiler fuses products and sums on some processors and with GOAMD64=v3. A fit that starts from other last
// bits ends at other weights. Source: sinh.go, asinh.go and log1p.go of the Go library; their own sources are J.
// F. Hart et al., "Computer Approximations", #2029, and s_log1p.c of FreeBSD.

// sinh returns the hyperbolic sine.
func sinh(x float64) float64 {
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
		y = math.Exp(size) * .5
	case size > .5:
		e := math.Exp(size)
		y = (e - 1/e) * .5
	default:
		y = polynomial(size*size, p3, p2, p1, p0) * size / polynomial(size*size, 1, q2, q1, q0)
	}
	return math.Copysign(y, x)
}

// asinh returns the inverse of sinh.
func asinh(x float64) float64 {
	const (
		near = 1.0 / (1 << 28) // below it, x equals its asinh
		far  = 1 << 28         // above it, adding 1 to the square of x changes nothing
	)
	size := math.Abs(x)
	square := float64(size * size)
	var y float64
	switch {
	case size > far:
		y = math.Log(size) + math.Ln2
	case size > 2:
		y = math.Log(float64(2*size) + 1/(math.Sqrt(square+1)+size))
	case size < near:
		y = size
	default:
		y = log1p(size + square/(1+math.Sqrt(1+square)))
	}
	return math.Copysign(y, x)
}

// log1p returns the natural logarithm of 1+x for x of at least 2⁻²⁹.
func log1p(x float64) float64 {
	const (
		ln2High  = 6.93147180369123816490e-01
		ln2Low   = 1.90821492927058770002e-10
		halfRoot = 0x0006a09e667f3bcd // mantissa of √2
	)
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
