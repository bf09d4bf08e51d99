package tuner

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"quintune/ga"
	"quintune/internal/fit"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/internal/stats"
	"quintune/selfplay"
)

// Progress of labels is reported from none to all of them, after the games of their generation and before it is
// closed. The watcher is never called by two goroutines at a time.
func TestLabelsAreTold(t *testing.T) {
	t.Parallel()
	for name, c := range learning(t) {
		var events []run.Event
		inside := make(chan struct{}, 1)
		watch := func(e run.Event) {
			select {
			case inside <- struct{}{}:
			default:
				t.Errorf("%s: the watcher is called by two goroutines", name)
				return
			}
			events = append(events, e)
			<-inside
		}
		if _, err := newRun(t, c).Run(context.Background(), Environment{Runner: selfplay.NewPool(2), Store: &runtest.Store{}, Watch: watch}); err != nil {
			t.Fatal(err)
		}
		generations := 0
		for len(events) > 0 {
			begin := slices.IndexFunc(events, func(e run.Event) bool { return e.Stage == run.StageLabels })
			if begin < 0 {
				break
			}
			games := &events[begin-1]
			if games.Stage != run.StageEvolution || games.Closed || games.Games != events[begin].Games {
				t.Errorf("%s: labels after %+v", name, games)
			}
			events = events[begin:]
			end := slices.IndexFunc(events, func(e run.Event) bool { return e.Stage != run.StageLabels })
			checkLabels(t, name, events[:end])
			if after := &events[end]; after.Stage != run.StageEvolution || !after.Closed || after.Generation != generations+1 {
				t.Errorf("%s: after the labels comes %+v", name, after)
			}
			events = events[end:]
			generations++
		}
		if generations == 0 {
			t.Errorf("%s: no labels were told", name)
		}
		if rest := slices.IndexFunc(events, func(e run.Event) bool { return e.Labelled+e.Positions != 0 }); rest >= 0 {
			t.Errorf("%s: labels are told of with %+v", name, events[rest])
		}
	}
}

// checkLabels fails the test where the events of a generation's labels do not count from 0 to all of them.
func checkLabels(t *testing.T, name string, events []run.Event) {
	t.Helper()
	most := events[0].Positions
	if n := len(events); n < 3 || n > labelTellings+1 || most == 0 || events[0].Labelled != 0 || events[n-1].Labelled != most {
		t.Errorf("%s: %d events of labels, from %d to %d of %d", name, n, events[0].Labelled, events[n-1].Labelled, most)
	}
	for i, e := range events {
		if e.Closed || e.Positions != most || i > 0 && e.Labelled <= events[i-1].Labelled {
			t.Errorf("%s: event %d of the labels is %+v", name, i, e)
		}
	}
}

