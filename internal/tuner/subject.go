package tuner

import (
	"quintune/internal/engine"
	"quintune/internal/match"
	"quintune/selfplay"
	"quintune/weights"
)

// subject is what a run tunes, coded as genes in [-1, 1].
type subject interface {
	// genes returns the free numbers in the order of the genome.
	genes() []weights.Gene
	// start returns the genome that the run begins with.
	start() []float64
	// decode returns what a genome stands for.
	decode(genes []float64) (*point, error)
	// result returns the file of what the run recommends, with its provenance.
	result(p *point, name string, provenance *weights.Provenance) ([]byte, error)
}

// point is what a genome stands for.
type point struct {
	player selfplay.Contestant
	values []float64     // in the order of run.Spec.Parameters
	engine engine.Values // the same of an engine from outside; nil of weights
}

// side returns the point as one side of a match.
func (p *point) side(name string) match.Side { return match.Side{Name: name, Player: p.player} }

// ownWeights are the weights of our own engine as what a run tunes.
type ownWeights struct {
	space      *weights.Space
	projection *weights.Projection // of the start
}

// newSubject returns what the configuration tunes; own is the same where that is weights of our own engine, else nil.
func (c *Config) newSubject() (s subject, own *ownWeights, err error) {
	if c.Tuned != nil {
		s, err = newOutsideEngine(c)
		return s, nil, err
	}
	own, err = newOwnWeights(c)
	return own, own, err
}

func newOwnWeights(c *Config) (*ownWeights, error) {
	space, err := weights.NewSpace(c.weights, c.Groups)
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
