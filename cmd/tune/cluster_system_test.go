//go:build system && linux

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"quintune/internal/bench"
	"quintune/internal/cluster"
	"quintune/internal/config"
)

// cutTime is the time for which TestCluster cuts links.
var cutTime = flag.Duration("cut", 30*time.Second, "how long TestCluster cuts links")

// site is a network with a cluster: the coordinator on the hub, and a worker on each of two hosts.
type site struct {
	*lab
	tune   string // program
	budget string // of the runs
	flight string // generations in flight
	runs   int
}

// clusterRun returns the arguments of a run with enough pairs for disturbances while it is played.
func clusterRun(name, budget string) []string {
	return []string{
		"run", "--name", name, "--out", name + ".json", "--budget", budget, "--size", "9", "--nodes", "300",
		"--openings", "openings.txt", "--no-gate", "--seed", "5", "--json",
	}
}

// TestCluster plays the same run on three hosts of a network of its own, undisturbed and under every
// disturbance. It compares weights and games with those of one process with one worker.
func TestCluster(t *testing.T) {
	p := built(t)
	s := &site{lab: newLab(t, 2), tune: p.path, budget: "500games"}
	p.start("cluster", "init", "--hosts", hubAddress(1)+","+hubAddress(2), "--machines", "one,two").done()
	for _, budget := range []string{s.budget, shortBudget} {
		p.start(append(clusterRun("alone"+budget, budget), "--workers", "1")...).done()
	}
	for _, test := range []struct {
		name string
		run  func(*site, *testing.T)
	}{
		{"undisturbed", (*site).undisturbed},
		{"worker killed", (*site).workerKilled},
		{"worker frozen", (*site).workerFrozen},
		{"links cut", (*site).linksCut},
		{"server restarted", (*site).serverRestarted},
		{"coordinator killed", (*site).coordinatorKilled},
		{"strangers", (*site).strangers},
		{"quarantine", (*site).forgedResultsQuarantined},
		{"generations in flight", (*site).inFlight},
		{"rough links", (*site).roughLinks},
	} {
		t.Run(test.name, func(t *testing.T) {
			began := time.Now()
			s.t = t
			test.run(s, t)
			t.Logf("%.1f s", time.Since(began).Seconds())
		})
	}
}

// shortBudget is the budget of runs on links with a great delay.
const shortBudget = "160games"

// on starts a program on a host.
func (s *site) on(t *testing.T, host int, path string, args ...string) *process {
	t.Helper()
	return program{t, path}.startWith(func(c *exec.Cmd) {
		inside := s.command(host, path, args...)
		c.Path, c.Args, c.Err = inside.Path, inside.Args, inside.Err
	}, args...)
}

// worker starts a worker on a host.
func (s *site) worker(t *testing.T, host int) *process {
	t.Helper()
	return s.on(t, host, s.tune, s.workerArguments(host, []string{"", "one", "two"}[host])...)
}

// faultyWorker starts a worker with false results on a host.
func (s *site) faultyWorker(t *testing.T, host int, name, fault string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program{t, self}.startWith(func(c *exec.Cmd) {
		inside := s.command(host, self, s.workerArguments(host, name)...)
		c.Path, c.Args = inside.Path, inside.Args
		c.Env = append(os.Environ(), fault)
	})
}

func (s *site) workerArguments(host int, name string) []string {
	return []string{
		"worker", "--nats", "tls://" + hubAddress(host) + ":4222", "--jobs", "1",
		"--creds", filepath.Join("cluster", name+".creds"), "--name", name,
	}
}

// hub starts a run on the hub, which the workers join. It returns the run's name.
func (s *site) hub(t *testing.T, more ...string) (*process, string) {
	t.Helper()
	s.runs++
	name := fmt.Sprintf("run%d", s.runs)
	args := append(clusterRun(name, s.budget), "--in-flight", cmp.Or(s.flight, "1"), "--workers", "0", "--listen-cluster", "0.0.0.0:4222", "--cluster-dir", "cluster", "--task-time", "300ms", "--task-deadline", "5s")
	return s.on(t, 0, s.tune, append(args, more...)...), name
}

