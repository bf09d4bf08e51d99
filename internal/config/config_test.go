package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"quintune/pattern"
)

// runOptions are the options of `tune run` in the tests.
type runOptions struct {
	Common
	Budget Budget
	Seed   uint64
	Size   int
	Rule   pattern.Rule
	Nodes  int64
	Time   time.Duration
	Polish float64
	Only   []string
	Name   string
	Out    string
	NoGate bool
	Anchor []string
}

func (o *runOptions) Declare(d *Declaration) {
	d.Group("The run")
	Var(d, &o.Budget, "budget", "10m", Spending(100, 1_000_000), "how long to tune")
	Var(d, &o.Seed, "seed", "1", Seed(), "seed of all random streams")
	Var(d, &o.Size, "size", "15", Size(), "cells on a side")
	Var(d, &o.Rule, "rule", "freestyle", Rule(), "rule of the game")
	Var(d, &o.Nodes, "nodes", "1000", Whole(1, int64(math.MaxInt64)), "nodes a move", YieldsTo("time"))
	Var(d, &o.Time, "time", "", Optional(Span(time.Millisecond, time.Hour)), "time a move", YieldsTo("nodes"))
	Var(d, &o.Polish, "polish", "0.9", Number(0, 1), "share of the local finish")
	Var(d, &o.Only, "only", "", Optional(Some("line", "cell")), "groups to tune")
	Var(d, &o.Name, "name", "", Label(), "name of the run")
	Var(d, &o.Out, "out", "weights.json", Text("FILE"), "weights file")
	Var(d, &o.NoGate, "no-gate", "false", Switch(), "no gate")
	Var(d, &o.Anchor, "anchor", "", SeveralPlayers(), "fixed opponent")
}

// openingsOptions are the options of `tune openings` in the tests. Its --out can be set by a flag only, and its
// --nodes has other bounds.
type openingsOptions struct {
	Common
	Out   string
	Nodes int64
	Moves string
	Count int

	Weights string
}

func (o *openingsOptions) Declare(d *Declaration) {
	d.Group("The openings")
	Var(d, &o.Out, "out", "", Text("FILE"), "where to write", FlagOnly)
	Var(d, &o.Nodes, "nodes", "2000", Whole(int64(500), math.MaxInt64), "nodes of the search")
	Var(d, &o.Moves, "moves", "", Text("MOVES"), "position", FlagOnly)
	Var(d, &o.Count, "count", "100", Whole(1, 1000), "openings to make")
	Var(d, &o.Weights, "weights", "", Text("WEIGHTS"), "a name that is a setting of the other program", FlagOnly)
}

// playOptions are the options of bare `play` in the tests.
type playOptions struct {
	Common
	Nodes int64
	Color string
}

func (o *playOptions) Declare(d *Declaration) {
	d.Group("The game")
	Var(d, &o.Nodes, "nodes", "0", Whole(0, int64(math.MaxInt64)), "nodes a move")
	Var(d, &o.Color, "color", "black", OneOf("black", "white"), "your side")
}

// loaded is what Load gave to a command of loadWith.
type loaded struct {
	*Common
	run  *runOptions
	play *playOptions
	log  string
}

