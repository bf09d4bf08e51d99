package ga

import "fmt"

// MaxInFlight bounds Config.InFlight. Chosen far above 8, with which most landscapes lose already (docs/results/landscapes.md).
const MaxInFlight = 64

// pairs returns the number of pairs of the whole budget.
func (c Config) pairs() int { return c.Budget / 2 }

// inFlight returns the number of batches that may be open at a time.
func (c Config) inFlight() int { return max(1, c.InFlight) }

// drawing is all that an open batch is made of, beside configuration and budget: the state when it was drawn. A checkpoint keeps it,
// since the state has moved on when there are others in flight.
type drawing struct {
	Generation int       `json:"generation"`
	Pairs      int       `json:"pairs"`
	Before     int       `json:"before"`            // pairs asked before it
	Centre     []float64 `json:"centre"`            // [free gene]; in a trial its average
	Path       []float64 `json:"path,omitempty"`    // that led to the centre
	Width      float64   `json:"width"`             // ga: mutation width at the end of the budget; spsa: perturbation of this batch; gene units
	Couples    int       `json:"couples,omitempty"` // bred before it
	Begun      int       `json:"begun,omitempty"`   // pairs asked when the centre was last on the start
	Doubted    bool      `json:"doubted,omitempty"` // the width had been halved
	Trial      bool      `json:"trial,omitempty"`
}

// openBatch is a batch whose games are being played.
type openBatch struct {
	drawing
	batch   Batch
	couples []couple // of MethodGA; none in a trial
}

// batches returns what was asked, in its order.
func batches(open []*openBatch) []Batch {
	list := make([]Batch, len(open))
	for i, o := range open {
		list[i] = o.batch
	}
	return list
}

// drawings returns what open batches were drawn from, for a checkpoint; nil where only one may be open.
func drawings(c Config, open []*openBatch) (list []drawing) {
	if c.inFlight() > 1 {
		for _, o := range open {
			list = append(list, o.drawing)
		}
	}
	return list
}

// First returns the oldest of the batches that Open returned, and false if none is open: what Ask returns.
func First(open []Batch) (Batch, bool) {
	if len(open) == 0 {
		return Batch{}, false
	}
	return open[0], true
}

// checkOpen returns an error for stored drawings that do not follow the closed generations and their pairs, or have more pairs than most
// allows.
func (c Config) checkOpen(open []drawing, closed, pairs, genes int, most func(drawing) int) error {
	if len(open) > c.inFlight() {
		return fmt.Errorf("ga: checkpoint: %d generations are in flight, at most %d expected", len(open), c.inFlight())
	}
	for i, d := range open {
		if d.Before == pairs && d.Pairs > c.pairs()-pairs {
			return fmt.Errorf("ga: checkpoint: the budget of %d games is smaller than what the checkpoint has played and asked for", c.Budget)
		}
		most := most(d)
		if d.Pairs > most && d.Before == pairs {
			return fmt.Errorf("ga: checkpoint: generation %d with %d pairs is in flight, at most %d pairs expected with a budget of %d games", d.Generation, d.Pairs, most, c.Budget)
		}
		if d.Generation != closed+i || d.Before != pairs || d.Pairs < 1 {
			return fmt.Errorf("ga: checkpoint: generation %d with %d pairs after %d is in flight, generation %d with a pair or more after %d expected",
				d.Generation, d.Pairs, d.Before, closed+i, pairs)
		}
		pairs += d.Pairs
		if err := checkVector(fmt.Sprintf("generation %d", d.Generation), d.Centre, genes, 1); err != nil {
			return err
		}
		if d.Path != nil {
			if err := checkVector(fmt.Sprintf("path to generation %d", d.Generation), d.Path, genes, mostPath); err != nil {
				return err
			}
		}
		if !(d.Width >= 0) {
			return fmt.Errorf("ga: checkpoint: width %v of generation %d is below 0", d.Width, d.Generation)
		}
		if err := checkCounts(d.Couples, d.Begun); err != nil {
			return err
		}
	}
	return nil
}
