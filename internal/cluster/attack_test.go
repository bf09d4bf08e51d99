package cluster

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
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

// Whatever the holder of a stolen worker key sends, the run ends soon and with the same bytes. The log names the
// key where no honest worker sends such messages.
func TestStolenKeyStallsNothing(t *testing.T) {
	big := make([]byte, mostAnswer+1)
	attacks := []struct {
		name  string
		named bool // whether the sender is expected in quarantine
		send  func(c *Coordinator, conn *nats.Conn, id string)
	}{
		{"replies to other subjects", true, func(c *Coordinator, conn *nats.Conn, id string) {
			for _, subject := range []string{joinPrefix + id, heartbeatPrefix + id, nextPrefix + id, weightsPrefix + id} {
				for _, reply := range foreignSubjects("other") {
					_ = conn.PublishRequest(subject, reply, []byte("{}"))
				}
			}
		}},
		{"great results", true, func(c *Coordinator, conn *nats.Conn, id string) {
			for i := range 256 {
				_ = conn.Publish(resultSubject(id, fmt.Sprintf("%s.%d.0.0", c.session, i)), big)
			}
		}},
		{"results of every task", true, func(c *Coordinator, conn *nats.Conn, id string) {
			for i := range 5000 {
				_ = conn.Publish(resultSubject(id, fmt.Sprintf("%s.1.%d.0", c.session, i)), []byte(`{"pairs":[]}`))
			}
		}},
		{"subjects of no result", true, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 5000 {
				_ = conn.Publish(resultPrefix+id+".x", nil)
			}
		}},
		{"great requests", true, func(c *Coordinator, conn *nats.Conn, id string) {
			_ = conn.Publish(weightsPrefix+id, big)
		}},
		{"asks for everything and plays nothing", false, func(c *Coordinator, conn *nats.Conn, id string) {
			for range 20_000 {
				_ = conn.PublishRequest(nextPrefix+id, inboxOf(id)+"x", nil)
			}
		}},
	}
	for _, attack := range attacks {
		t.Run(attack.name, func(t *testing.T) {
			f, said := folder(t), &sayings{}
			c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName), Log: said.logger()})
			hire(t, WorkerConfig{URL: c.Address(), Creds: creds(t, f, "w2"), Name: "honest"})
			me := creds(t, f, "w1")
			conn := enrol(t, c, me, MaxJobs)
			until(t, "both are there", func() bool { _, workers := c.members.jobs(); return workers == 2 })
			batch := testBatch(t, 60)
			began := time.Now()
			over := runBeside(t, c, batch)
			attack.send(c, conn, me.Key())
			end := <-over
			if end.err != nil {
				t.Fatal(end.err)
			}
			same(t, end.results, byPool(t, batch))
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("the batch took %v", took)
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

// The coordinator cannot end a connection to an outside server, so its log shows the command that does.
func TestLogHasTheCommandThatRevokesAKey(t *testing.T) {
	f, said := folder(t), &sayings{}
	s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: logger(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	me := creds(t, f, "w1")
	c := open(t, Config{URL: s.URL(), Creds: creds(t, f, CoordinatorName), Jobs: 1, Log: said.logger()})
	conn := enrol(t, c, me, 1)
	if err := conn.Publish(weightsPrefix+me.Key(), make([]byte, mostAnswer+1)); err != nil {
		t.Fatal(err)
	}
	until(t, "the log names the key", func() bool { return strings.Contains(said.String(), "tune cluster revoke "+me.Key()) })
	if err := f.Revoke(me.Key()); err != nil {
		t.Fatal(err)
	}
	until(t, "its connection is ended", conn.IsClosed)
	batch := testBatch(t, 20)
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
}

// Coordinator and worker refuse a program of another protocol version, and the message names both versions.
func TestOtherProtocolIsRefused(t *testing.T) {
	c := open(t, Config{})
	j := joining{Name: "old", Instance: "1", Signature: bench.Signature(), Schema: weights.Fingerprint(), Jobs: 1}
	if got := c.examine(patient(t), "A", &j); !strings.Contains(got.Refused, "protocol 0") || got.Protocol != protocol {
		t.Errorf("%+v", got)
	}
}

// However many handshakes fail, the server logs a bounded number of lines.
func TestLogOfTheServerIsBounded(t *testing.T) {
	f, said := folder(t), &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName), Log: said.logger()})
	for range 3 * mostLines {
		conn, err := net.Dial("tcp", strings.TrimPrefix(strings.TrimPrefix(c.Address(), "nats://"), "tls://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte("no handshake\r\n"))
		_ = conn.Close()
	}
	l := &serverLog{log: slog.New(slog.NewTextHandler(said, nil))}
	for range 3 * mostLines {
		l.Errorf("refused")
	}
	l.began = l.began.Add(-logWindow)
	l.Errorf("refused")
	if got := strings.Count(said.String(), "server: refused"); got != mostLines+1 {
		t.Errorf("%d lines of %d", got, mostLines)
	}
	if !strings.Contains(said.String(), fmt.Sprintf("lines=%d", 2*mostLines)) {
		t.Errorf("lines were left out without a word: %s", said)
	}
	if got := strings.Count(said.String(), "TLS handshake error"); got > mostLines {
		t.Errorf("%d lines about handshakes", got)
	}
}

// When a batch gets no results for some seconds, a warning names what is missing.
func TestStallNamesWhatIsMissing(t *testing.T) {
	said := &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Log: said.logger()})
	r := c.newDispatcher(testBatch(t, 4), []string{"a", "b", "baseline:random"}, nil)
	r.watch.progress = time.Now()
	r.warnStalled(time.Now().Add(stalledAfter / 2))
	if strings.Contains(said.String(), "no result for") {
		t.Errorf("a warning too soon: %s", said)
	}
	r.warnStalled(time.Now().Add(stalledAfter + time.Second))
	if !strings.Contains(said.String(), "no result for 11s: no worker is there") {
		t.Error(said.String())
	}
	hire(t, WorkerConfig{URL: c.Address()})
	until(t, "a worker is there", func() bool { return c.Workers() == 1 })
	r.warnStalled(time.Now().Add(stalledAfter + warnEvery + 2*time.Second))
	if !strings.Contains(said.String(), "do not arrive") {
		t.Error(said.String())
	}
}
