package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/pattern"
	"quintune/selfplay"
)

// CheckConfig configures the check of an engine.
type CheckConfig struct {
	Size     int
	Rule     pattern.Rule
	Nodes    int64          // node limit of a move, unless the engine is limited by time
	Openings [][]board.Cell // at least LeastOpenings, all different
	Workers  int            // games at a time
	For      time.Duration  // how long the speed is measured, or until every worker could end a pair

	Played func(games int) // unless nil, called after each pair with the number of all games so far
}

// LeastOpenings is the number of openings that the games of a check need, besides those for measuring the speed.
const LeastOpenings = 2

// CheckReport is what a check found.
type CheckReport struct {
	Engine     string        `json:"engine"` // its name
	Hash       string        `json:"hash"`   // see File.Hash
	Pass       Pass          `json:"pass"`
	Parameters int           `json:"parameters"`
	Corners    []CheckCorner `json:"corners"`
	// Repeatable reports whether equal values gave equal games and no time limits them, so that results may be stored and repeated.
	Repeatable bool `json:"repeatable"`
	// Honours reports whether INFO max_node changed games; nil: the file limits time, or games are not repeatable.
	Honours *bool `json:"honours_max_node"`
	// Unseen lists the parameters with no visible effect: at their bounds the games were those of the start. It is nil
	// where games are not repeatable.
	Unseen         []string `json:"no_effect_seen"`
	Unknown        string   `json:"unknown,omitempty"` // last line by which the engine answered that it does not know one of ours
	GamesPerMinute float64  `json:"games_per_minute"`
	Workers        int      `json:"workers"`
	// Faults counts the games of the check that a fault ended, by selfplay.FaultKind, those at the corners included.
	Faults map[string]int64 `json:"faults"`
}

// CheckCorner is the result of a pair of games at some values against the start values.
type CheckCorner struct {
	At     string `json:"at"` // "start", "lowest", "highest"
	Values Values `json:"values"`
	Moves  [2]int `json:"moves"` // of each game, the opening included
	Fault  string `json:"fault"` // fault of the engine at these values, "" for none
}

// check is a check under way.
type check struct {
	config CheckConfig
	file   *File
	host   *Host
	pool   *selfplay.Pool
	runner selfplay.Runner  // the pool; it counts games and faults
	games  int              // played so far
	faults map[string]int64 // of these, by kind
}

func newCheck(f *File, config CheckConfig) *check {
	c := &check{config: config, file: f, host: NewHost(f, config.Workers), pool: selfplay.NewPool(config.Workers), faults: map[string]int64{}}
	c.runner = selfplay.Observed{Runner: c.pool, See: c.played}
	return c
}

// Plays plays a pair at the start values. It is an error when the engine cannot play there.
func Plays(ctx context.Context, f *File, config CheckConfig) (err error) {
	c := newCheck(f, config)
	defer func() { err = errors.Join(err, c.host.Close()) }()
	_, err = c.startPair(ctx)
	return err
}

// Repeats plays some games twice and reports whether equal values gave equal games, so that a run can be repeated. It is an error
// when the engine cannot play at the start values.
func Repeats(ctx context.Context, f *File, config CheckConfig) (repeats bool, err error) {
	c := newCheck(f, config)
	defer func() { err = errors.Join(err, c.host.Close()) }()
	if _, err = c.startPair(ctx); err == nil {
		_, repeats, err = c.twice(ctx, 1)
	}
	return repeats, err
}

// Check starts the engine, plays with it at the start values and at both bounds, and measures what a run can
// expect. It is an error when the engine cannot play at the start values.
func Check(ctx context.Context, f *File, config CheckConfig) (_ *CheckReport, err error) {
	if len(config.Openings) < LeastOpenings {
		return nil, fmt.Errorf("engine: a check needs %d openings, not %d", LeastOpenings, len(config.Openings))
	}
	c := newCheck(f, config)
	defer func() { err = errors.Join(err, c.host.Close()) }()
	r := &CheckReport{Engine: f.Name(), Hash: f.Hash(), Pass: f.Pass, Parameters: len(f.Parameters), Workers: c.pool.Workers()}
	if r.Corners, err = c.corners(ctx); err != nil {
		return nil, err
	}
	if err = c.repeat(ctx, r); err != nil {
		return nil, err
	}
	r.Repeatable = r.Repeatable && f.Time == 0
	r.GamesPerMinute, err = c.speed(ctx)
	r.Faults = c.faults
	r.Unknown = c.host.unknownLine() // engines that are still ending may say something
	return r, err
}

