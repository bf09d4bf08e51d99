package stats

import "math"

// logistic returns 1/(1+e^−x) and its complement 1/(1+e^x), both to full relative precision.
// logistic(−x) is exactly the two exchanged.
func logistic(x float64) (up, down float64) {
	e := exp(-math.Abs(x))
	large, small := 1/(1+e), e/(1+e)
	if x < 0 {
		return small, large
	}
	return large, small
}

// exp returns e^x for x in [−700, 700] (nearest end beyond), within one unit in the last place.
//
// math.Exp picks its code by the processor (fused multiply-add or not), so its last bit differs
// between machines, and ratings must not. The method is FreeBSD's e_exp.c: x = k ln 2 + r, then
// e^r by a rational function of r, with every product rounded on its own.
func exp(x float64) float64 {
	const (
		ln2High = 6.93147180369123816490e-01
		ln2Low  = 1.90821492927058770002e-10
		p1      = 1.66666666666666657415e-01
		p2      = -2.77777777770155933842e-03
		p3      = 6.61375632143793436117e-05
		p4      = -1.65339022054652515390e-06
		p5      = 4.13813679705723846039e-08
	)
	x = min(max(x, -700), 700)
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	high := x - float64(k*ln2High)
	low := float64(k * ln2Low)
	r := high - low
	t := float64(r * r)
	poly := p4 + float64(t*p5)
	poly = p3 + float64(t*poly)
	poly = p2 + float64(t*poly)
	poly = p1 + float64(t*poly)
	c := r - float64(t*poly)
	y := 1 - ((low - float64(r*c)/(2-c)) - high)
	return math.Ldexp(y, int(k))
}
