package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quintune/board"
	"quintune/selfplay"
)

// dispatcher plays one batch: it sends the pairs to workers as tasks and collects the results. It belongs to one
// goroutine, which holds Coordinator.playing while it works.
type dispatcher struct {
	c      *Coordinator
	batch  *selfplay.Batch
	refs   []string                   // name of each contestant in messages: the hash of its weights, or its name
	sets   map[string]json.RawMessage // weights by these hashes
	most   int                        // pairs that fit in a task
	serial int                        // number of the batch within the session
	record *entry                     // who played which pair; nil when pairs are played again for a check
	number int                        // number of the batch in the ledger
	done   func(int, *selfplay.Result)
	board  *board.Board // for replaying results

	answers chan *received
	closed  chan struct{} // closed when answers are no longer accepted

	results   []selfplay.Result
	have      []bool
	author    []string // [pair]; "" for the coordinator
	digest    []digest
	confirmed []bool // [pair]: a second party found the same result
	doubted   []bool // [pair]: to be confirmed, since it was drawn for an audit or is in dispute
	left      int    // pairs without a result
	wrong     []int  // pairs whose accepted result was forged

	not        []string // workers that may not play its pairs for the first time
	dispatches []*dispatch
	watch      watch
	own        ownPlay
	claims     map[int][]claimed // results claimed for pairs in dispute
	failures   map[int][]failure // of engines from outside, by chance, in pairs that have no result for that
}

// dispatch is a task that has been sent: pairs to be played, or to be played again by another worker.
type dispatch struct {
	pairs  []int // without those that a worker has given back
	asked  []int // pairs of the first copy
	audit  bool
	not    []string  // workers that may not play it: it checks their results, or their engine failed in it
	avoid  []string  // workers that had it and did not answer in time
	copies int       // copies sent so far
	last   *taskCopy // last copy
	split  bool      // its pairs were sent again as dispatches of their own, or are played in this process
}

// claimed is a worker's result for a pair in dispute.
type claimed struct {
	worker string
	digest digest
}

// tick is the interval at which a dispatcher looks for stragglers.
const tick = 200 * time.Millisecond

// newDispatcher returns the dispatcher of a batch.
func (c *Coordinator) newDispatcher(batch *selfplay.Batch, refs []string, sets map[string]json.RawMessage, done func(int, *selfplay.Result)) *dispatcher {
	c.playing.Lock()
	defer c.playing.Unlock()
	c.serial++
	n := len(batch.Pairings)
	d := &dispatcher{
		c: c, batch: batch, refs: refs, sets: sets, most: pairsIn(refs), serial: c.serial, done: done,
		results: make([]selfplay.Result, n), have: make([]bool, n), author: make([]string, n), digest: make([]digest, n),
		confirmed: make([]bool, n), doubted: make([]bool, n), left: n, claims: map[int][]claimed{}, failures: map[int][]failure{},
		answers: make(chan *received, mostAnswers), closed: make(chan struct{}),
	}
	d.own.results = make(chan ownResult)
	return d
}

// play plays the batch on the cluster. It returns when every pair has a result and every audit is done.
func (d *dispatcher) play(ctx context.Context) error {
	c := d.c
	playing, stop := context.WithCancel(ctx)
	d.open()
	defer func() {
		stop()
		d.own.running.Wait()
		d.close()
	}()
	var err error
	if d.board, err = board.New(d.batch.Size, d.batch.Rule); err != nil {
		return err
	}
	err = d.do(playing, func() error {
		d.dispatch(everyPair(d.batch), d.not)
		return nil
	})
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for err == nil && !d.over() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.failed:
			return c.failure
		case a := <-d.answers:
			err = d.do(playing, func() error { return d.take(a) })
		case o := <-d.own.results:
			err = d.do(playing, func() error { return d.judged(o) })
		case <-ticker.C:
			err = d.do(playing, func() error {
				d.look(time.Now())
				return nil
			})
		}
	}
	return err
}

// open starts to accept answers.
func (d *dispatcher) open() {
	c := d.c
	c.queue.open(d.serial, d.batch.Order)
	c.shelf.put(d.serial, d.sets)
	d.watch.progress = time.Now()
	c.figures.pending.Add(int64(d.left))
	c.playing.Lock()
	c.open[d.serial] = d
	c.playing.Unlock()
}

