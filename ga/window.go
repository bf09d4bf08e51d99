package ga

import "fmt"

// window remembers the elite means of the last 30 % of the generations. Their
// average is the champion: the best individual ever seen is mostly the luckiest.
type window struct {
	Closed int         `json:"closed"` // generations so far
	Means  [][]float64 `json:"means"`  // [generation][free gene], oldest first
}

const windowShare = .30

func (w *window) add(eliteMean []float64) {
	w.Closed++
	w.Means = append(w.Means, eliteMean)
	keep := int(windowShare*float64(w.Closed) + .999)
	w.Means = w.Means[max(0, len(w.Means)-keep):]
}

// champion returns the average, or nil before the first generation is closed.
func (w *window) champion() []float64 {
	if len(w.Means) == 0 {
		return nil
	}
	return meanPoint(w.Means)
}

// check reports a stored window that no run can have left.
func (w window) check(genes int) error {
	if (w.Closed > 0) != (len(w.Means) > 0) || len(w.Means) > max(0, w.Closed) {
		return fmt.Errorf("ga: checkpoint: %d generations are closed, with %d elite means", w.Closed, len(w.Means))
	}
	for i, m := range w.Means {
		if err := checkPoint(fmt.Sprintf("elite mean %d", i), m, genes); err != nil {
			return err
		}
	}
	return nil
}
