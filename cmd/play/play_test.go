package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// play runs a command line in an empty working directory unless the test has changed to one.
func play(t *testing.T, in string, args ...string) (out, log string, status int) {
	t.Helper()
	return playIn(t, context.Background(), strings.NewReader(in), args...)
}

func playIn(t *testing.T, ctx context.Context, in io.Reader, args ...string) (out, log string, status int) {
	t.Helper()
	var o, l bytes.Buffer
	err := run(ctx, args, in, &o, &l)
	for _, text := range []string{o.String(), l.String()} {
		if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' }); i >= 0 {
			t.Errorf("play %v writes the control character %q", args, text[i])
		}
	}
	return o.String(), l.String(), config.Exit(err)
}

// writeFile writes a file in the working directory.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// saveWeights saves the preset under another name in a file of the working directory.
func saveWeights(t *testing.T, preset, name, file string) {
	t.Helper()
	set, err := weights.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	set.Name = name
	weightstest.Save(t, file, set)
}

func TestArguments(t *testing.T) {
	tests := []struct{ argv, want []string }{
		{[]string{"/usr/bin/play", "bench"}, []string{"bench"}},
		{[]string{"play"}, nil},
		{nil, nil},
		{[]string{"./pbrain-quintune64"}, []string{"gomocup"}},
		{[]string{"PBRAIN-Quintune.exe", "--quiet"}, []string{"gomocup", "--quiet"}},
		{[]string{"my-pbrain-x"}, nil},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.argv, " "), func(t *testing.T) {
			if got := arguments(test.argv); !slices.Equal(got, test.want) {
				t.Errorf("%q: %q, want %q", test.argv, got, test.want)
			}
		})
	}
}

func TestEveryCommandHasAnExample(t *testing.T) {
	for _, cmd := range append(newRoot().Commands(), newRoot()) {
		if cmd.Example == "" || cmd.Short == "" {
			t.Errorf("%s has no example or no description", cmd.CommandPath())
		}
		checkExamples(t, cmd)
	}
}

// checkExamples parses the flags of the examples that begin with the command itself.
func checkExamples(t *testing.T, cmd *cobra.Command) {
	for line := range strings.Lines(cmd.Example) {
		words := strings.Fields(line)
		if words[0] != "play" {
			continue
		}
		found, rest, err := newRoot().Find(words[1:])
		if err == nil {
			err = found.ParseFlags(rest)
		}
		if err != nil {
			t.Errorf("%s: example %q: %v", cmd.CommandPath(), line, err)
		}
	}
}

func TestWrongUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "over.txt", "a1a2b1b2c1c2d1d2e1")
	writeFile(t, "two.sgf", "(;GM[4]SZ[15]RU[0];B[hh])(;GM[4])")
	writeFile(t, "bad.psq", "Piskvorky 15x15, 11:11, 0\n16,1,0\n")
	tests := []struct {
		args   string
		status int
		want   []string
	}{
		{"analyse", 2, []string{`"analyse"`}},
		{"analyze --moves h8 --sizes 15", 2, []string{"--sizes"}},
		{"analyze --size 99", 2, []string{"size is 99", "[5, 22]"}},
		{"analyze --multipv 33", 2, []string{"multipv", "[1, 32]"}},
		{"analyze --moves h8 --multipv 2 --solve vcf", 2, []string{"--multipv", "--solve"}},
		{"web --time 10m", 2, []string{"time is 10m0s, not in [1ms, 5m]"}},
		{"web --nodes 1000000001", 2, []string{"nodes is 1000000001, not in [0, 1000000000]"}},
		{"analyze --format sgf --solve vcf", 2, []string{"sgf", "--solve"}},
		{"analyze over.txt --format sgf --json", 2, []string{"sgf", "--json"}},
		{"analyze --game 1", 2, []string{"--game"}},
		{"analyze over.txt --game 2", 2, []string{"--game is 2", "[1, 1]"}},
		{"analyze two.sgf", 2, []string{"2 games", "--game"}},
		{"analyze two.sgf --game 1 --size 20", 2, []string{"15, not 20"}},
		{"analyze two.sgf --game 1 --rule standard", 2, []string{"freestyle, not standard"}},
		{"analyze bad.psq", 1, []string{"bad.psq", "psq", "line 2", "x is 16", "[1, 15]"}},
		{"analyze --rule caro", 2, []string{"caro", "renju"}},
		{"analyze over.txt --moves h8", 2, []string{"exclude"}},
		{"analyze over.txt more.txt", 2, nil},
		{"analyze over.txt --position", 1, []string{"black wins"}},
		{"analyze absent.txt", 1, []string{"absent.txt"}},
		{"analyze --moves h8h8", 2, []string{"move 2", "h8", "occupied"}},
		{"analyze --moves a20 --size 15", 2, []string{"a20", "outside"}},
		{"analyze --moves 8h", 2, []string{"8h"}},
		{"analyze --weights absent.json", 1, []string{"absent.json"}},
		{"analyze --moves h8 --weights nobody", 2, []string{"nobody", "huang"}},
		{"analyze over.txt --weights nobody", 2, []string{"nobody", "huang"}},
		{"bench --weights nobody", 2, []string{"nobody", "huang"}},
		{"web --weights nobody", 2, []string{"nobody", "huang"}},
		{"--weights baseline:zhang", 2, []string{"baseline:zhang", "huang"}},
		{"bench --depth 1000", 2, []string{"depth is 1000", "[0, 100]"}},
		{"gomocup --engine nobody", 2, []string{"nobody", "huang"}},
		{"gomocup --engine gomocup:./x", 2, []string{"itself"}},
		{"gomocup --engine huang --weights x.json", 2, []string{"exclude"}},
		{"gomocup --engine absent.json", 1, []string{"absent.json"}},
		{"--against absent.json", 1, []string{"absent.json"}},
		{"--against nobody", 2, []string{"nobody", "huang"}},
		{"--against baseline:plain", 2, []string{"plain", "zhang"}},
		{"--color red", 2, []string{"black, white"}},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			out, log, status := play(t, "", strings.Fields(test.args)...)
			if status != test.status || out != "" {
				t.Errorf("%s: status %d, want %d; stdout %q, stderr %q", test.args, status, test.status, out, log)
			}
			for _, part := range test.want {
				if !strings.Contains(log, part) {
					t.Errorf("%s: %q does not name %q", test.args, log, part)
				}
			}
		})
	}
}

// What is typed, or stands in a record, goes before a setting of the file that excludes it.
func TestTypedGoesBeforeTheFile(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "game.sgf", "(;GM[4]SZ[15]RU[0];B[hh])")
	saveWeights(t, "zhang", "mine", "mine.json")
	writeFile(t, config.DefaultFile, "play:\n  size: 20\n  rule: renju\n  level: 3\n  engine: baseline:zhang\n  nodes: 20\n")
	for _, test := range []struct {
		name, in string
		args     []string
	}{
		{"record", "", []string{"analyze", "game.sgf"}},
		{"weights", "START 15\nEND\n", []string{"gomocup", "--weights", "mine.json"}},
		{"opponent", "h8\n", []string{"--against", "baseline:random"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, log, status := play(t, test.in, test.args...); status != 0 {
				t.Errorf("%v: status %d, %s", test.args, status, log)
			}
		})
	}
	t.Run("engine", func(t *testing.T) {
		t.Setenv("QUINTUNE_WEIGHTS", "absent.json")
		if out, log, status := play(t, "START 15\nEND\n", "gomocup", "--engine", "huang"); status != 0 || !strings.Contains(out, "OK") {
			t.Errorf("status %d, %q, %s", status, out, log)
		}
	})
}

func TestVersion(t *testing.T) {
	out, _, status := play(t, "", "--version")
	if status != 0 || !strings.Contains(out, "engine "+bench.Signature()+"\n") || !strings.Contains(out, "commit ") {
		t.Errorf("status %d, %q", status, out)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		t.Run(shell, func(t *testing.T) {
			var out bytes.Buffer
			if err := run(context.Background(), []string{"completion", shell}, strings.NewReader(""), &out, io.Discard); err != nil || out.Len() < 1000 {
				t.Errorf("%s: %d bytes (%v)", shell, out.Len(), err)
			}
		})
	}
}

