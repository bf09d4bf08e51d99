package cluster

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"quintune/internal/bench"
	"quintune/weights"
)

// enrol joins as a worker that plays nothing, and returns its connection.
func enrol(t *testing.T, c *Coordinator, me *Creds, jobs int) *nats.Conn {
	t.Helper()
	conn, _ := party(t, c.Address(), me)
	j := joining{Protocol: protocol, Name: "thief", Instance: "1", Signature: bench.Signature(), Schema: weights.Fingerprint(), Jobs: jobs}
	for !c.members.admitted(me.Key()) {
		data, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		m, err := conn.Request(joinPrefix+me.Key(), data, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var w welcome
		if err := json.Unmarshal(m.Data, &w); err != nil || w.Refused != "" {
			t.Fatalf("%s: %v", m.Data, err)
		}
		if j.Nonce = w.Nonce; j.Nonce != "" {
			if j.Proof, err = Prove(patient(t), j.Nonce); err != nil {
				t.Fatal(err)
			}
		}
	}
	return conn
}

// sendHeartbeat tells the coordinator that the worker lives.
func sendHeartbeat(conn *nats.Conn, id string) {
	_ = conn.Publish(heartbeatPrefix+id, []byte(`{"instance":"1"}`))
}

// A worker that takes all it can before anybody has answered a task does not stall a run until the deadline, which is a minute here.
func TestHoarderAtTheStart(t *testing.T) {
	batch, f := testBatch(t, 60), folder(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName), Timing: Timing{Heartbeat: time.Hour}})
	me := creds(t, f, "w1")
	conn := enrol(t, c, me, MaxJobs)
	over := runBeside(t, c, batch)
	for range 500 {
		_ = conn.PublishRequest(nextPrefix+me.Key(), inboxOf(me.Key())+"x", nil)
	}
	until(t, "it has tasks", func() bool {
		_, holders := c.queue.backlog()
		return len(holders) > 0
	})
	hire(t, WorkerConfig{URL: c.Address(), Creds: creds(t, f, "w2"), Name: "honest"})
	end := <-over // within less than a minute, see patient
	if end.err != nil {
		t.Fatal(end.err)
	}
	same(t, end.results, byPool(t, batch))
}

// answerTasks asks for tasks for a second, and until it had one, and answers those that it gets. It sends heartbeats meanwhile.
func answerTasks(conn *nats.Conn, id string, played func(*task) answer) {
	answered := 0
	for began := time.Now(); (answered == 0 || time.Since(began) < time.Second) && conn.IsConnected(); {
		sendHeartbeat(conn, id)
		m, err := conn.Request(nextPrefix+id, nil, time.Second)
		var t task
		if err != nil || json.Unmarshal(m.Data, &t) != nil {
			continue
		}
		if data, err := json.Marshal(played(&t)); err == nil {
			_ = conn.Publish(resultSubject(id, t.Name), data)
			answered++
		}
	}
}

