package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"quintune/selfplay"
)

// holding is a task in hand.
type holding struct {
	batch  string // task.Key
	cancel context.CancelFunc
}

// unpacked is a task that can be played.
type unpacked struct {
	*task
	batch *selfplay.Batch
	got   time.Time // when it came
}

// fetchWait is how long a request for a task stays with the server.
const fetchWait = 5 * time.Second

// slot takes one task after the other until working is done; hard ends the pair in hand too. There are a
// few more slots than jobs, so that the next task is here when a job ends.
func (w *worker) slot(working, hard context.Context) {
	for attempt := 1; working.Err() == nil; attempt++ {
		tasks, err := w.js.Consumer(working, taskStream, taskConsumer)
		for err == nil && working.Err() == nil {
			var msg jetstream.Msg
			if msg, err = fetch(working, tasks); msg != nil {
				w.serve(working, hard, msg)
			}
			attempt = 0
		}
		pause(working, backoff(attempt))
	}
}

// fetch returns a task, nil where there is none for now.
func fetch(ctx context.Context, tasks jetstream.Consumer) (jetstream.Msg, error) {
	messages, err := tasks.Fetch(1, jetstream.FetchContext(patience{ctx, time.Now().Add(fetchWait)}))
	if err != nil {
		return nil, err
	}
	if msg := <-messages.Messages(); msg != nil {
		return msg, nil
	}
	return nil, messages.Error()
}

// serve plays a task and sends the answer.
func (w *worker) serve(working, hard context.Context, msg jetstream.Msg) {
	got := time.Now()
	var t task
	if err := json.Unmarshal(msg.Data(), &t); err != nil {
		w.config.Log.Warn("a task cannot be read", "subject", msg.Subject(), "error", err)
		w.giveBack(msg)
		return
	}
	name := nameOf(msg.Subject())
	if slices.Contains(t.Not, w.id) {
		w.giveBack(msg)
		pause(working, blurred(notMinePause))
		return
	}
	playing, cancel := context.WithCancel(hard)
	defer cancel()
	if !w.hold(name, holding{t.Key, cancel}) {
		_ = msg.Ack() // it is in hand already
		return
	}
	defer w.release(name)
	a, err := w.prepareAndPlay(working, playing, &unpacked{task: &t, got: got})
	switch {
	case playing.Err() != nil:
		_ = msg.Ack() // nobody waits for it any more
	case err != nil:
		w.config.Log.Warn("a task could not be played", "task", name, "error", err)
		w.giveBack(msg)
	case len(a.Pairs) == 0:
		w.giveBack(msg)
	default:
		w.send(working, playing, msg, name, a)
	}
}

// prepareAndPlay fetches what a task needs, then waits for a job and plays.
func (w *worker) prepareAndPlay(working, playing context.Context, t *unpacked) (*answer, error) {
	var err error
	t.batch, err = t.unpack()
	if err != nil {
		return nil, err
	}
	if t.batch.Contestants, err = w.contestants(playing, t.Players); err != nil {
		return nil, err
	}
	pool := <-w.pools
	defer func() { w.pools <- pool }()
	if time.Since(t.got) > w.mostHeld() {
		return &answer{}, nil // the jobs took so long that it is better with others
	}
	return w.play(working, playing, pool, t)
}

// Pauses after a task that another worker has to play: before it is handed out again, and before the next is asked for. They
// are blurred, or two workers would meet their own tasks again and again in the same step.
const (
	giveBackDelay = 200 * time.Millisecond
	notMinePause  = 100 * time.Millisecond
)

// giveBack lets another worker have the task.
func (w *worker) giveBack(msg jetstream.Msg) {
	if err := msg.NakWithDelay(blurred(giveBackDelay)); err != nil {
		w.config.Log.Warn("a task could not be given back; its deadline will", "error", err)
	}
}

// nameOf returns the key of a task's subject.
func nameOf(subject string) string { return strings.TrimPrefix(subject, "qt.task.") }

