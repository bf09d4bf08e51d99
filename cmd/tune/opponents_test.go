package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/stats"
	"quintune/weights/weightstest"
)

// noProgram is a player that no command line can start, so that nothing is started when a test fails.
const noProgram = "gomocup:/no/such/program"

func TestRunRefusals(t *testing.T) {
	inFolder(t)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("illegal.txt", "e5f6\ne5e5\n")
	write("duplicate.txt", "e5f6g7h8\nc3d4\ne5d4c3b2\n")
	write("gate.txt", strings.Join(strings.Split(string(read(t, "openings.txt")), "\n")[1:9], "\n")+"\n")
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"--budget", "0games"}, "budget is 0 games, not in [100,"},
		{[]string{"--budget", "99999999999games"}, "budget is 99999999999 games, not in [100, 1000000000]"},
		{[]string{"--budget", "2000000gens"}, "the budget is 2000000 generations, not in [1, 1051985]"},
		{[]string{"--budget", "0s"}, "budget is 0s"},
		{[]string{"--budget", "99games"}, "budget is 99 games, not in [100,"},
		{[]string{"--openings", "illegal.txt"}, "illegal.txt line 2: move 2"},
		{[]string{"--openings", "duplicate.txt"}, "duplicate.txt line 3: the same position as line 1"},
		{[]string{"--gate-openings", "gate.txt"}, "the openings of the gates overlap those of the training"},
		{[]string{"--only", "line,nonsense"}, `group "nonsense" is not one of [line cell`},
		{[]string{"--freeze", "line.nonsense.self"}, `freeze: "line.nonsense.self" is to be frozen, but it is none of`},
		{[]string{"--freeze", "line.open_too.self"}, `did you mean "line.open_two.self"?`},
		{[]string{"--anchor", "nobody"}, `"nobody" is not a preset`},
		{[]string{"--anchor", "zhang", "--anchor", "zhang"}, `names "zhang" twice`},
		{[]string{"--peers", "1.5"}, "peers is 1.5, not in [0, 1]"},
		{[]string{"--out", ""}, "out is empty"},
		{[]string{"--runs", ""}, "runs is empty"},
		{[]string{"--trace", "missing/trace"}, "trace: open missing/trace"},
		{[]string{"--deadline", "7 o'clock"}, `deadline is "7 o'clock", not a time of the day`},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			args := append(quick("run", "--budget", "100games"), test.args...)
			out, log, status := tune(t, args...)
			if status == config.ExitDone || out != "" || !strings.Contains(log, test.want) {
				t.Errorf("%q: status %d: %s, want %s", test.args, status, log, test.want)
			}
		})
	}
	if entries, err := os.ReadDir("runs"); err == nil && len(entries) > 0 {
		t.Errorf("refused runs left %v", entries)
	}
}

// The options of methods that are gone are accepted and change nothing, with a line of the log for each.
func TestOptionsOfFormerMethods(t *testing.T) {
	inFolder(t)
	out, log, status := tune(t, quick("run", "--budget", "100games", "--no-gate", "--optimizer", "cmaes", "--polish", "0.5", "--peers", "0", "--champions", "1", "--anchors", ".2", "--json", "--quiet")...)
	if status != config.ExitDone {
		t.Fatalf("status %d: %s", status, log)
	}
	for _, want := range []string{cmaesGone, formerUnused("polish"), formerUnused("peers"), formerUnused("champions"), formerUnused("anchors")} {
		if strings.Count(log, want) != 1 {
			t.Errorf("not one line of %q in\n%s", want, log)
		}
	}
	plain, _, _ := tune(t, quick("run", "--budget", "100games", "--no-gate", "--name", "plain", "--out", "plain.json", "--json", "--quiet")...)
	for _, key := range []string{"games", "generations"} {
		if a, b := object(t, out)[key], object(t, plain)[key]; a != b {
			t.Errorf("%s: %v with the options, %v without", key, a, b)
		}
	}
	if string(read(t, "weights.json")) == "" || string(read(t, "plain.json")) == "" {
		t.Error("no weights")
	}
	text, log, _ := tune(t, "config", "--optimizer", "cmaes", "--polish", "0.5")
	if !strings.Contains(text, "optimizer      ga ") || strings.Contains(text, "0.5 ") || !strings.Contains(log, formerUnused("polish")) {
		t.Errorf("%s%s", text, log)
	}
	if help := done(t, "run", "--help"); strings.Contains(help, "--polish") || strings.Contains(help, "--peers") {
		t.Errorf("%s", help)
	}
}

