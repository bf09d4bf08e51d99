package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"quintune/board"
	"quintune/internal/cluster"
	"quintune/internal/cluster/faultinjecttest"
	"quintune/internal/config"
	"quintune/internal/store"
	"quintune/internal/tuner"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights/weightstest"
)

// A worker that forges results while the speed is measured does not end the command: the speed is measured again without it.
func TestForgedResultsInAMeasurement(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	timing := cluster.Timing{Task: 50 * time.Millisecond, Heartbeat: time.Second, Slack: time.Hour} // on a busy machine, too, a lie is found by an audit
	c, err := cluster.Open(ctx, cluster.Config{Listen: "127.0.0.1:0", Jobs: 1, Log: log, Timing: timing})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	worker := make(chan error, 1)
	go func() {
		_, err := cluster.Work(ctx, cluster.WorkerConfig{URL: c.Address(), Name: "liar", Jobs: 1, Log: log, Player: faultinjecttest.FlipFrom(1)})
		worker <- err
	}()
	for c.Workers() < 2 && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	batch := &selfplay.Batch{
		Contestants: []selfplay.Contestant{{Weights: weightstest.Preset(t, "huang")}, {Weights: weightstest.Preset(t, "zhang")}},
		Rule:        pattern.Freestyle, Size: 9, Nodes: 30,
	}
	for i := range 40 {
		batch.Pairings = append(batch.Pairings, selfplay.Pairing{A: i % 2, B: (i + 1) % 2, Opening: []board.Cell{board.At(i%9, i/9)}})
	}
	times := 0
	speed := func(ctx context.Context, _ time.Duration, _ *tuner.Config, runner selfplay.Runner, _ int) (int, error) {
		times++
		for range 30 {
			if _, err := runner.Run(ctx, batch, nil); err != nil {
				return 0, fmt.Errorf("measuring: %w", err)
			}
			if times > 1 {
				break
			}
		}
		return 1234, nil
	}
	n, err := games(ctx, config.Budget{Time: time.Hour}, nil, &executor{cluster: c}, log, speed)
	if n != 1234 || err != nil || times != 2 {
		t.Errorf("%d games after measuring %d times, error %v; want 1234 after 2", n, times, err)
	}
	if err := <-worker; err == nil || !strings.Contains(err.Error(), "digest") {
		t.Errorf("the worker ended with error %v, want its quarantine", err)
	}
}

// A run on a cluster whose only worker is in the process gives the bytes of a run without a cluster. Only the
// cluster makes audits.
func TestRunThroughAQueueGivesTheSameBytes(t *testing.T) {
	for _, inFlight := range []string{"0", "3"} {
		t.Run(inFlight+" in flight", func(t *testing.T) { throughAQueue(t, inFlight) })
	}
}

func throughAQueue(t *testing.T, inFlight string) {
	inFolder(t)
	arguments := quick("run", "--budget", "100games", "--seed", "7", "--no-gate", "--workers", "2", "--in-flight", inFlight)
	alone := done(t, append(arguments, "--name", "alone", "--out", "alone.json", "--json")...)
	queue, log, status := tune(t, append(arguments, "--name", "queue", "--out", "queue.json", "--json", "--listen-cluster", "127.0.0.1:0",
		"--task-time", "50ms", "--audit", "1", "--trace", "trace")...)
	if !strings.Contains(log, "trace: the workers of a cluster write none") {
		t.Errorf("nothing tells that the trace stays empty: %s", log)
	}
	if status != config.ExitDone {
		t.Fatalf("status %d: %s", status, log)
	}
	if audited := regexp.MustCompile(`audited=(\d+)`).FindStringSubmatch(log); audited == nil || audited[1] != "50" {
		t.Errorf("the cluster has audited other pairs than all 50: %s", log)
	}
	if share := regexp.MustCompile(`share_of_jobs_time_in_games=(\d\.\d+)`).FindStringSubmatch(log); share == nil || share[1] == "0.000" {
		t.Errorf("the share of time in games is %v: %s", share, log)
	}
	if object(t, alone)["audited"] == 0.0 || object(t, queue)["audited"] != 0.0 {
		t.Errorf("who audits: alone %s, on a cluster %s", alone, queue)
	}
	checkBytes(t, "queue.json", read(t, "alone.json"))
	if text, told := done(t, "show", "queue"), inFlight != "0"; strings.Contains(text, inFlight+" generations in flight") != told || (object(t, done(t, "show", "queue", "--json"))["in_flight"] != nil) != told {
		t.Errorf("%s generations in flight are shown as %s", inFlight, text)
	}
	for _, name := range []string{"queue", "alone"} {
		done(t, "export", name, "--games", "jsonl", "-o", name+".jsonl")
	}
	checkBytes(t, "queue.jsonl", read(t, "alone.jsonl"))
}