// hold notes a task in hand; false where it is there already.
func (w *worker) hold(name string, h holding) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.held[name]; ok {
		return false
	}
	w.held[name] = h
	return true
}

func (w *worker) release(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.held, name)
}

// play plays the pairs of a task one after the other. It stops early, with what it has, when the worker
// leaves, and when it is slow: when another pair would make it half as long again as was expected, or would not be
// over before the deadline.
func (w *worker) play(working, playing context.Context, pool selfplay.Runner, t *unpacked) (*answer, error) {
	a := &answer{}
	began := time.Now()
	for k := range t.Pairs {
		if working.Err() != nil || k > 0 && w.tooSlow(t, k, time.Since(began)) {
			break
		}
		one := *t.batch
		one.Pairings = t.batch.Pairings[k : k+1]
		results, err := pool.Run(playing, &one, nil)
		if err != nil {
			return nil, err
		}
		sent := send(t.Pairs[k].Index, &results[0])
		w.speed.add(time.Now(), 1)
		if n := w.pairs.Add(1); w.config.fault.alter != nil && len(t.Not) == 0 { // who audits others is honest
			w.config.fault.alter(&sent, n)
		}
		a.Pairs = append(a.Pairs, sent)
	}
	a.Took = time.Since(began)
	w.busy.Add(int64(a.Took))
	return a, nil
}

// mostHeld is how long a task may be in hand before its answer is sent: a fifth of the deadline is for the way.
func (w *worker) mostHeld() time.Duration { return time.Duration(w.deadline.Load()) * 4 / 5 }

// tooSlow says whether a task is better ended after so many pairs, which took so long.
func (w *worker) tooSlow(t *unpacked, pairs int, took time.Duration) bool {
	next := took + took/time.Duration(pairs)
	slow := t.Expect > 0 && next > leastStop && next > t.Expect*time.Duration(len(t.Pairs))*3/2
	return slow || time.Since(t.got)-took+next > w.mostHeld()
}

// leastStop is the time below which no task is ended for slowness.
const leastStop = 500 * time.Millisecond

// contestants returns the players of a task. Weights that have to be fetched are fetched at the same time: the way
// may be long.
func (w *worker) contestants(ctx context.Context, refs []string) ([]selfplay.Contestant, error) {
	list := make([]selfplay.Contestant, len(refs))
	group, ctx := errgroup.WithContext(ctx)
	for i, ref := range refs {
		group.Go(func() (err error) {
			if strings.Contains(ref, ":") {
				list[i], err = named(ref)
			} else {
				list[i].Weights, err = w.sets.set(ctx, w.js, ref)
			}
			return err
		})
	}
	return list, group.Wait()
}

// sendTime bounds one attempt to send an answer.
const sendTime = 5 * time.Second

// partingAttempts is how often a worker that leaves tries to send an answer: the server may have left before it.
const partingAttempts = 5

// send sends an answer until the server has it, then takes the task off the queue. Once working is done it does not
// try for ever: the task's deadline gives it to another.
func (w *worker) send(working, ctx context.Context, msg jetstream.Msg, name string, a *answer) {
	data, err := json.Marshal(a)
	if err != nil {
		panic(fmt.Sprintf("cluster: an answer does not encode: %v", err)) // strings and numbers alone
	}
	for attempt := 1; ; attempt++ {
		within, cancel := context.WithTimeout(ctx, sendTime)
		_, err := w.js.Publish(within, resultSubject(w.id, name), data)
		cancel()
		if stored(err) {
			_ = msg.Ack() // without it the task comes again, and its copy is dropped
			return
		}
		if ctx.Err() != nil {
			return
		}
		if working.Err() != nil && attempt >= partingAttempts {
			w.config.Log.Warn("an answer could not be sent before leaving", "task", name, "error", err)
			return
		}
		pause(ctx, backoff(attempt))
	}
}
