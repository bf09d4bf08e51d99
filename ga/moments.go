package ga

import "math"

// meanPoint returns the mean of equally long points, summed in index order.
func meanPoint(points [][]float64) []float64 {
	mean := make([]float64, len(points[0]))
	for _, p := range points {
		for i, x := range p {
			mean[i] += x
		}
	}
	for i := range mean {
		mean[i] /= float64(len(points))
	}
	return mean
}

// spread returns the mean over the coordinates of the points' standard
// deviation.
func spread(points [][]float64) float64 {
	centre := meanPoint(points)
	total := 0.0
	for i, m := range centre {
		sum := 0.0
		for _, p := range points {
			sum += float64((p[i] - m) * (p[i] - m))
		}
		total += math.Sqrt(sum / float64(len(points)))
	}
	return total / float64(len(centre))
}

func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
