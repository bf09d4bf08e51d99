package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"quintune/board"
	"quintune/selfplay"
)

// round is one batch while it is played. It belongs to one goroutine.
type round struct {
	c      *Coordinator
	batch  *selfplay.Batch
	refs   []string // of the contestants: hash of the weights, or name
	serial int      // of the batch in the session
	record *entry   // who played what; nil for pairs that are rechecked
	number int      // of the batch in the ledger
	done   func(int, *selfplay.Result)
	board  *board.Board // to replay results on

	results   []selfplay.Result
	have      []bool
	author    []string // by pair; "" for the coordinator
	digest    []digest
	confirmed []bool // by pair: a second player found the same
	left      int    // pairs without a result
	wrong     []int  // pairs whose accepted result was forged

	orders []*order
	late   lateness
	own    ownPlay
	claims map[int][]claimed // of pairs in dispute
}

// order is a task that is out: pairs to be played, or to be played again by another worker.
type order struct {
	pairs  []int
	audit  bool
	not    []string               // workers that must not play it
	copies int                    // sent so far
	split  bool                   // its pairs are out as orders of their own
	sent   time.Time              // the last copy
	place  int                    // of the last copy in the queue, from 1
	passed time.Time              // since when it is known to have left the queue, zero: not yet
	future jetstream.PubAckFuture // of the last copy, nil when the server has it
}

// claimed is what a worker says of a pair in dispute.
type claimed struct {
	worker string
	digest digest
}

// tick is how often a round looks for what is late.
const tick = 200 * time.Millisecond

// newRound returns the round of a batch of which only the given pairs are for the cluster.
func (c *Coordinator) newRound(batch *selfplay.Batch, refs []string, done func(int, *selfplay.Result)) *round {
	c.serial++
	n := len(batch.Pairings)
	r := &round{
		c: c, batch: batch, refs: refs, serial: c.serial, done: done,
		results: make([]selfplay.Result, n), have: make([]bool, n), author: make([]string, n), digest: make([]digest, n),
		confirmed: make([]bool, n), left: n, claims: map[int][]claimed{},
	}
	r.own.results = make(chan ownResult)
	return r
}

// play plays the pairs of away on the cluster and those of home in this process, until all have a result
// and all audits are over.
func (r *round) play(ctx context.Context, away, home []int) error {
	c := r.c
	for len(c.answers) > 0 {
		<-c.answers // of the batch before
	}
	c.open.Store(int64(r.serial))
	c.figures.pending.Store(int64(r.left))
	playing, stop := context.WithCancel(ctx)
	defer func() {
		stop()
		r.own.wait()
		c.open.Store(0)
		r.clear(ctx)
	}()
	atHome, err := r.startHome(playing, home)
	if err != nil {
		return err
	}
	if r.board, err = board.New(r.batch.Size, r.batch.Rule); err != nil {
		return err
	}
	r.order(away)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for !r.over() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.failed:
			return c.failure
		case a := <-c.answers:
			err = r.take(a)
		case o := <-r.own.results:
			err = r.judged(o)
		case h := <-atHome:
			err = r.tookHome(h)
		case <-ticker.C:
			err = r.look(playing)
		}
		if err != nil {
			return err
		}
		r.own.next(playing, r)
	}
	return nil
}

// over says whether nothing is left to wait for.
func (r *round) over() bool {
	return r.left == 0 && !r.own.busy && len(r.own.queue) == 0 && !slices.ContainsFunc(r.orders, r.unfinished)
}

// unfinished says whether an order still lacks a result.
func (r *round) unfinished(o *order) bool {
	for _, i := range o.pairs {
		if !r.have[i] || o.audit && !r.confirmed[i] {
			return true
		}
	}
	return false
}

// cut divides pairs into tasks for the workers of now.
func (c *Coordinator) cut(pairs []int) [][]int {
	jobs, _ := c.members.jobs()
	return Cut(pairs, jobs, c.each, c.config.Timing.Task)
}

// order has pairs played, in tasks.
func (r *round) order(pairs []int) {
	for _, part := range r.c.cut(pairs) {
		r.add(&order{pairs: part})
	}
}

// add sends out a new order.
func (r *round) add(o *order) {
	r.orders = append(r.orders, o)
	r.send(len(r.orders)-1, o)
}

// send sends a copy of an order. What goes wrong is seen by look, and sent again.
func (r *round) send(number int, o *order) {
	c := r.c
	t := taskOf(r.batch, r.refs, o.pairs)
	k := key{c.session, r.serial, number, o.copies}
	t.Key, t.Not, t.Expect = fmt.Sprintf("%s.%d", c.session, r.serial), o.not, c.each
	data, err := json.Marshal(t)
	if err != nil {
		panic(fmt.Sprintf("cluster: a task does not encode: %v", err)) // strings and numbers alone
	}
	o.copies++
	r.late.sent++
	o.sent, o.passed, o.place = time.Now(), time.Time{}, r.late.sent
	c.figures.tasks.Add(1)
	if o.future, err = c.js.PublishAsync(k.taskSubject(), data); err != nil {
		o.future, o.sent = nil, time.Time{} // not out: look sends it again
	}
}

