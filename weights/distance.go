package weights

import "math"

// Distance returns how far two values of the weight are apart for people who look for changes, in doublings:
// 1 is a factor of 2 between positive values. Others count on the curve that codes signed weights, on
// which it takes some Ref points to be a doubling away from zero.
func (d Decl) Distance(a, b int32) float64 {
	if a > 0 && b > 0 {
		return math.Abs(math.Log2(float64(b) / float64(a)))
	}
	ref := float64(max(1, d.Ref))
	return math.Abs(math.Asinh(float64(b)/ref)-math.Asinh(float64(a)/ref)) / math.Ln2
}
