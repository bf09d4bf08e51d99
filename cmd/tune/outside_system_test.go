//go:build system && linux

package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quintune/internal/config"
)

// inBrainFolder makes the test run in a folder with the compiled small engine and its engine files.
func inBrainFolder(t *testing.T) {
	t.Helper()
	brain := brainFolder(t)
	inFolder(t)
	copyFolder(t, brain)
}

func copyFolder(t *testing.T, from string) {
	t.Helper()
	if err := os.CopyFS(".", os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// engineRun returns the arguments of a short run of the small engine.
func engineRun(file string, more ...string) []string {
	return append([]string{
		"run", "--engine", file, "--budget", "400games", "--size", "9", "--nodes", "500", "--openings", "openings.txt", "--seed", "3", "--quiet", "--json",
	}, more...)
}

// replaceIn replaces a text in a file.
func replaceIn(t *testing.T, path, old, now string) {
	t.Helper()
	data := read(t, path)
	if !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%s does not hold %q", path, old)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte(old), []byte(now), 1), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Every way of passing values to the engine gives the same values at the end of a run.
func TestRunTunesAnEngineInEveryWay(t *testing.T) {
	inBrainFolder(t)
	var first any
	for name, form := range map[string]string{
		"params.yaml": "best.info", "argument.yaml": "best.arguments", "environment.yaml": "best.env", "template.yaml": "best.toml",
	} {
		t.Run(name, func(t *testing.T) {
			folder := strings.TrimSuffix(name, ".yaml")
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			result := object(t, done(t, engineRun(name, "--no-gate", "--out", filepath.Join(folder, "best.json"))...))
			if result["reproducible"] != true {
				t.Error("equal values were not found to give equal games")
			}
			values, held := result["values"].(map[string]any)
			if !held || len(values) != 6 {
				t.Fatalf("values %v", result["values"])
			}
			if first == nil {
				first = values
			}
			if !sameObject(values, first.(map[string]any)) {
				t.Errorf("values %v, and %v in another way", values, first)
			}
			stored := object(t, strings.ReplaceAll(string(read(t, filepath.Join(folder, "best.json"))), "\n", " "))
			if !sameObject(stored["values"].(map[string]any), values) || stored["provenance"] == nil {
				t.Errorf("--out holds %v", stored)
			}
			if result["form"] != filepath.Join(folder, form) {
				t.Errorf("the engine's own form is in %v", result["form"])
			}
			if len(read(t, filepath.Join(folder, form))) == 0 {
				t.Errorf("%s is empty, want the values in the engine's own form", form)
			}
		})
	}
}

func sameObject(a, b map[string]any) bool {
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return len(a) == len(b)
}

// The games of an engine that plays otherwise in each process cannot be repeated, and the run tells so.
func TestNoisyEnginesAreNotReproducible(t *testing.T) {
	inBrainFolder(t)
	if err := os.WriteFile("noisy", []byte("#!/bin/sh\nexec ./brain --reach=1.$$\n"), 0o700); err != nil { //nolint:gosec // it has to run
		t.Fatal(err)
	}
	replaceIn(t, "environment.yaml", "./brain", "./noisy")
	result := object(t, done(t, engineRun("environment.yaml", "--no-gate", "--out", "best.json")...))
	if result["reproducible"] != false {
		t.Error("the run is said to be reproducible")
	}
	const why = "not reproducible: equal values were not found to give equal games"
	if text := done(t, "show", "--quiet"); !strings.Contains(text, why) {
		t.Errorf("the run is shown as %s", text)
	}
}

// A command that is named for a run of an engine names its engine file.
func TestResumeIsNamedWithTheEngineFile(t *testing.T) {
	inBrainFolder(t)
	done(t, engineRun("params.yaml", "--no-gate", "--name", "r")...)
	path, err := filepath.Abs("params.yaml")
	if err != nil {
		t.Fatal(err)
	}
	engine := " --engine " + path + "`"
	_, log, _ := tune(t, "resume")
	_, taken, _ := tune(t, engineRun("params.yaml", "--name", "r")...)
	for _, test := range []struct{ text, want string }{
		{log, "`tune resume r --budget MORE" + engine},
		{taken, "`tune resume r --budget MORE" + engine},
		{done(t, "export", "r", "-o", "c.json"), "`tune resume c.json" + engine},
	} {
		if !strings.Contains(test.text, test.want) {
			t.Errorf("no %q in %s", test.want, test.text)
		}
	}
}

// A candidate that crashes loses its games, and the run goes on.
func TestCrashingCandidatesLose(t *testing.T) {
	inBrainFolder(t)
	script := "#!/bin/sh\nfor a in \"$@\"; do case $a in --attack=2[3-9]|--attack=[3-9][0-9]*|--attack=1[0-9][0-9]*) exit 3;; esac; done\nexec ./brain \"$@\"\n"
	if err := os.WriteFile("fragile", []byte(script), 0o700); err != nil { //nolint:gosec // it must be executable
		t.Fatal(err)
	}
	replaceIn(t, "argument.yaml", "./brain", "./fragile")
	result := object(t, done(t, engineRun("argument.yaml", "--out", "best.json")...))
	if attack := result["values"].(map[string]any)["attack"].(float64); attack > 22 {
		t.Errorf("attack %v, with which the engine crashes", attack)
	}
	faults, _ := result["faults"].([]any)
	if !slices.ContainsFunc(faults, func(f any) bool { return f.(map[string]any)["player"] == "candidates" }) || result["void"] != 0.0 {
		t.Errorf("faults %v, %v void pairs", faults, result["void"])
	}
}

func TestAnEngineThatDoesNotStartFailsAtOnce(t *testing.T) {
	inBrainFolder(t)
	replaceIn(t, "argument.yaml", "./brain", "sh -c 'echo sick >&2; exit 4'")
	if _, log, status := tune(t, engineRun("argument.yaml")...); status != config.ExitFailed || !strings.Contains(log, "sick") {
		t.Errorf("status %d: %s", status, log)
	}
}

// brains returns the processes of the small engine in the working directory.
func brains(t *testing.T) []string {
	t.Helper()
	want, err := filepath.Abs("brain")
	if err != nil {
		t.Fatal(err)
	}
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(links, func(link string) bool {
		path, err := os.Readlink(link)
		return err != nil || path != want
	})
}

// TestKilledRunOfAnEngine kills runs (-9). No process of the engine stays, and the resumed run ends with the
// same bytes.
func TestKilledRunOfAnEngine(t *testing.T) {
	brain := brainFolder(t)
	p := built(t)
	copyFolder(t, brain)
	p.start(engineRun("params.yaml", "--name", "whole", "--out", "whole.json")...).done()
	if _, log, status := tune(t, "export", "whole", "--format", "go"); status != config.ExitUsage || !strings.Contains(log, "go is for weights") {
		t.Errorf("values as Go: status %d: %s", status, log)
	}
	want := read(t, filepath.Join("runs", "whole", "candidate.json"))

	command := engineRun("params.yaml", "--name", "killed", "--trace", "killed.trace")
	for _, pairs := range []int{20, 120} {
		running := p.start(command...)
		if !running.until(func() bool { return lines("killed.trace") > pairs }) {
			t.Fatalf("it ended before: %s", running.log.String())
		}
		if err := running.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		running.status()
		for end := time.Now().Add(10 * time.Second); len(brains(t)) > 0; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("processes are left: %v", brains(t))
			}
		}
		command = []string{"resume", "killed", "--engine", "params.yaml", "--trace", "killed.trace", "--quiet", "--json"}
	}
	if _, log, status := tune(t, "resume", "killed"); status != config.ExitUsage || !strings.Contains(log, "--engine") {
		t.Errorf("without its engine file: status %d: %s", status, log)
	}
	replaceIn(t, "params.yaml", "max: 320", "max: 300")
	if _, log, status := tune(t, "resume", "killed", "--engine", "params.yaml"); status == config.ExitDone || !strings.Contains(log, "attack was") {
		t.Errorf("with another bound: status %d: %s", status, log)
	}
	replaceIn(t, "params.yaml", "max: 300", "max: 320")
	p.start(command...).done()
	checkBytes(t, filepath.Join("runs", "killed", "candidate.json"), want)
	if left := brains(t); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

// Workers that have the engine play its runs, with the same bytes; a worker without it is refused.
func TestWorkersPlayRunsOfTheirEngine(t *testing.T) {
	brain := brainFolder(t)
	p := built(t)
	copyFolder(t, brain)
	p.start(engineRun("params.yaml", "--name", "here", "--out", "here.json")...).done()

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	running := p.start(engineRun("params.yaml", "--name", "there", "--out", "there.json", "--listen-cluster", address, "--workers", "0")...)
	for _, without := range [][]string{nil, {"--engine", "argument.yaml"}} {
		worker := p.start(append([]string{"worker", "--nats", "nats://" + address}, without...)...)
		if status := worker.status(); status != config.ExitFailed || !strings.Contains(worker.log.String(), "this run needs") {
			t.Errorf("%v: status %d: %s", without, status, worker.log.String())
		}
	}
	worker := p.start("worker", "--nats", "nats://"+address, "--engine", "params.yaml", "--jobs", "2")
	running.done()
	if err := worker.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	worker.status()
	checkBytes(t, filepath.Join("runs", "there", "candidate.json"), read(t, filepath.Join("runs", "here", "candidate.json")))
}