func TestBench(t *testing.T) {
	t.Chdir(t.TempDir())
	saveWeights(t, "zhang", "mine", "mine.json")
	out, _, status := play(t, "", "bench", "--depth", "2", "--json", "--weights", "mine.json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 4 {
		t.Fatalf("status %d, %q", status, out)
	}
	var result map[string]any
	if err := json.Unmarshal([]byte(lines[3]), &result); err != nil || len(result) != 3 {
		t.Errorf("%q (%v)", lines[3], err)
	}
	form := regexp.MustCompile(`^(\S+): nodes (\d+), hash ([0-9a-f]{8}), nps \d+$`)
	for i, name := range []string{"huang", "default", "mine.json"} {
		t.Run(name, func(t *testing.T) {
			if m := form.FindStringSubmatch(lines[i]); m == nil || m[1] != name {
				t.Errorf("line %d is %q", i, lines[i])
			}
		})
	}
	if first := form.FindStringSubmatch(lines[0]); first != nil && first[3] != result["hash"] {
		t.Errorf("the object says %v, the first line %q", result, lines[0])
	}
	if a, b := form.FindStringSubmatch(lines[0]), form.FindStringSubmatch(lines[2]); a[3] == b[3] {
		t.Error("other weights, same hash")
	}
}

// The bench looks for no weights.json, and its help does not say so.
func TestBenchTakesNamedWeightsAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	saveWeights(t, "zhang", "mine", "weights.json")
	if out, _, status := play(t, "", "bench", "--depth", "2"); status != 0 || strings.Count(out, "\n") != 2 {
		t.Errorf("status %d, %q, want two lines", status, out)
	}
	if out, _, _ := play(t, "", "bench", "--help"); strings.Contains(out, "that is found") || !strings.Contains(out, "--weights FILE") {
		t.Errorf("the help says %q", out)
	}
}

func TestWhichWeights(t *testing.T) {
	const args = "analyze --nodes 50 --moves h8"
	t.Run("embedded", func(t *testing.T) {
		t.Chdir(t.TempDir())
		expectLog(t, args, "from=default")
		expectLog(t, args+" --size 20", "from=freestyle20")
		expectLog(t, args+" --rule standard", "from=standard15")
		expectLog(t, args+" --rule renju", "from=renju15")
	})
	t.Run("working directory", func(t *testing.T) {
		t.Chdir(t.TempDir())
		saveWeights(t, "zhang", "found", "weights.json")
		expectLog(t, args, "from=weights.json", "name=found", "proven=")
	})
	t.Run("flag before working directory", func(t *testing.T) {
		t.Chdir(t.TempDir())
		writeFile(t, "weights.json", "broken")
		saveWeights(t, "zhang", "named", "mine.bak")
		expectLog(t, args+" --weights mine.bak", "from=mine.bak", "name=named")
		expectLog(t, args+" --weights huang", "from=huang")
	})
	t.Run("variable", func(t *testing.T) {
		t.Chdir(t.TempDir())
		t.Setenv("QUINTUNE_WEIGHTS", "sjtu")
		expectLog(t, args, "from=sjtu")
	})
	t.Run("broken file is not passed over", func(t *testing.T) {
		t.Chdir(t.TempDir())
		writeFile(t, "weights.json", `{"format":"quintune.weights/9"}`)
		_, log, status := play(t, "", strings.Fields(args)...)
		if status != 1 || !strings.Contains(log, "weights.json") || !strings.Contains(log, "quintune.weights/9") {
			t.Errorf("status %d, %q", status, log)
		}
	})
	t.Run("quiet", func(t *testing.T) {
		t.Chdir(t.TempDir())
		if _, log, status := play(t, "", strings.Fields(args+" --quiet")...); status != 0 || log != "" {
			t.Errorf("status %d, %q", status, log)
		}
	})
}

func expectLog(t *testing.T, args string, parts ...string) {
	t.Helper()
	_, log, status := play(t, "", strings.Fields(args)...)
	if status != 0 {
		t.Errorf("%s: status %d, %q", args, status, log)
	}
	for _, part := range parts {
		if !strings.Contains(log, part) {
			t.Errorf("%s: %q lacks %q", args, log, part)
		}
	}
}
