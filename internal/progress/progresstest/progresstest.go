// Package progresstest scripts a run without games, for tests of what shows runs.
package progresstest

import (
	"math"
	"testing"

	"quintune/board"
	"quintune/internal/cluster"
	"quintune/internal/progress"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// Hostile is a name that would be markup, a script and a terminal command at once.
const Hostile = "<img src=x onerror=\"document.title='broken'\">{{.}}&amp;\x1b[31m\u202e'"

// Run fills the history of a scripted run. Step k is a pure function of k.
type Run struct {
	History *progress.History
	Record  run.Record

	t       *testing.T
	start   *weights.Set
	step    int
	cluster *cluster.Status // nil: none
}

// New returns a run before its first generation, from a start of the name; a game of twelve moves is in progress.
func New(t *testing.T, name string) *Run {
	t.Helper()
	start, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	f := &Run{t: t, start: start}
	file, err := weights.Marshal(start)
	if err != nil {
		t.Fatal(err)
	}
	f.Record, err = run.NewRecord(run.Spec{
		StartName: name, Start: file, Groups: weights.DefaultGroups(pattern.Freestyle), Rule: pattern.Freestyle.String(), Size: 15, Optimizer: "ga",
		Seed: 7, Budget: 12_000, Nodes: 1000, Engine: "5f1ac3",
	}, "abcdef0", "weights.json")
	if err != nil {
		t.Fatal(err)
	}
	sources := progress.Sources{
		Live: func() *selfplay.Live {
			return &selfplay.Live{Size: 15, Moves: f.moves(12)}
		},
		Cluster: func() *cluster.Status { return f.cluster },
	}
	if f.History, err = progress.New(&f.Record, "r-huang-7-1f2e3d4c", sources); err != nil {
		t.Fatal(err)
	}
	return f
}

// OnCluster has the run played by a cluster of some workers, one of which is quarantined. Call it before the history is read.
func (f *Run) OnCluster() {
	f.cluster = &cluster.Status{
		Session: "0123456789ab", Address: "tls://10.0.0.1:4222", Engine: "5f1ac3",
		Workers: []cluster.WorkerStatus{
			{Name: "big", Key: "UBIG", State: cluster.StateWorking, Version: "abcdef0", Jobs: 16, Held: 18, Pairs: 41_234, Games: 82_468, Audited: 812, Speed: 31.4, Busy: .978},
			{Name: "coordinator", Key: "UCOORD", State: cluster.StateWorking, Local: true, Version: "abcdef0", Jobs: 2, Held: 3, Pairs: 5_100, Games: 10_200, Audited: 99, Speed: 3.9, Busy: .961},
			{Name: "liar", Key: "ULIAR", State: cluster.StateQuarantined, Reason: "batch 3, pair 7: its result has digest 1, the coordinator's 2", Version: "abcdef0", Jobs: 4, Pairs: 77, Games: 154},
			{Name: "tab\\x1b", Key: "USLOW", State: cluster.StateLost, Version: "abcdef0", Jobs: 4, Pairs: 900, Games: 1800, Audited: 20},
		},
		Refused: []cluster.Refusal{{Name: "old", Key: "UOLD", Reason: "its engine is \"1-00000000\", this run needs 5f1ac3"}},
		Faults:  map[string]int64{"lost worker": 1, "quarantine": 1, "worker refused": 1},
		Batch:   41, Pending: 1207, Pairs: 47_311, Tasks: 1650, Results: 1648, Reissued: 12, Repeated: 31, Audits: 950, Disputes: 1, Speed: 35.2,
	}
}

// moves returns the first moves of a game.
func (f *Run) moves(plies int) []board.Cell {
	f.t.Helper()
	moves, err := board.ParseMoves("h8i9g9i7i8j8h10f8k9l10h7h9j10g7h6h5g8e8d9f10k11")
	if err != nil {
		f.t.Error(err)
	}
	return moves[:plies]
}

// Next adds a closed generation, and after every third a closed check.
func (f *Run) Next() {
	f.step++
	k := float64(f.step)
	elo := 90 * (1 - math.Exp(-k/18))
	half := 70 / math.Sqrt(k/3+1)
	champion := f.start.Clone()
	for i := range champion.Values {
		champion.Values[i] += int32(float64(champion.Values[i]) * .02 * k * math.Sin(float64(i)) / 3)
	}
	e := run.Event{
		Stage: run.StageEvolution, Closed: true, Phase: "ga", Generation: f.step, Games: 180 * f.step, Evolution: 170 * f.step, Budget: 12_000,
		Figures: run.Figures{
			Sigma: .2 * math.Exp(-k/60), Spread: .15*math.Exp(-k/40) + .02*math.Sin(k), Best: elo + 40 + 8*math.Sin(3*k), Mean: elo/2 + 5*math.Cos(2*k),
		},
		GamesPerSecond: 41.5, Left: 173,
		Game: &run.Game{
			Black: f.History.Run().Start, White: Hostile, Rule: "freestyle", Size: 15, Moves: f.moves(21), Opening: 4, Outcome: board.BlackWins.String(), Adjudicated: true,
		},
	}
	e.Last = &run.Generation{
		Number: e.Generation, Phase: e.Phase, Games: e.Evolution, Figures: e.Figures, Values: champion.Floats(),
	}
	if f.step > 3 {
		e.AgainstPairs, e.Against = int64(10*f.step), stats.Estimate{Elo: elo, Low: elo - half, High: elo + half}
	}
	f.History.Add(e)
	if f.step%3 == 0 {
		e.Stage, e.Last = run.StageCheck, nil
		e.AgainstPairs, e.Against = int64(10*f.step), stats.Estimate{Elo: elo, Low: elo - half, High: elo + half}
		f.History.Add(e)
	}
}
