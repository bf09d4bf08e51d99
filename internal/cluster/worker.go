package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// MaxJobs bounds the pairs that one worker plays at a time.
const MaxJobs = 4096

// WorkerConfig configures a worker.
type WorkerConfig struct {
	URL     string
	Creds   *Creds // nil: the server is on this machine
	Jobs    int    // pairs played at a time, 1 or more
	Name    string // of the machine, for people
	Version string // of the program
	Log     *slog.Logger

	Player func() selfplay.Runner // returns the runner of one job; nil: our engine
	Engine string                 // signature of the engine in Player; "" for ours

	Outside *Outside // engine from outside on this machine, for runs that tune it; nil: none
}

// ErrRefused means that the coordinator or the server does not accept the worker.
var ErrRefused = errors.New("refused")

// Work plays for the coordinator at config.URL until ctx is done. Then it finishes the pairs in play, sends
// their results and leaves, which is not an error. It waits while server or coordinator are not there, and joins
// again after interruptions. pairs is the number of those that it played. An error that wraps ErrRefused means that the worker was
// refused.
func Work(ctx context.Context, config WorkerConfig) (pairs int64, err error) {
	w := newWorker(&config)
	err = w.work(ctx, link{url: config.URL, creds: config.Creds})
	return w.pairs.Load(), err
}

func newWorker(config *WorkerConfig) *worker {
	return &worker{
		config: config, instance: newNonce(), pools: make(chan selfplay.Runner, config.Jobs),
		held: map[string]holding{}, ended: make(chan struct{}), admitted: make(chan struct{}),
	}
}

// work is Work over the given link.
func (w *worker) work(ctx context.Context, l link) error {
	config := w.config
	l.log, l.name = config.Log, config.Name
	w.id = "L" + w.instance[:12]
	if l.creds != nil {
		w.id = l.creds.Key()
	} else if l.id != "" {
		w.id = l.id
	}
	l.id = w.id
	for range config.Jobs {
		if config.Player != nil {
			w.pools <- config.Player()
		} else {
			w.pools <- selfplay.NewPool(1)
		}
	}
	if err := w.reach(ctx, &l); err != nil || w.conn == nil {
		return err
	}
	defer w.conn.Close()
	return w.run(ctx)
}

// worker joins a coordinator and plays tasks.
type worker struct {
	config   *WorkerConfig
	id       string
	instance string
	conn     *nats.Conn
	sets     setCache
	pools    chan selfplay.Runner // one runner for each job

	mu       sync.Mutex
	held     map[string]holding // tasks that the worker holds, by name
	admitted chan struct{}      // closed with the first welcome
	deadline atomic.Int64       // time for a task, ns
	every    atomic.Int64       // time between heartbeats, ns
	pairs    atomic.Int64
	speed    meter        // measures pairs a second
	busy     atomic.Int64 // time spent playing, ns

	// The time of joining, and the counts at that time: they belong to earlier runs.
	joined             time.Time
	before, busyBefore int64

	ended chan struct{} // closed when the worker was refused
	once  sync.Once
	why   error
}

// end ends the worker with the error.
func (w *worker) end(err error) {
	w.once.Do(func() {
		w.why = err
		close(w.ended)
	})
}

