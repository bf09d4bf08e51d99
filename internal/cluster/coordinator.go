package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/selfplay"
)

// Config configures a coordinator.
type Config struct {
	// Listen is the address of a server in this process that workers can join; URL is the address of an outside server. If
	// both are empty, the server is in this process and cannot be reached from outside.
	Listen string
	URL    string
	Folder *Folder // of the cluster, for Listen; nil: Listen is on the loopback
	Creds  *Creds  // of the coordinator; nil: the server is on the loopback

	Jobs    int     // pairs that this process plays at a time, as a worker of its own; 0: none
	Audit   float64 // share of the tasks that a second worker plays for comparison
	Version string  // of the program, shown in the status
	Timing  Timing
	Log     *slog.Logger

	Outside *Outside // engine from outside that the run tunes; workers without it are refused; nil: none
}

// Coordinator is a selfplay.Runner whose pairs are played by the workers of a cluster. It is safe for concurrent
// use. Batches that are played at the same time get workers in the order of their field Order.
type Coordinator struct {
	config  Config
	session string
	since   time.Time
	server  *Server // nil: an outside server
	conn    *nats.Conn
	members *membership
	queue   *queue
	shelf   shelf
	exam    examiner

	keeping  sync.Mutex // protects ledger.quarantined, and ledger in Keep
	ledger   *ledger
	settling sync.Mutex      // held by Settle
	judge    selfplay.Runner // plays disputed pairs, and audits that no other worker can make
	local    string          // id of the worker of this process
	suspects suspects        // workers whose unaudited results must be played again
	figures  figures

	playing sync.Mutex          // held by a dispatcher while it works; protects the fields below and the entries of the ledger
	serial  int                 // number of the last batch
	open    map[int]*dispatcher // by number of the batch
	lots    *rand.Rand          // chooses the tasks that are audited; no worker can predict it
	each    time.Duration       // time of a pair, see membership.pairTime; 0: not known
	owed    []owed              // pairs whose audit Settle has to make

	cancel  context.CancelFunc
	closing <-chan struct{} // closed when cancel is called
	stopped sync.WaitGroup  // goroutines that end then
	failed  chan struct{}   // closed by fail
	failure error           // of fail, before failed is closed
	once    sync.Once       // fail counts once
}

// figures are the counters of the status.
type figures struct {
	batch, pending, pairs, tasks, results, reissued, repeated, audits, disputes atomic.Int64
	speed                                                                       meter
}

// mostAnswers is the capacity of the channel on which answers wait for a dispatcher.
const mostAnswers = 64

// received is an answer with its sender.
type received struct {
	worker string
	key    key
	answer answer
	had    time.Duration // for which the sender had the task
}

