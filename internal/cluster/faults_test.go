package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/selfplay"
)

// batchEnd holds the results of a batch and its error.
type batchEnd struct {
	results []selfplay.Result
	err     error
}

// runBeside plays a batch in the background of a test.
func runBeside(t *testing.T, c *Coordinator, b *selfplay.Batch) <-chan batchEnd {
	ctx, over := patient(t), make(chan batchEnd, 1)
	go func() {
		results, err := c.Run(ctx, b, nil)
		over <- batchEnd{results, err}
	}()
	return over
}

// stuck is a runner that plays nothing before a given time.
type stuck struct {
	selfplay.Runner
	free chan struct{}
}

func (s stuck) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	select {
	case <-s.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return s.Runner.Run(ctx, b, done)
}

// A slow worker does not delay a batch, and results that it sends too late are ignored.
func TestLateTasksAreGivenToOthers(t *testing.T) {
	free := make(chan struct{})
	c := open(t, Config{Listen: "127.0.0.1:0", Timing: Timing{Task: 50 * time.Millisecond, Deadline: time.Hour, Heartbeat: time.Hour, Slack: 200 * time.Millisecond}})
	hire(t, WorkerConfig{URL: c.Address(), Name: "slow", Player: func() selfplay.Runner { return stuck{selfplay.NewPool(1), free} }})
	hire(t, WorkerConfig{URL: c.Address(), Name: "quick"})
	untilAsked(t, c, 2)
	batch := testBatch(t, 30)
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
	close(free)
	if s := c.Status(); s.Reissued == 0 || s.Pairs != 30 {
		t.Errorf("%+v", s)
	}
	if got, err = c.Run(patient(t), batch, nil); err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
}

// A worker that leaves in the middle of a task sends the pairs that it has played; others get the rest. A task
// that is on its way to the worker at that moment is sent again after its deadline.
func TestLeavingWorkerSendsWhatItHas(t *testing.T) {
	c := open(t, Config{Listen: "127.0.0.1:0", Timing: Timing{Task: time.Hour, Deadline: 3 * time.Second, Heartbeat: 50 * time.Millisecond, Slack: time.Hour}})
	c.each = time.Nanosecond // large tasks
	said, free := &sayings{}, make(chan struct{})
	leave := hire(t, WorkerConfig{URL: c.Address(), Name: "leaving", Log: said.logger(), Player: func() selfplay.Runner { return stuck{selfplay.NewPool(1), free} }})
	if _, err := c.Ready(patient(t)); err != nil {
		t.Fatal(err)
	}
	batch := testBatch(t, 60)
	over := runBeside(t, c, batch)
	until(t, "a task is in hand", func() bool { return c.Status().Workers[0].Held > 0 })
	left := make(chan error, 1)
	go func() { left <- leave() }()
	until(t, "the worker is leaving", func() bool { return strings.Contains(said.String(), "leaving") })
	close(free)
	if err := <-left; err != nil {
		t.Error(err)
	}
	until(t, "its one pair is there", func() bool { return c.Status().Pairs > 0 })
	hire(t, WorkerConfig{URL: c.Address(), Name: "other"})
	end := <-over
	if end.err != nil {
		t.Fatal(end.err)
	}
	same(t, end.results, byPool(t, batch))
	if got := c.Status().Workers[0].Pairs; got != 1 {
		t.Errorf("%d pairs are of the worker that left in the middle of its first", got)
	}
}

func TestBatchThatIsGivenUp(t *testing.T) {
	c := open(t, Config{Jobs: 2})
	ctx, cancel := context.WithCancel(patient(t))
	batch := testBatch(t, 60)
	_, err := c.Run(ctx, batch, func(int, *selfplay.Result) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
}

// The server is killed and started again in the middle of a batch. Nothing is lost and nothing counts twice.
func TestServerRestart(t *testing.T) {
	f := folder(t)
	config := ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: logger(t)}
	s, err := StartServer(config)
	if err != nil {
		t.Fatal(err)
	}
	url := s.URL()
	config.Addr = strings.TrimPrefix(strings.TrimPrefix(url, "nats://"), "tls://")
	c := open(t, Config{URL: url, Creds: creds(t, f, CoordinatorName)})
	hire(t, WorkerConfig{URL: url, Creds: creds(t, f, "w1"), Name: "one"})
	hire(t, WorkerConfig{URL: url, Creds: creds(t, f, "w2"), Name: "two"})
	until(t, "both workers are there", func() bool { return c.Workers() == 2 })
	if _, err := Open(patient(t), Config{URL: url, Creds: creds(t, f, CoordinatorName), Log: logger(t)}); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("a second coordinator: %v", err)
	}
	batch := testBatch(t, 120)
	reported, restarted := map[int]int{}, false
	got, err := c.Run(patient(t), batch, func(i int, _ *selfplay.Result) {
		if reported[i]++; len(reported) > 20 && !restarted {
			restarted = true
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if s, err = StartServer(config); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
	for i := range batch.Pairings {
		if reported[i] != 1 {
			t.Errorf("pair %d was reported %d times", i, reported[i])
		}
	}
	t.Cleanup(func() { _ = s.Close() })
}

// A run that was cut off and finds another in its place ends, and the other stays, whatever their clocks say.
func TestWhoWasCutOffYields(t *testing.T) {
	c := open(t, Config{Jobs: 1})
	ended := func() bool {
		select {
		case <-c.failed:
			return true
		default:
			return false
		}
	}
	meet := func(other claim) {
		t.Helper()
		data, err := json.Marshal(other)
		if err != nil {
			t.Fatal(err)
		}
		c.yield(&nats.Msg{Data: data})
	}
	meet(claim{Session: "back again", Since: time.Now().Add(3 * time.Hour).UnixNano(), Cut: true})
	if ended() {
		t.Fatal(c.failure)
	}
	if err := c.conn.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	until(t, "it is connected again", func() bool { return c.conn.Stats().Reconnects > 0 && c.conn.IsConnected() })
	meet(claim{Session: "of an equal", Since: time.Now().Add(-3 * time.Hour).UnixNano(), Cut: true})
	if ended() {
		t.Fatal(c.failure)
	}
	meet(claim{Session: "in its place", Since: time.Now().Add(-3 * time.Hour).UnixNano()})
	if !ended() || !strings.Contains(c.failure.Error(), "taken over the cluster (session in its place)") {
		t.Errorf("it goes on beside another: %v", c.failure)
	}
}

// When a batch gets no results for some seconds, a warning names what is missing.
func TestStallNamesWhatIsMissing(t *testing.T) {
	said := &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Log: said.logger()})
	r := c.newDispatcher(testBatch(t, 4), []string{"a", "b", "baseline:random"}, nil, nil)
	r.watch.progress = time.Now()
	r.warnStalled(time.Now().Add(stalledAfter / 2))
	if strings.Contains(said.String(), "no result for") {
		t.Errorf("a warning too soon: %s", said)
	}
	r.warnStalled(time.Now().Add(stalledAfter + time.Second))
	if !strings.Contains(said.String(), "no result for 11s: no worker is there") {
		t.Error(said.String())
	}
	hire(t, WorkerConfig{URL: c.Address()})
	until(t, "a worker is there", func() bool { return c.Workers() == 1 })
	r.warnStalled(time.Now().Add(stalledAfter + warnEvery + 2*time.Second))
	if !strings.Contains(said.String(), "do not arrive") {
		t.Error(said.String())
	}
}
