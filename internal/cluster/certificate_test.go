package cluster

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestServerWithoutAValidCertificateIsNotStarted(t *testing.T) {
	f := folder(t)
	if err := f.RenewServer(nil, -time.Minute); err != nil {
		t.Fatal(err)
	}
	expired, err := f.ServerExpires()
	if err != nil || time.Until(expired) > 0 {
		t.Fatalf("expires %v, %v", expired, err)
	}
	start := func(said *sayings) error {
		s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: said.logger()})
		if err == nil {
			err = s.Close()
		}
		return err
	}
	for _, want := range []string{f.file(serverFile) + " expired on " + expired.Format(time.DateOnly), "init --renew --cluster-dir " + f.path} {
		if err := start(&sayings{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for life, warns := range map[time.Duration]bool{time.Hour: true, 2 * expirySoon: false} {
		said := &sayings{}
		if err := f.RenewServer(nil, life); err != nil {
			t.Fatal(err)
		}
		if err := start(said); err != nil || strings.Contains(said.String(), "expires soon") != warns {
			t.Errorf("valid for %v: error %v, said %q", life, err, said)
		}
	}
}

// A server may run for longer than its certificate is valid: it warns while it runs, too.
func TestRunningServerWarnsOfItsCertificate(t *testing.T) {
	f, said := folder(t), &sayings{}
	if err := f.RenewServer(nil, 2*expirySoon); err != nil {
		t.Fatal(err)
	}
	s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: said.logger()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.stopped.Go(func() { s.watch(s.listed(), 10*time.Millisecond) })
	for life, want := range map[time.Duration]string{time.Hour: "expires soon", -time.Minute: "expired on"} {
		if strings.Contains(said.String(), want) {
			t.Errorf("it says %q beforehand", want)
		}
		if err := f.RenewServer(nil, life); err != nil {
			t.Fatal(err)
		}
		until(t, want, func() bool { return strings.Contains(said.String(), want) })
	}
}

// A server that runs takes the new certificate. Without hosts it keeps those that it has.
func TestServersCertificateIsIssuedAnew(t *testing.T) {
	f, said := folder(t), &sayings{}
	s, err := StartServer(ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: said.logger()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	own := creds(t, f, "w1")
	shown := func() []string {
		conn, _ := party(t, s.URL(), own)
		defer conn.Close()
		state, err := conn.TLSConnectionState()
		if err != nil {
			t.Fatal(err)
		}
		return hostsOf(state.PeerCertificates[0])
	}
	// Nothing connects before: in nats-server a reload and a connection under way race.
	read := func(times int) {
		until(t, "the folder is read again", func() bool { return strings.Count(said.String(), "parties read again") == times })
	}
	had := []string{"host.example", "10.1.2.3"}
	if got := shown(); !slices.Equal(got, had) {
		t.Fatalf("it has the hosts %q, want %q", got, had)
	}
	if err := f.RenewServer([]string{"other.example"}, time.Hour); err != nil {
		t.Fatal(err)
	}
	read(1)
	if got := shown(); !slices.Equal(got, []string{"other.example"}) {
		t.Errorf("the certificate of %q is served", got)
	}
	if err := f.RenewServer(nil, -time.Minute); err != nil {
		t.Fatal(err)
	}
	if own, err := f.server(); err != nil || !slices.Equal(hostsOf(own), []string{"other.example"}) {
		t.Errorf("without hosts it has %v, %v", own, err)
	}
	read(2)
	l := link{url: s.URL(), creds: own, id: own.Key(), log: logger(t)}
	conn, err := l.connect(func(error) {})
	if err == nil {
		conn.Close()
		t.Fatal("a certificate that has expired is accepted")
	}
	if !strings.Contains(err.Error(), "the server's certificate is refused: ") || !strings.Contains(err.Error(), "expired") {
		t.Error(err)
	}
	if err := f.RenewServer([]string{"host:1"}, time.Hour); err == nil {
		t.Error("a wrong host is accepted")
	}
}

// A certificate may expire while its worker plays. The connection goes on; where it is cut, the worker's log has the reason why it is
// not back, be it the server's certificate or the worker's own.
func TestCertificateThatExpiresMeanwhile(t *testing.T) {
	const life = 5 * time.Second // in which the worker connects
	for _, test := range []struct {
		name, says string
		expires    func(*Folder) error // makes the server's certificate that expires
	}{
		{"the worker's", "remote error: tls: expired certificate", func(*Folder) error { return nil }},
		{"the server's", "certificate has expired", func(f *Folder) error { return f.RenewServer(nil, life) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f, said := folder(t), &sayings{}
			if err := errors.Join(test.expires(f), f.Add("short", RoleWorker, life)); err != nil {
				t.Fatal(err)
			}
			config := ServerConfig{Addr: "127.0.0.1:0", Folder: f, Log: logger(t)}
			s, err := StartServer(config)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			me := creds(t, f, "short")
			hire(t, WorkerConfig{URL: s.URL(), Creds: me, Log: said.logger()})
			until(t, "it is connected", func() bool { return s.inner.NumClients() == 1 })
			time.Sleep(time.Until(me.certificate.Leaf.NotAfter) + time.Second) // the server's expires no later
			list, err := s.inner.Connz(nil)
			if err != nil || len(list.Conns) != 1 {
				t.Fatalf("%+v, error %v: the connection does not go on", list, err)
			}
			if err := s.inner.DisconnectClientByID(list.Conns[0].Cid); err != nil {
				t.Fatal(err)
			}
			until(t, "the reason", func() bool { return strings.Contains(said.String(), test.says) })
		})
	}
}
