package config

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// benchOptions are the options of `play bench` in the tests.
type benchOptions struct {
	Common
	Depth int
}

func (o *benchOptions) Declare(d *Declaration) {
	d.Group("Limits")
	Var(d, &o.Depth, "depth", "0", Whole(0, 100), "plies")
}

// program returns a root with one command, whose body is given.
func program(body func(*cobra.Command, *benchOptions) error) *cobra.Command {
	root := &cobra.Command{Use: "play"}
	root.AddCommand(Bind(&cobra.Command{Use: "bench", Short: "b"}, &benchOptions{}, func(cmd *cobra.Command, o *benchOptions, _ []string) error {
		return body(cmd, o)
	}))
	return root
}

func execute(root *cobra.Command, args ...string) (out, log string, err error) {
	var o, l bytes.Buffer
	err = Execute(context.Background(), root, "123-abc", args, strings.NewReader(""), &o, &l)
	return o.String(), l.String(), err
}

func TestExecuteTellsErrors(t *testing.T) {
	fails := func(*cobra.Command, *benchOptions) error { return errors.New("disk is full") }
	tests := []struct {
		args   []string
		status int
		log    string
	}{
		{[]string{"bench"}, 1, "play bench: disk is full\n"},
		{[]string{"bench", "--depth", "x"}, 2, "play bench --help"},
		{[]string{"bench", "--quit"}, 2, "unknown flag: --quit"},
		{[]string{"bench", "extra"}, 2, `"extra" is too much: play bench takes no arguments`},
		{[]string{"help", "bnch"}, 2, `unknown command "bnch": did you mean "bench"?`},
		{[]string{"bnch"}, 2, `unknown command "bnch": did you mean "bench"?`},
		{[]string{"other"}, 2, "unknown command \"other\"\n"},
		{[]string{"bench", "--dept", "3"}, 2, `unknown flag: --dept: did you mean "--depth"?`},
	}
	for _, test := range tests {
		t.Run(test.log, func(t *testing.T) {
			_, log, err := execute(program(fails), test.args...)
			if Exit(err) != test.status || !strings.Contains(log, test.log) {
				t.Errorf("%v: status %d, log %q", test.args, Exit(err), log)
			}
		})
	}
	_, log, _ := execute(program(func(*cobra.Command, *benchOptions) error { return errors.New("refused: \x1b[2Jno\nnor that\a") }), "bench")
	if log != "play bench: refused: ?[2Jno\nnor that?\n" {
		t.Errorf("the log of a hostile text is %q", log)
	}
	_, log, _ = execute(program(fails), "bench", "--log-format", "json")
	var record struct{ Level, Msg string }
	if err := json.Unmarshal([]byte(log), &record); err != nil || record.Level != "ERROR" || record.Msg != "disk is full" {
		t.Errorf("JSON log is %q (%v)", log, err)
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

func TestLogger(t *testing.T) {
	logs := func(cmd *cobra.Command, o *benchOptions) error {
		log := NewLogger(cmd.ErrOrStderr(), &o.Common)
		log.Info("first", "n", 1)
		log.Warn("second")
		return nil
	}
	tests := []struct {
		args string
		want string
	}{
		{"bench", "level=INFO msg=first n=1\nlevel=WARN msg=second\n"},
		{"bench --quiet", "level=WARN msg=second\n"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			if _, log, err := execute(program(logs), strings.Fields(test.args)...); err != nil || log != test.want {
				t.Errorf("%s: %q (%v)", test.args, log, err)
			}
		})
	}
	_, log, _ := execute(program(logs), "bench", "--log-format=json")
	if lines := strings.Split(strings.TrimSpace(log), "\n"); len(lines) != 2 || !json.Valid([]byte(lines[0])) {
		t.Errorf("JSON log is %q", log)
	}
}

func TestVersionAndHelp(t *testing.T) {
	out, _, err := execute(program(nil), "--version")
	if err != nil || !strings.Contains(out, "engine 123-abc\n") || !strings.Contains(out, "commit ") {
		t.Errorf("%q (%v)", out, err)
	}
	out, _, err = execute(program(nil), "bench", "--help")
	for _, part := range []string{"--log-format text|json", "(default text)", "--depth N", "in [0, 100]", "\nLimits:\n", "\nOutput and configuration:\n"} {
		t.Run(part, func(t *testing.T) {
			if err != nil || !strings.Contains(out, part) {
				t.Errorf("the help lacks %q (%v):\n%s", part, err, out)
			}
		})
	}
}

// closed is a stream that cannot be written.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestHelpThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"bench", "--help"}, {"help", "bench"}, {"--version"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var log bytes.Buffer
			err := Execute(context.Background(), program(nil), "123-abc", args, strings.NewReader(""), closed{}, &log)
			if Exit(err) != ExitFailed || !strings.HasPrefix(log.String(), "play") || !strings.HasSuffix(log.String(), ": no room\n") {
				t.Errorf("exit status %d, log %q", Exit(err), log.String())
			}
		})
	}
}

func TestHelpOfACommand(t *testing.T) {
	want, _, err := execute(program(nil), "bench", "--help")
	if err != nil {
		t.Fatal(err)
	}
	if got, log, err := execute(program(nil), "help", "bench"); err != nil || got != want {
		t.Errorf("help bench gives %q, %q (%v), want %q", got, log, err, want)
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		width            int
	}{
		{"filled", "one two\nthree four", "one two\nthree four", 10},
		{"joined", "one\ntwo\nthree", "one two three", 13},
		{"paragraphs", "one two\n\nthree", "one\ntwo\n\nthree", 3},
		{"kept", "one\n  a   b\ntwo", "one\n  a   b\ntwo", 20},
		{"long word", "a abcdef b", "a\nabcdef\nb", 3},
		{"letters, not bytes", "ä ö ü", "ä ö ü", 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := wrap(test.text, test.width); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestCompletion(t *testing.T) {
	out, _, err := execute(program(nil), "__complete", "bench", "--log-format", "")
	if err != nil || !strings.HasPrefix(out, "text\njson\n") {
		t.Errorf("%q (%v)", out, err)
	}
}

func TestCommitOf(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}
	if got := commitOf(info); got != "abc+dirty" {
		t.Errorf("commit is %q", got)
	}
	if got := commitOf(&debug.BuildInfo{}); got != unknownCommit {
		t.Errorf("commit is %q", got)
	}
}

func TestWriteJSON(t *testing.T) {
	var out bytes.Buffer
	if err := WriteJSON(&out, map[string]any{"win": nil}); err != nil || out.String() != "{\"win\":null}\n" {
		t.Errorf("%q (%v)", out.String(), err)
	}
	if err := WriteJSON(&out, func() {}); err == nil {
		t.Error("a function is written")
	}
}
