package cluster

import (
	"crypto/tls"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A server does not tell why it refuses a key.
func TestACoordinatorThatIsNotAdmittedIsTold(t *testing.T) {
	f := folder(t)
	open := func(creds *Creds) error {
		_, err := Open(patient(t), Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds, Log: logger(t)})
		return err
	}
	for _, other := range []*Creds{creds(t, folder(t), CoordinatorName), creds(t, f, "w1")} {
		if err := open(other); err == nil || !strings.Contains(err.Error(), other.Key()+" is not in "+f.file(partiesFile)) {
			t.Errorf("another key: %v", err)
		}
	}
	if err := f.Revoke(CoordinatorName); err != nil {
		t.Fatal(err)
	}
	if err := open(creds(t, f, CoordinatorName)); err == nil || !strings.Contains(err.Error(), "revoked") {
		t.Errorf("revoked: %v", err)
	}
}

func TestCredentialsThatAreNone(t *testing.T) {
	for name, data := range map[string]string{"empty": "", "text": "hello", "half": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := LoadCreds(path); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if _, err := LoadCreds("absent.creds"); err == nil {
		t.Error("a file that is not there")
	}
}

// A nats-server with the sample configuration admits the same parties with the same permissions as our own
// server.
func TestSampleConfiguration(t *testing.T) {
	f := folder(t)
	if err := f.Add("w3", RoleWorker, time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := f.Revoke("w1"); err != nil {
		t.Fatal(err)
	}
	ours, err := (&Server{config: ServerConfig{Addr: "127.0.0.1:0", Folder: f}}).options()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(f.path)
	theirs, err := server.ProcessConfigFile(confFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(theirs.Nkeys) != len(ours.Nkeys) || len(ours.Nkeys) != 4 {
		t.Fatalf("%d and %d users", len(theirs.Nkeys), len(ours.Nkeys))
	}
	for i, want := range ours.Nkeys {
		got := theirs.Nkeys[i]
		if got.Nkey != want.Nkey || strings.Join(got.Permissions.Publish.Allow, " ") != strings.Join(want.Permissions.Publish.Allow, " ") ||
			strings.Join(got.Permissions.Subscribe.Allow, " ") != strings.Join(want.Permissions.Subscribe.Allow, " ") {
			t.Errorf("user %d: %+v, want %+v", i, got, want)
		}
	}
	if theirs.TLSConfig.ClientAuth != tls.RequireAndVerifyClientCert || theirs.TLSConfig.MinVersion != leastTLS || theirs.JetStream ||
		theirs.NoHeaderSupport != ours.NoHeaderSupport || theirs.MaxPayload != mostPayload || theirs.MaxPending != mostPending || theirs.MaxSubs != mostSubscriptions || theirs.PingInterval != pingEvery {
		t.Errorf("limits or TLS of the sample configuration differ: %+v", theirs.TLSConfig)
	}
}

func TestOnlyLoopbackWithoutCredentials(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":4222", "10.1.2.3:4222"} {
		t.Run(addr, func(t *testing.T) {
			_, err := Open(patient(t), Config{Listen: addr, Log: logger(t)})
			if err == nil || !strings.Contains(err.Error(), "credentials") {
				t.Errorf("listening on %s: %v", addr, err)
			}
		})
	}
	for _, url := range []string{"nats://10.1.2.3:4222", "tls://host.example", "nats://127.0.0.1:4222,nats://host.example:4222"} {
		t.Run(url, func(t *testing.T) {
			if err := end(t, WorkerConfig{URL: url}); err == nil || !strings.Contains(err.Error(), "credentials") {
				t.Errorf("a worker for %s: %v", url, err)
			}
			if _, err := Open(patient(t), Config{URL: url, Log: logger(t)}); err == nil || !strings.Contains(err.Error(), "credentials") {
				t.Errorf("a coordinator for %s: %v", url, err)
			}
		})
	}
	for _, url := range []string{"nats://me:secret@host:1", "me:secret@127.0.0.1:1", "1:secret@host:1"} {
		if got := ShownURL(url); strings.Contains(got, "secret") {
			t.Errorf("a password is shown: %s", got)
		}
	}
}

func TestWorkersWithCredentials(t *testing.T) {
	f := folder(t)
	said := &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName), Log: said.logger()})
	hire(t, WorkerConfig{URL: c.Address(), Creds: creds(t, f, "w1"), Name: "one", Version: "v1"})
	leave := hire(t, WorkerConfig{URL: c.Address(), Creds: creds(t, f, "w2"), Name: "two", Jobs: 2})
	batch := testBatch(t, 60)
	want := byPool(t, batch) // before, since a speed is that of the last half minute
	untilAsked(t, c, 2)
	got, err := c.Run(patient(t), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "both workers are known", func() bool { return c.Workers() == 3 })
	until(t, "a worker reports its speed, games and version", func() bool {
		s := c.Status()
		one := s.Workers[0]
		return one.Name == "one" && one.Version == "v1" && one.Speed > 0 && one.Busy > 0 && one.Games > 0 && one.Games == 2*one.Pairs
	})
	same(t, got, want)
	if err := leave(); err != nil {
		t.Error(err)
	}
	until(t, "the leaving worker is gone", func() bool { return c.Workers() == 1 })
	t.Log(said.String())
	if s := c.Status(); s.Disputes != 0 || len(s.Refused) != 0 || s.Faults["quarantine"] != 0 || s.Audits == 0 {
		t.Errorf("%+v", s)
	}
}

func TestWrongKeyAndExpiredCertificate(t *testing.T) {
	f, stranger := folder(t), folder(t)
	said := &sayings{}
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName), Log: said.logger()})
	if err := f.Add("late", RoleWorker, -time.Minute); err != nil {
		t.Fatal(err)
	}
	foreign := creds(t, stranger, "w1")
	foreign.certificate, foreign.authority = creds(t, f, "w1").certificate, creds(t, f, "w1").authority
	tests := []struct {
		name  string
		creds *Creds
		says  string
	}{
		{"a key of another cluster", foreign, "authentication error"},
		{"an expired certificate", creds(t, f, "late"), "expired"},
		{"a certificate of another cluster", creds(t, stranger, "w1"), "certificate"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := end(t, WorkerConfig{URL: c.Address(), Creds: test.creds}); !errors.Is(err, ErrRefused) {
				t.Errorf("got %v, want a refusal", err)
			}
			until(t, test.says, func() bool { return strings.Contains(said.String(), test.says) })
		})
	}
	if strings.Contains(said.String(), string(foreign.seed)) {
		t.Error("a secret in the log")
	}
}