// cornerNames are the names of the corners, in the order of File.corners.
var cornerNames = []string{"start", "lowest", "highest"}

// startPair plays a pair at the start values. A failure is an error, which a forbidden move is not. A timeout ends the pair at once:
// nothing else needs to be waited for.
func (c *check) startPair(ctx context.Context) ([]selfplay.Result, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	fails := func(fault error) error {
		return fmt.Errorf("engine: %s cannot play at the start values: %s", c.file.Name(), faultText(fault))
	}
	b := c.batch(c.config.Nodes, []Values{c.file.Start()})
	b.Pairings = []selfplay.Pairing{{Opening: c.config.Openings[0]}}
	open := b.Contestants[0].Open
	b.Contestants[0].Open = func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
		p, err := open(size, rule, nodes)
		if err != nil {
			return nil, err
		}
		return impatient{p.(*player), func(fault error) { stop(fails(fault)) }}, nil
	}
	results, err := c.runner.Run(ctx, b, nil)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, err
	}
	for _, g := range results[0].Games {
		if g.Fault != nil && selfplay.FaultKind(g.Fault) != selfplay.FaultForbidden {
			return nil, fails(g.Fault)
		}
	}
	return results, nil
}

// impatient is a player that reports its timeouts, each of which may have taken a minute.
type impatient struct {
	*player
	timeout func(fault error)
}

// Move chooses a move.
func (p impatient) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	reply, err := p.player.Move(ctx, position)
	if fault := (*gomocup.Fault)(nil); errors.As(err, &fault) && fault.Kind == gomocup.FaultTimeout {
		p.timeout(fault)
	}
	return reply, err
}

// corners plays a pair at the start and at both bounds, each against the start.
func (c *check) corners(ctx context.Context) ([]CheckCorner, error) {
	points := c.file.corners()
	start, err := c.startPair(ctx)
	if err != nil {
		return nil, err
	}
	bounds, err := c.play(ctx, c.config.Nodes, points[1:])
	if err != nil {
		return nil, err
	}
	results := slices.Concat(start, bounds)
	list := make([]CheckCorner, len(points))
	for i := range points {
		list[i] = CheckCorner{At: cornerNames[i], Values: points[i]}
		for game := range results[i].Games {
			g := &results[i].Games[game]
			list[i].Moves[game] = len(g.Moves)
			if g.Fault != nil && int(g.Faulty) == game { // the values play the colour of the game's index
				list[i].Fault = faultText(g.Fault)
			}
		}
	}
	return list, nil
}

// faultText returns a fault for people, without the mark of a lost game.
func faultText(err error) string {
	var lost *selfplay.Fault
	if errors.As(err, &lost) {
		return fmt.Sprintf("%.300s", strings.TrimPrefix(lost.Text, lost.Kind+": "))
	}
	return fmt.Sprintf("%.300s", err)
}

// play plays a pair of each point against the start, on the first openings in turn.
func (c *check) play(ctx context.Context, nodes int64, points []Values) ([]selfplay.Result, error) {
	b := c.batch(nodes, append([]Values{c.file.Start()}, points...))
	for i := range points {
		b.Pairings = append(b.Pairings, selfplay.Pairing{A: 1 + i, B: 0, Opening: c.config.Openings[i%LeastOpenings]})
	}
	return c.runner.Run(ctx, b, nil)
}

// played counts the games of a pair and their faults.
func (c *check) played(_ *selfplay.Batch, _ int, r *selfplay.Result) {
	for i := range r.Games {
		c.games++
		if fault := r.Games[i].Fault; fault != nil {
			c.faults[selfplay.FaultKind(fault)]++
		}
	}
	if c.config.Played != nil {
		c.config.Played(c.games)
	}
}

func (c *check) batch(nodes int64, points []Values) *selfplay.Batch {
	b := &selfplay.Batch{Rule: c.config.Rule, Size: c.config.Size, Nodes: nodes}
	for _, values := range points {
		b.Contestants = append(b.Contestants, c.host.Contestant("", values))
	}
	return b
}

// effectPairs is the number of pairs with which the effect of a parameter's bound is looked for.
const effectPairs = LeastOpenings

