package tuner

import (
	"cmp"
	"slices"
	"time"

	"quintune/ga"
	"quintune/internal/fit"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/selfplay"
)

// meter measures a run while it is played. Its figures never affect a result.
type meter struct {
	began    time.Time // start, moved forward by the time spent on labels and fits
	stage    run.Stage
	games    int               // games of the open step so far
	want     int               // greatest number of games of the open step
	opponent string            // the candidate's opponent in the open step; "": it has several
	pairs    stats.Pentanomial // pairs of a test that have been counted
	llr      float64
	lower    float64
	upper    float64
	verdict  *run.Verdict // verdict of a run that has ended
	game     *run.Game    // of the open step, nil before the first

	paused    time.Time // time at which learning began; zero: games are played
	labelling time.Time // time at which labelling began
	labelled  int
	kept      int // of labelled, by an earlier process
	positions int // positions to be labelled
}

// startMeter starts the measurements of the run.
func (r *Run) startMeter() {
	r.meter.began = time.Now()
	r.fresh.Store(0)
	r.work.Store(0)
}

// playedNow counts the games of a pair that is played now, and not stored.
func (r *Run) playedNow(b *selfplay.Batch, _ int, _ *selfplay.Result) {
	r.fresh.Add(2)
	r.work.Add(2 * cmp.Or(b.Nodes, r.config.Nodes)) // time limits all games alike
}

// judged records the state of a gate, or of a match without a test.
func (m *meter) judged(pairs stats.Pentanomial, test *stats.Test) {
	m.pairs = pairs
	if test != nil {
		m.llr = test.LLR()
		m.lower, m.upper = test.SPRT().Bounds()
	}
}

// enter begins a step with the given maximum of games, and informs the watcher. opponent is that of the candidate; "": it has several.
func (r *Run) enter(stage run.Stage, opponent string, want int) {
	r.meter = meter{began: r.meter.began, stage: stage, want: want, opponent: opponent}
	r.tell(false)
}

// tellEnd informs the watcher how the run has ended.
func (r *Run) tellEnd(interrupted bool) {
	stage := run.StageDone
	if interrupted {
		stage = run.StageInterrupted
	}
	r.meter = meter{began: r.meter.began, stage: stage, games: r.meter.games, verdict: r.state.Verdict(r.env.Name, interrupted)}
	r.tell(false)
}

// pairPlayed counts a pair of the open step and informs the watcher.
func (r *Run) pairPlayed() {
	r.meter.games += 2
	r.tell(false)
}

// labelTellings is the greatest number of times that the watcher is informed of one generation's labels.
const labelTellings = 200

// beginLabels begins to label a number of positions of the open generation, of which an earlier process has labelled some, and
// informs the watcher.
func (r *Run) beginLabels(positions, kept int) {
	m := &r.meter
	m.stage, m.labelling, m.labelled, m.kept, m.positions = run.StageLabels, time.Now(), kept, kept, positions
	r.tell(false)
}

// positionLabelled counts a labelled position. It informs the watcher at intervals, and of the last position.
func (r *Run) positionLabelled() {
	m := &r.meter
	before := m.labelled * labelTellings / m.positions
	m.labelled++
	if m.labelled*labelTellings/m.positions > before {
		r.tell(false)
	}
}

// endLabels goes on with the generation.
func (r *Run) endLabels() {
	m := &r.meter
	m.stage, m.labelled, m.kept, m.positions = run.StageEvolution, 0, 0, 0
}

// pause begins a time that is left out of the speed, since no games are played in it.
func (m *meter) pause() { m.paused = time.Now() }

// goOn ends such a time.
func (m *meter) goOn() { m.began, m.paused = m.began.Add(time.Since(m.paused)), time.Time{} }

// playing returns the time that the run has spent on games.
func (m *meter) playing() time.Duration {
	if !m.paused.IsZero() {
		return m.paused.Sub(m.began)
	}
	return time.Since(m.began)
}

// labelsLeft returns the estimated time until all labels are made; 0 where none are being made, or the time is
// not known.
func (m *meter) labelsLeft() time.Duration {
	made := m.labelled - m.kept
	if made == 0 {
		return 0
	}
	return time.Duration(float64(time.Since(m.labelling)) * float64(m.positions-m.labelled) / float64(made))
}

// closeStep counts the games of a closed step and informs the watcher.
func (r *Run) closeStep(games int) {
	r.state.Games += games
	r.meter.games = 0
	r.tell(true)
}

