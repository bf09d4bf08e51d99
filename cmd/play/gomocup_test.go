package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quintune/internal/player"
	"quintune/pattern"
)

var (
	moveLine  = regexp.MustCompile(`^\d+,\d+$`)
	depthLine = regexp.MustCompile(`^MESSAGE Depth \d+ \| Eval [-+M0-9]+ \| Time \d+ms \| [a-o][0-9]+( [a-o][0-9]+)*$`)
	speedLine = regexp.MustCompile(`^MESSAGE Speed \d+K? \| Depth \d+ \| Eval [-+M0-9]+ \| Node \d+K? \| Time \d+ms$`)
)

func TestGomocupGame(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "weights.json", "broken") // not read: weights are taken from the program's folder
	in := "ABOUT\nSTART 15\nINFO max_node 2000\nINFO rule 1\nBEGIN\nTURN 0,0\nRESTART\nTURN 7,7\n"
	out, log, status := play(t, in, "gomocup")
	if status != 0 {
		t.Fatalf("status %d, %s", status, log)
	}
	if !strings.HasPrefix(out, `name="Quintune"`) || strings.Count(out, "\nOK\n") != 2 || strings.Contains(out, "ERROR") {
		t.Errorf("%s", out)
	}
	var moves, depths, speeds int
	for line := range strings.Lines(out) {
		switch line = strings.TrimSpace(line); {
		case moveLine.MatchString(line):
			moves++
		case depthLine.MatchString(line):
			depths++
		case speedLine.MatchString(line):
			speeds++
		case strings.HasPrefix(line, "MESSAGE"):
			t.Errorf("%q is not of the usual form", line)
		}
	}
	if moves != 3 || speeds != 3 || depths < 2 {
		t.Errorf("%d moves, %d and %d messages:\n%s", moves, depths, speeds, out)
	}
}

func TestGomocupWeights(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "bad.json", `{"format":"quintune.weights/1"}`)
	saveWeights(t, "zhang", "mine", "mine.json")
	const in = "START 20\nINFO max_node 100\nTURN 10,10\n"
	tests := []struct {
		args   []string
		prefix string
	}{
		{[]string{"gomocup", "--weights", "mine.json"}, "OK\n"},
		{[]string{"gomocup", "--engine", "mine.json"}, "OK\n"},
		{[]string{"gomocup", "--engine", "huang"}, "OK\n"},
		{[]string{"gomocup", "--weights", "bad.json"}, "ERROR "},
		{[]string{"gomocup", "--weights", "absent.json"}, "ERROR "},
	}
	for _, test := range tests {
		t.Run(test.prefix, func(t *testing.T) {
			out, log, status := play(t, in, test.args...)
			want := 0
			if test.prefix == "ERROR " {
				want = 1
			}
			if status != want || !strings.HasPrefix(out, test.prefix) || want == 1 && !strings.Contains(log, test.args[2]) {
				t.Errorf("%v: status %d, %q, %q", test.args, status, out, log)
			}
			first, _, _ := strings.Cut(out, "\n")
			if test.prefix == "ERROR " && !strings.Contains(first, test.args[2]) {
				t.Errorf("%v: %q does not name the file", test.args, first)
			}
		})
	}
}

