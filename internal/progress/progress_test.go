package progress

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintune/board"
	"quintune/internal/cluster"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/selfplay"
	"quintune/weights"
)

func history(t *testing.T, live func() *selfplay.Live) (*History, *weights.Set) {
	t.Helper()
	start, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	return newHistory(t, start, Sources{Live: live}), start
}

// newHistory returns the history of a run from the start, before its first generation.
func newHistory(t *testing.T, start *weights.Set, sources Sources) *History {
	t.Helper()
	file, err := weights.Marshal(start)
	if err != nil {
		t.Fatal(err)
	}
	spec := run.Spec{StartName: "a\x1bb\xff", Start: file, Size: 15, Groups: []string{"line"}, Budget: 9000}
	h, err := New(&run.Record{Spec: spec}, "r", sources)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestNamesHoldNoCommands(t *testing.T) {
	h, _ := history(t, nil)
	h.Add(run.Event{Opponent: "\x1bo", Game: &run.Game{Black: "\x1b]0;x\a", White: "\u202ew"}})
	if got := h.Run().Start; got != "a?b?" {
		t.Errorf("the start is called %q, want a?b?", got)
	}
	if got := h.Now().Opponent; got != "?o" {
		t.Errorf("the opponent is called %q, want ?o", got)
	}
	if g := h.Since(0).Games[0]; strings.ContainsAny(g.Black+g.White, "\x1b\a\u202e") {
		t.Errorf("the players are called %q and %q", g.Black, g.White)
	}
}

func TestOnlyTunedWeightsAreShown(t *testing.T) {
	h, start := history(t, nil)
	if len(h.Weights()) == 0 {
		t.Fatal("no weights")
	}
	for _, w := range h.Weights() {
		value, err := start.Get(w.Name)
		if err != nil || float64(value) != w.Start || !strings.HasPrefix(w.Name, "line.") {
			t.Errorf("weight %+v of a run that tunes lines; the start has %d (%v)", w, value, err)
		}
	}
}

// closeGeneration tells a history of a closed generation whose champion has one weight of another value.
func closeGeneration(h *History, number int, start *weights.Set, name string, factor int64) error {
	value, err := start.Get(name)
	if err != nil {
		return err
	}
	champion, err := start.With(name, int64(value)*factor/100)
	if err != nil {
		return err
	}
	h.Add(run.Event{Stage: run.StageEvolution, Closed: true, Last: &run.Generation{Number: number, Games: 10 * number, Values: champion.Floats()}})
	return nil
}

func TestChangesAreOrderedBySize(t *testing.T) {
	h, start := history(t, nil)
	if len(h.Changes()) > 0 {
		t.Error("changes before the first generation")
	}
	champion := start.Clone()
	set := func(name string, percent int32) {
		for i, d := range weights.Declarations() {
			if d.Name == name {
				champion.Values[i] = champion.Values[i] * percent / 100
			}
		}
	}
	set("line.open_three.self", 200)
	set("line.open_two.self", 25)
	set("line.open_four.self", 110)
	h.Add(run.Event{Stage: run.StageEvolution, Closed: true, Last: &run.Generation{Number: 1, Values: champion.Floats()}})
	var names []string
	for _, c := range h.Changes() {
		factor, ok := c.Factor()
		if !ok || factor == 1 {
			t.Errorf("%s: factor %v, %v", c.Name, factor, ok)
		}
		names = append(names, c.Name)
	}
	if got, want := strings.Join(names, " "), "line.open_two.self line.open_three.self line.open_four.self"; got != want {
		t.Errorf("changes %s, want %s", got, want)
	}
}

func TestSinceGivesWhatIsNew(t *testing.T) {
	h, start := history(t, nil)
	if err := closeGeneration(h, 1, start, "line.open_two.self", 150); err != nil {
		t.Fatal(err)
	}
	first := h.Since(0)
	if len(first.Generations) != 1 || first.Generations[0].Games != 10 || len(first.Generations[0].Values) != len(h.Weights()) {
		t.Fatalf("view %+v, want one generation of 10 games with the %d tuned weights", first, len(h.Weights()))
	}
	if again := h.Since(first.Last); len(again.Generations)+len(again.Curve)+len(again.Games) != 0 || again.Last != first.Last {
		t.Errorf("nothing happened, but the view is %+v", again)
	}
	h.Add(run.Event{Stage: run.StageCheck, Closed: true, Evolution: 10, AgainstPairs: 8, Against: stats.Estimate{Elo: 5, Low: -5, High: 15}})
	second := h.Since(first.Last)
	if len(second.Generations) != 0 || len(second.Curve) != 1 || second.Curve[0] != (run.Point{Games: 10, Pairs: 8, Estimate: stats.Estimate{Elo: 5, Low: -5, High: 15}}) {
		t.Errorf("view %+v, want the point of the check alone", second)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	h, start := history(t, nil)
	const generations = 5000
	for k := range generations {
		if err := closeGeneration(h, k+1, start, "line.open_two.self", 150); err != nil {
			t.Fatal(err)
		}
	}
	rows := h.Since(0).Generations
	if len(rows) > mostRows || len(rows) < mostRows/2 {
		t.Errorf("%d generations are kept of %d, want %d to %d", len(rows), generations, mostRows/2, mostRows)
	}
	if first, last := rows[0].Number, rows[len(rows)-1].Number; first != 1 || last != generations {
		t.Errorf("the kept generations are %d to %d, want 1 to %d", first, last, generations)
	}
	for i := 1; i < len(rows); i++ {
		if rows[i].Number <= rows[i-1].Number {
			t.Fatalf("generation %d comes after %d", rows[i].Number, rows[i-1].Number)
		}
	}
}

func TestResumedRunsGoOnWithTheirCurve(t *testing.T) {
	h, _ := history(t, nil)
	h.Resume(&run.Outcome{Checks: []run.Check{
		{Games: 100, Pairs: stats.Pentanomial{1, 2, 3, 4, 5}}, {Games: 200, Pairs: stats.Pentanomial{0, 0, 5, 0, 0}},
	}}, []run.Generation{{Number: 1, Games: 100}})
	v := h.Since(0)
	if len(v.Curve) != 2 || v.Curve[0].Pairs != 15 || v.Curve[1].Pairs != 20 || v.Curve[1].Games != 200 || len(v.Generations) != 1 {
		t.Errorf("view %+v, want points of 15 and 20 pairs, the second at 200 games, and one generation", v)
	}
}

func TestLive(t *testing.T) {
	moves, err := board.ParseMoves("h8i9")
	if err != nil {
		t.Fatal(err)
	}
	var now *selfplay.Live
	h, _ := history(t, func() *selfplay.Live { return now })
	if _, size := h.Live(); size != 0 {
		t.Error("a game is shown before the first")
	}
	h.Add(run.Event{Game: &run.Game{Size: 15, Moves: moves[:1]}})
	if got, size := h.Live(); len(got) != 1 || size != 15 {
		t.Errorf("the last game is shown as %v on %d, want %v on 15", got, size, moves[:1])
	}
	now = &selfplay.Live{Size: 9, Moves: moves}
	if got, size := h.Live(); len(got) != 2 || size != 9 {
		t.Errorf("the game in progress is shown as %v on %d, want %v on 9", got, size, moves)
	}
}

// Games are kept with the stage that they were played in, which labels are not.
func TestNoGameIsOfTheLabels(t *testing.T) {
	h, _ := history(t, nil)
	game := &run.Game{Size: 15}
	h.Add(run.Event{Stage: run.StageLabels, Game: game})
	if v := h.Since(0); len(v.Games) != 0 || v.Now.Stage != run.StageLabels {
		t.Errorf("among the labels %+v, want no game", v)
	}
	h.Add(run.Event{Stage: run.StageEvolution, Closed: true, Game: game})
	if v := h.Since(0); len(v.Games) != 1 || v.Games[0].Stage != "evolution" {
		t.Errorf("after the labels %+v, want one game of the evolution", v.Games)
	}
}

// Of games in quick succession one a second is kept, each once.
func TestGamesAreKeptAtIntervals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := history(t, nil)
		for range 4 {
			h.Add(run.Event{Stage: run.StageEvolution, Game: &run.Game{Size: 15}})
			time.Sleep(gameInterval / 2)
		}
		if got := len(h.Since(0).Games); got != 2 {
			t.Errorf("%d games of four in two seconds are kept, want 2", got)
		}
		last := &run.Game{Size: 15}
		h.Add(run.Event{Stage: run.StageEvolution, Game: last})
		time.Sleep(gameInterval)
		h.Add(run.Event{Stage: run.StageEvolution, Game: last})
		if got := len(h.Since(0).Games); got != 3 {
			t.Errorf("%d games are kept after one more that was told twice, want 3", got)
		}
	})
}