// entry returns the value of an option as text.
func (l *loaded) entry(t *testing.T, name string) Entry {
	t.Helper()
	for _, e := range l.Entries() {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("no option %s in %v", name, l.Entries())
	return Entry{}
}

// loadWith runs a command, such as "tune run", with arguments in an empty working directory that holds the files, keyed by
// name, and returns its options.
func loadWith(t *testing.T, command string, files map[string]string, args ...string) (*loaded, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program, sub, _ := strings.Cut(command, " ")
	l := &loaded{run: &runOptions{}, play: &playOptions{}}
	var openings openingsOptions
	root := &cobra.Command{Use: program}
	if program == "play" {
		root = Bind(root, l.play, func(_ *cobra.Command, o *playOptions, _ []string) error { l.Common = &o.Common; return nil })
	} else {
		root.AddCommand(
			Bind(&cobra.Command{Use: "run"}, l.run, func(_ *cobra.Command, o *runOptions, _ []string) error { l.Common = &o.Common; return nil }),
			Bind(&cobra.Command{Use: "openings"}, &openings, func(_ *cobra.Command, o *openingsOptions, _ []string) error { l.Common = &o.Common; return nil }),
		)
		args = append([]string{sub}, args...)
	}
	var log strings.Builder
	err := Execute(context.Background(), root, "", args, strings.NewReader(""), io.Discard, &log)
	l.log = log.String()
	return l, err
}

func TestPrecedence(t *testing.T) {
	const file = "nodes: 3\nseed: 4\nsize: 20\nbudget: 40gens\n"
	t.Setenv("QUINTUNE_NODES", "5")
	t.Setenv("QUINTUNE_SEED", "6")
	v, err := loadWith(t, "tune run", map[string]string{DefaultFile: file}, "--nodes", "7")
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{
		{"nodes", "7", "flag --nodes"},
		{"seed", "6", "variable QUINTUNE_SEED"},
		{"size", "20", "file quintune.yaml"},
		{"budget", "40gens", "file quintune.yaml"},
		{"rule", "freestyle", "default"},
	}
	for _, w := range want {
		if !slices.Contains(v.Entries(), w) {
			t.Errorf("%v is missing in %v", w, v.Entries())
		}
	}
	o := v.run
	if o.Nodes != 7 || o.Seed != 6 || o.Size != 20 || o.Budget != (Budget{Generations: 40}) {
		t.Errorf("the fields differ from %v", v.Entries())
	}
	if o.IsSet(&o.Rule) || !o.IsSet(&o.Size) || !o.Typed(&o.Nodes) || o.Typed(&o.Size) {
		t.Error("IsSet or Typed differs from the origins")
	}
}

// A typed flag turns off what the file or a variable says of an option that it excludes.
func TestYieldsTo(t *testing.T) {
	const nodes, time = "nodes: 3\n", "time: 5ms\n"
	for _, test := range []struct {
		name, file string
		args       []string
		nodes      string // value and origin
		time       string
	}{
		{"file against flag", nodes, []string{"--time", "1s"}, "1000 default", "1s flag --time"},
		{"the other way round", time, []string{"--nodes", "7"}, "7 flag --nodes", " default"},
		{"both typed", nodes + time, []string{"--time", "1s", "--nodes", "7"}, "7 flag --nodes", "1s flag --time"},
		{"none typed", nodes + time, nil, "3 file quintune.yaml", "5ms file quintune.yaml"},
		{"an empty flag", nodes + time, []string{"--time", ""}, "3 file quintune.yaml", " flag --time"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, err := loadWith(t, "tune run", map[string]string{DefaultFile: test.file}, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			n, d := v.entry(t, "nodes"), v.entry(t, "time")
			if got := n.Value + " " + n.Origin; got != test.nodes {
				t.Errorf("nodes are %q, want %q", got, test.nodes)
			}
			if got := d.Value + " " + d.Origin; got != test.time {
				t.Errorf("time is %q, want %q", got, test.time)
			}
		})
	}
	t.Run("variable", func(t *testing.T) {
		t.Setenv("QUINTUNE_NODES", "5")
		v, err := loadWith(t, "tune run", nil, "--time", "1s")
		if err != nil {
			t.Fatal(err)
		}
		if v.IsSet(&v.run.Nodes) || v.run.Nodes != 1000 {
			t.Errorf("nodes are %d, want the default 1000", v.run.Nodes)
		}
	})
}

func TestConfigFlagReplacesDefaultFile(t *testing.T) {
	files := map[string]string{DefaultFile: "seed: 1\nsize: 19\n", "other.yaml": "seed: 18446744073709551615\n"}
	v, err := loadWith(t, "tune run", files, "--config", "other.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if v.run.Seed != 18446744073709551615 || v.run.Size != 15 {
		t.Errorf("seed is %d, size %d", v.run.Seed, v.run.Size)
	}
}

// A name may be a setting of one command and a flag without a setting of another.
func TestFlagsAloneIgnoreFileAndVariables(t *testing.T) {
	t.Setenv("QUINTUNE_OUT", "variable.json")
	files := map[string]string{DefaultFile: "out: file.json\n"}
	for _, test := range []struct {
		command string
		args    []string
		want    Entry
	}{
		{"tune run", nil, Entry{"out", "variable.json", "variable QUINTUNE_OUT"}},
		{"tune openings", nil, Entry{"out", "", "default"}},
		{"tune openings", []string{"--out", "x"}, Entry{"out", "x", "flag --out"}},
	} {
		t.Run(test.command, func(t *testing.T) {
			v, err := loadWith(t, test.command, files, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			if got := v.entry(t, "out"); got != test.want {
				t.Errorf("%s %v: %v, want %v", test.command, test.args, got, test.want)
			}
		})
	}
}

func TestFileForms(t *testing.T) {
	tests := []struct{ file, text, name, want string }{
		{"c.yaml", "only: [line, cell]\n", "only", "line,cell"},
		{"c.yaml", "only: line,cell\n", "only", "line,cell"},
		{"c.yml", "name: 007\n", "name", "007"},
		{"c.yaml", "name: 1.10 # a comment\n", "name", "1.10"},
		{"c.yaml", "", "name", ""},
		{"c.yaml", "# nothing\n", "seed", "1"},
		{"c.json", `{"nodes": 250, "json": true}`, "nodes", "250"},
		{"c.json", `{"nodes": "250", "no-gate": true}`, "no-gate", "true"},
		{"c.yaml", "color: white\n", "nodes", "1000"}, // a key of the other program
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			v, err := loadWith(t, "tune run", map[string]string{test.file: test.text}, "--config", test.file)
			if err != nil {
				t.Errorf("%s: %v", test.text, err)
				return
			}
			if got := v.entry(t, test.name).Value; got != test.want {
				t.Errorf("%s: %s is %q, want %q", test.text, test.name, got, test.want)
			}
		})
	}
}