// twice plays pairs of the start, others, and those of the start again; and all of them once more. It returns the pairs of the start,
// and reports whether equal values gave equal games, whatever was played before.
func (c *check) twice(ctx context.Context, pairs int) (start []selfplay.Result, equal bool, err error) {
	other, err := c.candidate(1)
	if err != nil {
		return nil, false, err
	}
	own := repeated(c.file.Start(), pairs)
	points := slices.Concat(own, repeated(other, pairs), own)
	first, err := c.play(ctx, c.config.Nodes, points)
	if err != nil {
		return nil, false, err
	}
	if err := c.host.Close(); err != nil {
		return nil, false, err
	}
	c.host = NewHost(c.file, c.config.Workers) // other processes
	second, err := c.play(ctx, c.config.Nodes, points)
	if err != nil {
		return nil, false, err
	}
	return first[:pairs], equalGames(first, second) && equalGames(first[:pairs], first[2*pairs:]), nil
}

// repeat plays the same pairs again, and then finds out which settings change the games.
func (c *check) repeat(ctx context.Context, r *CheckReport) error {
	start, repeats, err := c.twice(ctx, effectPairs)
	if r.Repeatable = repeats; err != nil || !repeats {
		return err
	}
	if c.file.Time == 0 {
		fewer, err := c.play(ctx, max(1, c.config.Nodes/10), repeated(c.file.Start(), effectPairs))
		if err != nil {
			return err
		}
		honours := !equalGames(start, fewer)
		r.Honours = &honours
	}
	return c.effects(ctx, r, start)
}

// effects finds the parameters whose bounds give the games of the start.
func (c *check) effects(ctx context.Context, r *CheckReport, start []selfplay.Result) error {
	var points []Values
	for i := range c.file.Parameters {
		for _, bound := range []float64{c.file.Parameters[i].Min, c.file.Parameters[i].Max} {
			values := c.file.Start()
			values[i].Number = bound
			points = append(points, repeated(values, effectPairs)...)
		}
	}
	results, err := c.play(ctx, c.config.Nodes, points)
	if err != nil {
		return err
	}
	r.Unseen = []string{}
	for i := range c.file.Parameters {
		at := 2 * effectPairs * i
		if equalGames(start, results[at:at+effectPairs]) && equalGames(start, results[at+effectPairs:at+2*effectPairs]) {
			r.Unseen = append(r.Unseen, c.file.Parameters[i].Name)
		}
	}
	return nil
}

// repeated returns the values n times.
func repeated(values Values, n int) []Values {
	list := make([]Values, n)
	for i := range list {
		list[i] = values
	}
	return list
}

// equalGames reports whether the pairs have the same moves.
func equalGames(a, b []selfplay.Result) bool {
	return slices.EqualFunc(a, b, func(a, b selfplay.Result) bool {
		return slices.Equal(a.Games[0].Moves, b.Games[0].Moves) && slices.Equal(a.Games[1].Moves, b.Games[1].Moves)
	})
}

// Number of candidates in the measurement of speed, and the distance of their genes from the start, as in a run.
const (
	speedCandidates = 16
	SpeedSpread     = .2
)

// candidate returns the k-th of the sets of values around the start.
func (c *check) candidate(k int) (Values, error) {
	space, err := c.file.Space(c.file.Start(), nil)
	if err != nil {
		return nil, err
	}
	genes := make([]float64, len(c.file.Parameters))
	for i := range genes {
		genes[i] = SpeedSpread * (float64(float64(2*((k*(i+3)+i)%speedCandidates))/speedCandidates) - 1)
	}
	return space.Decode(genes)
}

// speed returns the games a minute of a generation of candidates. Where games are slow it waits for a pair a worker.
func (c *check) speed(ctx context.Context) (float64, error) {
	var points []Values
	for k := range speedCandidates {
		values, err := c.candidate(k)
		if err != nil {
			return 0, err
		}
		points = append(points, values)
	}
	b := c.batch(c.config.Nodes, points)
	for i := range len(c.config.Openings) {
		k := i / 4 % speedCandidates // a candidate has some pairs in a row
		b.Pairings = append(b.Pairings, selfplay.Pairing{A: k, B: (k + 1 + i%4) % speedCandidates, Opening: c.config.Openings[i]})
	}
	perSecond, err := selfplay.Speed(ctx, c.runner, c.pool.Workers(), 1, c.config.For, func(int) *selfplay.Batch { return b })
	return 60 * perSecond, err
}
