package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/filelock"
	"quintune/internal/store"
)

func TestQuietRunSaysNothingOnTheWay(t *testing.T) {
	inFolder(t)
	_, log, status := tune(t, quick("run", "--budget", "100games", "--no-gate", "--quiet")...)
	if status != config.ExitDone || log != "" {
		t.Errorf("status %d: %s", status, log)
	}
}

func TestWrongUsage(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "--budget", "0games"}, "budget"},
		{[]string{"run", "--budget", "soon"}, "soon"},
		{[]string{"run", "--budget", "50games"}, "50 games, not in [100"},
		{[]string{"run", "--nodes", "0"}, "nodes"},
		{[]string{"run", "--nodes", "1000000000001"}, "nodes is 1000000000001, not in [1, 1000000000000]"},
		{[]string{"run", "--first-nodes", "2000", "--nodes", "1000"}, "begins with 2000 nodes a move, outside [0, 1000]"},
		{[]string{"run", "--first-nodes", "-1"}, "first-nodes"},
		{[]string{"run", "--first-nodes", "250", "--optimizer", "fit"}, "stages are not for optimizer fit"},
		{[]string{"run", "--only", "line,lines"}, `"lines" is not one of [line cell`},
		{[]string{"run", "--only", "line,line"}, "twice"},
		// The check comes before openings are made, which takes minutes on a board without embedded ones.
		{[]string{"run", "--size", "17", "--only", "lines"}, `"lines" is not one of [line cell`},
		{[]string{"run", "--optimizer", "fit", "--in-flight", "2"}, "with optimizer fit each needs the results"},
		{[]string{"run", "--freeze", "line.open_fuor.self"}, `did you mean "line.open_four.self"?`},
		{[]string{"run", "--optimizer", "magic"}, "magic"},
		{[]string{"run", "--optimizer", "fit", "--only", "search"}, "a fit learns no weight of the group search"},
		{[]string{"run", "--warm-start", ".5", "--only", "search"}, "a fit learns no weight of the group search"},
		{[]string{"run", "--optimizer", "fit", "--warm-start", ".2"}, "a fit cannot be its own warm start"},
		{[]string{"run", "--only", "black_line"}, "counts under renju alone"},
		{[]string{"run", "--only", "cell", "--freeze", "line.five.self"}, "none of the"},
		{[]string{"run", "extra"}, "extra"},
		{[]string{"run", "--out", "absent/weights.json"}, "absent"},
		{[]string{"run", "--out", "."}, "folder"},
		{[]string{"match", "huang"}, "2 arg"},
		{quick("match", "huang", "flat", "--pairs", "401"), "401 pairs need as many openings, but there are only 400"},
		{quick("match", "huang", "flat", "--time", "1ms"), "nodes and time"},
		{[]string{"frobnicate"}, "frobnicate"},
		{[]string{"validate", "huang"}, "--against"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("tune %q: status %d: %s", test.args, status, log)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--name", "taken", "--quiet")...)
	done(t, quick("run", "--budget", "100games", "--name", "kept", "--quiet")...)
	lock, err := filelock.Take(filepath.Join("runs", "taken", "lock")) // another process plays the run
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"resume", "taken"}, "run taken is being played by another process"},
		{[]string{"run", "--start", "absent.json"}, "absent.json"},
		{[]string{"run", "--openings", "absent.txt"}, "absent.txt"},
		{quick("run", "--budget", "100games", "--name", "taken"), "run taken is being played by another process"},
		{quick("run", "--budget", "100games", "--name", "kept"), "tune resume kept"},
		{[]string{"match", "huang", "absent.json"}, "absent.json"},
		{[]string{"match", "huang", "engine:absent.yaml"}, "absent.yaml"},
		{[]string{"ladder", "huang", "absent.json"}, "absent.json"},
		{[]string{"validate", "absent.json"}, "absent.json"},
		{[]string{"run", "--anchor", "absent.json"}, "absent.json"},
		{[]string{"run", "--against", "engine:absent.yaml"}, "absent.yaml"},
		{[]string{"resume", "absent"}, "no run absent"},
		{[]string{"resume", "--runs", "nowhere"}, "nowhere"},
		{[]string{"export", "nobody"}, "nobody"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != config.ExitFailed || !strings.Contains(log, test.want) {
				t.Errorf("tune %q: status %d: %s", test.args, status, log)
			}
		})
	}
}