func TestFileRefusals(t *testing.T) {
	tests := []struct {
		text string
		want []string // parts of the error
	}{
		{"sede: 7\n", []string{"quintune.yaml", "line 1", `unknown key "sede"`, `did you mean "seed"?`}},
		{"nodes: 5\nSeed: 7\n", []string{"line 2", `unknown key "Seed"`, `did you mean "seed"?`}},
		{"seed: 1\nSEED: 7\n", []string{"line 2", `unknown key "SEED"`, `did you mean "seed"?`}},
		{"seed: 1\nseed: 1\n", []string{"seed", "twice"}},
		{"{\"seed\": 1, \"seed\": 2}", []string{"seed", "twice"}},
		{"size: 99\n", []string{"size is 99", "[5, 22]"}},
		{"size: -3\n", []string{"size is -3", "[5, 22]"}},
		{"size: 15.5\n", []string{"size", `"15.5"`}},
		{"size: fifteen\n", []string{"size", `"fifteen"`}},
		{"size: {a: 1}\n", []string{"size", "the only sections"}},
		{"size: [[1]]\n", []string{"size", "list"}},
		{"size:\n", []string{"size has no value"}},
		{"time: 250\n", []string{"time", "unit"}},
		{"seed: -3\n", []string{"seed", `"-3"`}},
		{"no-gate: yes\n", []string{"no-gate", `"yes"`}},
		{"rule: caro\n", []string{"rule", "freestyle, standard, renju"}},
		{"only: [line, lines]\n", []string{"only", `"lines"`}},
		{"moves: h8\n", []string{"moves is a flag only"}},
		{"- seed\n", []string{"key: value"}},
		{"seed: 1: 2\n", []string{"quintune.yaml"}},
		{"<<: {seed: 1}\n", []string{"unknown key"}},
		{"\tseed: 7\n", []string{"line 1 is indented with a tab"}},
		{"tune:\n  seed: 7\n\tnodes: 5\n", []string{"line 3 is indented with a tab"}},
		{"tune:\n  sede: 7\n", []string{"line 2", `unknown key "sede"`, `did you mean "seed"?`}},
		{"tune:\n  size: 99\n", []string{"line 2", "size is 99", "[5, 22]"}},
		{"tune:\n  color: red\n", []string{"line 2", `unknown key "color"`}}, // of the other program
		{"play:\n  out: x\n", []string{"line 2", `unknown key "out"`}},       // of the other program, with a flag only in this one
		{"play:\n  colour: red\n", []string{"line 2", `unknown key "colour"`, `did you mean "color"?`}},
		{"play:\n  seed: 1\n  seed: 2\n", []string{"play", "seed", "twice"}},
		{"tune:\n  seed: 1\ntune:\n  seed: 1\n", []string{"tune", "twice"}},
		{"tune:\n  seed: 1\nnodes: 2000\n", []string{"line 3", "nodes stands outside the sections play and tune"}},
		{"tune:\n  seed: 1\ntuna:\n", []string{"line 3", `unknown key "tuna"`, `did you mean "tune"?`}},
		{"tune: 5\n", []string{"line 1", "section tune", "key: value"}},
		{"tune:\n  size: {a: 1}\n", []string{"size", "the only sections"}},
		{"seed: 1\n---\nseed: 2\n", []string{"goes on"}},
		{"tunes:\n  seed: 1\n", []string{"line 1", `unknown key "tunes"`, `did you mean "tune"?`}},
		{"tuen:\n", []string{"line 1", `unknown key "tuen"`, `did you mean "tune"?`}},
		{"seed: 1\nplays:\n  nodes: 5\n", []string{"line 2", `unknown key "plays"`, `did you mean "play"?`}},
		{"run.seed: 1\n", []string{"unknown key"}},
		{"{\n  \"format\": \"quintune.weights/1\"\n}\n", []string{"quintune.yaml", "this is a weights file, not a configuration file"}},
		{strings.Repeat("# a long comment\n", maxFile/16), []string{"bytes"}},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			_, err := loadWith(t, "tune run", map[string]string{DefaultFile: test.text})
			checkRefused(t, fmt.Sprintf("%.40q", test.text), err, test.want...)
		})
	}
}