// close forgets the tasks of the batch and tells the workers to drop those that are left.
func (d *dispatcher) close() {
	c := d.c
	close(d.closed)
	c.playing.Lock()
	delete(c.open, d.serial)
	c.playing.Unlock()
	c.queue.close(d.serial)
	c.shelf.drop(d.serial)
	c.figures.pending.Add(-int64(d.left))
	d.cancel()
}

// do runs a function while no other dispatcher works. Then it starts the next pair that this process has to
// play.
func (d *dispatcher) do(playing context.Context, what func() error) error {
	d.c.playing.Lock()
	defer d.c.playing.Unlock()
	if err := what(); err != nil {
		return err
	}
	d.own.next(playing, d)
	return nil
}

// over reports whether all results and audits are there.
func (d *dispatcher) over() bool {
	return d.left == 0 && !d.own.busy && len(d.own.queue) == 0 && !slices.ContainsFunc(d.dispatches, d.unfinished)
}

// unfinished reports whether the dispatch still lacks a result.
func (d *dispatcher) unfinished(o *dispatch) bool {
	for _, i := range o.pairs {
		if !d.have[i] || o.audit && !d.confirmed[i] {
			return true
		}
	}
	return false
}

// dispatch cuts pairs into tasks and queues them for workers but those in not.
func (d *dispatcher) dispatch(pairs []int, not []string) {
	for _, part := range d.cut(pairs) {
		d.add(&dispatch{pairs: part, not: not})
	}
}

// everyPair returns the indices of a batch's pairs.
func everyPair(b *selfplay.Batch) []int {
	all := make([]int, len(b.Pairings))
	for i := range all {
		all[i] = i
	}
	return all
}

// add sends a new dispatch.
func (d *dispatcher) add(o *dispatch) {
	o.asked = o.pairs
	d.dispatches = append(d.dispatches, o)
	d.send(len(d.dispatches)-1, o)
}

// send puts a copy of a dispatch into the queue.
func (d *dispatcher) send(number int, o *dispatch) {
	c := d.c
	t := taskOf(d.batch, d.refs, o.pairs)
	k := key{c.session, d.serial, number, o.copies}
	t.Name, t.Batch, t.Expect = k.String(), d.name(), c.each
	data, err := json.Marshal(t)
	if err != nil {
		panic(fmt.Sprintf("cluster: a task does not encode: %v", err)) // the task holds strings and numbers only
	}
	o.copies++
	o.last = &taskCopy{key: k, data: data, not: o.not, avoid: slices.Clone(o.avoid)}
	c.figures.tasks.Add(1)
	c.queue.put(o.last)
}

// name returns the name of the batch in messages.
func (d *dispatcher) name() string { return fmt.Sprintf("%s.%d", d.c.session, d.serial) }

// take handles an answer of a worker.
func (d *dispatcher) take(a *received) error {
	c := d.c
	if c.members.quarantinedFor(a.worker) != "" {
		c.queue.spoil(a.key) // it was on its way
		return nil
	}
	o := d.dispatches[a.key.task]
	c.figures.results.Add(1)
	accepted, valid, failed, err := d.compare(o, a, c.members.label(a.worker))
	if err != nil {
		return err
	}
	switch {
	case valid+failed == 0: // it has played nothing, whatever it says
		c.members.givesBack(a.worker, a.had/time.Duration(len(o.asked))) // of its pairs none may be left
	case valid > 0:
		c.members.answers(a.worker)
		c.members.pace(a.worker, a.answer.Took/time.Duration(valid), a.had/time.Duration(valid))
		if c.each == 0 { // else look does it, since there may be thousands of workers
			d.pace(time.Now())
		}
	}
	d.requeue(o, a)
	if len(accepted) > 0 && c.config.Outside.comparable() && (c.members.probe(a.worker) || c.lots.Float64() < c.config.Audit) {
		d.audit(accepted, a.worker)
	}
	return nil
}