// Measuring the speed takes seconds, which are lost when the run cannot be stored.
func TestNameAndFolderAreCheckedFirst(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--name", "kept", "--quiet")...)
	if err := os.MkdirAll("folder/"+store.FileName, 0o755); err != nil {
		t.Fatal(err)
	}
	type refusal struct {
		args []string
		want string
	}
	tests := []refusal{
		{quick("run", "--budget", "10s", "--name", "kept"), "choose another --name"},
		{[]string{"resume", "kept", "--fork", "--budget", "10s", "--name", "kept"}, "choose another --name"},
		{quick("run", "--budget", "10s", "--runs", "openings.txt"), "openings.txt"},
		{quick("run", "--budget", "10s", "--runs", "folder"), "folder"},
	}
	if runtime.GOOS == "linux" { // where not even root can make a file
		tests = append(tests, refusal{quick("run", "--budget", "10s", "--runs", "/sys/runs/mine"), "cannot be written"})
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != config.ExitFailed || !strings.Contains(log, test.want) || strings.Contains(log, "measuring the speed") {
				t.Errorf("tune %q: status %d: %s", test.args, status, log)
			}
		})
	}
	if _, log, status := tune(t, quick("run", "--budget", "10s", "--only", "nothing", "--runs", "fresh")...); status != config.ExitUsage {
		t.Errorf("status %d: %s", status, log)
	}
	if _, err := os.Stat("fresh"); err == nil {
		t.Error("a folder of runs for a command that was wrong")
	}
}

func TestBadWeightsAreRefusedAndNothingIsOverwritten(t *testing.T) {
	inFolder(t)
	good := done(t, "export", "huang")
	replace := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	const key = `"line.open_four.self": `
	value := good[strings.Index(good, key)+len(key):]
	value = value[:strings.Index(value, ",")]
	for _, test := range []struct{ name, text, want string }{
		{"truncated", good[:len(good)/2], "end"},
		{"missing", replace(key+value+",\n", ""), "line.open_four.self"},
		{"unknown", replace(key, `"line.open_five.self": `), "line.open_five.self"},
		{"duplicate", replace(key, `"line.four.self": `), "line.four.self"},
		{"wrong case", replace(key, `"line.Open_four.self": `), "Open_four"},
		{"no number", replace(key+value, key+"NaN"), ""},
		{"huge", replace(key+value, key+"99999"), "outside [0, 20000]"},
		{"negative", replace(key+value, key+"-5"), "outside [0, 20000]"},
		{"unknown rule", replace(`"rule": "freestyle"`, `"rule": "chess"`), "chess"},
		{"format", replace("quintune.weights/1", "quintune.weights/9"), "quintune.weights/9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile("bad.json", []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("weights.json", []byte(good), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{quick("run", "--budget", "100games", "--start", "bad.json"), quick("match", "bad.json", "huang")} {
				_, log, status := tune(t, args...)
				if status != config.ExitFailed || !strings.Contains(log, test.want) || !strings.Contains(log, "bad.json") {
					t.Errorf("%s: tune %s: status %d: %s", test.name, args[0], status, log)
				}
			}
			if string(read(t, "weights.json")) != good {
				t.Errorf("%s: the weights were overwritten", test.name)
			}
		})
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a run was begun")
	}
}

func TestHelpShowsAnExampleOfEveryCommand(t *testing.T) {
	for _, c := range newRoot().Commands() {
		var out bytes.Buffer
		if err := execute(context.Background(), []string{c.Name(), "--help"}, strings.NewReader(""), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "Examples:") {
			t.Errorf("tune %s --help has no example", c.Name())
		}
	}
}
