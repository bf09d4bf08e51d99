package cluster

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
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
