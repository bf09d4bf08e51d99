package ga

import (
	"fmt"
	"math"
	"slices"
)

// slopes are the sums of a linear regression for each gene, of the slope that couples saw on the centre of their generation. Where the
// line crosses zero the optimum is expected: after a search that follows slopes, this tells more than where the search
// ended (Frees and Ruppert 1990; Lai and Robbins 1982 for the estimate itself). Old generations fade.
type slopes struct {
	Generations int       `json:"generations"` // since the centre was last on the start
	Weights     []float64 `json:"weights"`     // [free gene]: how much the couples tell, their squared distances
	Centres     []float64 `json:"centres"`     // weighted sum of the centres
	Squares     []float64 `json:"squares"`     // of their squares
	Pulls       []float64 `json:"pulls"`       // of the slopes, in score a gene unit
	Products    []float64 `json:"products"`    // of the products of slope and centre
}

const (
	slopesFade = 3                           // a generation weighs with the power slopesFade of its number
	bendSpread = .5                          // prior deviation of a gene's curvature, in units of the mean curvature of all genes
	leastBend  = .1                          // least curvature of a gene, in the same units
	bendSigmas = 2                           // standard errors that the mean curvature must lie above 0
	firstPrior = .2                          // squared distance of the optimum from the start in a gene: where its estimate begins
	priorSteps = 30                          // of this estimate; ten are nearly enough
	leastTold  = leastSetting * leastSetting // sums below it tell nothing, and cannot be divided by
	// Share of the estimated optimum in the champion, beside the average of the centre: the errors of the two differ.
	slopesShare = .5
)

func newSlopes(genes int) slopes {
	zeros := func() []float64 { return make([]float64, genes) }
	return slopes{Weights: zeros(), Centres: zeros(), Squares: zeros(), Pulls: zeros(), Products: zeros()}
}

// add closes a generation around a centre.
func (s *slopes) add(centre []float64, all recombination) {
	s.Generations++
	kept := float64(s.Generations-1) / float64(s.Generations-1+slopesFade)
	for i, c := range centre {
		w, pull := all.squares[i], all.sum[i]
		s.Weights[i] = float64(kept*s.Weights[i]) + w
		s.Centres[i] = float64(kept*s.Centres[i]) + float64(w*c)
		s.Squares[i] = float64(kept*s.Squares[i]) + float64(w*c*c)
		s.Pulls[i] = float64(kept*s.Pulls[i]) + pull
		s.Products[i] = float64(kept*s.Products[i]) + float64(pull*c)
	}
}

// optimum returns where the slopes vanish, each gene drawn to the start by how uncertain it is, and nil where the landscape does not bend.
// The priors are estimated from all genes together (empirical Bayes).
func (s *slopes) optimum(reach []float64) []float64 {
	const noise = pairDeviation * pairDeviation
	genes := len(s.Weights)
	falls, spread := make([]float64, genes), make([]float64, genes) // −Σ(slope − mean)(centre − mean), Σ(centre − mean)²
	allFalls, allSpread := 0.0, 0.0
	for i, w := range s.Weights {
		if w < leastTold {
			continue
		}
		mean := s.Centres[i] / w
		falls[i] = float64(s.Pulls[i]*mean) - s.Products[i]
		spread[i] = max(0, s.Squares[i]-float64(s.Centres[i]*mean))
		allFalls += falls[i]
		allSpread += spread[i]
	}
	if allSpread < leastTold || !(allFalls > bendSigmas*math.Sqrt(noise*allSpread)) {
		return nil
	}
	bend := allFalls / allSpread
	prior := noise / float64(bendSpread*bendSpread*bend*bend) // in units of spread
	best, variance := make([]float64, genes), make([]float64, genes)
	for i, w := range s.Weights {
		if w < leastTold {
			variance[i] = math.MaxFloat64 // nothing is known: the start
			continue
		}
		own := max(leastBend*bend, (float64(bend*prior)+falls[i])/(prior+spread[i]))
		best[i] = (s.Centres[i] + s.Pulls[i]/own) / w
		variance[i] = noise / float64(w*own*own)
	}
	distance := firstPrior // mean squared distance of the optimum from the start, by expectation maximisation
	for range priorSteps {
		sum := 0.0
		for i, v := range variance {
			trust := distance / (distance + v)
			sum += float64(trust*trust*best[i]*best[i]) + float64(trust*v)
		}
		distance = sum / float64(genes)
	}
	for i, v := range variance {
		best[i] = clamp(best[i]*distance/(distance+v), reach[i])
	}
	return best
}

// check returns an error if no run of that many generations can have stored such slopes.
func (s *slopes) check(genes, generations int) error {
	if s.Generations < 0 || s.Generations > generations {
		return fmt.Errorf("ga: checkpoint: slopes of %d generations, %d are closed", s.Generations, generations)
	}
	for _, stored := range []struct {
		name string
		sums []float64
	}{{"weights", s.Weights}, {"centres", s.Centres}, {"squares", s.Squares}, {"pulls", s.Pulls}, {"products", s.Products}} {
		if err := checkVector(stored.name+" of the slopes", stored.sums, genes, mostBudget); err != nil {
			return err
		}
	}
	if least := slices.Min(s.Weights); least < 0 {
		return fmt.Errorf("ga: checkpoint: a weight of the slopes is %v, below 0", least)
	}
	return nil
}
