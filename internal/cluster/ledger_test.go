package cluster

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/internal/cluster/faultinjecttest"
	"quintune/internal/run"
	"quintune/internal/store"
)

// stored returns a run in a new database.
func stored(t *testing.T) *store.Session {
	t.Helper()
	db, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s, err := db.Begin(store.KindRun, run.Summary{Name: "r"}, []byte("{}"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A worker begins to send false results and is detected later. The pairs that it sent before are played again,
// and the run goes back to the first batch with a false result, not to the batch in which it was detected.
func TestRunGoesBackToTheFirstWrongBatch(t *testing.T) {
	s := stored(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Audit: 1e-9, Timing: calm()}) // a task that two workers play would show a lie at once
	if err := c.Keep(s.Ledger()); err != nil {
		t.Fatal(err)
	}
	hire(t, WorkerConfig{URL: c.Address(), Name: "honest"})
	hire(t, WorkerConfig{URL: c.Address(), Name: "liar", Player: faultinjecttest.FlipFrom(45)})
	until(t, "both workers are there", func() bool { return c.Workers() == 2 })
	liar := ""
	for _, w := range c.Status().Workers {
		if w.Name == "liar" {
			liar = w.Key
		}
	}
	lied := -1
	for batch := 0; batch < 4 || lied < 0 || lied == batch-1; batch++ {
		if err := c.Mark([]byte{'0' + byte(batch)}); err != nil {
			t.Fatal(err)
		}
		if batch == 3 {
			c.config.Audit = 0 // no audits, so nothing is detected by chance
		}
		b := testBatch(t, 40)
		got, err := c.Run(patient(t), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CloseStep(store.Step{State: &run.State{}}); err != nil {
			t.Fatal(err)
		}
		for i, want := range byPool(t, b) {
			if lied < 0 && got[i].Games[0].Outcome != want.Games[0].Outcome {
				lied = batch
			}
		}
	}
	c.members.quarantine(Refusal{Key: liar, Reason: "it lied"})
	c.suspects.add(liar)
	var wrong *Wrong
	if err := c.Settle(patient(t)); !errors.As(err, &wrong) || wrong.Batch != lied {
		t.Fatalf("the first lie was in batch %d: %v", lied, err)
	}
	state, forged, err := c.Rewind(wrong)
	if err != nil || !forged || string(state) != string('0'+byte(lied)) {
		t.Errorf("state %q, %v", state, err)
	}
	whole, err := openLedger(s.Ledger())
	if err != nil || !reflect.DeepEqual(whole.batches[:lied], c.ledger.batches) {
		t.Errorf("the journal holds other pairs than the memory, or error %v", err)
	}
	if err := s.Rewind(lied, &run.State{}); err != nil {
		t.Fatal(err)
	}
	again, err := openLedger(s.Ledger())
	if err != nil || len(again.batches) != lied {
		t.Errorf("%d batches are left of the ledger, want %d: %v", len(again.batches), lied, err)
	}
}

// A worker that was quarantined before the run had its database, such as while the speed was measured, stays so when the run is resumed.
func TestKeepStoresAnEarlierQuarantine(t *testing.T) {
	s, said := stored(t), &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Log: said.logger()})
	c.quarantine("key", "forged results", "it lied")
	if err := c.Keep(s.Ledger()); err != nil {
		t.Fatal(err)
	}
	resumed := open(t, Config{Listen: "127.0.0.1:0"})
	if err := resumed.Keep(s.Ledger()); err != nil {
		t.Fatal(err)
	}
	if got := resumed.members.quarantinedFor("key"); got != "it lied" {
		t.Errorf("after a resume the worker is in quarantine for %q", got)
	}
}

// A resumed run keeps out whom the run has quarantined before, and shows the name and the time of then.
func TestQuarantineOutlivesTheProcess(t *testing.T) {
	f, s, said := folder(t), stored(t), &sayings{}
	me, when := creds(t, f, "w1"), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := s.Ledger().Quarantine(me.Key(), "thief"+keySuffix(me.Key()), "it floods", when); err != nil {
		t.Fatal(err)
	}
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName), Log: said.logger()})
	if err := c.Keep(s.Ledger()); err != nil {
		t.Fatal(err)
	}
	status := c.Status()
	if want := []Refusal{{when, "thief", me.Key(), "it floods"}}; !slices.Equal(status.Refused, want) {
		t.Errorf("refused are %+v, want %+v", status.Refused, want)
	}
	if len(status.Workers) != 1 || status.Workers[0].Name != "thief" || !status.Workers[0].Seen.Equal(when) {
		t.Errorf("workers are %+v", status.Workers)
	}
	until(t, "it is banned", func() bool { return strings.Contains(said.String(), "parties read again") }) // see TestServersCertificateIsIssuedAnew
	conn, err := nats.Connect(c.Address(), nats.Nkey(me.Key(), me.sign), nats.Secure(me.clientTLS()))
	if !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("it connects: %v", err)
	}
	conn.Close()
}

// A mark may be of several batches before the wrong one: the audits that these still need go with them.
func TestRewindForgetsOpenAudits(t *testing.T) {
	c := open(t, Config{Jobs: 1})
	if err := c.Mark([]byte("begin")); err != nil {
		t.Fatal(err)
	}
	b := testBatch(t, 4)
	for range 2 {
		if _, err := c.Run(patient(t), b, nil); err != nil {
			t.Fatal(err)
		}
	}
	c.owe(owed{number: 0, author: "away", pairs: []int{0, 1}})
	if state, forged, err := c.Rewind(&Wrong{Batch: 1}); string(state) != "begin" || !forged || err != nil {
		t.Fatalf("state %q, forged %v, error %v", state, forged, err)
	}
	got, err := c.Run(patient(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, b))
}
