package ga

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"quintune/internal/strictjson"
)

const checkpointFormat = "quintune.optimizer/1"

var errNothingAsked = errors.New("ga: results told while no batch that Ask or Open returned is open")

// envelope says what a checkpoint belongs to.
type envelope struct {
	Format string `json:"format"`
	Method string `json:"method"`
	Genes  int    `json:"genes"` // free ones
	State  any    `json:"state"` // what is encoded; when decoding, a pointer to its JSON
}

func encodeCheckpoint(method string, genes int, state any) ([]byte, error) {
	data, err := json.Marshal(envelope{Format: checkpointFormat, Method: method, Genes: genes, State: state})
	if err != nil {
		return nil, fmt.Errorf("ga: checkpoint: %w", err)
	}
	return data, nil
}

func decodeCheckpoint(data []byte, method string, genes int, state any) error {
	var raw json.RawMessage
	e := envelope{State: &raw}
	if err := strictjson.Decode(data, &e); err != nil {
		return fmt.Errorf("ga: checkpoint: %w", err)
	}
	if e.Format != checkpointFormat {
		return fmt.Errorf("ga: checkpoint of format %q, %q expected", e.Format, checkpointFormat)
	}
	if e.Method != method || e.Genes != genes {
		return fmt.Errorf("ga: checkpoint of %s with %d free genes, %s with %d expected", e.Method, e.Genes, method, genes)
	}
	if err := strictjson.Decode(raw, state); err != nil {
		return fmt.Errorf("ga: checkpoint: %w", err)
	}
	return nil
}

// checkVector returns an error for a stored vector of another length, or with an entry outside [-bound, bound].
func checkVector(name string, vector []float64, genes int, bound float64) error {
	if len(vector) != genes {
		return fmt.Errorf("ga: checkpoint: %s has %d genes, %d expected", name, len(vector), genes)
	}
	for i, x := range vector {
		if !(math.Abs(x) <= bound) {
			return fmt.Errorf("ga: checkpoint: gene %d of %s is %v, outside [%v, %v]", i, name, x, -bound, bound)
		}
	}
	return nil
}

// mostCount bounds stored counters, far beyond the greatest budget, so that no sum of them overflows.
const mostCount = math.MaxInt / 4

// checkCounts reports counters that no run can reach.
func checkCounts(counts ...int) error {
	for _, n := range counts {
		if n < 0 || n > mostCount {
			return fmt.Errorf("ga: checkpoint: a counter is %d, outside [0, %d]", n, mostCount)
		}
	}
	return nil
}
