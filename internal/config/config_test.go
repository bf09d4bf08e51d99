package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// loadWith runs a command of the given name with arguments in an empty working directory that
// holds the files, keyed by name, and returns what Load gave.
func loadWith(t *testing.T, command string, files map[string]string, args ...string) (*Values, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var values *Values
	cmd := &cobra.Command{Use: "app", RunE: func(cmd *cobra.Command, _ []string) (err error) {
		values, err = Load(cmd)
		return err
	}}
	Declare(cmd, command)
	err := Execute(context.Background(), cmd, "", args, strings.NewReader(""), io.Discard, io.Discard)
	return values, err
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
	if v.Int64("nodes") != 7 || v.Uint64("seed") != 6 || v.Int("size") != 20 || v.Budget("budget") != (Budget{Generations: 40}) {
		t.Errorf("the getters differ from %v", v.Entries())
	}
	if v.IsSet("rule") || !v.IsSet("size") {
		t.Error("IsSet differs from the origins")
	}
}

func TestConfigFlagReplacesDefaultFile(t *testing.T) {
	files := map[string]string{DefaultFile: "seed: 1\nsize: 19\n", "other.yaml": "seed: 18446744073709551615\n"}
	v, err := loadWith(t, "tune run", files, "--config", "other.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if v.Uint64("seed") != 18446744073709551615 || v.Int("size") != 15 {
		t.Errorf("seed is %d, size %d", v.Uint64("seed"), v.Int("size"))
	}
}

// The same name may be a setting of one command and a mere flag of another.
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
		v, err := loadWith(t, test.command, files, test.args...)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.value("out").entry; got != test.want {
			t.Errorf("%s %v: %v, want %v", test.command, test.args, got, test.want)
		}
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
		v, err := loadWith(t, "tune run", map[string]string{test.file: test.text}, "--config", test.file)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := v.value(test.name).entry.Value; got != test.want {
			t.Errorf("%s: %s is %q, want %q", test.text, test.name, got, test.want)
		}
	}
}

func TestFileRefusals(t *testing.T) {
	tests := []struct {
		text string
		want []string // parts of the error
	}{
		{"sede: 7\n", []string{"quintune.yaml", "line 1", `unknown key "sede"`, "meant is seed"}},
		{"nodes: 5\nSeed: 7\n", []string{"line 2", `unknown key "Seed"`, "meant is seed"}},
		{"seed: 1\nSEED: 7\n", []string{"line 2", `unknown key "SEED"`, "meant is seed"}},
		{"seed: 1\nseed: 1\n", []string{"seed", "twice"}},
		{"{\"seed\": 1, \"seed\": 2}", []string{"seed", "twice"}},
		{"size: 99\n", []string{"size is 99", "[5, 22]"}},
		{"size: -3\n", []string{"size is -3", "[5, 22]"}},
		{"size: 15.5\n", []string{"size", `"15.5"`}},
		{"size: fifteen\n", []string{"size", `"fifteen"`}},
		{"size: {a: 1}\n", []string{"size", "no sections"}},
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
		{"seed: 1\n---\nseed: 2\n", []string{"goes on"}},
		{"run.seed: 1\n", []string{"unknown key"}},
		{strings.Repeat("# a long comment\n", maxFile/16), []string{"bytes"}},
	}
	for _, test := range tests {
		_, err := loadWith(t, "tune run", map[string]string{DefaultFile: test.text})
		checkRefused(t, fmt.Sprintf("%.40q", test.text), err, test.want...)
	}
}