func TestFileNameRefusals(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder.yaml")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ file, want string }{{"c.toml", ".yaml"}, {"", "ending"}, {folder, "not a regular file"}} {
		t.Run(test.file, func(t *testing.T) {
			_, err := loadWith(t, "tune run", map[string]string{"c.toml": "seed = 1\n"}, "--config", test.file)
			checkRefused(t, test.file, err, test.want)
		})
	}
	if _, err := loadWith(t, "tune run", nil, "--config", "absent.yaml"); Exit(err) != ExitFailed || strings.Count(err.Error(), "absent.yaml") != 1 {
		t.Errorf("an absent file: exit status %d (%v), want %d", Exit(err), err, ExitFailed)
	}
}

// A link to a file that is not there, for instance on a disk that is not mounted, is not taken for no file.
func TestDefaultFileThatLeadsNowhere(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("absent", DefaultFile); err != nil {
		t.Skip(err) // Windows lets few users make links
	}
	_, err := readFile(viper.New(), &pflag.Flag{}, "tune", nil)
	if err == nil || strings.Count(err.Error(), DefaultFile) != 1 {
		t.Errorf("error %v, want one that names %s", err, DefaultFile)
	}
}

func TestVariableRefusals(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"QUINTUNE_SEDE", "7", []string{"QUINTUNE_SEDE", "QUINTUNE_SEED"}},
		{"QUINTUNE_seed", "7", []string{"QUINTUNE_seed", "QUINTUNE_SEED"}},
		{"quintune_seed", "7", []string{"quintune_seed", "QUINTUNE_SEED"}},
		{"QUINTUNE_", "7", []string{"unknown variable"}},
		{"QUINTUNE_SIZE", "99", []string{"QUINTUNE_SIZE", "size is 99", "[5, 22]"}},
		{"QUINTUNE_SIZE", "", []string{"size"}},
		{"QUINTUNE_CONFIG", "x.yaml", []string{"unknown variable"}},
	}
	for _, test := range tests {
		t.Run(test.name+"="+test.text, func(t *testing.T) {
			t.Setenv(test.name, test.text)
			_, err := loadWith(t, "tune run", nil)
			checkRefused(t, test.name, err, test.want...)
		})
	}
}

