package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

var (
	moveLine  = regexp.MustCompile(`^\d+,\d+$`)
	depthLine = regexp.MustCompile(`^MESSAGE Depth \d+ \| Eval [-+M0-9]+ \| Time \d+ms \| [a-o][0-9]+( [a-o][0-9]+)*$`)
	speedLine = regexp.MustCompile(`^MESSAGE Speed \d+K? \| Depth \d+ \| Eval [-+M0-9]+ \| Node \d+K? \| Time \d+ms$`)
)

func TestGomocupGame(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "weights.json", "broken") // the working directory counts for nothing here
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
	}
}

func TestWeightsBesideTheProgram(t *testing.T) {
	folder := t.TempDir()
	saveWeights(t, "zhang", "beside", filepath.Join(folder, weightsFile))
	t.Chdir(t.TempDir())
	p, err := chosenWeights("", folder, pattern.Freestyle, 15)
	if err != nil || p.Weights.Name != "beside" {
		t.Errorf("weights are %v (%v)", p, err)
	}
	saveWeights(t, "huang", "board's", filepath.Join(folder, "weights-default.json"))
	for size, want := range map[int]string{15: "board's", 20: "beside"} {
		if p, err := chosenWeights("", folder, pattern.Freestyle, size); err != nil || p.Weights.Name != want {
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

// Without weights named or beside the program, each board is played with the set that was evolved for it; named ones stay.
func TestBrainTakesItsBoardsWeights(t *testing.T) {
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	first, err := weights.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	own, named := &brain{choose: func(rule pattern.Rule, size int) (*player.Player, error) {
		return chosenWeights("", t.TempDir(), rule, size)
	}}, &brain{choose: always(player.Of("default", first))}
	for _, test := range []struct {
		size int
		rule pattern.Rule
		want string
	}{
		{20, pattern.Freestyle, "freestyle20"},
		{20, pattern.Standard, "standard15"},
		{15, pattern.Standard, "standard15"},
		{15, pattern.Freestyle, "default"},
		{17, pattern.Freestyle, "default"},
		{18, pattern.Freestyle, "freestyle20"},
		{15, pattern.Renju, "renju15"},
	} {
		for _, b := range []*brain{own, named} {
			if err := b.NewGame(test.size, test.rule); err != nil {
				t.Fatal(err)
			}
		}
		if own.playing.Weights.Name != test.want || named.playing.Weights != first {
			t.Errorf("%d×%d %v: the own set is %s, the named one became %s", test.size, test.size, test.rule, own.playing.Weights.Name, named.playing.Weights.Name)
		}
		set, err := weights.Preset(test.want)
		if err != nil {
			t.Fatal(err)
		}
		position, err := board.New(test.size, test.rule)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := search.NewEngine(set, test.size, test.rule, search.Options{})
		if err != nil {
			t.Fatal(err)
		}
		position.Play(board.At(7, 7))
		position.Play(board.At(8, 8))
		limits := search.Limits{Nodes: 2000}
		if got, want := own.engine.Search(t.Context(), position, limits, nil), fresh.Search(t.Context(), position, limits, nil); got.Score != want.Score {
			t.Errorf("%d×%d %v: the score is %d, with %s %d", test.size, test.size, test.rule, got.Score, test.want, want.Score)
		}
	}
}

func TestBrainAnswersProvenEnds(t *testing.T) {
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	b := &brain{choose: always(player.Of("huang", set))}
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	b.ClearHash() // before the first game there is none
	if err := b.NewGame(15, pattern.Freestyle); err != nil {
		t.Fatal(err)
	}
	first := b.engine
	position := gomocup.Position{Size: 15, SideToMove: board.Black}
	for i := range 4 {
		position.Stones = append(position.Stones,
			gomocup.Stone{Colour: board.Black, Cell: board.At(3+i, 7)}, gomocup.Stone{Colour: board.White, Cell: board.At(3+2*i, 0)})
	}
	var messages []string
	move, err := b.Think(context.Background(), position, gomocup.Limits{MoveTime: gomocup.NoLimit, GameTimeLeft: gomocup.NoLimit, MaxNodes: 100}, func(m string) { messages = append(messages, m) })
	if err != nil || move != board.At(2, 7) && move != board.At(7, 7) {
		t.Errorf("move %v (%v)", move, err)
	}
	if len(messages) == 0 || !strings.Contains(messages[len(messages)-1], "Eval +M1 ") {
		t.Errorf("%q", messages)
	}
	b.ClearHash()
	if err := b.NewGame(15, pattern.Freestyle); err != nil || b.engine != first {
		t.Errorf("the same board gets another engine (%v)", err)
	}
	if err := b.NewGame(20, pattern.Standard); err != nil || b.size != 20 || b.rule != pattern.Standard {
		t.Errorf("another board is one of %d, %v (%v)", b.size, b.rule, err)
	}
	if _, err := b.Think(context.Background(), gomocup.Position{Size: 20, Rule: pattern.Standard}, gomocup.Limits{
		MoveTime: gomocup.NoLimit, GameTimeLeft: gomocup.NoLimit, MaxNodes: 100,
	}, func(string) {}); err != nil {
		t.Errorf("no move there: %v", err)
	}
	position.Stones = append(position.Stones, position.Stones[0])
	if _, err := b.Think(context.Background(), position, gomocup.Limits{}, nil); err == nil {
		t.Error("two stones on one cell are accepted")
	}
}

func TestEval(t *testing.T) {
	for score, want := range map[int32]string{0: "0", -113: "-113", 1<<28 - 9: "+M9", 8 - 1<<28: "-M8", 1 << 27: "+M?", -1 << 27: "-M?"} {
		if got := eval(score); got != want {
			t.Errorf("%d is %s, want %s", score, got, want)
		}
	}
	for n, want := range map[int64]string{9999: "9999", 764_900: "764K"} {
		if got := kilo(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestGomocupBaseline(t *testing.T) {
	t.Chdir(t.TempDir())
	tests := []struct {
		engine, in, want string
	}{
		{"baseline:zhang", "START 15\nBEGIN\nTURN 0,0\n", "MESSAGE baseline:zhang | Time "},
		{"baseline:sjtu-mcts", "START 20\nTURN 3,3\n", " play-outs | Time "},
		{"baseline:zhang", "START 15\nINFO rule 1\nBEGIN\n", "ERROR baseline zhang does not play standard, only [freestyle]"},
	}
	for _, test := range tests {
		out, log, status := play(t, test.in, "gomocup", "--engine", test.engine)
		if status != 0 || !strings.Contains(out, test.want) {
			t.Errorf("%s: status %d, %s%s", test.engine, status, log, out)
		}
	}
}

// The lots of a baseline are those of --seed, and each game of a process draws others.
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

// The manager's nodes and time end the thoughts of a baseline; so does the context, with a move.
func TestSparringLimits(t *testing.T) {
	p, err := player.Parse("baseline:sjtu-mcts")
	if err != nil {
		t.Fatal(err)
	}
	s := &sparring{player: p}
	if err := s.NewGame(15, pattern.Freestyle); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	position := gomocup.Position{Size: 15, SideToMove: board.White, Stones: []gomocup.Stone{{Cell: board.At(7, 7)}}}
	for _, test := range []struct {
		name   string
		ctx    context.Context
		limits gomocup.Limits
		want   string // in the message
	}{
		{"nodes", context.Background(), gomocup.Limits{MaxNodes: 50, MoveTime: gomocup.NoLimit, GameTimeLeft: gomocup.NoLimit}, "| 50 play-outs |"},
		{"time", context.Background(), gomocup.Limits{MoveTime: 50 * time.Millisecond, GameTimeLeft: gomocup.NoLimit}, " play-outs |"},
		{"clock", context.Background(), gomocup.Limits{MoveTime: time.Minute, GameTimeLeft: time.Second}, " play-outs |"},
		{"context", ended, gomocup.Limits{MoveTime: gomocup.NoLimit, GameTimeLeft: gomocup.NoLimit}, "| 0 play-outs |"},
	} {
		message := ""
		start := time.Now()
		test.limits.Started = start
		move, err := s.Think(test.ctx, position, test.limits, func(line string) { message = line })
		if err != nil || !move.On(15) || move == board.At(7, 7) || !strings.Contains(message, test.want) {
			t.Errorf("%s: %v (%v), %q", test.name, move, err, message)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: the move took %v", test.name, took)
		}
	}
}

// A file plays on its own boards alone, is told of once a board, and the log says nothing before START.
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
		if _, log, _ := play(t, "quit\n", append(args, "--weights", "own.json")...); strings.Count(log, "the embedded set renju15 plays here") != 1 {
			t.Errorf("%v: the log is %s", args, log)
		}
	}
}
