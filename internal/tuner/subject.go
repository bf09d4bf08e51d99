package tuner

import (
	"quintune/internal/engine"
	"quintune/internal/match"
	"quintune/selfplay"
	"quintune/weights"
)

// subject is what a run tunes, encoded as genes in [-1, 1].
type subject interface {
	// genes returns the tuned parameters in the order of the genome.
	genes() []weights.Gene
	// start returns the genome at which the run begins.
	start() []float64
	// decode returns what a genome encodes.
	decode(genes []float64) (*point, error)
	// result returns the content of the file in which the run recommends p, with its provenance.
	result(p *point, name string, provenance *weights.Provenance) ([]byte, error)
}

// point is the decoded form of a genome.
type point struct {
	player selfplay.Contestant
	values []float64     // in the order of run.Spec.Parameters
	engine engine.Values // the same values by name for an engine from outside; nil for weights
}

// side returns the point as one side of a match.
func (p *point) side(name string) match.Side { return match.Side{Name: name, Player: p.player} }

// ownWeights is the subject of a run that tunes our own weights.
type ownWeights struct {
	space      *weights.Space
	projection *weights.Projection // of the start weights
}

// newSubject returns the subject of the configuration. own is the same value where our own weights are tuned,
// else nil.
func (c *Config) newSubject() (s subject, own *ownWeights, err error) {
	if c.Tuned != nil {
		s, err = newOutsideEngine(c)
		return s, nil, err
	}
	own, err = newOwnWeights(c)
	return own, own, err
}

func newOwnWeights(c *Config) (*ownWeights, error) {
	space, err := weights.NewSpace(c.weights, c.Groups, c.Frozen...)
	if err != nil {
		return nil, err
	}
	projection, err := space.Encode(c.weights)
	return &ownWeights{space, projection}, err
}

func (w *ownWeights) genes() []weights.Gene { return w.space.Genes() }

func (w *ownWeights) start() []float64 { return w.projection.Genes }

func (w *ownWeights) decode(genes []float64) (*point, error) {
	set, err := w.space.Decode(genes)
	if err != nil {
		return nil, err
	}
	return &point{player: selfplay.Contestant{Weights: set}, values: set.Floats()}, nil
}

func (w *ownWeights) result(p *point, name string, provenance *weights.Provenance) ([]byte, error) {
	set := p.player.Weights
	set.Name, set.Provenance = name, provenance
	return weights.Marshal(set)
}