// status requests the cluster's status; nil while there is no answer.
func (s *site) status() *cluster.Status {
	out, err := s.command(0, s.tune, "cluster", "status", "--json", "--quiet", "--nats", "tls://127.0.0.1:4222", "--creds", "cluster/observer.creds").Output()
	var status cluster.Status
	if err != nil || json.Unmarshal(bytes.TrimSpace(out), &status) != nil {
		return nil
	}
	return &status
}

// when waits until the status meets a condition. The run must not end before.
func (s *site) when(t *testing.T, run *process, what string, holds func(*cluster.Status) bool) {
	t.Helper()
	fulfilled := run.until(func() bool {
		time.Sleep(100 * time.Millisecond) // each look starts a program
		status := s.status()
		return status != nil && holds(status)
	})
	if !fulfilled {
		t.Fatalf("the run was over before: %s\n%s", what, run.log.String())
	}
}

// underWay waits until both workers have played.
func (s *site) underWay(t *testing.T, run *process) {
	t.Helper()
	s.when(t, run, "both workers play", func(status *cluster.Status) bool {
		workers, _ := status.Working()
		return workers == 2 && status.Pairs >= 20
	})
}

// same checks that a run gave the bytes of the one without a cluster: the same weights, and every game once.
func (s *site) same(t *testing.T, run *process, name string) {
	t.Helper()
	if status := run.status(); status != config.ExitDone {
		t.Fatalf("status %d: %s", status, run.log.String())
	}
	if got, want := read(t, name+".json"), read(t, "alone"+s.flight+s.budget+".json"); !bytes.Equal(got, want) {
		t.Errorf("other weights: %s\nwant %s", got, want)
	}
	games := func(name string) string {
		out, err := exec.Command(s.tune, "export", name, "--games", "jsonl").Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	got, want := games(name), games("alone"+s.flight+s.budget)
	if got != want {
		t.Errorf("other games: %d lines, want %d", strings.Count(got, "\n"), strings.Count(want, "\n"))
	}
	if played := fmt.Sprintf("%dgames", strings.Count(want, "\n")); len(played) < len(s.budget) || played < s.budget {
		t.Errorf("%s were exported of %s", played, s.budget)
	}
}

// leave interrupts workers and waits for their end.
func leave(t *testing.T, workers ...*process) {
	t.Helper()
	for _, w := range workers {
		if err := w.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range workers {
		w.done()
	}
}

func (s *site) undisturbed(t *testing.T) {
	run, name := s.hub(t)
	one, two := s.worker(t, 1), s.worker(t, 2)
	s.underWay(t, run)
	s.same(t, run, name)
	leave(t, one, two)
	if !secret.Match(read(t, "cluster/one.creds")) {
		t.Error("no secret in what a worker proves itself with: the logs cannot be judged")
	}
	for _, p := range []*process{run, one, two} {
		for line := range strings.Lines(p.log.String()) {
			if secret.MatchString(line) {
				t.Errorf("a log may hold a secret: %s", line)
			}
		}
	}
}

// secret matches the seed of an nkey (its kind, then 56 letters and digits of base 32; public keys begin
// differently) and the titles of files that hold keys.
var secret = regexp.MustCompile(`\bS[ACNOUX][A-Z2-7]{56}\b|NKEY SEED|PRIVATE`)

func (s *site) workerKilled(t *testing.T) {
	run, name := s.hub(t)
	one, two := s.worker(t, 1), s.worker(t, 2)
	s.underWay(t, run)
	kill(t, one)
	s.same(t, run, name)
	leave(t, two)
}

func kill(t *testing.T, p *process) {
	t.Helper()
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-p.ended
}

// The tasks of a frozen worker are played by the other one. When the worker continues, its late results are
// ignored.
func (s *site) workerFrozen(t *testing.T) {
	run, name := s.hub(t)
	one, two := s.worker(t, 1), s.worker(t, 2)
	s.underWay(t, run)
	if err := one.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s.when(t, run, "a task of the frozen worker is given to the other", func(status *cluster.Status) bool {
		return status.Reissued > 0 // a fast run ends before the worker counts as lost
	})
	if err := one.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	s.same(t, run, name)
	leave(t, one, two)
}

// Both links are cut for a while: the run waits and then goes on.
func (s *site) linksCut(t *testing.T) {
	run, name := s.hub(t)
	one, two := s.worker(t, 1), s.worker(t, 2)
	s.underWay(t, run)
	s.cut(1, true)
	s.cut(2, true)
	down := time.Now()
	s.when(t, run, "both workers are lost", func(status *cluster.Status) bool {
		workers, _ := status.Working()
		return workers == 0 && time.Since(down) > *cutTime
	})
	s.cut(1, false)
	s.cut(2, false)
	s.same(t, run, name)
	leave(t, one, two)
}

// serve starts a server on the hub that outlives the runs.
func (s *site) serve(t *testing.T) *process {
	t.Helper()
	return s.on(t, 0, s.tune, "cluster", "serve", "--listen-cluster", "0.0.0.0:4222")
}

// guest starts a run that uses this server.
func (s *site) guest(t *testing.T, args ...string) *process {
	t.Helper()
	return s.on(t, 0, s.tune, append(args, "--workers", "0", "--nats", "tls://127.0.0.1:4222", "--creds", "cluster/coordinator.creds", "--task-time", "300ms")...)
}

// ready waits until the server answers.
func (s *site) ready(t *testing.T, server *process) {
	t.Helper()
	server.until(func() bool {
		out, _ := s.command(0, s.tune, "cluster", "status", "--quiet", "--nats", "tls://127.0.0.1:4222", "--creds", "cluster/observer.creds").CombinedOutput()
		return strings.Contains(string(out), "no run uses the cluster")
	})
}

// visit starts a separate server, a run that uses it, and both workers, and waits until they play.
func (s *site) visit(t *testing.T) (server, run *process, name string, workers []*process) {
	t.Helper()
	server = s.serve(t)
	s.ready(t, server)
	s.runs++
	name = fmt.Sprintf("run%d", s.runs)
	run = s.guest(t, clusterRun(name, s.budget)...)
	workers = []*process{s.worker(t, 1), s.worker(t, 2)}
	s.underWay(t, run)
	return server, run, name, workers
}

func (s *site) serverRestarted(t *testing.T) {
	server, run, name, workers := s.visit(t)
	kill(t, server)
	server = s.serve(t)
	s.same(t, run, name)
	leave(t, workers...)
	leave(t, server)
}

func (s *site) coordinatorKilled(t *testing.T) {
	server, run, name, workers := s.visit(t)
	kill(t, run)
	run = s.guest(t, "resume", name, "--json")
	s.same(t, run, name)
	leave(t, workers...)
	leave(t, server)
}

// refused checks that a worker ends with an error and that its log contains the reasons.
func refused(t *testing.T, worker *process, reasons ...string) {
	t.Helper()
	if status := worker.status(); status != config.ExitFailed {
		t.Errorf("%v ended with status %d: %s", worker.Args, status, worker.log.String())
	}
	for _, reason := range reasons {
		if !strings.Contains(worker.log.String(), reason) {
			t.Errorf("%v does not name %q: %s", worker.Args, reason, worker.log.String())
		}
	}
}

// These workers must be refused: one with another engine, with a key or a certificate of another cluster, with
// an expired certificate, with a revoked key.
func (s *site) strangers(t *testing.T) {
	tune := func(args ...string) { program{t, s.tune}.start(args...).done() }
	tune("cluster", "init", "--cluster-dir", "elsewhere", "--machines", "one")
	tune("cluster", "add", "brief", "--valid", "1s")
	tune("cluster", "add", "gone", "old")
	tune("cluster", "revoke", "gone")
	time.Sleep(2 * time.Second) // so that short-lived certificates expire
	run, name := s.hub(t)
	s.when(t, run, "the server is there", func(*cluster.Status) bool { return true })
	old := s.faultyWorker(t, 1, "old", "FAULT_ENGINE=1-00000000")
	refused(t, old, "1-00000000", bench.Signature())
	refused(t, s.on(t, 1, s.tune, s.workerArguments(1, "brief")...), "expired")
	refused(t, s.on(t, 1, s.tune, s.workerArguments(1, "gone")...), "Authorization Violation")
	foreign := s.workerArguments(1, "one")
	for i := range foreign {
		foreign[i] = strings.Replace(foreign[i], "cluster/", "elsewhere/", 1)
	}
	refused(t, s.on(t, 1, s.tune, foreign...), "certificate")
	foreignKey(t, "elsewhere/one.creds", "cluster/one.creds", "elsewhere/mixed.creds")
	for i := range foreign {
		foreign[i] = strings.Replace(foreign[i], "one.creds", "mixed.creds", 1)
	}
	refused(t, s.on(t, 1, s.tune, foreign...), "Authorization Violation")
	one := s.worker(t, 1)
	s.same(t, run, name)
	leave(t, one)
	for _, want := range []string{"worker refused", "1-00000000", "expired", "authentication error", "bad certificate"} {
		if !strings.Contains(run.log.String(), want) {
			t.Errorf("the run's log does not name %q: %s", want, run.log.String())
		}
	}
}

// foreignKey writes credentials that combine the key of one file with the certificates of another.
func foreignKey(t *testing.T, key, certificates, to string) {
	t.Helper()
	const seed = "-----BEGIN NKEY SEED-----"
	_, own, _ := strings.Cut(string(read(t, key)), seed)
	certified, _, _ := strings.Cut(string(read(t, certificates)), seed)
	if err := os.WriteFile(to, []byte(certified+seed+own), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A worker that begins to send false results during a run is detected by an audit and quarantined. If a false
// result was accepted, the run goes back to the state before the first one.
func (s *site) forgedResultsQuarantined(t *testing.T) {
	run, name := s.hub(t, "--audit", "0.3")
	one := s.worker(t, 1)
	faulty := s.faultyWorker(t, 2, "two", "FAULT_FROM=20")
	s.same(t, run, name)
	refused(t, faulty, "digest")
	leave(t, one)
	wanted := []string{"worker quarantined: forged results", "two ("}
	// When two workers disagree, the log first names the one whose result was accepted. If that is the dishonest one,
	// batches were closed with its results; if its false result came in an audit, none were.
	if regexp.MustCompile(`two workers disagree.*workers="?\[two `).MatchString(run.log.String()) {
		wanted = append(wanted, "the run goes back")
	}
	for _, want := range wanted {
		if !strings.Contains(run.log.String(), want) {
			t.Errorf("the run's log does not name %q: %s", want, run.log.String())
		}
	}
}

// With three generations in flight a worker and then the coordinator are killed. The run still equals that of
// one process.
func (s *site) inFlight(t *testing.T) {
	s.flight = "3"
	defer func() { s.flight = "" }()
	program{t, s.tune}.start(append(clusterRun("alone"+s.flight+s.budget, s.budget), "--workers", "1", "--in-flight", s.flight)...).done()
	server := s.serve(t)
	s.ready(t, server)
	s.runs++
	name := fmt.Sprintf("run%d", s.runs)
	run := s.guest(t, append(clusterRun(name, s.budget), "--in-flight", s.flight)...)
	one, two := s.worker(t, 1), s.worker(t, 2)
	s.underWay(t, run)
	kill(t, one)
	kill(t, run)
	one = s.worker(t, 1)
	run = s.guest(t, "resume", name, "--json")
	s.same(t, run, name)
	for line := range strings.Lines(run.log.String()) {
		if strings.Contains(line, "share_of_jobs_time_in_games") {
			t.Log(line)
		}
	}
	leave(t, one, two, server)
}

func (s *site) roughLinks(t *testing.T) {
	s.roughen(1)
	s.roughen(2)
	s.budget = shortBudget
	run, name := s.hub(t)
	one, two := s.worker(t, 1), s.worker(t, 2)
	s.underWay(t, run)
	s.same(t, run, name)
	leave(t, one, two)
}