// take takes an answer of a worker.
func (r *round) take(a *received) error {
	c := r.c
	if a.bad != nil {
		c.members.fault("unreadable result")
		c.config.Log.Warn("a result cannot be read", "worker", a.worker, "error", a.bad)
		return nil
	}
	admitted, probe, label := c.members.standing(a.worker)
	switch {
	case a.key.batch != r.serial || a.key.session != c.session:
		return nil // of a batch that is over
	case !admitted:
		c.members.fault("result of a worker that is not admitted")
		return nil
	case a.key.task >= len(r.orders):
		c.members.fault("result of no task")
		return nil
	}
	o := r.orders[a.key.task]
	if slices.Contains(o.not, a.worker) {
		c.members.fault("audit of its own result")
		return nil
	}
	c.figures.results.Add(1)
	if a.key.copy == o.copies-1 {
		r.late.front = max(r.late.front, o.place)
	}
	accepted, err := r.compare(o, a, label)
	if err != nil {
		return err
	}
	r.pace(a)
	r.rest(o, a)
	if len(accepted) > 0 && (probe || c.lots.Float64() < c.config.Audit) {
		r.audit(accepted, a.worker)
	}
	return nil
}

// compare takes the pairs of an answer: new results are accepted, others compared with what is there. It
// returns the accepted pairs.
func (r *round) compare(o *order, a *received, label string) (accepted []int, err error) {
	c := r.c
	fresh := line{Author: a.worker}
	var same []int
	for k := range a.answer.Pairs {
		p := &a.answer.Pairs[k]
		if !slices.Contains(o.pairs, p.Index) {
			c.members.fault("result of a pair that is not in its task")
			continue
		}
		result, err := receive(p, r.batch, r.board)
		if err != nil {
			r.convict(a.worker, fmt.Sprintf("batch %d, pair %d: its result cannot be: %v", r.number, p.Index, err))
			return nil, nil
		}
		d := digestOf(p)
		switch {
		case !r.have[p.Index]:
			result.Worker = label
			r.results[p.Index], r.digest[p.Index] = result, d
			r.have[p.Index], r.author[p.Index] = true, a.worker
			fresh.Pairs, fresh.Digests = append(fresh.Pairs, p.Index), append(fresh.Digests, d)
		case d != r.digest[p.Index]:
			c.figures.repeated.Add(1)
			r.dispute(p.Index, a.worker, d)
		case r.author[p.Index] != a.worker:
			c.figures.repeated.Add(1)
			same = append(same, p.Index)
		default:
			c.figures.repeated.Add(1)
		}
	}
	if err := r.accept(fresh); err != nil {
		return nil, err
	}
	return fresh.Pairs, r.confirm(same)
}

// accept counts results that are there now, after they were written down.
func (r *round) accept(fresh line) error {
	if len(fresh.Pairs) == 0 {
		return nil
	}
	if r.record != nil {
		if err := r.record.write(fresh); err != nil {
			return err
		}
	}
	c := r.c
	r.left -= len(fresh.Pairs)
	c.members.count(fresh.Author, len(fresh.Pairs))
	c.figures.pairs.Add(int64(len(fresh.Pairs)))
	c.figures.speed.add(time.Now(), int64(len(fresh.Pairs)))
	c.figures.pending.Store(int64(r.left))
	if r.done != nil {
		for _, i := range fresh.Pairs {
			r.done(i, &r.results[i])
		}
	}
	return nil
}

// confirm notes pairs whose result somebody else found too.
func (r *round) confirm(pairs []int) error {
	var fresh []int
	for _, i := range pairs {
		if !r.confirmed[i] && r.claims[i] == nil {
			r.confirmed[i] = true
			r.c.members.confirm(r.author[i], 1)
			fresh = append(fresh, i)
		}
	}
	if len(fresh) == 0 || r.record == nil {
		return nil
	}
	return r.record.write(line{Confirmed: fresh})
}

// pace smooths the time of a pair.
func (r *round) pace(a *received) {
	n := time.Duration(len(a.answer.Pairs))
	if n == 0 || a.answer.Took <= 0 {
		return
	}
	const weight = 8
	each := a.answer.Took / n
	if r.c.each == 0 {
		r.c.each = each
	}
	r.c.each += (each - r.c.each) / weight
}

// rest sends out again what an answer has left of its task.
func (r *round) rest(o *order, a *received) {
	if o.audit || len(a.answer.Pairs) >= len(o.pairs) || !r.unfinished(o) {
		return
	}
	answered := map[int]bool{}
	for k := range a.answer.Pairs {
		answered[a.answer.Pairs[k].Index] = true
	}
	var pairs []int
	for _, i := range o.pairs {
		if !answered[i] && !r.have[i] {
			pairs = append(pairs, i)
		}
	}
	o.pairs = slices.DeleteFunc(slices.Clone(o.pairs), func(i int) bool { return slices.Contains(pairs, i) })
	r.order(pairs)
}

// clear takes what is left of the round from the server and tells the workers to drop it.
func (r *round) clear(ctx context.Context) {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	c := r.c
	if slices.ContainsFunc(r.orders, func(o *order) bool { return o.copies > 1 || r.unfinished(o) }) {
		_ = c.conn.Publish(cancelSubject, []byte(fmt.Sprintf("%s.%d", c.session, r.serial)))
		if err := c.streams.tasks.Purge(within, jetstream.WithPurgeSubject(fmt.Sprintf("qt.task.%s.%d.>", c.session, r.serial))); err != nil {
			c.config.Log.Warn("cluster: old tasks stay on the server", "error", err)
		}
	}
	if err := c.streams.results.Purge(within, jetstream.WithPurgeSubject(fmt.Sprintf("qt.result.*.%s.%d.>", c.session, r.serial))); err != nil {
		c.config.Log.Warn("cluster: old results stay on the server", "error", err)
	}
}