func TestFileNameRefusals(t *testing.T) {
	for _, test := range []struct{ file, want string }{{"c.toml", ".yaml"}, {"absent.yaml", "absent.yaml"}, {"", "ending"}} {
		_, err := loadWith(t, "tune run", map[string]string{"c.toml": "seed = 1\n"}, "--config", test.file)
		checkRefused(t, test.file, err, test.want)
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
		{"QUINTUNE_COLOR", "red", []string{"color", "black, white"}}, // of the other program
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
		{[]string{"--budget", "0games"}, []string{"budget", "[1,"}},
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

func TestDeclarations(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Options() {
		if o.Name == "" || strings.Trim(o.Name, "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("%q is no name for an option", o.Name)
		}
		if o.Help == "" || len(o.Commands) == 0 {
			t.Errorf("%s has no help or no commands", o.Name)
		}
		for _, command := range o.Commands {
			if key := command + " --" + o.Name; seen[key] {
				t.Errorf("%s is declared twice", key)
			} else {
				seen[key] = true
			}
		}
		parsed, err := o.Kind.parse(o.Default)
		if err != nil {
			t.Errorf("default: %s %v", o.Name, err)
		} else if got, want := fmt.Sprintf("%T", parsed), fmt.Sprintf("%T", o.Kind.zero); got != want {
			t.Errorf("%s is a %s, its zero a %s", o.Name, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	tests := []struct {
		kind    Kind
		text    string
		want    any
		refused bool
	}{
		{Spending(), "8h", Budget{Time: 8 * time.Hour}, false},
		{Spending(), "400games", Budget{Games: 400}, false},
		{Spending(), "40gens", Budget{Generations: 40}, false},
		{Spending(), "1.5games", nil, true},
		{Spending(), "400 games", nil, true},
		{Spending(), "", nil, true},
		{Optional(Spending()), "", Budget{}, false},
		{Label(), "a-1.b_C", "a-1.b_C", false},
		{Label(), "", "", false},
		{Label(), "../up", nil, true},
		{Label(), "-x", nil, true},
		{Label(), strings.Repeat("a", maxLabel+1), nil, true},
		{Clock(), "60s+0.1s", TimeControl{time.Minute, 100 * time.Millisecond}, false},
		{Clock(), "2m", TimeControl{Game: 2 * time.Minute}, false},
		{Clock(), "60", nil, true},
		{Clock(), "60s+", nil, true},
		{Clock(), "60s+-1s", nil, true},
		{Clock(), "1ms", nil, true},
		{Clock(), "25h", nil, true},
		{EloBounds(), "0,5", Bounds{0, 5}, false},
		{EloBounds(), "5,0", nil, true},
		{EloBounds(), "0", nil, true},
		{EloBounds(), "NaN,5", nil, true},
		{EloBounds(), "-9999,5", nil, true},
		{Span(time.Millisecond, time.Second), "250ms", 250 * time.Millisecond, false},
		{Span(time.Millisecond, time.Second), "250", nil, true},
		{Span(time.Millisecond, time.Second), "2s", nil, true},
		{Number(0, 1), "0.5", 0.5, false},
		{Number(0, 1), "Inf", nil, true},
		{Some("a", "b"), "b,a", []string{"b", "a"}, false},
		{Some("a", "b"), "a,a", nil, true},
		{Some("a", "b"), "a,", nil, true},
		{Text("T"), strings.Repeat("x", maxText+1), nil, true},
		{Whole(1, 5), "007", nil, true},
		{Whole(1, 5), "3", int64(3), false},
	}
	for _, test := range tests {
		got, err := test.kind.parse(test.text)
		if (err != nil) != test.refused {
			t.Errorf("%.40q: error is %v", test.text, err)
		} else if !test.refused && fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%.40q: %v, want %v", test.text, got, test.want)
		}
	}
}

func TestBudgetString(t *testing.T) {
	for _, text := range []string{"400games", "40gens", "1h30m0s"} {
		b, err := Spending().parse(text)
		if err != nil || b.(Budget).String() != text {
			t.Errorf("%s becomes %v (%v)", text, b, err)
		}
	}
}

func TestGettersPanicForMistakesOfTheProgram(t *testing.T) {
	v, err := loadWith(t, "tune run", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(){
		"unknown name": func() { v.Int("color") },
		"wrong kind":   func() { v.Bool("size") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
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
		if got := Exit(test.err); got != test.want {
			t.Errorf("%v: %d, want %d", test.err, got, test.want)
		}
	}
	if Usage(nil) != nil {
		t.Error("no error becomes one")
	}
}