func TestDeadlineIsTheNextOne(t *testing.T) {
	t.Chdir(t.TempDir())
	var o runOptions
	cmd := config.Bind(&cobra.Command{Use: "tune"}, &o, nil)
	if err := cmd.ParseFlags([]string{"--deadline", "07:00"}); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(cmd); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ now, want string }{
		{"2026-03-01 06:59:59", "2026-03-01 07:00:00"},
		{"2026-03-01 07:00:00", "2026-03-02 07:00:00"},
		{"2026-12-31 23:00:00", "2027-01-01 07:00:00"},
	} {
		t.Run(test.now, func(t *testing.T) {
			now, err := time.ParseInLocation(time.DateTime, test.now, time.Local)
			if err != nil {
				t.Fatal(err)
			}
			if got := o.Deadline.After(now).Format(time.DateTime); got != test.want {
				t.Errorf("at %s it is %s, want %s", test.now, got, test.want)
			}
		})
	}
	budget := o.budget(time.Now().Add(time.Hour))
	if budget.Games != 0 || budget.Time < 59*time.Minute || budget.Time > time.Hour {
		t.Errorf("budget %v until a deadline in an hour", budget)
	}
}

// A run whose validation shows no gain must not say that it looks good.
func TestNoProvenGainIsExplained(t *testing.T) {
	refused := &match.GateReport{Verdict: stats.AcceptH0.String()}
	undecided := &match.GateReport{Verdict: stats.Inconclusive.String()}
	for _, test := range []struct {
		name     string
		gate     *match.GateReport
		elo, low float64
		want     string // its first words; "": none
	}{
		{"gain, gate refused", refused, 9, 1, "The validation looks good, but only a passed gate counts as proof, and this one decided"},
		{"gain, gate undecided", undecided, 9, 1, "The validation looks good, but only a passed gate counts as proof, and this one ended"},
		{"interval holds 0, gate refused", refused, .5, -11, ""},
		{"interval holds 0, gate undecided", undecided, 9, -4, "Neither"},
		{"interval holds 0, no gate", nil, 9, -4, "Neither"},
		{"loss", undecided, -9, -20, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := runResult{again: []string{"tune", "resume", "r-1"}, Verdict: verdictNone, Gate: judged(test.gate)}
			r.Validation = &match.Report{Pairs: 200, Elo: test.elo, EloLow: test.low}
			got := r.explanation()
			if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("explained by %q, want %q", got, test.want)
			}
			if got != "" && !strings.Contains(got, "`tune resume r-1 --budget MORE`") {
				t.Errorf("%q does not say how to go on", got)
			}
		})
	}
}

// Where the last gate was not passed the gain is that of an earlier gate, and the result says so.
func TestGainOfAnEarlierGateIsExplained(t *testing.T) {
	out := "w.json"
	for verdict, want := range map[string]bool{verdictProven: true, verdictNone: false} {
		t.Run(verdict, func(t *testing.T) {
			r := runResult{Verdict: verdict, Out: &out, Reproducible: true, Gate: judged(&match.GateReport{Verdict: stats.Inconclusive.String()})}
			r.Gate.B, r.Gate.Games, r.Gate.Pairs = "generation 78", 4, 2
			got := r.text()
			if strings.Contains(got, "generation 78, which passed a gate before, was not beaten and stays the champion\n") != want {
				t.Errorf("the earlier gate is named: %v, want %v: %s", !want, want, got)
			}
		})
	}
}

