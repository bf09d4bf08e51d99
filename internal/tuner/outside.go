package tuner

import (
	"quintune/internal/engine"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// Outside is an engine from outside whose parameters are tuned.
type Outside struct {
	File *engine.File
	// Player returns the engine under values as a side of games.
	Player func(engine.Values) selfplay.Contestant
	// Remote returns the name under which other processes that have the engine open the same player; nil: none can.
	Remote func(engine.Values) string
}

// OwnWeights reports whether all parameters are weights of our own engine, which is tuned from outside then: such a run comes to the
// values of one from inside.
func (o *Outside) OwnWeights() bool {
	set := weights.New("declared", pattern.Freestyle, weights.MaxSize)
	for i := range o.File.Parameters {
		if _, err := set.Get(o.File.Parameters[i].Name); err != nil {
			return false
		}
	}
	return true
}

// EngineSpec returns the stored form of an engine file, which holds no command.
func EngineSpec(f *engine.File) *run.EngineSpec {
	s := &run.EngineSpec{Name: f.Name(), Hash: f.Hash(), Pass: string(f.Pass), TimeMS: f.Time.Milliseconds()}
	for _, p := range f.Parameters {
		s.Parameters = append(s.Parameters, run.EngineParameter{
			Name: p.Name, Group: p.Group, Kind: string(p.Kind), Scale: string(p.Scale), Start: p.Start, Min: p.Min, Max: p.Max, Step: p.Step,
		})
	}
	return s
}

// Contestant returns the engine under values. Its failures are losses: those of a candidate are its own doing.
func (o *Outside) Contestant(values engine.Values) selfplay.Contestant {
	c := o.Player(values)
	c.Liable, c.Identity = true, o.File.Hash()+" "+values.Hash()
	if o.Remote != nil {
		c.Remote = o.Remote(values)
	}
	return c
}

// control returns the time control of all players of a run whose engine does not honour nodes; zero for others.
func (c *Config) control() player.TimeControl {
	if c.Tuned == nil {
		return player.TimeControl{}
	}
	return player.TimeControl{Move: c.Tuned.File.Time}
}

// outsideEngine are the parameters of an engine from outside as what a run tunes.
type outsideEngine struct {
	*Outside
	space  *engine.Space
	values engine.Values // of the start
}

func newOutsideEngine(c *Config) (*outsideEngine, error) {
	if err := c.Tuned.File.Check(c.values); err != nil {
		return nil, err
	}
	space, err := c.Tuned.File.Space(c.Groups)
	return &outsideEngine{c.Tuned, space, c.values}, err
}

func (e *outsideEngine) genes() []weights.Gene { return e.space.Genes() }

func (e *outsideEngine) start() []float64 { return e.space.Encode(e.values) }

func (e *outsideEngine) decode(genes []float64) (*point, error) {
	values, err := e.space.Decode(genes)
	if err != nil {
		return nil, err
	}
	return &point{player: e.Contestant(values), values: values.Numbers(), engine: values}, nil
}

func (e *outsideEngine) result(p *point, name string, provenance *weights.Provenance) ([]byte, error) {
	return (&engine.Result{Name: name, Engine: e.File.Name(), Values: p.engine, Provenance: provenance}).Marshal()
}

// start returns the start as one side of a match.
func (c *Config) start() match.Side {
	side := match.Side{Name: c.StartName}
	if c.Tuned != nil {
		side.Player = c.Tuned.Contestant(c.values)
	} else {
		side.Player = selfplay.Contestant{Weights: c.weights}
	}
	return side
}

// StartValues returns the values that the run begins with.
func (c *Config) StartValues() []float64 {
	if c.Tuned != nil {
		return c.values.Numbers()
	}
	return c.weights.Floats()
}

// nodes returns the limit of nodes a move in matches, 0 where time limits moves.
func (c *Config) nodes() int64 {
	if c.control().Move > 0 {
		return 0
	}
	return c.Nodes
}

// StartLabel returns a name of the start for those of runs and of their results.
func (c *Config) StartLabel() string {
	if c.Tuned != nil {
		return c.Tuned.File.Name()
	}
	return c.weights.Name
}

// player returns a fingerprint of the engine that is tuned.
func (c *Config) player() string {
	if c.Tuned != nil {
		return c.Tuned.File.Hash()
	}
	return c.Engine
}
