package tuner

import (
	"slices"

	"quintune/internal/engine"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// Outside is an engine from outside whose parameters are tuned.
type Outside struct {
	File *engine.File
	// Player returns the engine with the given values as a contestant.
	Player func(engine.Values) selfplay.Contestant
	// Remote returns the name by which a process that has the engine file starts the engine with the values; nil:
	// they cannot.
	Remote func(engine.Values) string
}

// OwnWeights reports whether all parameters are weights of our own engine, tuned from outside. Such a run ends
// with the same values as a run of weights in which the same ones are free.
func (o *Outside) OwnWeights() bool {
	set := weights.New("declared", pattern.Freestyle, weights.MaxSize)
	for i := range o.File.Parameters {
		if _, err := set.Get(o.File.Parameters[i].Name); err != nil {
			return false
		}
	}
	return true
}

// WeightGroups returns the groups of the weights that its parameters in the groups of its file named only are; nil: in all. See OwnWeights.
func (o *Outside) WeightGroups(only []string) (groups []string) {
	for _, d := range weights.Declarations() {
		tuned := slices.ContainsFunc(o.File.Parameters, func(p engine.Parameter) bool {
			return p.Name == d.Name && (only == nil || slices.Contains(only, p.Group))
		})
		if tuned && !slices.Contains(groups, d.Group) {
			groups = append(groups, d.Group)
		}
	}
	return groups
}

// EngineSpec returns an engine file in its stored form, which contains no command.
func EngineSpec(f *engine.File) *run.EngineSpec {
	return &run.EngineSpec{Name: f.Name(), Hash: f.Hash(), Pass: string(f.Pass), TimeMS: f.Time.Milliseconds(), Parameters: f.Parameters}
}

// Contestant returns the engine with the given values. If it fails it loses the game, because the values may be
// the cause.
func (o *Outside) Contestant(values engine.Values) selfplay.Contestant {
	c := o.Player(values)
	c.Liable, c.Identity = true, o.File.Hash()+" "+values.Hash()
	if o.Remote != nil {
		c.Remote = o.Remote(values)
	}
	return c
}

// control returns the time control for all players of a run whose engine ignores node limits; zero for other
// runs.
func (c *Config) control() player.TimeControl {
	if c.Tuned == nil {
		return player.TimeControl{}
	}
	return player.TimeControl{Move: c.Tuned.File.Time}
}

// outsideEngine is the subject of a run that tunes an engine from outside.
type outsideEngine struct {
	*Outside
	space  *engine.Space
	values engine.Values // start values
}

func newOutsideEngine(c *Config) (*outsideEngine, error) {
	if err := c.Tuned.File.Check(c.values); err != nil {
		return nil, err
	}
	space, err := c.Tuned.File.Space(c.values, c.Groups)
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
