package cluster

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/internal/bench"
	"quintune/internal/text"
	"quintune/weights"
)

// claim is what a coordinator says of itself to others: the later one stays.
type claim struct {
	Session string `json:"session"`
	Since   int64  `json:"since"` // ns
}

const claimSubject = "qt.claim"

// claimFirst refuses to take over a cluster whose coordinator is alive.
func (c *Coordinator) claimFirst(ctx context.Context) error {
	if c.server != nil {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	reply, err := c.conn.RequestWithContext(within, statusSubject, nil)
	if err != nil { // nobody answers
		return ctx.Err()
	}
	var s Status
	if err := json.Unmarshal(reply.Data, &s); err != nil {
		return fmt.Errorf("cluster: status of another coordinator: %w", err)
	}
	return fmt.Errorf("cluster: %s is used by another run (session %s, since %s): a cluster plays one run at a time",
		shownURL(c.config.URL), s.Session, s.Since.Format(time.DateTime))
}

// listen answers workers and whoever asks for the status.
func (c *Coordinator) listen(ctx context.Context) error {
	subscriptions := []struct {
		subject string
		handle  func(*nats.Msg)
	}{
		{joinPrefix + "*", func(m *nats.Msg) { c.join(ctx, m) }},
		{beatPrefix + "*", c.hear},
		{statusSubject, func(m *nats.Msg) { c.respond(m, c.Status()) }},
		{claimSubject, c.yield},
	}
	for _, s := range subscriptions {
		if _, err := c.conn.Subscribe(s.subject, s.handle); err != nil {
			return fmt.Errorf("cluster: %s: %w", s.subject, err)
		}
	}
	return c.conn.Flush()
}

// respond answers a request.
func (c *Coordinator) respond(m *nats.Msg, answer any) {
	data, err := json.Marshal(answer)
	if err == nil {
		err = m.Respond(data)
	}
	if err != nil && !errors.Is(err, nats.ErrMsgNoReply) {
		c.config.Log.Warn("cluster: an answer could not be sent", "subject", m.Subject, "error", err)
	}
}

// yield ends this coordinator when a later one has taken over, while we were cut off.
func (c *Coordinator) yield(m *nats.Msg) {
	var other claim
	if err := json.Unmarshal(m.Data, &other); err != nil || other.Session == c.session {
		return
	}
	if other.Since > c.since.UnixNano() {
		c.fail(fmt.Errorf("cluster: another run has taken over the cluster (session %s)", other.Session))
	}
}

// join answers a worker that introduces itself.
func (c *Coordinator) join(ctx context.Context, m *nats.Msg) {
	id := strings.TrimPrefix(m.Subject, joinPrefix)
	var j joining
	if err := json.Unmarshal(m.Data, &j); err != nil {
		c.respond(m, c.refuse(id, &j, "its introduction cannot be read"))
		return
	}
	j.Name, j.Version = text.Short(j.Name, mostText), text.Short(j.Version, mostText)
	c.respond(m, c.examine(ctx, id, &j))
}

// mostText bounds what a worker says of itself, bytes.
const mostText = 80

// examine decides on a worker.
func (c *Coordinator) examine(ctx context.Context, id string, j *joining) welcome {
	switch {
	case c.members.quarantinedFor(id) != "":
		return welcome{Refused: c.members.quarantinedFor(id)}
	case j.Signature != bench.Signature():
		return c.refuse(id, j, fmt.Sprintf("its engine is %.60q, this run needs %s", j.Signature, bench.Signature()))
	case j.Schema != weights.Fingerprint():
		return c.refuse(id, j, fmt.Sprintf("its weights have schema %.60q, this run needs %s", j.Schema, weights.Fingerprint()))
	case j.Jobs < 1 || j.Jobs > mostJobs:
		return c.refuse(id, j, fmt.Sprintf("it offers %d jobs, outside [1, %d]", j.Jobs, mostJobs))
	}
	right, known := c.exam.accepts(j.Nonce, j.Proof)
	if !known {
		nonce, err := c.exam.current(ctx)
		if err != nil {
			return welcome{} // we are ending: it asks again, and finds nobody
		}
		return welcome{Nonce: nonce}
	}
	if !right {
		return c.refuse(id, j, fmt.Sprintf("its engine says it is %s, but finds other moves on the positions of nonce %s", j.Signature, j.Nonce))
	}
	c.members.admit(id, *j, id == c.local)
	c.config.Log.Info("worker joined", "name", j.Name, "key", id, "jobs", j.Jobs, "version", j.Version, "engine", j.Signature)
	return welcome{Admitted: true, Beat: int64(c.config.Timing.Beat), Deadline: int64(c.config.Timing.Deadline)}
}

// refuse turns a worker away.
func (c *Coordinator) refuse(id string, j *joining, reason string) welcome {
	if c.members.turnAway(j.Name, id, reason) {
		c.members.fault("worker refused")
		c.config.Log.Warn("worker refused", "name", j.Name, "key", id, "reason", reason)
	}
	return welcome{Refused: reason}
}

// hear answers a sign of life.
func (c *Coordinator) hear(m *nats.Msg) {
	var b beat
	if err := json.Unmarshal(m.Data, &b); err != nil {
		c.members.fault("unreadable sign of life")
		return
	}
	c.respond(m, c.members.alive(strings.TrimPrefix(m.Subject, beatPrefix), b))
}

// watchMembers notices workers that are lost, and says that this coordinator is there.
func (c *Coordinator) watchMembers(ctx context.Context) {
	ticker := time.NewTicker(c.config.Timing.Beat)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for _, label := range c.members.expire(time.Now().Add(-lostAfter * c.config.Timing.Beat)) {
			c.config.Log.Warn("worker lost: no sign of life", "worker", label)
		}
		if data, err := json.Marshal(claim{c.session, c.since.UnixNano()}); err == nil && c.server == nil {
			_ = c.conn.Publish(claimSubject, data) // the next one goes out soon
		}
	}
}

// newSource returns a generator that nobody can foresee.
func newSource() mathrand.Source {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return mathrand.NewPCG(binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:]))
}