// compare checks the pairs of an answer. It accepts first results and compares the others with the accepted ones. It returns
// the newly accepted pairs that may be audited, and the numbers of results of the task that count and that are failures by
// chance. Nothing is accepted of an answer that holds one impossible result.
func (d *dispatcher) compare(o *dispatch, a *received, label string) (accepted []int, valid, failed int, err error) {
	c := d.c
	results, err := d.resultsIn(o, a)
	if err != nil {
		c.queue.spoil(a.key)
		d.quarantine(a.worker, err.Error())
		return nil, 0, 0, nil
	}
	fresh := line{Author: a.worker}
	var same []int
	for k := range a.answer.Pairs {
		p := &a.answer.Pairs[k]
		result, ok := results[p.Index]
		if !ok {
			c.members.fault("result of a pair that is not in its task")
			continue
		}
		sum, byChance := digestOf(p), failedByChance(&result)
		if byChance && !d.failureCounts(o, p.Index, a.worker, &result) {
			failed++ // somebody else plays the pair
			continue
		}
		if !d.have[p.Index] {
			result.Worker = label
			d.results[p.Index], d.digest[p.Index] = result, sum
			d.have[p.Index], d.author[p.Index] = true, a.worker
			fresh.Pairs, fresh.Digests = append(fresh.Pairs, p.Index), append(fresh.Digests, sum)
			if byChance { // there is no more to prove
				same = append(same, p.Index)
			}
			continue
		}
		c.figures.repeated.Add(1)
		switch {
		case !c.config.Outside.comparable() || failedByChance(&d.results[p.Index]): // the engine does not repeat, so the first one counts
		case sum != d.digest[p.Index]:
			if err := d.dispute(p.Index, a.worker, sum); err != nil {
				return nil, 0, 0, err
			}
		case d.author[p.Index] != a.worker:
			same = append(same, p.Index)
		}
	}
	if err := d.accept(fresh); err != nil {
		return nil, 0, 0, err
	}
	return without(fresh.Pairs, same...), len(results) - failed, failed, d.confirm(same)
}

// resultsIn returns the task's results in an answer, by pair. An error names the pair with an impossible result.
func (d *dispatcher) resultsIn(o *dispatch, a *received) (map[int]selfplay.Result, error) {
	results := map[int]selfplay.Result{}
	for k := range a.answer.Pairs {
		p := &a.answer.Pairs[k]
		if !slices.Contains(o.asked, p.Index) {
			continue
		}
		if _, twice := results[p.Index]; twice {
			return nil, fmt.Errorf("batch %d, pair %d: is in one answer twice", d.number, p.Index)
		}
		result, err := receive(p, d.batch, d.board)
		if err != nil {
			return nil, fmt.Errorf("batch %d, pair %d: its result cannot be: %w", d.number, p.Index, err)
		}
		results[p.Index] = result
	}
	return results, nil
}

// accept counts the results of the line as accepted. The journal gets them first.
func (d *dispatcher) accept(fresh line) error {
	if len(fresh.Pairs) == 0 {
		return nil
	}
	if err := d.record.write(fresh); err != nil {
		return err
	}
	c := d.c
	d.watch = watch{progress: time.Now()}
	d.left -= len(fresh.Pairs)
	c.members.count(fresh.Author, len(fresh.Pairs))
	c.figures.pairs.Add(int64(len(fresh.Pairs)))
	c.figures.speed.add(time.Now(), int64(len(fresh.Pairs)))
	c.figures.pending.Add(-int64(len(fresh.Pairs)))
	if d.done != nil {
		for _, i := range fresh.Pairs {
			d.done(i, &d.results[i])
		}
	}
	return nil
}

// confirm records pairs for which another party found the same result.
func (d *dispatcher) confirm(pairs []int) error {
	var fresh []int
	for _, i := range pairs {
		if !d.confirmed[i] && d.claims[i] == nil {
			d.confirmed[i] = true
			d.c.members.confirm(d.author[i])
			fresh = append(fresh, i)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return d.record.write(line{Confirmed: fresh})
}

// requeue sends again the pairs of a task that the answer lacks, unless they have been sent again already.
func (d *dispatcher) requeue(o *dispatch, a *received) {
	if o.audit || o.split || !d.unfinished(o) {
		return
	}
	answered := map[int]bool{}
	for k := range a.answer.Pairs {
		answered[a.answer.Pairs[k].Index] = true
	}
	var pairs []int
	for _, i := range o.pairs {
		if !answered[i] && !d.have[i] {
			pairs = append(pairs, i)
		}
	}
	if len(pairs) == 0 {
		return
	}
	o.pairs = without(o.pairs, pairs...)
	d.dispatch(pairs, o.not)
}

// without returns the pairs that are not among others.
func without(pairs []int, others ...int) []int {
	return slices.DeleteFunc(slices.Clone(pairs), func(i int) bool { return slices.Contains(others, i) })
}

// cancel tells the workers to drop what is left of the batch.
func (d *dispatcher) cancel() {
	if slices.ContainsFunc(d.dispatches, func(o *dispatch) bool { return o.copies > 1 || o.split || d.unfinished(o) }) {
		_ = d.c.conn.Publish(cancelSubject, []byte(d.name())) // a worker that misses the message only plays in vain
	}
}
