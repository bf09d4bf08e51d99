package cluster

import (
	"context"
	"log/slog"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"quintune/board"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// patient returns a context with a timeout, for tests that could hang.
func patient(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// logger writes to the test's log.
func logger(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// hasty returns a timing with short waits, for tests.
func hasty() Timing {
	return Timing{Task: 50 * time.Millisecond, Deadline: 5 * time.Second, Heartbeat: 200 * time.Millisecond, Slack: 300 * time.Millisecond}
}

// calm returns a timing in which no worker counts as lost and no task straggles, however busy the machine is.
func calm() Timing {
	return Timing{Task: 50 * time.Millisecond, Deadline: time.Minute, Heartbeat: time.Hour, Slack: time.Hour}
}

// open returns a coordinator that is closed with the test.
func open(t testing.TB, config Config) *Coordinator {
	t.Helper()
	if config.Timing == (Timing{}) {
		config.Timing = hasty()
	}
	if config.Log == nil {
		config.Log = logger(t)
	}
	c, err := Open(patient(t), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// testBatch returns n short pairs between weights and a baseline.
func testBatch(t testing.TB, pairs int) *selfplay.Batch {
	t.Helper()
	p, err := player.Parse("baseline:random")
	if err != nil {
		t.Fatal(err)
	}
	b := &selfplay.Batch{
		Contestants: []selfplay.Contestant{{Weights: weightstest.Preset(t, "huang")}, {Weights: weightstest.Preset(t, "zhang")}, p.Contestant(player.TimeControl{})},
		Rule:        pattern.Freestyle, Size: 9, Nodes: 30,
	}
	for i := range pairs {
		opening := []board.Cell{board.At(i%9, i/9%9), board.At((i+4)%9, (i/9+3)%9)}
		b.Pairings = append(b.Pairings, selfplay.Pairing{A: i % 3, B: (i + 1) % 3, Opening: opening, Seed: uint64(i)})
	}
	return b
}

// dispatcherOf returns a dispatcher of the batch that has sent nothing yet.
func dispatcherOf(t *testing.T, c *Coordinator, batch *selfplay.Batch) *dispatcher {
	t.Helper()
	refs, _, err := describe(batch)
	if err != nil {
		t.Fatal(err)
	}
	r := c.newDispatcher(batch, refs, nil, nil)
	if r.board, err = board.New(batch.Size, batch.Rule); err != nil {
		t.Fatal(err)
	}
	r.open()
	t.Cleanup(r.close)
	return r
}

// with calls do with a member. The goroutines of a coordinator read members as well.
func (ms *membership) with(id string, do func(*member)) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	do(ms.members[id])
}

// untilAsked waits until that many workers wait for tasks, so that each gets some of the next batch.
func untilAsked(t *testing.T, c *Coordinator, workers int) {
	t.Helper()
	until(t, "the workers ask for tasks", func() bool {
		c.queue.mu.Lock()
		defer c.queue.mu.Unlock()
		return len(c.queue.asked) == workers
	})
}

// byPool plays a batch on the local pool.
func byPool(t testing.TB, b *selfplay.Batch) []selfplay.Result {
	t.Helper()
	results, err := selfplay.NewPool(1).Run(patient(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// same compares results, ignoring their players.
func same(t testing.TB, got, want []selfplay.Result) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d results, want %d", len(got), len(want))
	}
	for i := range want {
		g, w := got[i], want[i]
		g.Worker, w.Worker = "", ""
		if !reflect.DeepEqual(g, w) {
			t.Errorf("pair %d: %+v, want %+v", i, g, w)
		}
	}
}

// sayings records log lines for tests.
type sayings struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *sayings) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sayings) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *sayings) logger() *slog.Logger { return slog.New(slog.NewTextHandler(s, nil)) }

// until waits until the condition holds.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for ctx := patient(t); !holds(); pause(ctx, 5*time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatalf("in vain: %s", what)
		}
	}
}