// A stop during labelling ends the run as a stop during games does, and nothing of the labels is stored. After
// resuming, the result is the same file as that of a run without a watcher.
func TestStopAmongLabels(t *testing.T) {
	t.Parallel()
	c := learning(t)["alone"]
	want := marshal(t, play(t, c, selfplay.NewPool(2), &runtest.Store{}).Set)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	store := &runtest.Store{}
	last := run.Event{}
	o, err := newRun(t, c).Run(ctx, Environment{Runner: selfplay.NewPool(2), Store: store, Watch: func(e run.Event) {
		if last = e; e.Stage == run.StageLabels && e.Labelled > e.Positions/2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || o == nil || !o.Interrupted || o.Open == 0 || o.Generations != 0 || len(store.States) != 0 {
		t.Fatalf("stopped among the labels: outcome %+v, error %v", o, err)
	}
	if last.Stage != run.StageInterrupted || last.Positions != 0 {
		t.Errorf("the last event is %+v", last)
	}
	again, err := newRun(t, c).Run(context.Background(), Environment{Runner: selfplay.NewPool(2), Store: store, Watch: func(run.Event) {}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(marshal(t, again.Set), want) {
		t.Error("watched labels change the file")
	}
}

// Time spent on labels and fits does not count as time of games: the speed is the same before, during and after
// labelling. The estimate of the time left includes the remaining labels.
func TestLabelsAreNoSlowGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := smallConfig(t, 2000)
		r := newRun(t, c)
		var now run.Event
		r.env.Watch = func(e run.Event) { now = e }
		r.startMeter()
		r.enter(run.StageEvolution, "", 400)
		play := func() {
			for range 100 {
				time.Sleep(time.Second)
				r.playedNow(&selfplay.Batch{Nodes: c.Nodes}, 0, nil)
				r.pairPlayed()
			}
		}
		deep := time.Duration((deeper-1)*r.plan.deeperPairs) * time.Second // beyond a second for each pair
		check := func(when string, left time.Duration) {
			t.Helper()
			left += deep
			if now.GamesPerSecond != 2 || now.Left != left.Seconds() {
				t.Errorf("%s: %v games a second, %v s left, want 2 and %v", when, now.GamesPerSecond, now.Left, left)
			}
		}
		play()
		check("after the games", 900*time.Second)
		r.meter.pause()
		time.Sleep(time.Minute) // positions are chosen
		r.beginLabels(1200, 200)
		if now.Labelled != 200 {
			t.Errorf("200 kept labels: %+v", now)
		}
		check("before the labels", 900*time.Second)
		for range 250 {
			time.Sleep(time.Second)
			r.positionLabelled()
		}
		if now.Labelled != 450 || now.Stage != run.StageLabels {
			t.Errorf("after 250 labels beside 200 kept ones: %+v", now)
		}
		check("among the labels", (900+750)*time.Second)
		for range 750 {
			time.Sleep(time.Second)
			r.positionLabelled()
		}
		check("after the labels", 900*time.Second)
		r.endLabels()
		time.Sleep(time.Hour) // the fit
		r.meter.goOn()
		play()
		check("after more games", 800*time.Second)
	})
}

// slowFit is a learner that takes an hour to learn.
type slowFit struct{ ga.Optimizer }

func (slowFit) Wants() bool { return true }

func (slowFit) Learn(context.Context, []fit.Position) error {
	time.Sleep(time.Hour)
	return nil
}

// The fit is left out of the time of games.
func TestFitIsNoTimeOfGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRun(t, smallConfig(t, 2000))
		r.optimizer = slowFit{r.optimizer}
		r.startMeter()
		time.Sleep(time.Minute)
		if err := r.learn(t.Context(), &generation{toPlay: &selfplay.Batch{Size: r.config.Size, Nodes: 1}}); err != nil {
			t.Fatal(err)
		}
		if got := r.meter.playing(); got != time.Minute {
			t.Errorf("games took %v, want the minute before a fit of an hour", got)
		}
	})
}

// What is left of a run follows from its plan. After the evolution it is its gate and its validations.
func TestLeft(t *testing.T) {
	r := newRun(t, smallConfig(t, 30_000))
	r.state.Evolution, r.state.Games, r.state.Checks = 1000, 1100, []run.Check{{Games: 1000, Pairs: stats.Pentanomial{50}}}
	if got := r.left(); got != 28_900 {
		t.Errorf("%d games are left of the budget, want 28900", got)
	}
	r.state.Games += 4000 // of a validation before an extension
	if got := r.left(); got != 28_900 {
		t.Errorf("%d games are left of an extended run, want 28900", got)
	}
	r.state.Games -= 4000
	r.config.Evolution = 5000
	if got, want := r.left(), 28_900-(r.plan.evolution-5000); got != want {
		t.Errorf("%d games are left of an evolution that ends early, want %d", got, want)
	}
	r.config.Evolution = 0
	r.state.Ended = 1000
	validations := 0
	for _, m := range r.validationMatches() {
		validations += 2 * m.pairs
	}
	if got, want := r.left(), r.plan.gateGames+validations; got != want || validations == 0 {
		t.Errorf("%d games are left of gate and validations, want %d", got, want)
	}
	r.state.Ended, r.state.Gates = 0, []run.Gate{{Final: true}}
	if got := r.left(); got != validations {
		t.Errorf("%d games are left after the final gate, want %d", got, validations)
	}
}

