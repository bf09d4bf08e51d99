// Package cluster plays batches of pairs on many machines. Its Coordinator is a selfplay.Runner over NATS
// JetStream: pairs go out as tasks through a work queue, workers anywhere play them, and the results come back
// by key. A pair is a pure function of its task, so it may be played twice, by anyone, and gives the same bytes;
// which copy arrives first is no matter.
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

// Names on the server. Every subject of ours begins with "qt."; that of a result names its worker, so that
// the server's permissions say who may have sent it.
const (
	taskStream   = "QUINTUNE_TASKS"
	resultStream = "QUINTUNE_RESULTS"
	setBucket    = "quintune_weights"
	taskConsumer = "workers"

	taskSubjects   = "qt.task.>"
	resultSubjects = "qt.result.>"
	cancelSubject  = "qt.cancel"
	statusSubject  = "qt.status"
	joinPrefix     = "qt.join."
	beatPrefix     = "qt.beat."
	inboxPrefix    = "_INBOX."
)

// Timing is how patient a cluster is. The zero value of a field stands for its default.
type Timing struct {
	Task     time.Duration // what a task should take; 3 s
	Deadline time.Duration // after which a task is given to another worker; 60 s
	Beat     time.Duration // between two signs of life of a worker; 2 s
	Slack    time.Duration // beyond 5/4 of the expected time before others get a late task too; 1 s
}

// withDefaults fills what is zero.
func (t Timing) withDefaults() Timing {
	for _, field := range []struct {
		value    *time.Duration
		standard time.Duration
	}{{&t.Task, 3 * time.Second}, {&t.Deadline, time.Minute}, {&t.Beat, 2 * time.Second}, {&t.Slack, time.Second}} {
		if *field.value <= 0 {
			*field.value = field.standard
		}
	}
	return t
}

// lostAfter is how many signs of life a worker may miss before it counts as lost.
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

// taskSubject is where the copy waits for a worker.
func (k key) taskSubject() string { return "qt.task." + k.String() }

// resultSubject is where the worker's result of the copy of that name goes.
func resultSubject(worker, name string) string { return "qt.result." + worker + "." + name }

// parseResult returns what the subject of a result says.
func parseResult(subject string) (worker string, k key, err error) {
	parts := strings.Split(subject, ".")
	if len(parts) != 7 || parts[0] != "qt" || parts[1] != "result" {
		return "", key{}, fmt.Errorf("cluster: %.200q is no subject of a result", subject)
	}
	k.session = parts[3]
	for i, into := range []*int{&k.batch, &k.task, &k.copy} {
		if *into, err = strconv.Atoi(parts[4+i]); err != nil || *into < 0 {
			return "", key{}, fmt.Errorf("cluster: subject %.200q: %q is no number", subject, parts[4+i])
		}
	}
	return parts[2], k, nil
}
