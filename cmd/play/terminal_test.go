package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/search"
)

func TestLevelsOfTheTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--level", "1"}, 0, ""},
		{[]string{"--level", fmt.Sprint(search.MaxLevel), "--nodes", "200"}, 0, ""},
		{[]string{"--level", "3", "--against", "zhang", "--threads", "2"}, 0, ""},
		{[]string{"--level", "0"}, config.ExitUsage, "level"},
		{[]string{"--level", fmt.Sprint(search.MaxLevel + 1)}, config.ExitUsage, "level"},
		{[]string{"--level", "3", "--against", "gomocup:./absent"}, config.ExitUsage, "no levels"},
		{[]string{"--level", "3", "--against", "baseline:zhang"}, config.ExitUsage, "no levels"},
		{[]string{"--against", "baseline:zhang"}, 0, ""},
		{[]string{"--against", "baseline:sjtu-mcts", "--rule", "standard", "--nodes", "50"}, 0, ""},
		{[]string{"--against", "baseline:zhang", "--rule", "standard"}, config.ExitUsage, "zhang does not play standard"},
		{[]string{"--threads", "0"}, config.ExitUsage, "threads"},
	} {
		t.Run(test.says, func(t *testing.T) {
			out, log, status := play(t, "h8\n", test.args...)
			if status != test.status || !strings.Contains(log, test.says) {
				t.Errorf("%v: status %d, %s", test.args, status, log)
			}
			if status == 0 && strings.Count(out, " plays ") != 1 {
				t.Errorf("%v: %s", test.args, out)
			}
		})
	}
}

// The games of a session differ; sessions with the same seed are equal.
func TestOpponentsSeeds(t *testing.T) {
	t.Chdir(t.TempDir())
	session := func(seed string) string {
		out, _, _ := play(t, "h8\nnew\nh8\nnew\nh8\nnew\nh8\nnew\nh8\n", "--level", "1", "--seed", seed)
		var replies []string
		for line := range strings.Lines(out) {
			if _, move, ok := strings.Cut(strings.TrimSpace(line), " plays "); ok {
				replies = append(replies, move)
			}
		}
		return strings.Join(replies, " ")
	}
	first := session("5")
	if again := session("5"); again != first {
		t.Errorf("%s and %s", first, again)
	}
	if strings.Count(first+" ", strings.Fields(first)[0]+" ") == 5 {
		t.Errorf("five games begin alike: %s", first)
	}
}

// Input from a device such as /dev/null is refused before a board is drawn.
func TestInputFromADevice(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	err = run(t.Context(), []string{"--quiet"}, null, null, io.Discard)
	if config.Exit(err) != config.ExitUsage || !strings.Contains(fmt.Sprint(err), "terminal") {
		t.Errorf("status %d, %v", config.Exit(err), err)
	}
}
