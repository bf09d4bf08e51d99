package cluster

import (
	"context"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"quintune/selfplay"
)

// holding is a task in hand.
type holding struct {
	batch  string // task.Batch
	cancel context.CancelFunc
}

// unpacked is a task that can be played.
type unpacked struct {
	*task
	batch *selfplay.Batch
	got   time.Time // when it came
}

// nextTime bounds the wait for a task, beyond the time that the coordinator keeps a request: it answers then that there
// is none.
const nextTime = askTime + 2*time.Second

// slot takes one task after the other until working is done; hard ends the pair in hand too.
func (w *worker) slot(working, hard context.Context) {
	for attempt := 1; working.Err() == nil; attempt++ {
		var t task
		err := w.request(working, nextTime, nextPrefix+w.id, nil, &t)
		switch {
		case err != nil:
			pause(working, backoff(attempt))
		case t.Name != "":
			w.serve(working, hard, &t)
			fallthrough
		default:
			attempt = 0
		}
	}
}

// serve plays a task and sends the answer. A task that cannot be played is left to the others.
func (w *worker) serve(working, hard context.Context, t *task) {
	playing, cancel := context.WithCancel(hard)
	defer cancel()
	w.hold(t.Name, holding{t.Batch, cancel})
	defer w.release(t.Name)
	a, err := w.prepareAndPlay(working, playing, &unpacked{task: t, got: time.Now()})
	switch {
	case playing.Err() != nil: // nobody waits for it any more
	case err != nil:
		w.config.Log.Warn("a task could not be played", "task", t.Name, "error", err)
		pause(working, failurePause)
	default: // an answer without pairs gives the task back
		w.send(working, playing, t.Name, a)
	}
}

// failurePause is how long a slot waits after a task that could not be played.
const failurePause = time.Second

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

// hold notes a task in hand.
func (w *worker) hold(name string, h holding) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[name] = h
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
	a, size := &answer{}, 0
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
		w.pairs.Add(1)
		a.Pairs = append(a.Pairs, sent)
		if size += sent.bytes(); size > mostAnswer/2 {
			break
		}
	}
	a.Took = time.Since(began)
	w.busy.Add(int64(a.Took))
	return a, nil
}

// mostHeld is how long a task may be in hand before its answer is sent: a fifth of the deadline is for the way.
func (w *worker) mostHeld() time.Duration { return time.Duration(w.deadline.Load()) * 4 / 5 }

// tooSlow reports whether a task is better ended after the number of pairs, which took the time.
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
				list[i], err = w.config.Outside.named(ref)
			} else {
				list[i].Weights, err = w.sets.set(ctx, ref, w.fetchWeights)
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

// send sends an answer until the coordinator has it. Once working is done it does not try for ever: the task goes to
// another.
func (w *worker) send(working, ctx context.Context, name string, a *answer) {
	for attempt := 1; ; attempt++ {
		var taken bool
		err := w.request(ctx, sendTime, resultSubject(w.id, name), a, &taken)
		if err == nil || ctx.Err() != nil {
			return
		}
		if working.Err() != nil && attempt >= partingAttempts {
			w.config.Log.Warn("an answer could not be sent before leaving", "task", name, "error", err)
			return
		}
		pause(ctx, backoff(attempt))
	}
}