// The next command of an interrupted run on a cluster goes on there. A password in the address is not shown.
func TestAnInterruptedRunGoesOnOnItsCluster(t *testing.T) {
	inFolder(t)
	s, err := cluster.StartServer(cluster.ServerConfig{Addr: "127.0.0.1:0", Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	t.Setenv("QUINTUNE_AUDIT", "0.5")
	address := strings.TrimPrefix(s.URL(), "nats://")
	for _, test := range []struct {
		name string
		typed,
		want []string
	}{
		{"inside", []string{"--listen-cluster", "127.0.0.1:0", "--workers", "2", "--task-time", "50ms"}, []string{"--workers 2", "--listen-cluster 127.0.0.1:0", "--task-time 50ms"}},
		{"beside", []string{"--nats", "nats://me:secret@" + address}, []string{"--nats nats://me:xxxxx@" + address}},
		{"alone", []string{"--workers", "2"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var out bytes.Buffer
			args := append(quick("run", "--budget", "2000games", "--name", test.name, "--out", test.name+".json"), test.typed...)
			err := execute(ctx, args, strings.NewReader(""), &out, &watcher{"msg=evolution", 1, cancel})
			want := "`" + strings.Join(append([]string{"tune resume " + test.name}, test.want...), " ") + "`"
			if config.Exit(err) != config.ExitInterrupted || !strings.Contains(err.Error(), want) || !strings.Contains(out.String(), "Next: "+want) {
				t.Errorf("no %q in %v, or in\n%s", want, err, out.String())
			}
		})
	}
}

// A run that leaves its cluster while results of a quarantined worker are unchecked says that it believes them.
func TestALeftClusterLeavesResultsUnchecked(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--name", "r", "--no-gate", "--workers", "1", "--listen-cluster", "127.0.0.1:0", "--audit", "0")...)
	const warning = "pairs of quarantined workers are believed unchecked"
	if _, log, status := tune(t, "resume", "r", "--budget", "200games"); status != config.ExitDone || strings.Contains(log, warning) {
		t.Errorf("nobody is in quarantine: status %d, %s", status, log)
	}
	db, err := sql.Open("sqlite", filepath.Join("runs", store.FileName))
	if err == nil {
		_, err = db.Exec("INSERT INTO quarantined SELECT DISTINCT run, author, 'one', 'a test', '2026-01-02T03:04:05Z' FROM authors")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if _, log, status := tune(t, "resume", "r", "--budget", "300games"); status != config.ExitDone || !strings.Contains(log, warning) {
		t.Errorf("status %d, %s", status, log)
	}
}

func TestWrongUsageOfAClusterIsRefused(t *testing.T) {
	inFolder(t)
	done(t, "cluster", "init", "--cluster-dir", "own")
	tests := []struct {
		args []string
		want string
	}{
		{quick("run", "--workers", "0"), "nobody would play"},
		{quick("run", "--nats", "nats://127.0.0.1:1", "--listen-cluster", "127.0.0.1:0"), "both given"},
		{quick("run", "--listen-cluster", "0.0.0.0:4222"), "credentials"},
		{quick("run", "--nats", "tls://10.0.0.1:4222"), "credentials"},
		{quick("run", "--nats", "127.0.0.1"), "not an address"},
		{quick("run", "--listen-cluster", "127.0.0.1"), "missing port"},
		{quick("run", "--listen-cluster", "0.0.0.0:70000", "--cluster-dir", "own"), "the port of 0.0.0.0:70000"},
		{[]string{"cluster", "serve", "--listen-cluster", "0.0.0.0:-1", "--cluster-dir", "own"}, "the port of 0.0.0.0:-1"},
		{quick("run", "--nats", "nats://127.0.0.1:1", "--cluster-dir", "cluster"), "cluster-dir"},
		{quick("run", "--listen-cluster", "127.0.0.1:0", "--creds", "x.creds"), "creds"},
		{[]string{"worker", "--nats", "tls://10.0.0.1:4222"}, "credentials"},
		{[]string{"worker", "--jobs", "0"}, "jobs"},
		{[]string{"cluster", "init", "--hosts", "host.example:4222"}, "without scheme and port"},
		{[]string{"cluster", "init", "--cluster-dir", ""}, "cluster-dir is empty"},
		{[]string{"cluster", "init", "--machines", "a,a"}, "a party a already"},
		{[]string{"cluster", "init", "--machines", "coordinator"}, "a party coordinator already"},
		{[]string{"cluster", "init", "--machines", "a, b"}, `the name " b"`},
		{[]string{"cluster", "init", "--renew", "--machines", "a"}, "tune cluster add"},
		{[]string{"cluster", "init", "--renew", "--hosts", "a b"}, `the host "a b"`},
		{[]string{"cluster", "add", "good", "Bad Name"}, `the name "Bad Name"`},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("tune %q: status %d, %s", test.args, status, log)
			}
		})
	}
	for _, test := range []struct{ name, settings, want string }{
		{"alone", "workers: 0\n  creds: absent.creds\n  cluster-dir: absent", "nobody would play"},
		{"with a server", "listen-cluster: 0.0.0.0:4222\n  creds: absent.creds", "credentials"},
		{"on a server", "nats: tls://10.0.0.1:4222\n  cluster-dir: absent", "credentials"},
	} {
		t.Run("settings of other commands, a run "+test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile(config.DefaultFile, []byte("tune:\n  "+test.settings+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, log, status := tune(t, quick("run")...); status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("status %d, %s", status, log)
			}
		})
	}
	for _, args := range [][]string{
		{"worker", "--creds", "absent.creds"},
		quick("run", "--nats", "nats://127.0.0.1:1", "--creds", "absent.creds"),
		{"cluster", "add", "x"},
		{"cluster", "init", "--renew"},
		{"cluster", "revoke", "x"},
		{"cluster", "serve"},
		quick("run", "--listen-cluster", "0.0.0.0:0", "--cluster-dir", "absent"),
		{"cluster", "status", "--nats", "nats://127.0.0.1:1"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			if _, log, status := tune(t, args...); status != config.ExitFailed {
				t.Errorf("tune %q: status %d, %s", args, status, log)
			}
		})
	}
}

