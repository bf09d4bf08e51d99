package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// newDB returns a database in a new folder.
func newDB(t testing.TB) *DB {
	t.Helper()
	return openDB(t, filepath.Join(t.TempDir(), "runs"))
}

func openDB(t testing.TB, dir string) *DB {
	t.Helper()
	db, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// sampleRun returns a run with a value in every field.
func sampleRun(name string) run.Summary {
	return run.Summary{
		Name: name, Hash: "0123", Parent: "other", Engine: "e1", Schema: "s1", Commit: "abc", GoArch: "amd64", GoLevel: "v1",
		Start: "huang", Rule: "freestyle", Size: 15, Nodes: 1000, Optimizer: "ga", Seed: 1<<64 - 1, Budget: 400,
		Begun: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
}

func begin(t testing.TB, db *DB, name string) *Session {
	t.Helper()
	s, err := db.Begin(KindRun, sampleRun(name), []byte(`{"run":"`+name+`"}`), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// player is a Runner whose games are a function of the pairing's seed. It counts the pairs.
type player struct {
	pairs  int
	after  func(pairs int) // called after each pair
	onlyTo int             // returns an error after this number of pairs; 0: plays all
	faults bool            // some games end by a fault
}

var errEnough = errors.New("enough")

func (p *player) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	results := make([]selfplay.Result, len(b.Pairings))
	for k := range results {
		i := len(results) - 1 - k // pairs are not finished in order
		if err := ctx.Err(); err != nil {
			return results, err
		}
		if p.onlyTo > 0 && k == p.onlyTo {
			return results, errEnough
		}
		results[i] = p.pair(b, i)
		p.pairs++
		if done != nil {
			done(i, &results[i])
		}
		if p.after != nil {
			p.after(p.pairs)
		}
	}
	return results, nil
}

func (p *player) pair(b *selfplay.Batch, i int) selfplay.Result {
	seed := b.Pairings[i].Seed
	r := selfplay.Result{Worker: "worker 1"}
	for g := range r.Games {
		moves := append([]board.Cell{}, b.Pairings[i].Opening...)
		for n := range 20 + seed%20 {
			moves = append(moves, board.At(int(n)%b.Size, b.Size-1-int(n)/b.Size))
		}
		r.Games[g] = selfplay.Game{
			Outcome: board.Outcome(1 + (seed+uint64(g))%3), Moves: moves, Adjudicated: seed%2 == 0, Nodes: int64(seed),
		}
	}
	if p.faults && seed%3 == 0 {
		r.Discarded = []selfplay.Game{r.Games[0], r.Games[1]}
		r.Discarded[1].Fault, r.Discarded[1].Faulty = &selfplay.Fault{Kind: "timeout", Text: "no answer"}, board.White
	}
	if p.faults && seed%7 == 0 {
		r.Games[0].Fault = &selfplay.Fault{Kind: "crash", Text: "it ended"}
	}
	return r
}

// sampleBatch returns a batch of two contestants.
func sampleBatch(t testing.TB, pairs, size int) *selfplay.Batch {
	t.Helper()
	set := weightstest.Preset(t, "huang")
	b := &selfplay.Batch{
		Contestants: []selfplay.Contestant{{Weights: set}, {Weights: set.Clone(), Name: "huang"}},
		Size:        size, Nodes: 1000, Purpose: "generation 0",
	}
	for i := range pairs {
		b.Pairings = append(b.Pairings, selfplay.Pairing{A: 0, B: 1, Opening: []board.Cell{board.At(i%5, i/5%5)}, Seed: uint64(i)})
	}
	return b
}

// plainResults returns results as text, with faults as they are stored.
func plainResults(list []selfplay.Result) string {
	text := ""
	for _, r := range list {
		for _, g := range append(r.Games[:], r.Discarded...) {
			text += fmt.Sprintf("%v %v %v %v %v", g.Outcome, g.Moves, g.Adjudicated, g.Nodes, g.Fault)
			if g.Fault != nil {
				text += fmt.Sprintf(" %v %v", selfplay.FaultKind(g.Fault), g.Faulty)
			}
		}
		text += r.Worker + "\n"
	}
	return text
}

func TestRunsAreKept(t *testing.T) {
	db := newDB(t)
	begin(t, db, "one")
	begin(t, db, "two")
	if _, err := db.Begin(KindRun, sampleRun("one"), nil, nil, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second run of one name: %v", err)
	}
	got, err := db.Run("one")
	if err != nil {
		t.Fatal(err)
	}
	if want := sampleRun("one"); got.Summary != want {
		t.Errorf("run %+v, want %+v", got.Summary, want)
	}
	if record, err := db.Record(got); err != nil || string(record) != `{"run":"one"}` {
		t.Errorf("record %s, error %v", record, err)
	}
	if state, err := db.State(got); err != nil || state != nil {
		t.Errorf("state %s, error %v", state, err)
	}
	if _, err := db.Run("three"); !errors.Is(err, ErrNoRun) {
		t.Errorf("error %v", err)
	}
	changed := got
	changed.Hash, changed.Budget = "4567", 800
	if _, err := db.Resume(changed, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	list, err := db.Runs()
	if err != nil || len(list) != 2 || list[1].Name != "one" || list[1].Budget != 800 || list[1].Hash != "4567" {
		t.Errorf("the resumed run is not the latest: %+v, error %v", list, err)
	}
}

// sampleStep returns a step with a value in every field.
func sampleStep(generation int) Step {
	return Step{
		State: &run.State{
			Outcome: run.Outcome{
				Games: 20, Generations: generation + 1, Checks: []run.Check{{Games: 10, Pairs: stats.Pentanomial{4: 3}}},
				Validation: &match.Report{B: "huang", Nodes: 1000},
			},
			Gates: []run.Gate{{Report: match.GateReport{
				Report: match.Report{B: "huang", Elo: 10, EloLow: 5, EloHigh: 15}, Passed: true, Verdict: "accept H1",
			}}},
		},
		Generation: &run.Generation{
			Number: generation, Phase: "ga", Games: 20, Figures: run.Figures{Sigma: .2, Spread: .1, Best: 30, Mean: 10}, Values: []float64{5, -6},
		},
		Parameters: []string{"line.a", "line.b"},
	}
}

func TestClosedStepsAreKept(t *testing.T) {
	db := newDB(t)
	s := begin(t, db, "one")
	for n := range 2 {
		if _, err := s.Runner(&player{}).Run(context.Background(), sampleBatch(t, 3, 15), nil); err != nil {
			t.Fatal(err)
		}
		if err := s.CloseStep(sampleStep(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SaveSet("candidate", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	r, err := db.Run("one")
	if err != nil || r.Steps != 2 || r.Games != 20 || r.Generations != 2 || r.Done || r.Open != 0 {
		t.Errorf("run %+v, error %v", r, err)
	}
	if r != s.Run() {
		t.Errorf("the session has %+v, the database %+v", s.Run(), r)
	}
	list, err := db.Generations(r)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d generations, error %v", len(list), err)
	}
	if want := sampleStep(1).Generation; !reflect.DeepEqual(&list[1], want) {
		t.Errorf("generation %+v, want %+v", list[1], want)
	}
	if state, err := db.State(r); err != nil || string(state) != marshal(sampleStep(1).State) {
		t.Errorf("state %s, error %v", state, err)
	}
	if weights, err := db.Champion(r, r.Generations); err != nil || len(weights) != 2 || weights["line.a"] != 5 || weights["line.b"] != -6 {
		t.Errorf("champion %v, error %v", weights, err)
	}
	if file, err := db.Set(r, "candidate"); err != nil || string(file) != "{}" {
		t.Errorf("set %s, error %v", file, err)
	}
	if _, err := db.Set(r, "absent"); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("error %v", err)
	}
	if err := db.Check(); err != nil {
		t.Error(err)
	}
	for table, rows := range map[string]int{"champions": 2, "checks": 1, "gates": 1, "validations": 1, "parameters": 2, "games": 12} {
		t.Run(table, func(t *testing.T) {
			var n int
			if err := db.sql.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != rows {
				t.Errorf("%s has %d rows, want %d; error %v", table, n, rows, err)
			}
		})
	}
}

func TestMovesAreCompact(t *testing.T) {
	for _, test := range []struct {
		size  int
		moves []board.Cell
		bytes int
	}{
		{15, []board.Cell{board.At(0, 0), board.At(14, 14), board.NoCell, board.At(7, 3)}, 4},
		{16, []board.Cell{board.At(15, 15), board.NoCell}, 4},
		{22, []board.Cell{board.At(21, 21), board.At(3, 20)}, 4},
		{15, nil, 0},
	} {
		t.Run(fmt.Sprintf("%d moves on %d", len(test.moves), test.size), func(t *testing.T) {
			data := encodeMoves(test.moves, test.size)
			got, err := decodeMoves(data, test.size)
			if err != nil || len(data) != test.bytes || len(got) != len(test.moves) {
				t.Fatalf("size %d: %v in %d bytes, error %v", test.size, got, len(data), err)
			}
			for i, m := range test.moves {
				if got[i] != m {
					t.Errorf("size %d: move %d is %v, want %v", test.size, i, got[i], m)
				}
			}
		})
	}
	for _, bad := range []struct {
		size int
		data []byte
	}{{15, []byte{225}}, {20, []byte{1}}, {20, []byte{1, 0x90}}} {
		t.Run(fmt.Sprintf("%x on %d", bad.data, bad.size), func(t *testing.T) {
			if moves, err := decodeMoves(bad.data, bad.size); err == nil {
				t.Errorf("%v on %d gives %v", bad.data, bad.size, moves)
			}
		})
	}
}