// Games of later stages, and of the validation at more nodes, take longer than those that the speed was measured with.
func TestTimeLeftKnowsTheNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := smallConfig(t, 30_000)
		c.FirstNodes, c.Nodes = 100, 1600
		r := newRun(t, c)
		var now run.Event
		r.env.Watch = func(e run.Event) { now = e }
		r.startMeter()
		play := func(stage run.Stage, games int, nodes int64) { // at 100 nodes two games a second
			r.enter(stage, "", games)
			for range games / 2 {
				time.Sleep(time.Duration(nodes/100) * time.Second)
				r.playedNow(&selfplay.Batch{Nodes: nodes}, 0, nil)
				r.pairPlayed()
			}
		}
		seconds := func(nodes int64, games int) float64 { return float64(games) / 2 * float64(nodes/100) }
		later := seconds(1600, 2*r.plan.checks*r.plan.checkPairs+r.plan.gateGames+2*r.plan.previousPairs) // and all validations
		for _, m := range r.validationMatches() {
			later += seconds(m.nodes, 2*m.pairs)
		}
		stages := c.stages(r.plan.evolution)
		want := later + seconds(100, stages[0].end-200) + seconds(400, stages[1].end-stages[0].end) + seconds(1600, stages[2].end-stages[1].end)
		if play(run.StageEvolution, 200, 100); math.Abs(now.Left-want) > 1 {
			t.Errorf("%v s are left in the first stage, want %v", now.Left, want)
		}
		r.state.Evolution = stages[1].end
		want = later + seconds(1600, stages[2].end-stages[1].end-200)
		if play(run.StageEvolution, 200, 1600); math.Abs(now.Left-want) > 1 {
			t.Errorf("%v s are left in the last stage, want %v", now.Left, want)
		}
		r.state.Gates, r.state.Validation = []run.Gate{{Final: true}}, &match.Report{}
		if deep := r.validationMatches()[1]; deep.nodes != 6400 || deep.pairs < 100 {
			t.Fatalf("the second validation has %d pairs at %d nodes", deep.pairs, deep.nodes)
		}
		want = -seconds(6400, 200)
		for _, m := range r.validationMatches()[1:] {
			want += seconds(m.nodes, 2*m.pairs)
		}
		if play(run.StageValidation, 200, 6400); math.Abs(now.Left-want) > 1 {
			t.Errorf("%v s are left in the validation at more nodes, want %v", now.Left, want)
		}
	})
}

// The labels of a fit that is not over take time too. They are counted in games of the first stage.
func TestTimeLeftKnowsTheLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := func(warm float64) float64 {
			c := smallConfig(t, 30_000)
			c.FirstNodes, c.Nodes, c.WarmStart = 100, 400, warm
			r := newRun(t, c)
			var now run.Event
			r.env.Watch = func(e run.Event) { now = e }
			r.startMeter()
			r.enter(run.StageEvolution, "", 200)
			time.Sleep(time.Second)
			r.playedNow(&selfplay.Batch{Nodes: 100}, 0, nil)
			r.pairPlayed()
			return now.Left
		}
		if got, want := left(.2)-left(0), labelCost*.2*float64(planFor(30_000, true, 1, false).evolution)/2; math.Abs(got-want) > 1 {
			t.Errorf("labels take %v s, want %v", got, want)
		}
	})
}

// ready is a Runner that takes a second for each pair.
type ready struct{}

func (ready) Run(_ context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results := make([]selfplay.Result, len(b.Pairings))
	for i := range results {
		time.Sleep(time.Second)
		done(i, &results[i])
	}
	return results, nil
}

// Stored pairs of the open step count as games of the run, but not towards its speed, since they are not played
// now.
func TestStoredPairsAreNoSpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRun(t, smallConfig(t, 2000))
		var now run.Event
		r.env.Watch = func(e run.Event) { now = e }
		r.startMeter()
		r.enter(run.StageEvolution, "", 400)
		for range 150 {
			r.pairPlayed()
		}
		if now.Games != 300 || now.GamesPerSecond != 0 {
			t.Errorf("of stored pairs: %d games, %v a second, want 300 and 0", now.Games, now.GamesPerSecond)
		}
		batch := &selfplay.Batch{Nodes: r.config.Nodes, Pairings: make([]selfplay.Pairing, 20)}
		if _, err := (selfplay.Observed{Runner: ready{}, See: r.playedNow}).Run(t.Context(), batch, func(int, *selfplay.Result) { r.pairPlayed() }); err != nil {
			t.Fatal(err)
		}
		if now.Games != 340 || now.GamesPerSecond != 2 {
			t.Errorf("%d games, %v a second, want 340 and 2", now.Games, now.GamesPerSecond)
		}
	})
}