// An address without a scheme, or an empty one, is shown as it was typed, and is wrong usage wherever it is given.
func TestUnreadableAddresses(t *testing.T) {
	for _, args := range [][]string{{"worker", "--nats", "127.0.0.1:4222"}, {"worker", "--nats", ""}, {"cluster", "status", "--nats", "127.0.0.1:4222"}, {"run", "--nats", "127.0.0.1:4222"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			_, log, status := tune(t, args...)
			if want := fmt.Sprintf("%q is not an address such as nats://", args[len(args)-1]); status != config.ExitUsage || !strings.Contains(log, want) {
				t.Errorf("status %d, %s, want %s", status, log, want)
			}
		})
	}
}

// A worker and a server are ended by a signal. With --json they print an object as every command does.
func TestWorkersAndServersPrintJSON(t *testing.T) {
	inFolder(t)
	done(t, "cluster", "init")
	for _, test := range []struct{ args, word, key string }{
		{"cluster serve --listen-cluster 127.0.0.1:0", "msg=serving", "address"},
		{"worker --nats nats://127.0.0.1:1", "cannot be reached", "pairs"},
	} {
		t.Run(test.key, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var out bytes.Buffer
			err := execute(ctx, append(strings.Fields(test.args), "--json"), strings.NewReader(""), &out, &watcher{test.word, 1, cancel})
			if config.Exit(err) != config.ExitDone || strings.Count(out.String(), "\n") != 1 {
				t.Fatalf("error %v, output %q, want one line", err, out.String())
			}
			if o := object(t, out.String()); o[test.key] == nil {
				t.Errorf("%s holds no %s", out.String(), test.key)
			}
		})
	}
}