func TestFlagRefusals(t *testing.T) {
	tests := []struct {
		args []string
		want []string
	}{
		{[]string{"--size", "99"}, []string{"size is 99", "[5, 22]"}},
		{[]string{"--sise", "15"}, []string{"--sise"}},
		{[]string{"--nodes", "-3"}, []string{"nodes is -3", "at least 1"}},
		{[]string{"--budget", "10"}, []string{"budget", "400games"}},
		{[]string{"--budget", "0games"}, []string{"budget is 0 games", "[100,"}},
		{[]string{"--budget", "-5m"}, []string{"budget", "[1s,"}},
		{[]string{"--polish", "NaN"}, []string{"polish", "NaN"}},
		{[]string{"--polish", "1.5"}, []string{"polish", "[0, 1]"}},
		{[]string{"--seed", ""}, []string{"seed"}},
		{[]string{"--out", "a\x1b[2J"}, []string{"out", "unprintable"}},
		{[]string{"extra"}, []string{"extra"}},
	}
	for _, test := range tests {
		_, err := loadWith(t, "tune run", nil, test.args...)
		checkRefused(t, strings.Join(test.args, " "), err, test.want...)
	}
}

// checkRefused fails the test unless err is a wrong usage whose text has all the parts.
func checkRefused(t *testing.T, what string, err error, parts ...string) {
	t.Helper()
	if Exit(err) != ExitUsage {
		t.Errorf("%s: exit status %d (%v), want %d", what, Exit(err), err, ExitUsage)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %q does not name %q", what, err, part)
		}
	}
}

// parser returns how a kind reads a text.
func parser[T any](k Kind[T]) func(string) (any, error) {
	return func(text string) (any, error) { return k.parse(text) }
}

