package cluster

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A server answers what it does not permit with an error beside the connection. Whoever took the credentials of another party would
// wait for ever.
func TestCredentialsOfAnotherPartyAreNamed(t *testing.T) {
	f := folder(t)
	s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: logger(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	beside := func(name string) string { return "--creds " + filepath.Join(f.path, name+credsEnding) }
	for _, name := range []string{"w1", ObserverName} {
		t.Run("a run of "+name, func(t *testing.T) {
			c, err := Open(patient(t), Config{URL: s.URL(), Creds: creds(t, f, name), Log: logger(t)})
			if err == nil {
				_ = c.Close()
			}
			wanted(t, err, f.CredsFile(name)+" is not the coordinator's but that of "+name, beside(CoordinatorName))
		})
	}
	_, err = Ask(patient(t), s.URL(), creds(t, f, "w1"), logger(t))
	wanted(t, err, f.CredsFile("w1")+" is not the observer's or the coordinator's but that of w1", beside(ObserverName))
}

// A server of somebody else, with permissions of its own.
func TestPermissionsOfAnotherServerAreTold(t *testing.T) {
	for name, p := range map[string]*server.Permissions{
		"to listen to results": {Subscribe: &server.SubjectPermission{Deny: []string{"qt.result.>"}}},
		"to answer":            {Publish: &server.SubjectPermission{Deny: []string{inboxPrefix + ">"}}},
		"to ask":               {Publish: &server.SubjectPermission{Deny: []string{"qt.status.>"}}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := server.NewServer(&server.Options{
				Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, NoAuthUser: "all",
				Users: []*server.User{{Username: "all", Password: "all", Permissions: p}},
			})
			if err != nil {
				t.Fatal(err)
			}
			s.Start()
			t.Cleanup(s.Shutdown)
			if name == "to ask" {
				_, err = Ask(patient(t), s.ClientURL(), nil, logger(t))
				wanted(t, err, "does not permit what the observer does", `"qt.status.`)
				return
			}
			c, err := Open(patient(t), Config{URL: s.ClientURL(), Log: logger(t)})
			if err == nil {
				_ = c.Close()
			}
			wanted(t, err, "does not permit what the coordinator does", "permissions violation")
		})
	}
}

// Without credentials a party trusts no authority of a cluster.
func TestForgottenCredentialsAreNamed(t *testing.T) {
	s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: folder(t), Log: logger(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	wanted(t, end(t, WorkerConfig{URL: s.URL()}), "certificate is refused", "--creds FILE")
	_, err = Ask(patient(t), s.URL(), nil, logger(t))
	wanted(t, err, "certificate is refused", "--creds FILE")
	wanted(t, CheckURL("tls://10.0.0.1:4222", nil), "beyond this machine", "--creds FILE")
}

// wanted fails where the error does not hold all of the texts.
func wanted(t *testing.T, err error, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, want %q", err, text)
		}
	}
}

// foreignSubjects are subjects of other parties, or of none, at which a message could do harm.
func foreignSubjects(other string) []string {
	return []string{
		resultSubject(other, "s.1.1.0"), joinPrefix + other, heartbeatPrefix + other, nextPrefix + other, weightsPrefix + other, statusPrefix + other,
		cancelSubject, claimSubject, inboxPrefix + other + ".x", inboxPrefix + "x", "qt.result", "qt.task.s.1.1.0",
		"$KV.quintune_weights.x", "$JS.API.STREAM.DELETE.QUINTUNE_TASKS", "$JS.API.STREAM.PURGE.QUINTUNE_TASKS",
		"$JS.API.CONSUMER.DELETE.QUINTUNE_TASKS.workers", "$JS.API.CONSUMER.MSG.NEXT.QUINTUNE_TASKS.workers",
		"$JS.API.DIRECT.GET.KV_quintune_weights.x", "$JS.ACK.QUINTUNE_TASKS.workers.1", "$SYS.REQ.SERVER.PING", "$SYS.REQ.ACCOUNT.PING",
	}
}