// reach tries to connect until it succeeds. If ctx is done before, connection and error are nil.
func (w *worker) reach(ctx context.Context, l *link) error {
	closed := func(err error) {
		if err != nil {
			w.end(fmt.Errorf("%w: the server at %s ended the connection: %w", ErrRefused, l.shown(), err))
		}
	}
	for attempt := 1; ctx.Err() == nil; attempt++ {
		conn, err := l.connect(closed)
		if err == nil {
			w.conn = conn
			return nil
		}
		if final(err) {
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
		w.config.Log.Warn("the cluster cannot be reached", "url", l.shown(), "error", err, "attempt", attempt)
		pause(ctx, backoff(attempt))
	}
	return nil
}

// run plays until ctx is done or the worker is refused.
func (w *worker) run(ctx context.Context) error {
	working, stop := context.WithCancel(ctx)
	defer stop()
	var beside, slots sync.WaitGroup
	beside.Go(func() { w.keepInTouch(working) })
	select {
	case <-w.admitted:
	case <-w.ended: // the connection may be closed
		stop()
		beside.Wait()
		return w.why
	case <-ctx.Done():
	}
	hard, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	if _, err := w.conn.Subscribe(cancelSubject, w.drop); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	for range slotsOf(w.config.Jobs) {
		slots.Go(func() { w.slot(working, hard) })
	}
	select {
	case <-ctx.Done():
		w.config.Log.Info("leaving: the pairs in hand are ended first")
	case <-w.ended:
		abandon()
	}
	stop()
	slots.Wait()
	beside.Wait()
	if w.why == nil {
		w.sayGoodbye()
	}
	return w.why
}

// keepInTouch joins and then sends heartbeats. It joins again when the coordinator does not know the worker.
func (w *worker) keepInTouch(ctx context.Context) {
	for ctx.Err() == nil {
		if !w.join(ctx) {
			return
		}
		for {
			pause(ctx, time.Duration(w.every.Load()))
			if ctx.Err() != nil {
				return
			}
			var p heartbeatAnswer
			err := w.request(ctx, requestTime, heartbeatPrefix+w.id, w.heartbeat(false), &p)
			if err != nil {
				continue // the coordinator is away; the tasks in hand stay valid
			}
			if p.Refused != "" {
				w.end(fmt.Errorf("%w: %s", ErrRefused, p.Refused))
				return
			}
			if !p.Known {
				break
			}
		}
	}
}

// join tries to join until the worker is admitted. It returns false when the worker is refused or ctx is done.
func (w *worker) join(ctx context.Context) bool {
	j := joining{
		Protocol: protocol, Name: w.config.Name, Instance: w.instance, Version: w.config.Version,
		Signature: cmp.Or(w.config.Engine, w.config.Outside.signature()), Schema: weights.Fingerprint(), Jobs: w.config.Jobs,
	}
	for attempt := 1; ctx.Err() == nil; attempt++ {
		var answer welcome
		err := w.request(ctx, requestTime, joinPrefix+w.id, j, &answer)
		switch {
		case err != nil && errors.Is(w.conn.LastError(), nats.ErrPermissionViolation):
			w.end(fmt.Errorf("%w: its key is not that of a worker: %w", ErrRefused, w.conn.LastError()))
			return false
		case err != nil:
			if attempt%20 == 1 {
				w.config.Log.Info("waiting for a run that wants workers", "error", err)
			}
			pause(ctx, min(backoff(attempt), 2*time.Second))
		case answer.Refused != "":
			w.end(fmt.Errorf("%w: %s", ErrRefused, answer.Refused))
			return false
		case answer.Protocol != protocol:
			w.end(fmt.Errorf("%w: the run's program speaks protocol %d, this one %d: use programs of one version", ErrRefused, answer.Protocol, protocol))
			return false
		case answer.Admitted:
			w.enter(&answer)
			return true
		case answer.Nonce != "":
			j.Nonce = answer.Nonce
			if j.Proof, err = w.prove(ctx, &answer); err != nil && ctx.Err() == nil {
				w.end(err)
				return false
			}
		default: // the coordinator is ending
			pause(ctx, min(backoff(attempt), 2*time.Second))
		}
	}
	return false
}

// prove returns the proof that the welcome asks for.
func (w *worker) prove(ctx context.Context, asked *welcome) (string, error) {
	rule, err := pattern.ParseRule(asked.Rule)
	if err != nil {
		return "", fmt.Errorf("cluster: proof: %w", err)
	}
	return w.config.Outside.prove(ctx, asked.Nonce, rule, asked.Size)
}

// leastHeartbeat is the least time between heartbeats, whatever the coordinator says.
const leastHeartbeat = 10 * time.Millisecond

// enter starts to work after the coordinator's welcome.
func (w *worker) enter(answer *welcome) {
	w.deadline.Store(answer.Deadline)
	w.every.Store(max(answer.Heartbeat, int64(leastHeartbeat)))
	w.joined, w.before, w.busyBefore = time.Now(), w.pairs.Load(), w.busy.Load()
	select {
	case <-w.admitted:
	default:
		close(w.admitted)
	}
	w.config.Log.Info("joined", "key", w.id, "jobs", w.config.Jobs, "engine", w.config.Outside.signature())
}

// requestTime bounds the wait for an answer of the coordinator.
const requestTime = 5 * time.Second

// request sends a request to the coordinator and decodes the answer. A nil question sends the subject alone.
func (w *worker) request(ctx context.Context, most time.Duration, subject string, question, answer any) error {
	var data []byte
	if question != nil {
		var err error
		if data, err = json.Marshal(question); err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
	}
	reply, err := w.ask(ctx, most, subject, data)
	if err != nil || len(reply) == 0 {
		return err
	}
	return json.Unmarshal(reply, answer)
}

// ask sends a request in bytes and returns the answer.
func (w *worker) ask(ctx context.Context, most time.Duration, subject string, data []byte) ([]byte, error) {
	within, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	reply, err := w.conn.RequestWithContext(within, subject, data)
	if err != nil {
		return nil, err
	}
	return reply.Data, nil
}

// fetchWeights requests weights, fetchAttempts times at most, since the connection may be slow. The coordinator has those
// of the open batches.
func (w *worker) fetchWeights(ctx context.Context, hash string) ([]byte, error) {
	for attempt := 1; ; attempt++ {
		data, err := w.ask(ctx, requestTime, weightsPrefix+w.id, []byte(hash))
		if err == nil && len(data) == 0 {
			return nil, errors.New("are not in an open batch")
		}
		if err == nil || ctx.Err() != nil || attempt == fetchAttempts {
			return data, err
		}
		pause(ctx, backoff(attempt))
	}
}

const fetchAttempts = 3

// heartbeat returns a heartbeat with the current figures.
func (w *worker) heartbeat(leaving bool) heartbeat {
	w.mu.Lock()
	held := len(w.held)
	w.mu.Unlock()
	b := heartbeat{
		Instance: w.instance, Pairs: w.pairs.Load() - w.before, Speed: w.speed.rate(time.Now()), Held: held, Leaving: leaving,
	}
	if took := time.Since(w.joined).Seconds(); took > 0 {
		b.Busy = time.Duration(w.busy.Load()-w.busyBefore).Seconds() / took / float64(w.config.Jobs)
	}
	return b
}

// sayGoodbye tells the coordinator that this worker leaves.
func (w *worker) sayGoodbye() {
	data, err := json.Marshal(w.heartbeat(true))
	if err == nil {
		err = errors.Join(w.conn.Publish(heartbeatPrefix+w.id, data), w.conn.FlushTimeout(requestTime))
	}
	if err != nil {
		w.config.Log.Warn("left without a word", "error", err)
		return
	}
	w.config.Log.Info("left", "pairs", w.pairs.Load())
}

// drop ends the tasks of a batch that is given up.
func (w *worker) drop(m *nats.Msg) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.held {
		if one.batch == string(m.Data) {
			one.cancel()
		}
	}
}
