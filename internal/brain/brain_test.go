package brain

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// moveLine matches the line of a move.
var moveLine = regexp.MustCompile(`^\d+,\d+$`)

// Without weights named or beside the program, each board is played with the set that was evolved for it; named ones stay.
func TestBrainTakesItsBoardsWeights(t *testing.T) {
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	first := weightstest.Preset(t, "default")
	own, named := &Brain{choose: func(rule pattern.Rule, size int) (*player.Player, error) {
		return player.Choose("", t.TempDir(), rule, size)
	}}, &Brain{choose: Always(player.Of("default", first))}
	for _, test := range []struct {
		size int
		rule pattern.Rule
		want string
	}{
		{20, pattern.Freestyle, "freestyle20"},
		{20, pattern.Standard, "standard20"},
		{15, pattern.Standard, "standard15"},
		{15, pattern.Freestyle, "default"},
		{17, pattern.Freestyle, "default"},
		{18, pattern.Freestyle, "freestyle20"},
		{15, pattern.Renju, "renju15"},
	} {
		t.Run(test.want, func(t *testing.T) {
			for _, b := range []*Brain{own, named} {
				if err := b.NewGame(test.size, test.rule); err != nil {
					t.Fatal(err)
				}
			}
			if own.playing.Weights.Name != test.want || named.playing.Weights != first {
				t.Errorf("%d×%d %v: the own set is %s, the named one became %s", test.size, test.size, test.rule, own.playing.Weights.Name, named.playing.Weights.Name)
			}
			set := weightstest.Preset(t, test.want)
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
		})
	}
}

// Two files in a folder whose path is longer than a player's name have the same name.
func TestBrainTakesItsBoardsFileInADeepFolder(t *testing.T) {
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	folder := filepath.Join(t.TempDir(), strings.Repeat("deep", 20))
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"default", "renju15"} {
		set := weightstest.Preset(t, name)
		data, err := weights.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "weights-"+name+".json"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := New(func(rule pattern.Rule, size int) (*player.Player, error) {
		return player.Choose("", folder, rule, size)
	}, nil)
	for _, test := range []struct {
		rule pattern.Rule
		want string
	}{{pattern.Freestyle, "default"}, {pattern.Renju, "renju15"}} {
		t.Run(test.want, func(t *testing.T) {
			if err := b.NewGame(15, test.rule); err != nil {
				t.Fatal(err)
			}
			if got := b.playing.Weights.Name; got != test.want {
				t.Errorf("%v: the set is %s, want %s", test.rule, got, test.want)
			}
		})
	}
}

func TestBrainAnswersProvenEnds(t *testing.T) {
	set := weightstest.Preset(t, "huang")
	b := &Brain{choose: Always(player.Of("huang", set))}
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	b.ClearHash() // before the first game there is none
	if err := b.NewGame(15, pattern.Freestyle); err != nil {
		t.Fatal(err)
	}
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
	first := b.engine
	if len(messages) == 0 || !strings.Contains(messages[len(messages)-1], "Eval +M1 ") {
		t.Errorf("%q", messages)
	}
	b.ClearHash()
	if err := b.NewGame(15, pattern.Freestyle); err != nil || b.engine != first {
		t.Errorf("the same board gets another engine (%v)", err)
	}
	if err := b.NewGame(20, pattern.Standard); err != nil || b.board.Size() != 20 || b.board.Rule() != pattern.Standard {
		t.Errorf("another board is one of %d, %v (%v)", b.board.Size(), b.board.Rule(), err)
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
	for score, want := range map[int32]string{0: "0", -113: "-113", 1<<28 - 9: "+M9", 8 - 1<<28: "-M8", 1<<27 + 1: "+M?", -1<<27 - 1: "-M?"} {
		if got := Eval(score); got != want {
			t.Errorf("%d is %s, want %s", score, got, want)
		}
	}
	for n, want := range map[int64]string{9999: "9999", 764_900: "764K"} {
		if got := kilo(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

// The manager's nodes and time end the thoughts of a baseline; so does the context, with a move.
func TestBaselineLimits(t *testing.T) {
	p, err := player.Parse("baseline:sjtu-mcts")
	if err != nil {
		t.Fatal(err)
	}
	s := &baseline{player: p}
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
		t.Run(test.name, func(t *testing.T) {
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
		})
	}
}

// A rule that a baseline does not play is refused, and when the manager takes it back, or names another after the next START, the game
// goes on.
func TestBaselineAfterARuleThatItDoesNotPlay(t *testing.T) {
	p, err := player.Parse("baseline:zhang")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	in := "START 15\nTURN 7,7\nINFO rule 1\nTURN 8,8\nRESTART\nSTART 15\nTURN 7,7\nINFO rule 0\nTURN 7,7\nINFO rule 1\nTURN 8,8\nINFO rule 0\nTURN 8,8\nEND\n"
	if err := gomocup.Serve(context.Background(), strings.NewReader(in), &out, NewBaseline(p, 1), gomocup.ServeOptions{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word != "MESSAGE" {
			got = append(got, word)
		}
	}
	if want := []string{"OK", "6,6", "ERROR", "ERROR", "OK", "ERROR", "6,6", "ERROR"}; len(got) != len(want)+1 || !slices.Equal(got[:len(want)], want) || !strings.Contains(got[len(want)], ",") {
		t.Errorf("answers %q, want %q and a move", got, want)
	}
}

// The same search from an empty memory finds the same; what an earlier one left makes it another.
func TestClearHashForgets(t *testing.T) {
	set := weightstest.Preset(t, "huang")
	b := &Brain{choose: Always(player.Of("huang", set))}
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	if err := b.NewGame(15, pattern.Freestyle); err != nil {
		t.Fatal(err)
	}
	position := gomocup.Position{Size: 15, SideToMove: board.White, Stones: []gomocup.Stone{{Colour: board.Black, Cell: board.At(7, 7)}}}
	found := func() string {
		t.Helper()
		var last string
		limits := gomocup.Limits{MoveTime: gomocup.NoLimit, GameTimeLeft: gomocup.NoLimit, MaxNodes: 3000}
		if _, err := b.Think(t.Context(), position, limits, func(m string) { last = m }); err != nil {
			t.Fatal(err)
		}
		_, last, _ = strings.Cut(last, " | ") // without the speed
		last, _, _ = strings.Cut(last, " | Time")
		return last
	}
	first, again := found(), found()
	b.ClearHash()
	if cleared := found(); cleared != first || again == first {
		t.Errorf("it finds %q, then %q, and %q when it was cleared; want the first again, and another in between", first, again, cleared)
	}
}