// The state of a cluster is asked for when somebody looks, but not by everyone anew.
func TestClusterIsAskedNowAndThen(t *testing.T) {
	if h, _ := history(t, nil); h.Cluster() != nil {
		t.Error("a run without a cluster has one")
	}
	synctest.Test(t, func(t *testing.T) {
		start, err := weights.Preset("huang")
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		h := newHistory(t, start, Sources{Cluster: func() *cluster.Status {
			asked++
			return &cluster.Status{Batch: asked}
		}})
		for range 50 {
			if h.Cluster().Batch != 1 {
				t.Error("the state is asked for more than once a second")
			}
			time.Sleep(clusterAge / 100)
		}
		time.Sleep(clusterAge)
		if got := h.Cluster().Batch; got != 2 {
			t.Errorf("the state is that of question %d, want 2", got)
		}
	})
}

// What is left of a stored run whose evolution has ended or has stages, or that was extended, depends on its plan.
func TestLeftOfAStoredRun(t *testing.T) {
	for name, test := range map[string]struct {
		state  run.State
		staged bool
		known  bool
	}{
		"in the evolution":      {run.State{}, false, true},
		"in stages":             {run.State{}, true, false},
		"before the final gate": {run.State{Gates: []run.Gate{{}}}, false, true},
		"after an extension":    {run.State{Extended: 1}, false, false},
		"after an early end":    {run.State{Outcome: run.Outcome{Ended: 100}}, false, false},
		"after the final gate":  {run.State{Gates: []run.Gate{{Final: true}}}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			h, _ := history(t, nil)
			h.staged = test.staged
			h.Load(&Stored{Stage: run.StagePlaying, State: &test.state, Speed: 2})
			now := h.Since(0).Now
			if known := now.Left > 0; known != test.known || now.Budget == 0 {
				t.Errorf("%v s are left of a budget of %d games, want known: %v", now.Left, now.Budget, test.known)
			}
		})
	}
}

// A run that went back plays generations anew: the later ones replace the earlier. The first generation has number 0.
func TestGenerationsPlayedAnew(t *testing.T) {
	h, _ := history(t, nil)
	for _, n := range []int{0, 1, 2, 3, 1, 2} {
		h.Add(run.Event{Stage: run.StageCheck, Closed: true, Evolution: 12 * (n + 1), Last: &run.Generation{Number: n}})
	}
	all := h.Since(0)
	if len(all.Generations) != 3 || all.Generations[2].Number != 2 || len(all.Curve) != 3 || all.Curve[2].Games != 36 {
		t.Errorf("generations %+v, curve %+v; want 0 to 2 and points up to 36 games", all.Generations, all.Curve)
	}
	stored, _ := history(t, nil)
	stored.Load(&Stored{Stage: run.StageDone, State: &run.State{}, Generations: []run.Generation{{Number: 0}}})
	if n := len(stored.Since(0).Generations); n != 1 {
		t.Errorf("%d stored generations are shown, want 1", n)
	}
}
