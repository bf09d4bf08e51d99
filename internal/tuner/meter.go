package tuner

import (
	"time"

	"quintune/internal/stats"
)

// meter measures a run while it is played. Nothing that it knows enters a result.
type meter struct {
	began time.Time
	first int // games closed before
	stage Stage
	games int               // of the open step so far
	want  int               // games of the open step, at most
	pairs stats.Pentanomial // judged
	llr   float64
	lower float64
	upper float64
	game  *Sample // of the open step, nil before the first
}

// start begins to measure a run of which so many games are closed.
func (m *meter) start(closed int) { m.began, m.first = time.Now(), closed }

// judged notes the state of a gate, or of a match when there is no test.
func (m *meter) judged(pairs stats.Pentanomial, test *stats.Test) {
	m.pairs = pairs
	if test != nil {
		m.llr = test.LLR()
		m.lower, m.upper = test.SPRT().Bounds()
	}
}

// enter begins a step of at most so many games, and tells the watcher.
func (r *Run) enter(stage Stage, want int) {
	r.meter = meter{began: r.meter.began, first: r.meter.first, stage: stage, want: want}
	r.tell(false)
}

// pairPlayed counts a pair of the open step and tells the watcher.
func (r *Run) pairPlayed() {
	r.meter.games += 2
	r.tell(false)
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
	e := Event{
		Stage: m.stage, Closed: closed, Phase: p.Phase, Generation: r.state.Generations,
		Games: r.state.Games + m.games, Evolution: r.state.Evolution, Budget: r.config.Budget,
		Sigma: p.Sigma, Spread: p.Spread, Best: p.Best, Mean: p.Mean,
		Pairs: m.pairs.Pairs(), Judged: m.pairs.Elo(), Most: int64(m.want / 2), LLR: m.llr, Lower: m.lower, Upper: m.upper, Game: m.game,
	}
	if closed && m.stage == StageEvolution {
		e.Champion = r.champion()
	}
	against := r.state.against()
	e.Against, e.AgainstPairs = against.Elo(), against.Pairs()
	if played, took := e.Games-m.first, time.Since(m.began).Seconds(); played > 0 && took > 0 {
		e.GamesPerSecond = float64(played) / took
		e.Left = time.Duration(float64(max(0, e.Budget-e.Games)) / e.GamesPerSecond * float64(time.Second))
	}
	r.setting.Watch(e)
}