// folder returns a new cluster folder with the workers w1 and w2.
func folder(t testing.TB) *Folder {
	t.Helper()
	f, err := InitFolder(filepath.Join(t.TempDir(), "cluster"), []string{"10.1.2.3", "host.example"}, []string{"w1", "w2"}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func creds(t testing.TB, f *Folder, name string) *Creds {
	t.Helper()
	c, err := LoadCreds(f.CredsFile(name))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hire starts a worker that ends with the test. The returned function waits for its end and returns the error.
func hire(t testing.TB, config WorkerConfig) (leave func() error) {
	t.Helper()
	if config.Log == nil {
		config.Log = logger(t)
	}
	if config.Jobs == 0 {
		config.Jobs = 1
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- newWorker(&config).work(ctx, link{url: config.URL, creds: config.Creds}) }()
	var once sync.Once
	var err error
	leave = func() error {
		once.Do(func() {
			cancel()
			err = <-ended
		})
		return err
	}
	t.Cleanup(func() { _ = leave() })
	return leave
}

// end runs a worker that is expected to end by itself, and returns its error.
func end(t testing.TB, config WorkerConfig) error {
	t.Helper()
	if config.Log == nil {
		config.Log = logger(t)
	}
	config.Jobs = 1
	_, err := Work(patient(t), config)
	return err
}

// party connects with the credentials as a bare client, and returns what the server refuses to it.
func party(t *testing.T, url string, c *Creds) (*nats.Conn, <-chan error) {
	t.Helper()
	denied := make(chan error, 1000)
	conn, err := nats.Connect(url, nats.Nkey(c.Key(), c.sign), nats.Secure(c.clientTLS()), nats.CustomInboxPrefix(inboxPrefix+c.Key()),
		nats.NoReconnect(), nats.SkipSubjectValidation(), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn, denied
}

// workersOf returns the number of live workers.
func workersOf(c *Coordinator) (n int) {
	c.members.mu.Lock()
	defer c.members.mu.Unlock()
	for _, m := range c.members.members {
		if m.live() {
			n++
		}
	}
	return n
}

// A player without weights and without a name for workers is an error that names it.
func TestPlayerThatCannotTravel(t *testing.T) {
	batch := testBatch(t, 3)
	batch.Contestants[2].Remote, batch.Contestants[2].Name = "", "gomocup:x"
	if _, err := open(t, Config{Jobs: 1}).Run(patient(t), batch, nil); err == nil || !strings.Contains(err.Error(), "gomocup:x") {
		t.Errorf("%v", err)
	}
}

func TestInProcess(t *testing.T) {
	batch := testBatch(t, 40)
	c := open(t, Config{Jobs: 2})
	for round := range 2 {
		reported := map[int]int{}
		got, err := c.Run(patient(t), batch, func(i int, _ *selfplay.Result) { reported[i]++ })
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, byPool(t, batch))
		if len(reported) != len(got) {
			t.Errorf("round %d: %d of %d pairs were reported", round, len(reported), len(got))
		}
		for i, n := range reported {
			if n != 1 {
				t.Errorf("pair %d was reported %d times", i, n)
			}
		}
	}
	s := c.Status()
	t.Log(s.Text())
	if s.Pairs != 80 || len(s.Workers) != 1 || s.Workers[0].Pairs != 80 || s.Pending != 0 || c.Address() != "" {
		t.Errorf("%+v", s)
	}
}

// Batches played at the same time give the same results as each alone, and workers get the tasks of the first
// batch first.
func TestBatchesAtTheSameTime(t *testing.T) {
	c := open(t, Config{Jobs: 2, Audit: .2})
	var running errgroup.Group
	for order := range 4 {
		batch := testBatch(t, 20+order)
		batch.Order = order
		for i := range batch.Pairings {
			batch.Pairings[i].Seed += uint64(1000 * order)
		}
		running.Go(func() error {
			got, err := c.Run(patient(t), batch, nil)
			if err == nil {
				same(t, got, byPool(t, batch))
			}
			return err
		})
	}
	if err := running.Wait(); err != nil {
		t.Fatal(err)
	}
	if s := c.Status(); s.Pairs != 20+21+22+23 || s.Pending != 0 {
		t.Errorf("%+v", s)
	}
}
