package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/internal/bench"
	"quintune/internal/text"
	"quintune/weights"
)

// claim is how a coordinator announces itself to others. Of two coordinators the one stays that was never cut off, of equal ones the
// later. Their clocks may differ by hours.
type claim struct {
	Session string `json:"session"`
	Since   int64  `json:"since"`         // start time, ns
	Cut     bool   `json:"cut,omitempty"` // it was cut off from the server at least once
}

// claimFirst refuses to take over a cluster whose coordinator is alive.
func (c *Coordinator) claimFirst(ctx context.Context) error {
	if c.server != nil {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	reply, err := c.conn.RequestWithContext(within, statusPrefix+c.party(), nil)
	if err != nil { // no other coordinator answers; without headers the server cannot say that nobody listens
		return ctx.Err()
	}
	var s Status
	if err := json.Unmarshal(reply.Data, &s); err != nil {
		return fmt.Errorf("cluster: status of another coordinator: %w", err)
	}
	return fmt.Errorf("cluster: %s is used by another run (session %s, since %s): a cluster plays one run at a time",
		ShownURL(c.config.URL), s.Session, text.Time(s.Since))
}

// Capacities of the queues of messages that wait for their handlers. When one is full, messages are dropped, and
// the workers send them again.
const (
	mostWaiting      = 1 << 16
	mostWaitingBytes = 64 << 20
)

// subscription is a subject to which the coordinator listens.
type subscription struct {
	subject string
	handle  func(*nats.Msg)
}

// subscriptions returns what the coordinator listens to: requests of workers, requests for the status, and other coordinators.
func (c *Coordinator) subscriptions(ctx context.Context) []subscription {
	return []subscription{
		{joinPrefix + "*", c.checked(mostRequest, c.seldom(func(id string, m *nats.Msg) { c.join(ctx, id, m) }))},
		{heartbeatPrefix + "*", c.checked(mostRequest, c.seldom(c.hear))},
		{nextPrefix + "*", c.checked(mostRequest, func(id string, m *nats.Msg) {
			if c.queue.ask(id, m) {
				c.count(id, m)
			}
		})},
		{weightsPrefix + "*", c.checked(mostRequest, c.seldom(c.sendWeights))},
		{resultPrefix + ">", c.checked(mostAnswer, func(id string, m *nats.Msg) { c.receive(ctx, id, m) })},
		{statusPrefix + "*", c.checked(mostRequest, c.seldom(func(_ string, m *nats.Msg) { c.respond(m, c.Status()) }))},
		{claimSubject, c.yield},
	}
}

// checkPermissions returns an error where the server does not let this party listen as a coordinator and answer: without it the
// run would wait for ever. No message is handled meanwhile. Later anybody can cause such an error by a message's reply subject.
func (c *Coordinator) checkPermissions(l *link) error {
	err := l.permitted(c.conn, c.conn.Publish(inboxOf(l.id)+"permitted", nil)) // nobody listens there
	for _, s := range c.subscriptions(context.Background()) {
		if err != nil {
			return err
		}
		sub, failure := c.conn.SubscribeSync(s.subject)
		err = l.permitted(c.conn, failure)
		_ = sub.Unsubscribe() // one that was refused is gone already
	}
	return err
}

// listen subscribes to all subscriptions.
func (c *Coordinator) listen(ctx context.Context) error {
	for _, s := range c.subscriptions(ctx) {
		sub, err := c.conn.Subscribe(s.subject, s.handle)
		if err == nil {
			err = sub.SetPendingLimits(mostWaiting, mostWaitingBytes)
		}
		if err != nil {
			return fmt.Errorf("cluster: %s: %w", s.subject, err)
		}
	}
	return c.conn.Flush()
}

// checked returns a handler that first checks a message's sender, length and reply subject. The sender is the
// third part of the subject, for which the server vouches where there are keys. The server does not check the reply subject. An
// answer is sent with the coordinator's permissions, so it must go only to an inbox of the sender.
func (c *Coordinator) checked(most int, handle func(id string, m *nats.Msg)) func(*nats.Msg) {
	return func(m *nats.Msg) {
		id := strings.SplitN(m.Subject, ".", 4)[2]
		switch {
		case text.ASCII(id, len(id)) != id: // not a party of ours: the id would stand in the status, the log and the metrics
			return
		case c.members.quarantinedFor(id) != "" && !strings.HasPrefix(m.Subject, joinPrefix) && !strings.HasPrefix(m.Subject, heartbeatPrefix):
			return
		case length(m) > most:
			c.expel(id, fmt.Sprintf("a message of %d bytes to %.40s, at most %d are taken", length(m), m.Subject, most))
		case m.Reply != "" && !strings.HasPrefix(m.Reply, inboxOf(id)):
			c.misbehaved(id, "reply subject that is not its own")
		default:
			handle(id, m)
		}
	}
}

// length returns the bytes of a message, its headers included, whether or not they could be decoded.
func length(m *nats.Msg) int { return m.Size() - len(m.Subject) - len(m.Reply) }

// seldom returns a handler of messages that parties send seldom. A party that floods the coordinator with them is quarantined.
func (c *Coordinator) seldom(handle func(id string, m *nats.Msg)) func(id string, m *nats.Msg) {
	return func(id string, m *nats.Msg) {
		if c.count(id, m) {
			handle(id, m)
		}
	}
}

const (
	heavy = 4 << 10 // length at which a message counts for one more, bytes
	rare  = 50      // what an introduction or a question for the status counts: a restart or a person causes it, not some twenty a second
)

// count counts a message beside the work, and reports whether its sender stays.
func (c *Coordinator) count(id string, m *nats.Msg) bool {
	weight := 1 + length(m)/heavy
	if strings.HasPrefix(m.Subject, joinPrefix) || strings.HasPrefix(m.Subject, statusPrefix) {
		weight = rare
	}
	if c.members.quarantinedFor(id) != "" || !c.members.floods(id, weight) {
		return true
	}
	c.expel(id, fmt.Sprintf("more messages beside its work within %v than any party needs", floodTime))
	return false
}

// misbehaved counts a message that no honest party sends. A party that goes on sending such messages is
// quarantined.
func (c *Coordinator) misbehaved(id, kind string) {
	if n := c.members.misbehaved(id, kind); n == 1 {
		c.config.Log.Warn("a message that no worker of ours sends", "worker", c.members.label(id), "kind", kind)
	} else if n > mostMisdeeds {
		c.expel(id, fmt.Sprintf("%d messages that no worker of ours sends, the last one: %s", n, kind))
	}
}

// expel quarantines a party and ends its connection at once.
func (c *Coordinator) expel(id, reason string) {
	if id == c.party() {
		c.fail(fmt.Errorf("cluster: somebody else uses the key of this coordinator: %s", reason))
		return
	}
	if c.quarantine(id, "messages that no worker of ours sends", reason) && c.server != nil {
		c.server.ban(id)
	}
}

// respond answers a request with a message in JSON.
func (c *Coordinator) respond(m *nats.Msg, answer any) {
	data, err := json.Marshal(answer)
	if err == nil {
		err = c.send(m, data)
	}
	if err != nil {
		c.config.Log.Debug("cluster: an answer could not be sent", "subject", m.Subject, "error", err)
	}
}

// send answers a request with bytes. A request without a reply subject gets no answer.
func (c *Coordinator) send(m *nats.Msg, data []byte) error {
	if m.Reply == "" {
		return nil
	}
	return m.Respond(data)
}

// claim returns the announcement of this coordinator.
func (c *Coordinator) claim() claim {
	return claim{c.session, c.since.UnixNano(), c.conn.Stats().Reconnects > 0}
}

// yield ends this coordinator when another one has started while this one was cut off.
func (c *Coordinator) yield(m *nats.Msg) {
	var other claim
	if err := json.Unmarshal(m.Data, &other); err != nil || other.Session == c.session {
		return
	}
	if own := c.claim(); own.Cut && !other.Cut || own.Cut == other.Cut && other.Since > own.Since {
		c.fail(fmt.Errorf("cluster: another run has taken over the cluster (session %s)", other.Session))
	}
}

// join answers a worker that introduces itself.
func (c *Coordinator) join(ctx context.Context, id string, m *nats.Msg) {
	var j joining
	if err := json.Unmarshal(m.Data, &j); err != nil {
		c.misbehaved(id, "unreadable introduction")
		c.respond(m, c.refuse(id, &j, "its introduction cannot be read"))
		return
	}
	j.Name, j.Version = text.Short(j.Name, mostText), text.Short(j.Version, mostText)
	c.respond(m, c.examine(ctx, id, &j))
}

// mostText bounds each text in which a worker describes itself, in bytes.
const mostText = 80

// examine decides whether a worker is admitted.
func (c *Coordinator) examine(ctx context.Context, id string, j *joining) welcome {
	switch {
	case c.members.quarantinedFor(id) != "":
		return welcome{Protocol: protocol, Refused: c.members.quarantinedFor(id)}
	case j.Protocol != protocol:
		return c.refuse(id, j, fmt.Sprintf("its program speaks protocol %d, this run needs %d: use programs of one version", j.Protocol, protocol))
	case j.Signature != c.config.Outside.signature():
		advice := ""
		switch {
		case c.config.Outside != nil && j.Signature == bench.Signature():
			advice = ": start it with --engine FILE"
		case c.config.Outside != nil && strings.HasPrefix(j.Signature, bench.Signature()):
			advice = ": its engine file, or the program that this starts, is another"
		}
		return c.refuse(id, j, fmt.Sprintf("its engine is %.60q, this run needs %s%s", j.Signature, c.config.Outside.signature(), advice))
	case j.Schema != weights.Fingerprint():
		return c.refuse(id, j, fmt.Sprintf("its weights have schema %.60q, this run needs %s", j.Schema, weights.Fingerprint()))
	case j.Jobs < 1 || j.Jobs > MaxJobs:
		return c.refuse(id, j, fmt.Sprintf("it offers %d jobs, outside [1, %d]", j.Jobs, MaxJobs))
	case j.Instance == "":
		return c.refuse(id, j, "its process has no name")
	}
	right, known := c.exam.accepts(j.Nonce, j.Proof)
	if !known {
		nonce, err := c.exam.current(ctx, c.config.Outside)
		if err != nil {
			if ctx.Err() == nil { // else it is ending by itself
				c.fail(err)
			}
			return welcome{Protocol: protocol} // the worker will ask again and get no answer
		}
		rule, size := c.config.Outside.board()
		return welcome{Protocol: protocol, Nonce: nonce, Rule: rule.String(), Size: size}
	}
	if !right {
		return c.refuse(id, j, fmt.Sprintf("its engine says it is %s, but finds other moves on the positions of nonce %.40q", j.Signature, j.Nonce))
	}
	if c.members.admit(id, *j, id == c.local) {
		c.config.Log.Info("worker joined", "name", j.Name, "key", id, "jobs", j.Jobs, "version", j.Version, "engine", j.Signature)
	}
	return welcome{Protocol: protocol, Admitted: true, Heartbeat: int64(c.config.Timing.Heartbeat), Deadline: int64(c.config.Timing.Deadline)}
}

// refuse refuses a worker for good.
func (c *Coordinator) refuse(id string, j *joining, reason string) welcome {
	if fresh, reasons := c.members.turnAway(j.Name, id, reason); reasons > mostMisdeeds {
		c.expel(id, fmt.Sprintf("introductions that were refused for %d reasons, the last one: %s", reasons, reason))
	} else if fresh {
		c.members.fault("worker refused")
		c.config.Log.Warn("worker refused", "name", j.Name, "key", id, "reason", reason)
	}
	return welcome{Protocol: protocol, Refused: reason}
}

// hear answers a heartbeat.
func (c *Coordinator) hear(id string, m *nats.Msg) {
	var b heartbeat
	if err := json.Unmarshal(m.Data, &b); err != nil {
		c.misbehaved(id, "unreadable heartbeat")
		return
	}
	c.respond(m, c.members.alive(id, b))
}

// sendWeights answers a request for weights by hash, with no bytes where no open batch has the set.
func (c *Coordinator) sendWeights(id string, m *nats.Msg) {
	if !c.members.admitted(id) {
		return
	}
	if err := c.send(m, c.shelf.data(string(m.Data))); err != nil {
		c.config.Log.Debug("cluster: weights could not be sent", "error", err)
	}
}

// mostLonger bounds the length of a result by that of what it tells: a key of JSON may stand in it twice, and the first value counts for
// nothing, however long it is. A text of a fault is up to three times as long as is reckoned, where an engine wrote control characters.
const mostLonger = 4

// receive handles a result. The sender gets a receipt in every case, so that it does not send again.
func (c *Coordinator) receive(ctx context.Context, id string, m *nats.Msg) {
	defer func() { c.respond(m, true) }()
	worker, k, err := parseResult(m.Subject)
	switch {
	case err != nil:
		c.misbehaved(id, "unreadable subject of a result")
		return
	case k.session != c.session: // meant for an earlier coordinator
		c.count(id, m)
		return
	case !c.members.admitted(worker):
		c.members.fault("result of a worker that is not admitted")
		c.count(id, m)
		return
	}
	disposition, had := c.queue.take(worker, k)
	switch disposition {
	case answerOver:
		c.count(id, m)
		return
	case answerUnasked:
		c.misbehaved(worker, "result that it was not asked for")
		return
	}
	a := &received{worker: worker, key: k, had: had}
	if err := json.Unmarshal(m.Data, &a.answer); err != nil {
		c.queue.spoil(k)
		c.misbehaved(worker, "unreadable result")
		return
	}
	if !a.answer.fits() {
		c.queue.spoil(k)
		c.expel(worker, "a result of more pairs than a task has, or of more games than a pair has")
		return
	}
	if length(m) > mostLonger*a.answer.bytes() {
		c.queue.spoil(k)
		c.expel(worker, "a result that is much longer than what it tells")
		return
	}
	c.members.played(worker, a.answer.Took, had)
	c.playing.Lock()
	d := c.open[k.batch]
	c.playing.Unlock()
	if d == nil { // the batch has just ended
		return
	}
	select {
	case d.answers <- a:
	case <-d.closed:
	case <-ctx.Done():
	}
}

// watchMembers marks lost workers, and announces at intervals that this coordinator is alive.
func (c *Coordinator) watchMembers(ctx context.Context) {
	ticker := time.NewTicker(c.config.Timing.Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for _, label := range c.members.expire(time.Now().Add(-lostAfter * c.config.Timing.Heartbeat)) {
			c.config.Log.Warn("worker lost: no sign of life", "worker", label)
		}
		if data, err := json.Marshal(c.claim()); err == nil && c.server == nil {
			_ = c.conn.Publish(claimSubject, data) // the next announcement follows soon
		}
	}
}
