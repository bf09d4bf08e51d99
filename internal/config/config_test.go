package config

import (
	"context"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

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