func TestKinds(t *testing.T) {
	tests := []struct {
		parse   func(string) (any, error)
		text    string
		want    any
		refused bool
	}{
		{parser(Spending(100, 1_000_000)), "8h", Budget{Time: 8 * time.Hour}, false},
		{parser(Spending(100, 1_000_000)), "400games", Budget{Games: 400}, false},
		{parser(Spending(100, 1_000_000)), "40gens", Budget{Generations: 40}, false},
		{parser(Spending(100, 1_000_000)), "100games", Budget{Games: 100}, false},
		{parser(Spending(100, 1_000_000)), "99games", nil, true},
		{parser(Spending(100, 1_000_000)), "1000001games", nil, true},
		{parser(Spending(100, 1_000_000)), "1000001gens", nil, true},
		{parser(Spending(100, 1_000_000)), "1.5games", nil, true},
		{parser(Spending(100, 1_000_000)), "400 games", nil, true},
		{parser(Spending(100, 1_000_000)), "", nil, true},
		{parser(Optional(Spending(100, 1_000_000))), "", Budget{}, false},
		{parser(GamesOrTime(100, 1_000_000)), "400games", Budget{Games: 400}, false},
		{parser(GamesOrTime(100, 1_000_000)), "40gens", nil, true},
		{parser(Label()), "a-1.b_C", "a-1.b_C", false},
		{parser(Label()), "", "", false},
		{parser(Label()), "../up", nil, true},
		{parser(Label()), "-x", nil, true},
		{parser(Label()), strings.Repeat("a", maxLabel+1), nil, true},
		{parser(Clock()), "60s+0.1s", GameClock{time.Minute, 100 * time.Millisecond}, false},
		{parser(Clock()), "2m", GameClock{Game: 2 * time.Minute}, false},
		{parser(Clock()), "60", nil, true},
		{parser(Clock()), "60s+", nil, true},
		{parser(Clock()), "60s+-1s", nil, true},
		{parser(Clock()), "1ms", nil, true},
		{parser(Clock()), "25h", nil, true},
		{parser(NEloBounds()), "0,5", Bounds{0, 5}, false},
		{parser(NEloBounds()), "5,0", nil, true},
		{parser(NEloBounds()), "0", nil, true},
		{parser(NEloBounds()), "NaN,5", nil, true},
		{parser(NEloBounds()), "-9999,5", nil, true},
		{parser(Span(time.Millisecond, time.Second)), "250ms", 250 * time.Millisecond, false},
		{parser(Span(time.Millisecond, time.Second)), "250", nil, true},
		{parser(Span(time.Millisecond, time.Second)), "2s", nil, true},
		{parser(Number(0, 1)), "0.5", 0.5, false},
		{parser(Number(0, 1)), "Inf", nil, true},
		{parser(Some("a", "b")), "b,a", []string{"b", "a"}, false},
		{parser(Some("a", "b")), "a,a", nil, true},
		{parser(Some("a", "b")), "a,", nil, true},
		{parser(Text("T")), strings.Repeat("x", maxText+1), nil, true},
		{parser(Folder()), "runs", "runs", false},
		{parser(Folder()), "", nil, true},
		{parser(Whole(1, 5)), "007", nil, true},
		{parser(Whole(1, 5)), "3", 3, false},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			got, err := test.parse(test.text)
			if (err != nil) != test.refused {
				t.Errorf("%.40q: error is %v", test.text, err)
			} else if !test.refused && fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("%.40q: %v, want %v", test.text, got, test.want)
			}
		})
	}
}

func TestBudgetString(t *testing.T) {
	for _, text := range []string{"400games", "40gens", "1h30m0s"} {
		t.Run(text, func(t *testing.T) {
			b, err := Spending(100, 1_000_000).parse(text)
			if err != nil || b.String() != text {
				t.Errorf("%s becomes %v (%v)", text, b, err)
			}
		})
	}
}

// A program with an invalid default in its declaration does not start.
func TestVarPanicsForARefusedDefault(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Var(&Declaration{}, new(int), "size", "99", Size(), "cells on a side")
}

// Each program has its own section, so that one key does not set the options of both.
func TestSections(t *testing.T) {
	files := map[string]string{DefaultFile: "tune:\n  nodes: 2000\n  seed: 7\nplay:\n"}
	tune, err := loadWith(t, "tune run", files)
	if err != nil || tune.run.Nodes != 2000 || tune.log != "" {
		t.Errorf("tune: %d nodes, log %q (%v), want 2000", tune.run.Nodes, tune.log, err)
	}
	if want := (Entry{"seed", "7", "file quintune.yaml"}); tune.entry(t, "seed") != want {
		t.Errorf("tune: %v, want %v", tune.entry(t, "seed"), want)
	}
	play, err := loadWith(t, "play", files)
	if err != nil || play.play.Nodes != 0 || play.log != "" {
		t.Errorf("play: %d nodes, log %q (%v), want 0", play.play.Nodes, play.log, err)
	}
	files[DefaultFile] = "play:\n  nodes: 300\n  color: white\n"
	play, err = loadWith(t, "play", files)
	if err != nil || play.play.Nodes != 300 || play.play.Color != "white" {
		t.Errorf("play: %d nodes, %s (%v), want 300, white", play.play.Nodes, play.play.Color, err)
	}
	if tune, err = loadWith(t, "tune run", files); err != nil || tune.run.Nodes != 1000 || len(tune.Unused()) > 0 {
		t.Errorf("tune: %d nodes, unused %v (%v), want 1000", tune.run.Nodes, tune.Unused(), err)
	}
}

