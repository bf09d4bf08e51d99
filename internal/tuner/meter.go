package tuner

import (
	"context"
	"sync/atomic"
	"time"

	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/selfplay"
)

// meter measures a run while it is played. Nothing that it knows enters a result.
type meter struct {
	began   time.Time // later by the time that went into labels
	stage   run.Stage
	games   int               // games of the open step so far
	want    int               // games of the open step, at most
	rival   string            // the candidate's opponent in it; "": there are several
	pairs   stats.Pentanomial // judged
	llr     float64
	lower   float64
	upper   float64
	verdict *run.Verdict // verdict of a run that has ended
	game    *run.Game    // of the open step, nil before the first

	paused    time.Time // when the labels were begun
	labelled  int
	positions int // to be labelled
}

// startMeter begins to measure the run.
func (r *Run) startMeter() {
	r.meter.began = time.Now()
	r.fresh.Store(0)
}

// counted is a Runner that counts the games that are played, which those of a stored pair are not.
type counted struct {
	selfplay.Runner
	games *atomic.Int64
}

// Run plays a batch; see selfplay.Runner.
func (c counted) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	return c.Runner.Run(ctx, b, func(i int, r *selfplay.Result) {
		c.games.Add(2)
		if done != nil {
			done(i, r)
		}
	})
}

// judged notes the state of a gate, or of a match when there is no test.
func (m *meter) judged(pairs stats.Pentanomial, test *stats.Test) {
	m.pairs = pairs
	if test != nil {
		m.llr = test.LLR()
		m.lower, m.upper = test.SPRT().Bounds()
	}
}

// enter begins a step with a maximum number of games, and tells the watcher.
func (r *Run) enter(stage run.Stage, want int) { r.meet("", stage, want) }

// meet begins a step in which the candidate has one opponent, and tells the watcher.
func (r *Run) meet(rival string, stage run.Stage, want int) {
	r.meter = meter{began: r.meter.began, stage: stage, want: want, rival: rival}
	r.tell(false)
}

// tellEnd tells the watcher how the run has ended.
func (r *Run) tellEnd(interrupted bool) {
	r.meter = meter{began: r.meter.began, stage: run.StageDone, verdict: r.state.Verdict(interrupted)}
	r.tell(false)
}

// pairPlayed counts a pair of the open step and tells the watcher.
func (r *Run) pairPlayed() {
	r.meter.games += 2
	r.tell(false)
}

// labelTellings is how often the watcher is told of a generation's labels at the most.
const labelTellings = 200

// beginLabels begins to label a number of positions of the open generation, and tells the watcher.
func (r *Run) beginLabels(positions int) {
	m := &r.meter
	m.stage, m.paused, m.positions = run.StageLabels, time.Now(), positions
	r.tell(false)
}

// positionLabelled counts a position, and tells the watcher now and then, and of the last.
func (r *Run) positionLabelled() {
	m := &r.meter
	before := m.labelled * labelTellings / m.positions
	m.labelled++
	if m.labelled*labelTellings/m.positions > before {
		r.tell(false)
	}
}

// endLabels goes on with the generation as if no time had passed: no game was played in it.
func (r *Run) endLabels() {
	m := &r.meter
	m.stage, m.began, m.labelled, m.positions = run.StageEvolution, m.began.Add(time.Since(m.paused)), 0, 0
}

// playing returns how long the run has played games.
func (m *meter) playing() time.Duration {
	if m.stage == run.StageLabels {
		return m.paused.Sub(m.began)
	}
	return time.Since(m.began)
}

// labelling returns how long the rest of the labels takes, estimated; 0 where none are made or when unknown.
func (m *meter) labelling() time.Duration {
	if m.labelled == 0 {
		return 0
	}
	return time.Duration(float64(time.Since(m.paused)) * float64(m.positions-m.labelled) / float64(m.labelled))
}

// closeStep counts the games of a closed step and tells the watcher.
func (r *Run) closeStep(games int) {
	r.state.Games += games
	r.meter.games = 0
	r.tell(true)
}

// tell shows the run as it is now.
func (r *Run) tell(closed bool) {
	if r.setting.Watch == nil {
		return
	}
	p, m := r.optimizer.Progress(), &r.meter
	e := run.Event{
		Stage: m.stage, Closed: closed, Phase: p.Phase, Generation: r.state.Generations,
		Games: r.state.Games + m.games, Evolution: r.state.Evolution, Budget: r.config.Budget,
		Sigma: p.Sigma, Spread: p.Spread, Best: p.Best, Mean: p.Mean,
		Pairs: m.pairs.Pairs(), Judged: m.pairs.Elo(), Most: int64(m.want / 2), LLR: m.llr, Lower: m.lower, Upper: m.upper,
		Labelled: m.labelled, Positions: m.positions, Last: r.closed, Game: m.game,
		Opponent: m.rival, Verdict: m.verdict,
	}
	against := r.state.Against()
	e.Against, e.AgainstPairs = against.Elo(), against.Pairs()
	if played, took := r.fresh.Load(), m.playing().Seconds(); played > 0 && took > 0 {
		e.GamesPerSecond = float64(played) / took
		e.Left = float64(max(0, e.Budget-e.Games))/e.GamesPerSecond + m.labelling().Seconds()
	}
	r.setting.Watch(e)
}

// sampled is a Runner that shows every finished pair before it is counted.
type sampled struct {
	selfplay.Runner
	show func(*selfplay.Batch, int, *selfplay.Result)
}

// Run plays a batch; see selfplay.Runner.
func (s sampled) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	return s.Runner.Run(ctx, b, func(i int, r *selfplay.Result) {
		s.show(b, i, r)
		if done != nil {
			done(i, r)
		}
	})
}

// sample keeps a game of a finished pair for the next event, of even pairs the first, of odd ones the second.
func (r *Run) sample(b *selfplay.Batch, i int, result *selfplay.Result) {
	p, g := &b.Pairings[i], &result.Games[i%2]
	black, white := r.playerName(b, p.A), r.playerName(b, p.B)
	if i%2 == 1 {
		black, white = white, black
	}
	r.meter.game = &run.Game{
		Black: black, White: white, Stage: r.meter.stage, Rule: b.Rule.String(), Size: b.Size,
		Moves: g.Moves, Opening: len(p.Opening), Outcome: g.Outcome.String(), Adjudicated: g.Adjudicated,
	}
}

// playerName returns what a contestant of a batch is called.
func (r *Run) playerName(b *selfplay.Batch, contestant int) string {
	if name := b.Contestants[contestant].Name; name != "" {
		return name
	}
	return run.Candidate
}