// A small budget validates against the first anchors alone: these are the rivals that the user named.
func TestRivalsComeBeforeTheOtherAnchors(t *testing.T) {
	var o runOptions
	o.Size, o.Against = 15, []string{"former", "baseline:random"}
	list, err := anchorsOf(&o, weightstest.Preset(t, "huang"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range list {
		got = append(got, fmt.Sprint(a.Name, " ", a.Rival))
	}
	if want := []string{"former true", "baseline:random true", "zhang false", "shapes false", "sjtu false"}; !slices.Equal(got, want) {
		t.Errorf("the anchors are %q, want %q", got, want)
	}
}

func TestTooFewGamesForAGate(t *testing.T) {
	inFolder(t)
	out, log, status := tune(t, quick("run", "--budget", "100games", "--start", "flat", "--seed", "2")...)
	if status != config.ExitDone {
		t.Fatal(log)
	}
	positive := strings.Contains(out, "validation: +")
	if explained := strings.Contains(out, "goes on from here"); explained != positive {
		t.Errorf("positive %v, explained %v: %s", positive, explained, out)
	}
	for place, text := range map[string]string{"run": out, "show": done(t, "show")} {
		if !regexp.MustCompile(`(?m)^validation.* Elo .*, an interval that says nothing below 20 pairs`).MatchString(text) {
			t.Errorf("%s does not warn of a validation of few pairs: %s", place, text)
		}
	}
	if !strings.Contains(log, "pairs") || !strings.Contains(log, "no gain can be proven") {
		t.Errorf("the log does not say that the budget is too small: %s", log)
	}
}

func TestTooFewGamesForTheNamedAnchors(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want string // in the log, "" for no such line
	}{
		{"the usual anchors", nil, ""},
		{"an anchor", []string{"--anchor", "baseline:random"}, "not_met=baseline:random\n"},
		{"a rival beside the usual anchors", []string{"--against", "former"}, "not_met=former\n"},
		{"both", []string{"--against", "former", "--anchor", "baseline:random"}, "not_met=\"former, baseline:random\"\n"},
		{"no validation is wanted", []string{"--anchor", "baseline:random", "--no-gate"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			inFolder(t)
			_, log, status := tune(t, quick(append([]string{"run", "--budget", "100games", "--start", "flat", "--seed", "2"}, test.args...)...)...)
			if status != config.ExitDone || !strings.Contains(log, test.want) || strings.Contains(log, "not_met") != (test.want != "") {
				t.Errorf("status %v, %q is wanted in the log: %s", status, test.want, log)
			}
		})
	}
}

func TestSensitivityOfARun(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "200games", "--no-gate", "--name", "r")...)
	out := done(t, "sensitivity", "--budget", "400games", "--json")
	o := object(t, out)
	changes := o["changes"].([]any)
	if o["games"] != 400.0 || len(changes) < 50 || changes[0].(map[string]any)["cost"] == nil {
		t.Errorf("%v games, %d changes, first %v", o["games"], len(changes), changes[0])
	}
	if text := done(t, "sensitivity", "r", "--budget", "100games"); !strings.Contains(text, "cost of setting it back") {
		t.Error(text)
	}
	done(t, "report", "r", "-o", "report.html")
	for place, text := range map[string]string{"report": string(read(t, "report.html")), "show": done(t, "show", "r")} {
		if name := changes[0].(map[string]any)["name"].(string); !strings.Contains(text, name) || !strings.Contains(strings.ToLower(text), "setting") {
			t.Errorf("the %s does not tell what mattered", place)
		}
	}
}

func TestMatchesNameTheEngineThatFails(t *testing.T) {
	inFolder(t)
	defer func() {
		if list := done(t, "list"); strings.Contains(list, noProgram) {
			t.Errorf("matches without a game are left:\n%s", list)
		}
		if locks, err := filepath.Glob("runs/*.lock"); err != nil || len(locks) > 0 {
			t.Errorf("locks %v are left, error %v", locks, err)
		}
	}()
	for _, command := range []string{"match", "gate"} {
		t.Run(command, func(t *testing.T) {
			_, log, status := tune(t, quick(command, noProgram, "huang", "--pairs", "2")...)
			if status != config.ExitFailed || !strings.Contains(log, noProgram+" cannot play: it does not start") {
				t.Errorf("%s: status %d: %s", command, status, log)
			}
		})
	}
}

func TestHelpOfGatesSaysWhatTheyTake(t *testing.T) {
	for command, want := range map[string]string{
		"gate": "without it 10000, or one for each opening if there are fewer", "validate": "without it openings made for the purpose", "match": "(default 200)",
	} {
		t.Run(command, func(t *testing.T) {
			if text := strings.Join(strings.Fields(done(t, command, "--help")), " "); !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %s", command, want, text)
			}
		})
	}
}
