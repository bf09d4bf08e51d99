package cluster

import (
	"errors"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/cluster/faultinjecttest"
	"quintune/internal/run"
	"quintune/selfplay"
)

// forgedRun plays batches with an honest worker and one that sends false results from the given pair on, until
// one is detected.
func forgedRun(t *testing.T, c *Coordinator, from int64) (batches int, wrong *Wrong) {
	t.Helper()
	hire(t, WorkerConfig{URL: c.Address(), Name: "honest"})
	hire(t, WorkerConfig{URL: c.Address(), Name: "liar", Player: faultinjecttest.FlipFrom(from)})
	untilAsked(t, c, 2)
	for batches = range 30 {
		if err := c.Mark([]byte{'0' + byte(batches)}); err != nil {
			t.Fatal(err)
		}
		_, err := c.Run(patient(t), testBatch(t, 40), nil)
		if errors.As(err, &wrong) {
			return batches, wrong
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the lies were not found")
	return 0, nil
}

func TestForgedResultsAreCaught(t *testing.T) {
	said := &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Log: said.logger(), Timing: calm()})
	stored := stored(t)
	if err := c.Keep(stored.Ledger()); err != nil {
		t.Fatal(err)
	}
	batches, wrong := forgedRun(t, c, 1)
	if batches != 0 || wrong.Batch != 0 {
		t.Errorf("found in batch %d, as of %d", batches, wrong.Batch)
	}
	s := c.Status()
	if s.Disputes == 0 || s.Faults["quarantine"] != 1 || len(s.Refused) != 1 || s.Refused[0].Name != "liar" ||
		!strings.Contains(said.String(), "worker quarantined: forged results") {
		t.Errorf("%s\n%s", s.Text(), said)
	}
	state, forged, err := c.Rewind(wrong)
	if err != nil || !forged || string(state) != "0" {
		t.Errorf("state %q, %v", state, err)
	}
	if err := stored.Rewind(0, &run.State{}); err != nil {
		t.Fatal(err)
	}
	batch := testBatch(t, 40)
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
	until(t, "the liar is gone", func() bool { return c.Workers() == 1 })
}

// searches returns a batch of n searches.
func searches(t *testing.T, n int) *selfplay.Batch {
	t.Helper()
	b := testBatch(t, n)
	b.Contestants, b.Search, b.Nodes = b.Contestants[:1], true, 200
	for i := range b.Pairings {
		b.Pairings[i].A, b.Pairings[i].B = 0, 0
	}
	return b
}

// Labels of positions come from workers as pairs do: the same as those of one machine, and lies are found.
func TestSearchesOnTheCluster(t *testing.T) {
	batch := searches(t, 60)
	want := byPool(t, batch)
	for _, r := range want[:3] {
		if g := r.Games[0]; len(g.Moves) != 3 || g.Nodes == 0 || g.Outcome != board.Ongoing {
			t.Errorf("a search found %+v", g)
		}
	}
	c := open(t, Config{Listen: "127.0.0.1:0", Audit: 1, Log: (&sayings{}).logger()})
	hire(t, WorkerConfig{URL: c.Address(), Name: "honest"})
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, want)
	hire(t, WorkerConfig{URL: c.Address(), Name: "liar", Player: faultinjecttest.FlipFrom(1)})
	until(t, "both workers are there", func() bool { return c.Workers() == 2 })
	var wrong *Wrong
	for range 30 {
		if got, err = c.Run(patient(t), batch, nil); errors.As(err, &wrong) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
		if len(c.Status().Refused) > 0 { // it lied in an audit alone
			break
		}
	}
	if s := c.Status(); len(s.Refused) != 1 || s.Refused[0].Name != "liar" {
		t.Errorf("%v; %s", wrong, s.Text())
	}
}
