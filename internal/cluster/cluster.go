// Package cluster plays batches of pairs on many machines. Its Coordinator is a selfplay.Runner over NATS.
// Workers ask it for tasks, play them, and send back results, each with the key of its task. The result of a
// pair is a pure function of its task: it may be played twice, by any worker, and gives the same bytes. So the
// first copy that arrives counts.
//
// The server forwards requests and answers and stores nothing; whoever gets no answer asks again. So a restart
// of the server loses nothing, and a stolen key has no store to fill or to delete.
//
// The same code runs in three ways: with a server inside the process that nobody else reaches, with such a
// server that workers join, and with an outside server or cluster of servers.
package cluster

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// protocol is the version of the subjects and messages below. Parties of another version are refused, with both
// versions in the message. It rises too where equal searches make other numbers of nodes than before, which audits compare.
const protocol = 5

// Subjects. All of them begin with "qt.". What a worker or an observer may send contains its key, so that the
// server's permissions prove the sender.
const (
	joinPrefix      = "qt.join."
	heartbeatPrefix = "qt.heartbeat."
	nextPrefix      = "qt.next."    // asks for a task
	weightsPrefix   = "qt.weights." // asks for weights by hash
	resultPrefix    = "qt.result."
	statusPrefix    = "qt.status."
	cancelSubject   = "qt.cancel" // a batch is given up
	claimSubject    = "qt.claim"  // announces a coordinator to other coordinators
	inboxPrefix     = "_INBOX."
)

// Greatest lengths of messages, in bytes. A party that sends more is quarantined.
const (
	mostAnswer  = 1 << 20 // a result; each of its pairs, mostPairs or fewer, takes several hundred bytes
	mostRequest = 4 << 10 // every other message
)

// Timing holds the waiting times of a cluster. A zero field stands for its default.
type Timing struct {
	Task      time.Duration // aim for the time of a task; default 3 s
	Deadline  time.Duration // time after which a task is given to another worker; default 60 s
	Heartbeat time.Duration // time between two heartbeats of a worker; default 2 s
	Slack     time.Duration // time added to the expected times after which others get a straggling task too, see Straggles; default 1 s
}

// withDefaults replaces zero fields by their defaults.
func (t Timing) withDefaults() Timing {
	for _, field := range []struct {
		value    *time.Duration
		standard time.Duration
	}{{&t.Task, 3 * time.Second}, {&t.Deadline, time.Minute}, {&t.Heartbeat, 2 * time.Second}, {&t.Slack, time.Second}} {
		if *field.value <= 0 {
			*field.value = field.standard
		}
	}
	return t
}

// lostAfter is the number of missed heartbeats after which a worker counts as lost.
const lostAfter = 4

// key names one copy of a task: the coordinator's process, the batch, the task in it and the number of the copy.
type key struct {
	session string // of the coordinator
	batch   int
	task    int
	copy    int
}

// String returns the key as the last part of a subject.
func (k key) String() string {
	return fmt.Sprintf("%s.%d.%d.%d", k.session, k.batch, k.task, k.copy)
}

// resultSubject is the subject for the worker's result of the named copy.
func resultSubject(worker, name string) string { return resultPrefix + worker + "." + name }

// parseResult returns the worker and the key in the subject of a result. With an error it still returns the
// worker, because the server has checked that part.
func parseResult(subject string) (worker string, k key, err error) {
	worker, name, _ := strings.Cut(strings.TrimPrefix(subject, resultPrefix), ".")
	parts := strings.Split(name, ".")
	if len(parts) != 4 {
		return worker, key{}, fmt.Errorf("cluster: %.200q is not the subject of a result", subject)
	}
	k.session = parts[0]
	for i, into := range []*int{&k.batch, &k.task, &k.copy} {
		if *into, err = strconv.Atoi(parts[1+i]); err != nil || *into < 0 {
			return worker, key{}, fmt.Errorf("cluster: subject %.200q: %q is not a number", subject, parts[1+i])
		}
	}
	return worker, k, nil
}
