package main

import (
	"strings"
	"testing"
)

// The protocol's three choices: what is answered can be played, and a second game opens otherwise.
func TestGomocupSwap2(t *testing.T) {
	t.Chdir(t.TempDir())
	ask := func(stones ...string) string {
		return strings.Join(append(append([]string{"SWAP2BOARD"}, stones...), "DONE\n"), "\n")
	}
	in := "START 15\nINFO rule 1\nINFO max_node 2000\n" + ask() + ask() + // two openings
		ask("7,7", "0,0", "8,8") + // Black is better: it is taken
		ask("0,0", "7,7", "14,14", "7,8", "0,14") + // White is better, and plays
		ask("7,7", "0,0") // two stones are none of these
	out, log, status := play(t, in, "gomocup")
	if status != 0 {
		t.Fatalf("status %d, %s", status, log)
	}
	var answers []string
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "OK" && !strings.HasPrefix(line, "MESSAGE Swap2 | ") {
			answers = append(answers, line)
		}
	}
	if len(answers) != 5 {
		t.Fatalf("%q", answers)
	}
	if len(strings.Fields(answers[0])) != 3 || len(strings.Fields(answers[1])) != 3 || answers[0] == answers[1] {
		t.Errorf("the openings are %q and %q", answers[0], answers[1])
	}
	if answers[2] != "SWAP" || !moveLine.MatchString(answers[3]) || !strings.HasPrefix(answers[4], "ERROR ") {
		t.Errorf("the choices are %q", answers[2:])
	}
}
