// Package cluster plays batches of pairs on many machines. Its Coordinator is a selfplay.Runner over NATS: workers
// ask it for tasks, play them, and send the results back by key. A pair is a pure function of its task, so it may be
// played twice, by anyone, and gives the same bytes; which copy arrives first is no matter.
//
// The server carries requests and answers and keeps nothing: what is not answered is asked for again. So a server
// that restarts loses nothing, and there is no store for a stolen key to fill or to delete.
//
// Three ways share this code: a server inside the process that listens to nobody, the same server listening for
// workers, and a server or cluster that runs elsewhere.
package cluster

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// protocol is the version of the subjects and messages below. Parties of another version are refused by name.
const protocol = 2

// Subjects. Every subject of ours begins with "qt."; what a worker or an observer may send ends with, or holds, its
// key, so that the server's permissions decide who may have sent it.
const (
	joinPrefix      = "qt.join."
	heartbeatPrefix = "qt.heartbeat."
	nextPrefix      = "qt.next."    // asks for a task
	weightsPrefix   = "qt.weights." // asks for weights by hash
	resultPrefix    = "qt.result."
	statusPrefix    = "qt.status."
	cancelSubject   = "qt.cancel" // a batch is given up
	claimSubject    = "qt.claim"  // between coordinators
	inboxPrefix     = "_INBOX."
)

// Bounds of what a party may send, bytes. Whoever sends more is quarantined.
const (
	mostAnswer  = 1 << 20 // bytes of a result: each of mostPairs takes some hundred
	mostRequest = 4 << 10 // bytes of every other message
)

// Timing is how patient a cluster is. The zero value of a field stands for its default.
type Timing struct {
	Task      time.Duration // what a task should take; 3 s
	Deadline  time.Duration // after which a task is given to another worker; 60 s
	Heartbeat time.Duration // between two signs of life of a worker; 2 s
	Slack     time.Duration // beyond 5/4 of the expected time before others get a straggling task too; 1 s
}

// withDefaults fills what is zero.
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

// lostAfter is the number of heartbeats a worker may miss before it counts as lost.
const lostAfter = 4

// key names one copy of a task: the process that asked, the batch, the task in it and which copy.
type key struct {
	session string // of the coordinator
	batch   int
	task    int
	copy    int
}

// String returns the key as the end of a subject.
func (k key) String() string {
	return fmt.Sprintf("%s.%d.%d.%d", k.session, k.batch, k.task, k.copy)
}

// resultSubject is where the worker's result of the copy of that name goes.
func resultSubject(worker, name string) string { return resultPrefix + worker + "." + name }

// parseResult returns the worker and the key that the subject of a result names. The worker is returned with an
// error too, since the server has checked it.
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
