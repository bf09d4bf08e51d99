package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"quintune/internal/filelock"
)

// sayings records log lines for tests.
type sayings struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *sayings) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sayings) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *sayings) logger() *slog.Logger { return slog.New(slog.NewTextHandler(s, nil)) }

// until waits until the condition holds.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for ctx := patient(t); !holds(); pause(ctx, 5*time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatalf("in vain: %s", what)
		}
	}
}

// folder returns a new cluster folder with the workers w1 and w2.
func folder(t testing.TB) *Folder {
	t.Helper()
	f, err := InitFolder(filepath.Join(t.TempDir(), "cluster"), []string{"10.1.2.3", "host.example"}, []string{"w1", "w2"}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func creds(t testing.TB, f *Folder, name string) *Creds {
	t.Helper()
	c, err := LoadCreds(f.CredsFile(name))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hire starts a worker that ends with the test. The returned function waits for its end and returns the error.
func hire(t testing.TB, config WorkerConfig) (leave func() error) {
	t.Helper()
	if config.Log == nil {
		config.Log = logger(t)
	}
	if config.Jobs == 0 {
		config.Jobs = 1
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- newWorker(&config).work(ctx, link{url: config.URL, creds: config.Creds}) }()
	var once sync.Once
	var err error
	leave = func() error {
		once.Do(func() {
			cancel()
			err = <-ended
		})
		return err
	}
	t.Cleanup(func() { _ = leave() })
	return leave
}

// end runs a worker that is expected to end by itself, and returns its error.
func end(t testing.TB, config WorkerConfig) error {
	t.Helper()
	if config.Log == nil {
		config.Log = logger(t)
	}
	config.Jobs = 1
	_, err := Work(patient(t), config)
	return err
}

func TestFilesAreForTheOwnerAlone(t *testing.T) {
	f := folder(t)
	_, err := InitFolder(f.path, nil, nil, time.Hour)
	wanted(t, err, "holds a cluster already", "`tune cluster add NAME --cluster-dir ", "`tune cluster init --renew --cluster-dir ", "another --cluster-dir")
	files, err := os.ReadDir(f.path)
	if err != nil || len(files) != 11 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", file.Name(), info.Mode())
		}
		data, err := os.ReadFile(f.file(file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if secret := strings.Contains(string(data), "PRIVATE KEY") || strings.Contains(string(data), pemSeed); secret !=
			(strings.HasSuffix(file.Name(), "-key.pem") || strings.HasSuffix(file.Name(), credsEnding)) {
			t.Errorf("%s holds a secret: %v", file.Name(), secret)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(f.CredsFile("w1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadCreds(f.CredsFile("w1")); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("credentials that everybody can read: %v", err)
	}
}

// A wrong name of a worker leaves no half of a cluster, in whose folder no other can be made.
func TestWrongNamesMakeNoCluster(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cluster")
	for _, names := range [][]string{{"big", "Small"}, {"big", " small"}, {"big", "big"}, {"big", ObserverName}, {""}} {
		if _, err := InitFolder(path, nil, names, time.Hour); err == nil {
			t.Errorf("workers %q are accepted", names)
		}
	}
	if _, err := InitFolder(path, nil, []string{"big", "small"}, time.Hour); err != nil {
		t.Errorf("after refused names: %v", err)
	}
}

// A certificate for an address with a scheme or a port, or for half of a list, fits no worker.
func TestHostsThatNoWorkerReachesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cluster")
	for _, host := range []string{"host.example:4222", "10.0.0.1:4222", "tls://host.example", "", " host.example", "host example", "10.0.0.256", "[::1]", "host.", "a..b", "-a"} {
		if _, err := InitFolder(path, []string{"host.example", host}, nil, time.Hour); err == nil || !strings.Contains(err.Error(), strconv.Quote(host)) {
			t.Errorf("host %q: %v", host, err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a folder for refused hosts")
	}
	if _, err := InitFolder(path, []string{"node_3", "3-node", "host-1.example", "*.example", "10.0.0.25", "fe80::1", "HOST"}, nil, time.Hour); err != nil {
		t.Error(err)
	}
}

// A file that is in the way leaves no half of a cluster, which no command accepts.
func TestNoHalfOfACluster(t *testing.T) {
	for _, name := range []string{serverFile, partiesFile, confFile, "big" + credsEnding} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir()
			if err := os.WriteFile(filepath.Join(path, name), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := InitFolder(path, nil, []string{"big"}, time.Hour); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%v", err)
			}
			if files, err := os.ReadDir(path); err != nil || len(files) != 1 {
				t.Errorf("the folder holds %v, %v", files, err)
			}
		})
	}
	path := t.TempDir()
	if err := os.Mkdir(filepath.Join(path, partiesFile+".new"), 0o700); err != nil { // cannot be replaced
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, partiesFile+".new", "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := InitFolder(path, nil, []string{"big"}, time.Hour); err == nil {
		t.Error("a list that cannot be written")
	}
	if files, err := os.ReadDir(path); err != nil || len(files) != 1 {
		t.Errorf("after a failure the folder holds %v, %v", files, err)
	}
}

// Of several processes that make a cluster in one folder at a time, one does, and the others leave its files alone.
func TestOneMakesTheCluster(t *testing.T) {
	for range 5 {
		path := t.TempDir()
		failed := make(chan error, 2)
		for range cap(failed) {
			go func() {
				_, err := InitFolder(path, nil, []string{"big"}, time.Hour)
				failed <- err
			}()
		}
		if a, b := <-failed, <-failed; (a == nil) == (b == nil) {
			t.Fatalf("they ended with %v and %v", a, b)
		}
		f, err := OpenFolder(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := LoadCreds(f.CredsFile("big")); err != nil {
			t.Error(err)
		}
	}
}

// A list of parties that cannot be read stays as it is, for the keys in it are the only ones that the server accepts.
func TestDamagedListOfParties(t *testing.T) {
	f := folder(t)
	damaged := []byte("{")
	if err := os.WriteFile(f.file(partiesFile), damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Add("w3", RoleWorker, time.Hour); err == nil || !strings.Contains(err.Error(), partiesFile) {
		t.Errorf("a party is added: %v", err)
	}
	if data, err := os.ReadFile(f.file(partiesFile)); err != nil || string(data) != string(damaged) {
		t.Errorf("the list is now %q, %v", data, err)
	}
}

// A list that no version has written could let a party do what its role does not allow.
func TestWrongListsOfPartiesAreRefused(t *testing.T) {
	f := folder(t)
	list, err := f.Parties()
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(f.file(partiesFile))
	if err != nil {
		t.Fatal(err)
	}
	w1, w2 := list[2], list[3]
	for _, test := range []struct{ what, old, put, want string }{
		{"a role", `"role": "worker"`, `"role": "workez"`, `party 3: the role of w1 is "workez"`},
		{"a name", `"name": "w2"`, `"name": "w2\n#"`, `the name "w2\n#"`},
		{"a name that is taken", `"name": "w2"`, `"name": "w1"`, "party 4: there is a party w1 already"},
		{"a damaged key", w1.Key[:9], "UAAAAAAAA", "party 3: the key of w1"},
		{"a key that is taken", w2.Key, w1.Key, "party 4: the key of w2 is that of another party"},
	} {
		t.Run(test.what, func(t *testing.T) {
			changed := strings.Replace(string(good), test.old, test.put, 1)
			if err := os.WriteFile(f.file(partiesFile), []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := OpenFolder(f.path)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), partiesFile) || strings.Count(err.Error(), "cluster: ") > 1 {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

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

// A worker that could not be added can be added later. A file that a kill has left says what to do.
func TestAWorkerHalfAdded(t *testing.T) {
	f := folder(t)
	for _, file := range []string{partiesFile, confFile} {
		t.Run(file, func(t *testing.T) {
			blocked := f.file(file + ".new")
			if err := os.MkdirAll(filepath.Join(blocked, "x"), 0o700); err != nil { // cannot be replaced
				t.Fatal(err)
			}
			name := file + ".worker"
			if err := f.Add(name, RoleWorker, time.Hour); err == nil {
				t.Error("added without a change of the list")
			}
			if err := os.RemoveAll(blocked); err != nil {
				t.Fatal(err)
			}
			if err := f.Add(name, RoleWorker, time.Hour); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
	left := f.CredsFile("left")
	if err := os.WriteFile(left, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Add("left", RoleWorker, time.Hour); err == nil || !strings.Contains(err.Error(), left+" is there: delete it") {
		t.Errorf("a file that is left: %v", err)
	}
	if data, err := os.ReadFile(left); err != nil || string(data) != "x" {
		t.Errorf("it holds %q now, %v", data, err)
	}
}

// While another process changes the list of parties, a change here is refused: the later of two would undo the first.
func TestListOfPartiesChangesOneAtATime(t *testing.T) {
	f := folder(t)
	other, err := os.Open(f.file(lockFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := filelock.Hold(other); err != nil {
		t.Fatal(err)
	}
	before, err := f.Parties()
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"added": f.Add("w3", RoleWorker, time.Hour), "revoked": f.Revoke("w1")} {
		if !errors.Is(err, filelock.ErrHeld) {
			t.Errorf("a party is %s: %v", what, err)
		}
	}
	if now, err := f.Parties(); err != nil || !slices.Equal(now, before) {
		t.Errorf("the list is now %v, %v", now, err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Add("w3", RoleWorker, time.Hour), f.Revoke("w1")); err != nil {
		t.Error(err)
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

func TestRevokedKey(t *testing.T) {
	f := folder(t)
	c := open(t, Config{Listen: "127.0.0.1:0", Folder: f, Creds: creds(t, f, CoordinatorName)})
	ended := make(chan error, 1)
	go func() { ended <- end(t, WorkerConfig{URL: c.Address(), Creds: creds(t, f, "w1")}) }()
	if _, err := c.Ready(patient(t)); err != nil {
		t.Fatal(err)
	}
	if err := f.Revoke("w1"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, ErrRefused) {
		t.Errorf("a revoked worker ended with %v", err)
	}
}

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
	if err := f.Revoke("w1"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, ErrRefused) {
		t.Errorf("a revoked worker ended with %v", err)
	}
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

// party connects with the credentials as a bare client, and returns what the server refuses to it.
func party(t *testing.T, url string, c *Creds) (*nats.Conn, <-chan error) {
	t.Helper()
	denied := make(chan error, 1000)
	conn, err := nats.Connect(url, nats.Nkey(c.Key(), c.sign), nats.Secure(c.clientTLS()), nats.CustomInboxPrefix(inboxPrefix+c.Key()),
		nats.NoReconnect(), nats.SkipSubjectValidation(), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn, denied
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
