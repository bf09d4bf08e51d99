package cluster

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// revokeWorker revokes the key of the worker w1, which has to end as one that is refused.
func revokeWorker(t *testing.T, f *Folder, ended <-chan error) {
	t.Helper()
	if err := f.Revoke("w1"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, ErrRefused) {
		t.Errorf("a revoked worker ended with %v, want %v", err, ErrRefused)
	}
}

func TestRevokedKey(t *testing.T) {
	f := folder(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName)})
	ended := make(chan error, 1)
	go func() { ended <- end(t, WorkerConfig{URL: c.Address(), Creds: creds(t, f, "w1")}) }()
	if _, err := c.Ready(patient(t)); err != nil {
		t.Fatal(err)
	}
	revokeWorker(t, f, ended)
}

// A server none of whose keys is left lets in nobody, in our own process and with the sample configuration.
func TestEverybodyIsRevoked(t *testing.T) {
	f, said := folder(t), &sayings{}
	s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: said.logger()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	me := creds(t, f, "w1")
	err = f.change(func(list []Party) ([]Party, error) { // at once, so that the server reads the list only once more
		for i := range list {
			list[i].Revoked = true
		}
		return list, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the list is read again", func() bool { return strings.Contains(said.String(), "parties read again") }) // see TestServersCertificateIsIssuedAnew
	t.Chdir(f.path)
	sample, err := server.ProcessConfigFile(confFile)
	if err != nil {
		t.Fatal(err)
	}
	sample.Host, sample.Port, sample.NoSigs, sample.NoLog = "127.0.0.1", server.RANDOM_PORT, true, true
	outside, err := server.NewServer(sample)
	if err != nil {
		t.Fatal(err)
	}
	outside.Start()
	defer outside.Shutdown()
	if !outside.ReadyForConnections(startTime) {
		t.Fatal("the server does not start")
	}
	for name, url := range map[string]string{"ours": s.URL(), "nats-server": outside.ClientURL()} {
		for how, options := range map[string][]nats.Option{"no key": nil, "a revoked key": {nats.Nkey(me.Key(), me.sign)}} {
			conn, err := nats.Connect(url, append(options, nats.Secure(me.clientTLS()))...)
			if !errors.Is(err, nats.ErrAuthorization) {
				t.Errorf("%s, %s: %v", name, how, err)
			}
			conn.Close()
		}
	}
}

// A worker that waits for a run and is revoked meanwhile tells so. Its connection is closed by then.
func TestRevokedWhileWaiting(t *testing.T) {
	f := folder(t)
	s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: logger(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ended := make(chan error, 1)
	go func() { ended <- end(t, WorkerConfig{URL: s.URL(), Creds: creds(t, f, "w1")}) }()
	until(t, "the worker is connected", func() bool { return s.inner.NumClients() > 0 })
	revokeWorker(t, f, ended)
}

// A list that is written twice within a tick of the clock is read again.
func TestListsOfOneInstantDiffer(t *testing.T) {
	f := folder(t)
	s := &Server{config: ServerConfig{Folder: f}}
	before := s.listed()
	if err := f.Revoke("w1"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(f.file(partiesFile), time.Time{}, before.ModTime()); err != nil {
		t.Fatal(err)
	}
	if now := s.listed(); !now.ModTime().Equal(before.ModTime()) || sameList(before, now) || !sameList(now, s.listed()) {
		t.Error("the new list counts as the old one")
	}
}

// A key that is revoked while the server starts, after it has read the list, is let in no longer than a second.
func TestRevokedWhileTheServerStarts(t *testing.T) {
	f, said := folder(t), &sayings{}
	s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: said.logger()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.stopped.Go(func() { s.watch(nil, expiryEvery) }) // the list was read before it was written
	until(t, "the list is read again", func() bool { return strings.Contains(said.String(), "parties read again") })
}

// A key that is revoked or banned while the folder cannot be read is kept out as soon as it can.
func TestRevokedWhileTheFolderCannotBeRead(t *testing.T) {
	for name, end := range map[string]func(*Server, *Folder, string) error{
		"revoked": func(_ *Server, f *Folder, key string) error { return f.Revoke(key) },
		"banned": func(s *Server, _ *Folder, key string) error {
			s.ban(key)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, said := folder(t), &sayings{}
			s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: said.logger()})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			me := creds(t, f, "w1")
			conn, _ := party(t, s.URL(), me)
			away := f.file(serverFile) + ".away"
			if err := os.Rename(f.file(serverFile), away); err != nil {
				t.Fatal(err)
			}
			if err := end(s, f, me.Key()); err != nil {
				t.Fatal(err)
			}
			until(t, "the log says that it cannot be read", func() bool { return strings.Contains(said.String(), "could not be read again") })
			if err := os.Rename(away, f.file(serverFile)); err != nil {
				t.Fatal(err)
			}
			until(t, "the connection is ended", conn.IsClosed)
		})
	}
}

// A connection that is made while the server reads its parties again is refused, though its key is good: it is made again.
func TestRefusedByChance(t *testing.T) {
	s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Log: logger(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer front.Close()
	var connections atomic.Int64
	go func() {
		for {
			conn, err := front.Accept()
			if err != nil {
				return
			}
			if connections.Add(1) <= 2 {
				_, _ = io.WriteString(conn, "INFO {}\r\n-ERR 'Authorization Violation'\r\n")
				continue
			}
			behind, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "nats://"))
			if err != nil {
				t.Error(err)
				return
			}
			go func() { _, _ = io.Copy(behind, conn) }()
			go func() { _, _ = io.Copy(conn, behind) }()
		}
	}()
	l := link{url: "nats://" + front.Addr().String(), id: "w1", log: logger(t)}
	conn, err := l.connect(func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if n := connections.Load(); n != 3 {
		t.Errorf("%d connections, want 3", n)
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