func TestWeightsBesideTheProgram(t *testing.T) {
	folder := t.TempDir()
	saveWeights(t, "zhang", "beside", filepath.Join(folder, player.WeightsFile))
	t.Chdir(t.TempDir())
	p, err := player.Choose("", folder, pattern.Freestyle, 15)
	if err != nil || p.Weights.Name != "beside" {
		t.Errorf("weights are %v (%v)", p, err)
	}
	saveWeights(t, "huang", "board's", filepath.Join(folder, "weights-default.json"))
	for size, want := range map[int]string{15: "board's", 20: "beside"} {
		if p, err := player.Choose("", folder, pattern.Freestyle, size); err != nil || p.Weights.Name != want {
			t.Errorf("%d×%d: weights are %v, want %s (%v)", size, size, p, want, err)
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := programFolder(); err != nil || filepath.Base(got) != filepath.Base(filepath.Dir(program)) {
		t.Errorf("the program %s lies in %q (%v)", program, got, err)
	}
}

func TestGomocupBaseline(t *testing.T) {
	t.Chdir(t.TempDir())
	tests := []struct {
		engine, in, want string
	}{
		{"baseline:zhang", "START 15\nBEGIN\nTURN 0,0\n", "MESSAGE baseline:zhang | Time "},
		{"baseline:sjtu-mcts", "START 20\nTURN 3,3\n", " play-outs | Time "},
		{"baseline:zhang", "ABOUT\n", `name="Quintune baseline:zhang", version=`},
		{"baseline:zhang", "START 15\nINFO rule 1\nBEGIN\n", "ERROR baseline zhang does not play standard, only freestyle"},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			out, log, status := play(t, test.in, "gomocup", "--engine", test.engine)
			if status != 0 || !strings.Contains(out, test.want) {
				t.Errorf("%s: status %d, %s%s", test.engine, status, log, out)
			}
		})
	}
}

// The random choices of a baseline depend on --seed and differ between the games of a process.
func TestGomocupSeed(t *testing.T) {
	t.Chdir(t.TempDir())
	games := func(seed string) string {
		in := strings.Repeat("START 15\nBEGIN\n", 4)
		out, log, status := play(t, in, "gomocup", "--engine", "baseline:random", "--seed", seed)
		if status != 0 {
			t.Fatalf("status %d: %s", status, log)
		}
		var moves []string
		for line := range strings.Lines(out) {
			if x, _, ok := strings.Cut(line, ","); ok && len(x) <= 2 {
				moves = append(moves, strings.TrimSpace(line))
			}
		}
		if len(moves) != 4 || moves[0] == moves[1] && moves[1] == moves[2] {
			t.Errorf("seed %s: first moves %v", seed, moves)
		}
		return strings.Join(moves, " ")
	}
	if one := games("1"); one != games("1") || one == games("2") {
		t.Errorf("seed 1 gives %s, then %s; seed 2 %s", one, games("1"), games("2"))
	}
}

// A weights file plays only boards that it is made for. Another board causes one message, and the log is empty
// before START.
func TestFileForAnotherBoard(t *testing.T) {
	t.Chdir(t.TempDir())
	saveWeights(t, "zhang", "own", "own.json") // freestyle 15×15
	out, log, _ := play(t, "ABOUT\nEND\n", "gomocup", "--weights", "own.json")
	if log != "" || !strings.Contains(out, "name=") {
		t.Errorf("before START it logs %q", log)
	}
	_, log, _ = play(t, "START 20\nRESTART\nSTART 15\nEND\n", "gomocup", "--weights", "own.json")
	const told = "own.json is for freestyle 15×15: the embedded set freestyle20 plays here"
	if strings.Count(log, told) != 1 || !strings.Contains(log, "from=own.json") {
		t.Errorf("the log is %s", log)
	}
	for _, args := range [][]string{
		{"analyze", "--moves", "h8", "--rule", "renju", "--nodes", "100"},
		{"--rule", "renju"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			if _, log, _ := play(t, "quit\n", append(args, "--weights", "own.json")...); strings.Count(log, "the embedded set renju15 plays here") != 1 {
				t.Errorf("%v: the log is %s", args, log)
			}
		})
	}
}

// In the three cases of the protocol the answer can be played, and the second game has another opening.
func TestGomocupSwap2(t *testing.T) {
	t.Chdir(t.TempDir())
	ask := func(stones ...string) string {
		return strings.Join(append(append([]string{"SWAP2BOARD"}, stones...), "DONE\n"), "\n")
	}
	in := "START 15\nINFO rule 1\nINFO max_node 2000\n" + ask() + ask() + // two openings
		ask("7,7", "0,0", "8,8") + // Black is better, so the engine takes Black
		ask("0,0", "7,7", "14,14", "7,8", "0,14") + // White is better, so the engine plays White
		ask("7,7", "0,0") // two stones are none of the three cases
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