// Whatever the holder of a stolen worker key sends, every batch ends soon and with the same bytes. The log names the
// key where no honest worker sends such messages.
func TestStolenKeyStallsNothing(t *testing.T) {
	big := make([]byte, mostAnswer+1)
	batch := testBatch(t, 60)
	want := byPool(t, batch)
	attacks := []struct {
		name  string
		named bool // whether the sender is expected in quarantine
		jobs  int  // offered; with many, a task is one pair
		send  func(c *Coordinator, conn *nats.Conn, id string)
	}{
		{"replies to other subjects", true, MaxJobs, func(c *Coordinator, conn *nats.Conn, id string) {
			for _, subject := range []string{joinPrefix + id, heartbeatPrefix + id, nextPrefix + id, weightsPrefix + id} {
				for _, reply := range foreignSubjects("other") {
					_ = conn.PublishRequest(subject, reply, []byte("{}"))
				}
			}
		}},
		{"great results", true, MaxJobs, func(c *Coordinator, conn *nats.Conn, id string) {
			for i := range 256 {
				_ = conn.Publish(resultSubject(id, fmt.Sprintf("%s.%d.0.0", c.session, i)), big)
			}
		}},
		{"results of every task", true, MaxJobs, func(c *Coordinator, conn *nats.Conn, id string) {
			for i := range 5000 {
				_ = conn.Publish(resultSubject(id, fmt.Sprintf("%s.1.%d.0", c.session, i)), []byte(`{"pairs":[]}`))
			}
		}},
		{"subjects of no result", true, MaxJobs, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 5000 {
				_ = conn.Publish(resultPrefix+id+".x", nil)
			}
		}},
		{"great requests", true, MaxJobs, func(c *Coordinator, conn *nats.Conn, id string) {
			_ = conn.Publish(weightsPrefix+id, big)
		}},
		{"asks for everything and plays nothing", false, MaxJobs, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 20_000 {
				_ = conn.PublishRequest(nextPrefix+id, inboxOf(id)+"x", nil)
			}
		}},
		{"asks without end", true, 1, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 2 * mostMessages {
				_ = conn.PublishRequest(nextPrefix+id, inboxOf(id)+"x", nil)
			}
		}},
		{"signs of life without end", true, 1, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 2 * mostMessages {
				sendHeartbeat(conn, id)
			}
		}},
		{"results of a batch that is over", true, 1, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 2 * mostMessages {
				_ = conn.Publish(resultSubject(id, c.session+".0.0.0"), nil)
			}
		}},
		{"great results of a batch that is over", true, 1, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 60 {
				_ = conn.Publish(resultSubject(id, c.session+".0.0.0"), big[:mostAnswer])
			}
		}},
		{"results of another run", true, 1, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 2 * mostMessages {
				_ = conn.Publish(resultSubject(id, "other.0.0.0"), nil)
			}
		}},
		{"requests for weights without end", true, 1, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 2 * mostMessages {
				_ = conn.PublishRequest(weightsPrefix+id, inboxOf(id)+"x", []byte("hash"))
			}
		}},
		{"takes what it can, and answers a pair now and then", false, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			tasks := make(chan *nats.Msg, 10_000)
			if _, err := conn.ChanSubscribe(inboxOf(id)+"x", tasks); err != nil {
				panic(err)
			}
			for range 10 {
				sendHeartbeat(conn, id)
				for range 500 {
					_ = conn.PublishRequest(nextPrefix+id, inboxOf(id)+"x", nil)
				}
				time.Sleep(300 * time.Millisecond)
				var t task
				if m := <-tasks; json.Unmarshal(m.Data, &t) == nil && t.Name != "" {
					i := t.Pairs[0].Index
					data, _ := json.Marshal(answer{Pairs: []played{send(i, &want[i], batch)}})
					_ = conn.Publish(resultSubject(id, t.Name), data)
				}
			}
		}},
		{"gives every task back", false, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			answerTasks(conn, id, func(*task) answer { return answer{} })
		}},
		{"takes everything, and a pair takes years", false, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			answerTasks(conn, id, func(*task) answer { return answer{Pairs: []played{{Index: -1}}, Took: 1 << 62} })
			for range 1000 {
				_ = conn.PublishRequest(nextPrefix+id, inboxOf(id)+"x", nil)
			}
		}},
		{"right results that took no time", false, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			answerTasks(conn, id, func(task *task) answer {
				a := answer{Took: 1}
				for _, p := range task.Pairs {
					a.Pairs = append(a.Pairs, send(p.Index, &want[p.Index], batch))
				}
				return a
			})
		}},
		{"many pairs that are not in the task", true, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			answerTasks(conn, id, func(*task) answer { return answer{Pairs: slices.Repeat([]played{{Index: -1}}, mostPairs+1)} })
		}},
		{"many games of a pair that is not in the task", true, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			answerTasks(conn, id, func(*task) answer { return answer{Pairs: []played{{Index: -1, Games: make([]game, 10_000)}}} })
		}},
		{"one pair a thousand times", true, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			answerTasks(conn, id, func(task *task) (a answer) {
				i := task.Pairs[0].Index
				for range 1000 {
					a.Pairs = append(a.Pairs, send(i, &want[i], batch))
				}
				return a
			})
		}},
		{"right results behind a great one that counts for nothing", true, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			empty := "{\"pairs\":[{}" + strings.Repeat(",{}", 100_000) + "],"
			for began := time.Now(); time.Since(began) < time.Minute && conn.IsConnected(); {
				sendHeartbeat(conn, id)
				m, err := conn.Request(nextPrefix+id, nil, time.Second)
				var task task
				if err != nil || json.Unmarshal(m.Data, &task) != nil || task.Name == "" {
					continue
				}
				var a answer
				for _, p := range task.Pairs {
					a.Pairs = append(a.Pairs, send(p.Index, &want[p.Index], batch))
				}
				data, _ := json.Marshal(a)
				_ = conn.Publish(resultSubject(id, task.Name), []byte(empty+string(data[1:])))
			}
		}},
		{"subjects that name the subscription", true, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			for sid := range 40 { // one of them is that of claims
				_ = conn.Publish(fmt.Sprintf("%s%s.x\r%d", resultPrefix, id, sid), []byte(`{"session":"x","since":9000000000000000000}`))
				_ = conn.Flush() // each in a packet of its own
			}
		}},
		{"replies that the client cannot read", false, MaxJobs, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 100 {
				_ = conn.PublishRequest(heartbeatPrefix+id, inboxOf(id)+"x\r1\r2", []byte(`{"instance":"1"}`))
			}
			time.Sleep(time.Second) // a coordinator that is cut off is back within less
			if back := c.conn.Stats().Reconnects; back > 0 {
				t.Errorf("the coordinator was cut off and is back for the time number %d", back)
			}
		}},
		{"a right pair before one that cannot be", true, 1, func(_ *Coordinator, conn *nats.Conn, id string) {
			answerTasks(conn, id, func(task *task) (a answer) {
				for _, p := range task.Pairs {
					a.Pairs = append(a.Pairs, send(p.Index, &want[p.Index], batch))
				}
				a.Pairs[len(a.Pairs)-1].Games = nil
				return a
			})
		}},
		{"introductions that differ", true, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			for i := range 5000 {
				_ = conn.Publish(joinPrefix+id, fmt.Appendf(nil, `{"protocol":%d,"signature":"%d"}`, protocol, i))
			}
		}},
		{"one introduction without end", true, 1, func(_ *Coordinator, conn *nats.Conn, id string) {
			for range mostMessages / 10 {
				_ = conn.Publish(joinPrefix+id, fmt.Appendf(nil, `{"protocol":%d}`, protocol))
			}
		}},
		{"introductions that cannot be read", true, MaxJobs, func(_ *Coordinator, conn *nats.Conn, id string) {
			for range 5000 {
				_ = conn.Publish(joinPrefix+id, []byte("{"))
			}
		}},
		{"heartbeats out of bounds", false, MaxJobs, func(c *Coordinator, conn *nats.Conn, id string) {
			_ = conn.Publish(heartbeatPrefix+id, []byte(`{"instance":"1","pairs":-1,"busy":1e308,"speed":1e308,"held":1000000000}`))
			until(t, "the heartbeat is there", func() bool {
				s := c.Status()
				i := slices.IndexFunc(s.Workers, func(w WorkerStatus) bool { return w.Key == id })
				w := &s.Workers[i]
				return w.Held > 0 && w.Busy == 1 && w.Speed <= 1e6 && s.Busy() <= 1
			})
		}},
	}
	for _, attack := range attacks {
		t.Run(attack.name, func(t *testing.T) {
			f, said := folder(t), &sayings{}
			c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName), Log: said.logger()})
			hire(t, WorkerConfig{URL: c.Address(), Creds: creds(t, f, "w2"), Name: "honest"})
			me := creds(t, f, "w1")
			conn := enrol(t, c, me, attack.jobs)
			until(t, "both are there", func() bool {
				sendHeartbeat(conn, me.Key()) // the honest one may take longer to join than a silent one is waited for
				return workersOf(c) == 2
			})
			attacked, batches := make(chan struct{}), 0
			go func() {
				defer close(attacked)
				attack.send(c, conn, me.Key())
			}()
			for over := false; !over && !t.Failed(); {
				select {
				case <-attacked:
					over = true // and one more batch
				default:
				}
				began := time.Now()
				got, err := c.Run(patient(t), batch, nil)
				if err != nil {
					t.Fatalf("%v: %s", err, said)
				}
				same(t, got, want)
				batches++
				if took := time.Since(began); took > 20*time.Second {
					t.Errorf("the batch took %v", took)
				}
			}
			<-attacked
			if tasks := c.Status().Tasks; tasks > int64(batches*20*len(want)) {
				t.Errorf("%d tasks were sent for %d batches of %d pairs", tasks, batches, len(want))
			}
			if attack.named {
				until(t, "the sender is named", func() bool { return strings.Contains(said.String(), "worker quarantined") })
				if !strings.Contains(said.String(), me.Key()) || c.members.quarantinedFor(creds(t, f, "w2").Key()) != "" {
					t.Error(said.String())
				}
				until(t, "its connection is ended", conn.IsClosed)
			}
		})
	}
}

// A worker that returns every copy of a task without a pair gets its pairs played elsewhere, and stops nothing.
func TestCopiesOfATaskReturnedEmpty(t *testing.T) {
	c := open(t, Config{})
	d := dispatcherOf(t, c, testBatch(t, 3))
	d.dispatch([]int{0, 1, 2}, nil)
	first := len(d.dispatches)
	for copied := range 3 {
		for task := range first {
			a := &received{worker: "w", key: key{c.session, d.serial, task, copied}, had: time.Second}
			if err := d.take(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	var pairs []int
	for _, o := range d.dispatches {
		pairs = append(pairs, o.pairs...)
	}
	slices.Sort(pairs)
	if !slices.Equal(pairs, []int{0, 1, 2}) || len(d.dispatches) < 2*first {
		t.Errorf("%d tasks are out with the pairs %v", len(d.dispatches)-first, pairs)
	}
}