// A file without sections applies to both programs, as in earlier versions, with a warning.
func TestFileWithoutSections(t *testing.T) {
	files := map[string]string{DefaultFile: "nodes: 2000\ncolor: white\ncount: 5\n"}
	tune, err := loadWith(t, "tune run", files)
	if err != nil || tune.run.Nodes != 2000 || !strings.Contains(tune.log, "level=WARN") || !strings.Contains(tune.log, "quintune.yaml") {
		t.Errorf("tune: %d nodes, log %q (%v)", tune.run.Nodes, tune.log, err)
	}
	want := []Entry{{"color", "white", "file quintune.yaml"}, {"count", "5", "file quintune.yaml"}}
	if got := tune.Unused(); !slices.Equal(got, want) {
		t.Errorf("tune does not use %v, want %v", got, want)
	}
	play, err := loadWith(t, "play", files)
	if err != nil || play.play.Nodes != 2000 || play.play.Color != "white" || !strings.Contains(play.log, "level=WARN") {
		t.Errorf("play: %d nodes, %s, log %q (%v)", play.play.Nodes, play.play.Color, play.log, err)
	}
}

// A variable for the other program is accepted; that program checks its value.
func TestVariableOfTheOtherProgram(t *testing.T) {
	t.Setenv("QUINTUNE_COLOR", "red")
	if _, err := loadWith(t, "tune run", nil); err != nil {
		t.Error(err)
	}
	_, err := loadWith(t, "play", nil)
	checkRefused(t, "QUINTUNE_COLOR=red", err, "QUINTUNE_COLOR", "color", "black, white")
}

// A command that has a flag with the name of the other program's setting refuses the variable, which it would pass over; the file's
// section is for that program alone.
func TestFlagOfTheOtherProgramsName(t *testing.T) {
	file := map[string]string{DefaultFile: "play:\n  weights: huang\n"}
	for _, command := range []string{"tune run", "tune openings"} {
		if _, err := loadWith(t, command, file); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
	t.Setenv("QUINTUNE_WEIGHTS", "huang")
	if _, err := loadWith(t, "tune run", nil); err != nil {
		t.Error(err)
	}
	_, err := loadWith(t, "tune openings", nil, "--weights", "zhang")
	checkRefused(t, "QUINTUNE_WEIGHTS=huang", err, "QUINTUNE_WEIGHTS is a setting of play", "--weights")
}

// Only a bounded part of a file is read.
func TestLongFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "long.yaml")
	if err := os.WriteFile(name, []byte("#"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 1<<40); err != nil {
		t.Skip(err) // this file system has no sparse files
	}
	_, err := loadWith(t, "tune run", nil, "--config", name)
	checkRefused(t, name, err, "more than 1048576 bytes")
	if n := strings.Count(err.Error(), name); n != 1 {
		t.Errorf("%v names the file %d times", err, n)
	}
}

func TestExit(t *testing.T) {
	tests := []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("x"), 1},
		{Usagef("x"), 2},
		{fmt.Errorf("more: %w", Usagef("x")), 2},
		{ErrInterrupted, 130},
		{fmt.Errorf("run: %w", context.Canceled), 130},
		{context.DeadlineExceeded, 1},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.err), func(t *testing.T) {
			if got := Exit(test.err); got != test.want {
				t.Errorf("%v: %d, want %d", test.err, got, test.want)
			}
		})
	}
	if Usage(nil) != nil {
		t.Error("no error becomes one")
	}
}
