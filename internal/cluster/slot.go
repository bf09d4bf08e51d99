package cluster

import (
	"context"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"quintune/selfplay"
)

// holding is a task that the worker holds.
type holding struct {
	batch  string // task.Batch
	cancel context.CancelFunc
}

// unpacked is a task that is ready to be played.
type unpacked struct {
	*task
	batch *selfplay.Batch
	got   time.Time // time of its arrival
}

// nextTime bounds the wait for a task. It is longer than askTime, after which the coordinator answers that there
// is none.
const nextTime = askTime + 2*time.Second

// slot plays one task after another until working is done. When hard is done, it stops within a pair.
func (w *worker) slot(working, hard context.Context) {
	for attempt := 1; working.Err() == nil; attempt++ {
		var t task
		if err := w.request(working, nextTime, nextPrefix+w.id, nil, &t); err != nil {
			pause(working, backoff(attempt))
			continue
		}
		attempt = 0
		if t.Name == "" {
			pause(working, emptyPause)
			continue
		}
		w.serve(working, hard, &t)
	}
}

// emptyPause is the pause after an answer without a task, which comes after a wait unless the coordinator is hostile.
const emptyPause = 20 * time.Millisecond

// serve plays a task and sends the answer. A task that cannot be played is left to other workers.
func (w *worker) serve(working, hard context.Context, t *task) {
	playing, cancel := context.WithCancel(hard)
	defer cancel()
	w.hold(t.Name, holding{t.Batch, cancel})
	defer w.release(t.Name)
	a, err := w.prepareAndPlay(working, playing, &unpacked{task: t, got: time.Now()})
	switch {
	case playing.Err() != nil: // the task was dropped
	case err != nil:
		w.config.Log.Warn("a task could not be played", "task", t.Name, "error", err)
		pause(working, failurePause)
	default: // an answer without pairs returns the task to the coordinator
		w.send(working, playing, t.Name, a)
	}
}

// failurePause is the pause of a slot after a task that could not be played.
const failurePause = time.Second

// prepareAndPlay fetches the weights of a task, then waits for a free job and plays.
func (w *worker) prepareAndPlay(working, playing context.Context, t *unpacked) (*answer, error) {
	err := t.check()
	if err == nil {
		t.batch, err = t.unpack()
	}
	if err != nil {
		return nil, err
	}
	if t.batch.Contestants, err = w.contestants(playing, t.Players); err != nil {
		return nil, err
	}
	pool := <-w.pools
	defer func() { w.pools <- pool }()
	if time.Since(t.got) > w.mostHeld() {
		return &answer{}, nil // the wait was so long that another worker had better play it
	}
	return w.play(working, playing, pool, t)
}

// hold records a task that the worker holds.
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

// play plays the pairs of a task one after another. It stops early, with the pairs played so far, when the
// worker leaves or is slow. Slow means that another pair would bring the task to one and a half times the
// expected time, or beyond the deadline.
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
		sent := send(t.Pairs[k].Index, &results[0], t.batch)
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

// mostHeld is the time within which a task must be answered. A fifth of the deadline is left for the messages.
func (w *worker) mostHeld() time.Duration { return time.Duration(w.deadline.Load()) * 4 / 5 }

// tooSlow reports whether the task should end now, after the given number of pairs and time.
func (w *worker) tooSlow(t *unpacked, pairs int, took time.Duration) bool {
	next := took + took/time.Duration(pairs)
	slow := t.Expect > 0 && next > leastStop && next > t.Expect*time.Duration(len(t.Pairs))*3/2
	return slow || time.Since(t.got)-took+next > w.mostHeld()
}

// leastStop is the time before which no task is ended for slowness.
const leastStop = 500 * time.Millisecond

// contestants returns the players of a task. Missing weights are fetched all at once, since the connection may
// be slow.
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

// partingAttempts is the number of times that a leaving worker tries to send an answer. The server may already
// have gone.
const partingAttempts = 5

// send sends an answer until the coordinator confirms it. Once working is done it gives up after some attempts:
// another worker gets the task.
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