// Open starts a coordinator. Workers may join when it returns. The context applies to Open only.
func Open(ctx context.Context, config Config) (*Coordinator, error) {
	config.Timing = config.Timing.withDefaults()
	c := &Coordinator{
		config: config, session: newNonce()[:12], since: time.Now(), members: newMembership(),
		judge: selfplay.NewPool(1), lots: newLots(), open: map[int]*dispatcher{},
		failed: make(chan struct{}),
	}
	c.queue = newQueue(c.members, c.send)
	c.ledger = &ledger{marks: map[int][]byte{}}
	running, cancel := context.WithCancel(context.Background())
	c.cancel, c.closing = cancel, running.Done()
	if err := c.start(ctx, running); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Keep stores in a journal which worker played which pair. It begins with what an earlier process of the run stored,
// so that the whole run can be checked, however often it was interrupted. Without Keep these data are in memory
// only. Keep must be called while no batch is played. Of what was in memory it stores the workers in quarantine and discards the rest.
func (c *Coordinator) Keep(j Journal) error {
	l, err := openLedger(j)
	if err != nil {
		return err
	}
	stored := l.quarantined
	c.keeping.Lock()
	for _, q := range c.ledger.quarantined { // since Open, such as while the speed was measured
		err = errors.Join(err, l.quarantine(q))
	}
	c.ledger = l
	c.keeping.Unlock()
	if err != nil {
		return err
	}
	c.playing.Lock()
	c.owed = nil
	c.playing.Unlock()
	var keys []string
	for _, q := range stored {
		q.Name = strings.TrimSuffix(q.Name, keySuffix(q.Key)) // stored as a label
		c.members.quarantine(q)
		c.suspects.add(q.Key)
		keys = append(keys, q.Key)
	}
	if c.server != nil && len(keys) > 0 {
		c.stopped.Go(func() { c.banLater(keys...) })
	}
	return nil
}

// start starts or reaches the server, and starts the goroutines that run beside the batches.
func (c *Coordinator) start(ctx, running context.Context) error {
	l := &link{url: c.config.URL, creds: c.config.Creds, name: "coordinator", id: c.party(), log: c.config.Log}
	if c.config.URL == "" {
		if c.config.Folder != nil && c.config.Creds != nil {
			if err := c.config.Folder.checkCoordinator(c.config.Creds); err != nil {
				return err
			}
		}
		var err error
		if c.server, err = StartServer(ServerConfig{Addr: c.config.Listen, Folder: c.config.Folder, Log: c.config.Log}); err != nil {
			return err
		}
		l.local = c.server.inner
	}
	var err error
	if c.conn, err = l.connect(c.refusedByServer); err != nil {
		return err
	}
	if err := c.checkPermissions(l); err != nil {
		return err
	}
	if err := c.claimFirst(ctx); err != nil {
		return err
	}
	if err := c.listen(running); err != nil {
		return err
	}
	c.stopped.Go(func() { c.queue.sweep(running) })
	c.stopped.Go(func() { c.watchMembers(running) })
	if c.config.Jobs > 0 {
		c.startLocal(running, l)
	}
	if address := c.Address(); address != "" {
		c.config.Log.Info("workers may join", "address", address, "session", c.session)
	}
	return nil
}

// party returns the id of this process on the server.
func (c *Coordinator) party() string {
	if c.config.Creds != nil {
		return c.config.Creds.Key()
	}
	return "L" + c.session
}

// startLocal starts the worker of this process.
func (c *Coordinator) startLocal(running context.Context, l *link) {
	c.local = c.party()
	c.stopped.Go(func() {
		w := WorkerConfig{Jobs: c.config.Jobs, Name: CoordinatorName, Version: c.config.Version, Log: c.config.Log, Outside: c.config.Outside}
		if err := newWorker(&w).work(running, *l); err != nil && running.Err() == nil {
			c.fail(fmt.Errorf("cluster: the worker of this process: %w", err))
		}
	})
}

// fail ends the coordinator. The batches in play and all later ones return the error.
func (c *Coordinator) fail(err error) {
	c.once.Do(func() {
		c.failure = err
		close(c.failed)
	})
}

// refusedByServer is called when the server has closed the connection for good.
func (c *Coordinator) refusedByServer(err error) {
	if err != nil {
		c.fail(fmt.Errorf("cluster: the server ended the connection: %w", err))
	}
}

// Address returns the address at which workers join, "" where none can.
func (c *Coordinator) Address() string {
	if c.server != nil {
		return c.server.URL()
	}
	return ShownURL(c.config.URL)
}

// Workers returns the number of pairs that the live workers can play at a time.
func (c *Coordinator) Workers() int { return c.members.jobs() }

// Times returns how long the jobs of all workers have been present since Open, and the part of this in games, in seconds of a job.
func (c *Coordinator) Times() (present, busy float64) { return c.members.times() }

// Ready waits until a worker has joined, and returns the number of jobs of all workers.
func (c *Coordinator) Ready(ctx context.Context) (int, error) {
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for jobs := c.Workers(); ; jobs = c.Workers() {
		if jobs > 0 {
			return jobs, nil
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-c.failed:
			return 0, c.failure
		case <-ticker.C:
		}
	}
}

// Close ends the coordinator, the worker of this process and its server.
func (c *Coordinator) Close() error {
	c.cancel()
	c.stopped.Wait()
	if c.conn != nil {
		c.conn.Close()
	}
	if c.server != nil {
		return c.server.Close()
	}
	return nil
}

// Status returns the state of the cluster.
func (c *Coordinator) Status() Status {
	f := &c.figures
	s := Status{
		Session: c.session, Since: c.since, Address: c.Address(), Engine: c.config.Outside.signature(),
		Batch: int(f.batch.Load()), Pending: int(f.pending.Load()), Pairs: f.pairs.Load(), Tasks: f.tasks.Load(),
		Results: f.results.Load(), Reissued: f.reissued.Load(), Repeated: f.repeated.Load(),
		Audits: f.audits.Load(), Disputes: f.disputes.Load(), Speed: f.speed.rate(time.Now()),
	}
	s.Workers, s.Refused, s.Faults = c.members.list()
	return s
}

// pause waits for d, or until ctx is done.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