// Workers and observers can send in their own name only, and receive only what is meant for them.
func TestPermissions(t *testing.T) {
	f := folder(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName)})
	other := creds(t, f, "w2").Key()
	for _, name := range []string{"w1", ObserverName} {
		t.Run(name, func(t *testing.T) {
			conn, denied := party(t, c.Address(), creds(t, f, name))
			for _, subject := range foreignSubjects(other) {
				if err := errors.Join(conn.Publish(subject, nil), conn.Flush()); err != nil {
					t.Fatal(err)
				}
				if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) {
					t.Errorf("sending to %s: %v", subject, err)
				}
			}
			for _, subject := range []string{">", "_INBOX.>", "qt.>", "qt.result.>", joinPrefix + "*", inboxPrefix + other + ".>", "$SYS.>", "$JS.>"} {
				if _, err := conn.Subscribe(subject, func(*nats.Msg) {}); err != nil {
					t.Fatal(err)
				}
				if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) {
					t.Errorf("listening to %s: %v", subject, err)
				}
			}
		})
	}
}

// The key of another role is not that of a worker: it ends with that reason, and does not ask again for ever.
func TestObserverIsNoWorker(t *testing.T) {
	f := folder(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName)})
	err := end(t, WorkerConfig{URL: c.Address(), Creds: creds(t, f, ObserverName)})
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "not that of a worker") {
		t.Errorf("error %v", err)
	}
}

// The server does not check reply subjects. Whatever a key may send, and whatever reply subject it names, server
// and coordinator answer to the sender's own inbox only.
func TestAnswersGoToTheAskersInboxAlone(t *testing.T) {
	f := folder(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName)})
	victim, spy := creds(t, f, "w2"), creds(t, f, CoordinatorName)
	for _, name := range []string{"w1", ObserverName} {
		me := creds(t, f, name)
		role := map[bool]Role{true: RoleWorker, false: RoleObserver}[name == "w1"]
		for _, subject := range accessOf(role, me.Key()).send {
			subject = strings.Replace(subject, ">", c.session+".1.0.0", 1)
			t.Run(name+" to "+strings.Replace(subject, me.Key(), "KEY", 1), func(t *testing.T) {
				heard := make(chan *nats.Msg, 1000)
				for _, listener := range []struct {
					creds   *Creds
					subject string
				}{{victim, inboxPrefix + victim.Key() + ".>"}, {victim, cancelSubject}, {spy, "qt.>"}, {spy, inboxPrefix + spy.Key() + ".>"}} {
					conn, _ := party(t, c.Address(), listener.creds)
					if _, err := conn.ChanSubscribe(listener.subject, heard); err != nil {
						t.Fatal(err)
					}
					if err := conn.Flush(); err != nil {
						t.Fatal(err)
					}
				}
				conn, _ := party(t, c.Address(), me)
				sent := 0
				for _, reply := range append(foreignSubjects(victim.Key()), inboxPrefix+me.Key()) {
					for _, body := range []string{"", "{}", "not JSON"} {
						if err := conn.PublishRequest(subject, reply, []byte(body)); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
							t.Fatal(err)
						}
						sent++
					}
				}
				_ = conn.Flush() // the server may have ended the connection long before: the sender is put out for less
				until(t, "all is handled, or the sender is out", func() bool {
					return c.server.keepsOut(me.Key()) || c.Status().Faults["reply subject that is not its own"] >= int64(sent)
				})
				for {
					select {
					case m := <-heard:
						if m.Subject != subject { // the spy also receives the request itself
							t.Errorf("%s has got %q", m.Subject, m.Data)
						}
						continue
					case <-time.After(100 * time.Millisecond):
					}
					break
				}
				c.pardon(me.Key())
			})
		}
	}
}

// keepsOut reports whether a key was put out: a little after its party was found in quarantine.
func (s *Server) keepsOut(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.banned, key)
}

// pardon makes the coordinator forget a party, so that the next case of a test starts afresh.
func (c *Coordinator) pardon(key string) {
	c.members.mu.Lock()
	delete(c.members.members, key)
	clear(c.members.faults)
	c.members.mu.Unlock()
	c.server.mu.Lock()
	c.server.banned = nil
	c.server.mu.Unlock()
	c.server.reload()
}