func TestTheStoreOfAnOlderVersionIsHidden(t *testing.T) {
	inFolder(t)
	done(t, "cluster", "init")
	if help := done(t, "cluster", "serve", "--help"); strings.Contains(help, "--store") {
		t.Errorf("%s", help)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var log bytes.Buffer
	err := execute(ctx, []string{"cluster", "serve", "--listen-cluster", "127.0.0.1:0", "--store", "store"}, strings.NewReader(""), &bytes.Buffer{},
		io.MultiWriter(&log, &watcher{"msg=serving", 1, cancel}))
	if config.Exit(err) != config.ExitDone || !strings.Contains(log.String(), storeUnused) {
		t.Errorf("error %v: %s", err, log.String())
	}
}

func TestPartiesOfACluster(t *testing.T) {
	t.Chdir(t.TempDir())
	done(t, "cluster", "init", "--hosts", "host.example,10.0.0.1", "--machines", "big,small")
	done(t, "cluster", "add", "third")
	o := object(t, done(t, "cluster", "revoke", "small", "--json"))
	before := o["server_expires"].(string)
	if o = object(t, done(t, "cluster", "init", "--renew", "--valid", "80000h", "--json")); o["server_expires"].(string) <= before {
		t.Errorf("the server's certificate expires on %v, was %s", o["server_expires"], before)
	}
	parties := o["parties"].([]any)
	if len(parties) != 5 {
		t.Fatalf("%d parties: %v", len(parties), parties)
	}
	for _, p := range parties {
		party := p.(map[string]any)
		if revoked := party["revoked"] == true; revoked != (party["name"] == "small") {
			t.Errorf("%v", party)
		}
		listed := strings.Contains(string(read(t, "cluster/nats-server.conf")), party["key"].(string))
		if listed == (party["name"] == "small") {
			t.Errorf("%v is in the configuration: %v", party["name"], listed)
		}
	}
}

// The files under deploy/ name only variables and flags that exist.
func TestDeployedSettingsExist(t *testing.T) {
	files, err := filepath.Glob("../../deploy/*")
	if err != nil || len(files) < 5 {
		t.Fatalf("%v: %v", files, err)
	}
	known := map[string]string{"QUINTUNE_NATS": "tls://127.0.0.1:1", "QUINTUNE_CREDS": "x.creds", "QUINTUNE_JOBS": "2"}
	for _, file := range files {
		data := read(t, file)
		if filepath.Ext(file) == ".yaml" {
			decoder := yaml.NewDecoder(bytes.NewReader(data))
			for documents := 0; ; documents++ {
				var document map[string]any
				if err := decoder.Decode(&document); err != nil {
					if documents == 0 || !errors.Is(err, io.EOF) {
						t.Errorf("%s: document %d: %v", file, documents, err)
					}
					break
				}
			}
		}
		for _, name := range regexp.MustCompile(`QUINTUNE_[A-Z_]+`).FindAllString(string(data), -1) {
			if known[name] == "" {
				t.Errorf("%s: what is %s?", file, name)
			}
		}
		for _, flag := range regexp.MustCompile(`(?m)tune (?:worker|run|cluster init)[^#\n]* --[a-z-]+`).FindAllString(string(data), -1) {
			words := strings.Fields(flag)
			command := words[1 : len(words)-1]
			if out := done(t, append(plain(command), "--help")...); !strings.Contains(out, words[len(words)-1]) {
				t.Errorf("%s: %s", file, flag)
			}
		}
	}
	for name, value := range known {
		t.Setenv(name, value)
	}
	t.Chdir(t.TempDir())
	if _, log, status := tune(t, "worker"); status != config.ExitFailed || !strings.Contains(log, "x.creds") {
		t.Errorf("with all variables: status %d, %s", status, log)
	}
}

// plain returns the words of a command before its flags.
func plain(words []string) []string {
	for i, w := range words {
		if strings.HasPrefix(w, "-") {
			return words[:i]
		}
	}
	return words
}
