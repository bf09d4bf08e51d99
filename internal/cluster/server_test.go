package cluster

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A busy address is refused at once, with the reason.
func TestBusyAddress(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	began := time.Now()
	_, err = StartServer(ServerConfig{Addr: busy.Addr().String(), Log: logger(t)})
	if err == nil || !strings.Contains(err.Error(), "bind: ") || time.Since(began) > startTime/2 {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

// A server of ours takes no headers: it ends the connection before the coordinator has to decode them.
func TestServerTakesNoHeaders(t *testing.T) {
	c := open(t, Config{Listen: "127.0.0.1:0"})
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.Address(), "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	const header = "NATS/1.0\r\nA: b\r\n\r\n"
	fmt.Fprintf(conn, "CONNECT {\"verbose\":false,\"headers\":true}\r\nHPUB %sLx %d %d\r\n%s\r\nPING\r\n", heartbeatPrefix, len(header), len(header), header)
	if said, err := io.ReadAll(conn); err != nil || strings.Contains(string(said), "PONG") {
		t.Errorf("the server says %q, then %v; want the end", said, err)
	}
}

// A server elsewhere may take headers, for example with the configuration of an older version. They count as the rest of a message does.
func TestGreatHeaders(t *testing.T) {
	f, said := folder(t), &sayings{}
	options, err := (&Server{config: ServerConfig{Addr: "127.0.0.1:0", Folder: f}}).options()
	if err != nil {
		t.Fatal(err)
	}
	options.NoHeaderSupport = false
	s, err := server.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(startTime) {
		t.Fatal("the server is not ready")
	}
	me := creds(t, f, "w1")
	c := open(t, Config{URL: s.ClientURL(), Creds: creds(t, f, CoordinatorName), Jobs: 1, Log: said.logger()})
	conn := enrol(t, c, me, 1)
	m := &nats.Msg{Subject: heartbeatPrefix + me.Key(), Data: []byte(`{"instance":"1"}`), Header: nats.Header{}}
	for i := range 100_000 {
		m.Header[fmt.Sprint(i)] = []string{""}
	}
	want := fmt.Sprintf("a message of %d bytes", m.Size()-len(m.Subject))
	if err := conn.PublishMsg(m); err != nil {
		t.Fatal(err)
	}
	until(t, "the sender is named", func() bool { return c.members.quarantinedFor(me.Key()) != "" })
	if got := c.members.quarantinedFor(me.Key()); !strings.HasPrefix(got, want) {
		t.Errorf("quarantined for %q, want %q", got, want)
	}
	small := &nats.Msg{Subject: heartbeatPrefix + "flood", Header: nats.Header{"a": {strings.Repeat("x", heavy)}}}
	for range (mostMessages + mostRequests*slotsOf(MaxJobs)) * 2 / 3 {
		c.count("flood", small)
	}
	if c.members.quarantinedFor("flood") == "" {
		t.Errorf("messages with headers of %d bytes count as empty ones", heavy)
	}
}

// Whoever asks for the status some times a second stays, and whoever asks without end does not.
func TestQuestionsForTheStatusWithoutEnd(t *testing.T) {
	f := folder(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName)})
	me := creds(t, f, ObserverName)
	for range 20 {
		if _, err := Ask(patient(t), c.Address(), me, logger(t)); err != nil {
			t.Fatal(err)
		}
	}
	conn, _ := party(t, c.Address(), me)
	for range mostMessages / 2 {
		_ = conn.PublishRequest(statusPrefix+me.Key(), inboxOf(me.Key())+"x", nil)
	}
	until(t, "its connection is ended", conn.IsClosed)
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
	l := &serverLog{log: slog.New(slog.NewTextHandler(said, nil)), from: "server"}
	for range 3 * mostLines {
		l.Errorf("refused")
	}
	l.began = l.began.Add(-logWindow)
	l.Errorf("refused%s", strings.Repeat(" subject", 1000))
	for line := range strings.Lines(said.String()) {
		if len(line) > 2*mostServerLine {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
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

// A server forgets connections that have ended, which may have had many long subscriptions.
func TestEndedConnectionsAreForgotten(t *testing.T) {
	f := folder(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName)})
	for range 3 {
		conn, _ := party(t, c.Address(), creds(t, f, "w1"))
		conn.Close()
	}
	until(t, "all have ended", func() bool { return c.server.inner.NumClients() == 1 })
	kept, err := c.server.inner.Connz(&server.ConnzOptions{State: server.ConnClosed})
	if err != nil || kept.Total > 1 {
		t.Errorf("%d are remembered, %v", kept.Total, err)
	}
}

// A key with more connections than any party needs is refused, and the log names it; others stay.
func TestConnectionsOfAKeyAreBounded(t *testing.T) {
	f, said := folder(t), &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName), Log: said.logger()})
	hire(t, WorkerConfig{URL: c.Address(), Creds: creds(t, f, "w2")})
	until(t, "the worker is there", func() bool { return c.Workers() == 1 }) // see TestServersCertificateIsIssuedAnew
	me := creds(t, f, "w1")
	var all []*nats.Conn
	for range mostConnections + 1 {
		conn, _ := party(t, c.Address(), me)
		all = append(all, conn)
	}
	for _, conn := range all {
		until(t, "the connection is ended", conn.IsClosed)
	}
	if text := said.String(); !strings.Contains(text, "more than 8 connections") || !strings.Contains(text, me.Key()) {
		t.Error(text)
	}
	batch := testBatch(t, 20)
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, byPool(t, batch))
}