// figuresOf returns what is shown of an optimiser's progress.
func figuresOf(p ga.Progress) run.Figures {
	return run.Figures{Sigma: p.Sigma, Spread: p.Spread, Best: p.Best, Mean: p.Mean}
}

// tell sends the current state of the run to the watcher.
func (r *Run) tell(closed bool) {
	if r.env.Watch == nil {
		return
	}
	p, m := r.optimizer.Progress(), &r.meter
	e := run.Event{
		Stage: m.stage, Closed: closed, Phase: p.Phase, Generation: r.state.Generations,
		Games: r.state.Games + m.games, Evolution: r.state.Evolution, Budget: r.config.Budget,
		Figures: figuresOf(p),
		Pairs:   m.pairs.Pairs(), Judged: m.pairs.Elo(), Most: int64(m.want / 2), LLR: m.llr, Lower: m.lower, Upper: m.upper,
		Labelled: m.labelled, Positions: m.positions, Last: r.closed, Game: m.game,
		Opponent: m.opponent, Verdict: m.verdict,
	}
	against := r.state.Against()
	e.Against, e.AgainstPairs = against.Elo(), against.Pairs()
	if played, took := r.fresh.Load(), m.playing().Seconds(); played > 0 && took > 0 {
		e.GamesPerSecond = float64(played) / took
		e.Left = max(0, r.leftCost())*took/r.config.gameCost(r.work.Load()) + m.labelsLeft().Seconds()
	}
	r.env.Watch(e)
}

// left returns the most games that the run has after its closed steps.
func (r *Run) left() int {
	s := &r.state
	if s.EvolutionOpen() {
		return r.plan.left(s, r.config.Evolution)
	}
	games := 0
	if r.config.NoGate {
		return games
	}
	if s.FinalGate() == nil {
		games = 2 * r.plan.gateCap(len(s.Gates), s.GateGames(), true)
	}
	for _, m := range r.validationsLeft() {
		games += 2 * m.pairs
	}
	return games
}

// validationsLeft returns the validations that are not finished.
func (r *Run) validationsLeft() []validationMatch {
	matches := r.validationMatches()
	return matches[min(len(r.state.Validations()), len(matches)):]
}

// leftCost returns the cost of the most games that are left, counted in games at the nodes of the run. Stages of the evolution have
// fewer nodes, one of the validations has more, and games of a fit get labels; see labelsLeft for those that are being made.
func (r *Run) leftCost() float64 {
	s, c, p := &r.state, r.config, &r.plan
	cost, open := float64(r.left()), c.nodes()
	if s.EvolutionOpen() {
		end := p.evolution
		if c.Evolution > 0 {
			end = min(end, c.Evolution)
		}
		begun := min(s.Evolution, end)
		cost += c.stageCost(end) - c.stageCost(begun) - float64(end-begun)
		if r.optimizer.Progress().Phase == fit.Method {
			unlabelled := min(end, c.fitted(p.evolution)) - begun
			if r.meter.stage == run.StageLabels {
				unlabelled -= r.meter.games
			}
			cost += c.labelsCost(max(0, unlabelled), p.evolution)
		}
		if r.meter.stage == run.StageEvolution || r.meter.stage == run.StageLabels {
			open = c.nodesAfter(s.Evolution)
		}
	}
	for i, m := range r.validationsLeft() {
		cost += float64((c.gameCost(m.nodes) - 1) * float64(2*m.pairs))
		if i == 0 && r.meter.stage == run.StageValidation {
			open = m.nodes
		}
	}
	return cost - float64(c.gameCost(open)*float64(r.meter.games))
}

// gameCost returns the cost of a game with a node limit, or of several games by the sum of theirs, counted in games at the nodes of the run.
func (c *Config) gameCost(nodes int64) float64 {
	if nodes == 0 {
		return 1 // time limits all games alike
	}
	return float64(nodes) / float64(c.Nodes)
}

// sample keeps one game of a finished pair for the next event: the first game of pairs with even index, the
// second of the others.
func (r *Run) sample(b *selfplay.Batch, i int, result *selfplay.Result) {
	p, g := &b.Pairings[i], &result.Games[i%2]
	players := [2]string{r.playerName(b, p.A), r.playerName(b, p.B)}
	if i%2 == 1 {
		slices.Reverse(players[:])
	}
	game := run.NewGame(g, players, r.meter.stage, b.Rule.String(), b.Size, len(p.Opening))
	r.meter.game = &game
}

// playerName returns the name of a contestant for people.
func (r *Run) playerName(b *selfplay.Batch, contestant int) string {
	if name := b.Contestants[contestant].Name; name != "" {
		return name
	}
	return run.Candidate
}
