package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/filelock"
	"quintune/internal/run"
)

// The next command names --runs, quoted for the shell, where it is not the default.
func TestNextCommandsNameTheRuns(t *testing.T) {
	inFolder(t)
	const runs = "--runs 'my runs'"
	kept := func(args ...string) []string { return append(args, "--runs", "my runs") }
	for _, test := range []struct {
		name   string
		args   []string
		status int
		want   []string
	}{
		{"run", kept(quick("run", "--budget", "100games", "--start", "huang", "--name", "r")...), config.ExitDone, []string{"Next: `tune report r -o r.html " + runs + "`"}},
		{"taken", kept(quick("run", "--budget", "100games", "--name", "r", "--out", "s.json")...), config.ExitFailed, []string{"go on with `tune resume r --budget MORE " + runs + "`"}},
		{"list", kept("list"), config.ExitDone, []string{"Next: `tune show r " + runs + "`"}},
		{"show", kept("show"), config.ExitDone, []string{"gate against huang: undecided after 10 pairs, ", ", an interval that says nothing below 20 pairs\nvalidation: ", "Next: `tune report r -o r.html " + runs + "`"}},
		{"report", kept("report"), config.ExitDone, []string{"Next: `tune export r --format csv -o r.csv " + runs + "`"}},
		{"export", kept("export", "r", "-o", "c.json"), config.ExitDone, []string{"Next: `tune resume c.json " + runs + "`"}},
		{"export of games", kept("export", "r", "--games", "sgf", "-o", "games.sgf"), config.ExitDone, []string{"Next: `tune show r " + runs + "`"}},
		{"diff", kept("diff", "r", "huang"), config.ExitDone, []string{"Next: `tune export r --format markdown " + runs + "`"}},
		{"diff without a run", kept("diff", "huang", "huang"), config.ExitDone, []string{"Next: `tune export huang --format markdown`"}},
		{"resume of a finished run", kept("resume", "r"), config.ExitDone, []string{"`tune resume r " + runs + " --budget MORE`", "Next: `tune report r -o r.html " + runs + "`"}},
		{"resume without an unfinished run", kept("resume"), config.ExitFailed, []string{"`tune resume r --budget MORE " + runs + "`"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, log, status := tune(t, test.args...)
			if status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
			for _, want := range test.want {
				if !strings.Contains(out+log, want) {
					t.Errorf("no %q in\n%s%s", want, out, log)
				}
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	err := execute(ctx, kept(quick("run", "--budget", "200games", "--name", "s", "--out", "s.json")...), strings.NewReader(""), &out, &watcher{"msg=evolution", 1, cancel})
	if want := "`tune resume s " + runs + "`"; config.Exit(err) != config.ExitInterrupted || !strings.Contains(err.Error(), want) || !strings.Contains(out.String(), "Next: "+want) {
		t.Errorf("no %q in %v, or in\n%s", want, err, out.String())
	}
	if text := done(t, kept("show", "s")...); !strings.Contains(text, "Next: `tune resume s "+runs+"`") {
		t.Errorf("of an interrupted run: %s", text)
	}
	if _, log, _ := tune(t, kept(quick("run", "--budget", "100games", "--name", "s", "--out", "s.json")...)...); !strings.Contains(log, "go on with `tune resume s "+runs+"`") {
		t.Errorf("the name of an interrupted run: %s", log)
	}
	lock, err := filelock.Take(filepath.Join("my runs", "s", "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if text := done(t, kept("show", "s")...); !strings.Contains(text, "\nbeing played: ") || !strings.Contains(text, "Next: `tune watch s "+runs+"`") {
		t.Errorf("of a run that is being played: %s", text)
	}
	if o := object(t, done(t, kept("show", "s", "--json")...)); o["status"] != "playing" {
		t.Errorf("%v", o)
	}
	o := &sensitivityOptions{runsOption: runsOption{"my runs"}}
	if text := sensitivityEnd(nil, o, nil, "r", &run.Sensitivity{}); !strings.Contains(text, "Next: `tune report r -o r.html "+runs+"`") {
		t.Errorf("of a sensitivity without a match: %s", text)
	}
}

// Every command ends with a plain sentence of what happened and the next command to type. With --json there is
// none of this.
func TestCommandsEndWithTheNextOne(t *testing.T) {
	inFolder(t)
	done(t, "export", "huang", "-o", "w.json")
	for _, test := range []struct {
		name string
		args []string
		want []string
	}{
		{"match, stronger", quick("match", "w.json", "flat", "--pairs", "100"), []string{"w.json is stronger than flat: +", "Next: `play --weights w.json --rule freestyle --size 9` plays with the stronger.\n"}},
		{"match, weaker", quick("match", "flat", "huang", "--pairs", "100"), []string{"flat is weaker than huang: -", "Next: `play --weights huang --rule freestyle --size 9` plays"}},
		{"match, not told apart", quick("match", "huang", "huang", "--pairs", "10"), []string{
			"Too few pairs to tell huang from huang: +0.0 Elo [", "an interval that says nothing below 20 pairs.", "Next: `tune match huang huang --size 9 --nodes 20 --openings openings.txt --pairs 40` narrows the interval.\n",
		}},
		{"match of a pair", quick("match", "huang", "huang", "--pairs", "1"), []string{"Next: `tune match huang huang --size 9 --nodes 20 --openings openings.txt --pairs 64` narrows"}},
		{"match, no openings left", quick("match", "huang", "huang", "--pairs", "200"), []string{"Next: `tune openings --count 800 --out more.txt --rule freestyle --size 9`"}},
		{"gate, passed", quick("gate", "w.json", "flat"), []string{"The test of w.json against flat is passed: +", "Next: `tune validate w.json --against flat --rule freestyle --size 9 --nodes 20` measures"}},
		{"gate, not passed", quick("gate", "flat", "huang"), []string{"The test of flat against huang is not passed: -", "Next: `tune run --start huang "}},
		{"gate, undecided", quick("gate", "huang", "flat", "--pairs", "2"), []string{"is undecided: ", "Next: `tune gate huang flat --size 9 --nodes 20 --openings openings.txt --pairs 128` lets the test go on.\n"}},
		{"sprt under a clock", []string{"sprt", "huang", "flat", "--size", "9", "--openings", "openings.txt", "--time", "2ms", "--pairs", "40", "--nelo", "0,150"}, []string{"Next: `tune sprt huang flat --size 9 --openings openings.txt", "--time 8ms` tests the same with more time"}},
		{"sprt, passed", quick("sprt", "huang", "flat", "--nelo", "0,150"), []string{"is passed: +", "Next: `tune sprt huang flat --nelo 0,150 --size 9 --openings openings.txt --nodes 80` tests the same with more nodes"}},
		{"validate", quick("validate", "w.json", "--against", "flat", "--pairs", "50"), []string{"w.json is stronger than flat: +", "Next: `play --weights w.json --rule freestyle --size 9`"}},
		{"ladder", quick("ladder", "huang", "flat", "--pairs", "2"), []string{"huang leads before flat by +332.5 Elo [-62.5, +1117.9], an interval that says nothing below 20 pairs.", "Next: `tune ladder huang flat --size 9 --nodes 20 --openings openings.txt --pairs 8`"}},
		{"export", []string{"export", "zhang", "-o", "z.json"}, []string{"zhang was written to z.json.\n", "Next: `tune match z.json default` measures them.\n"}},
		{"export for renju", []string{"export", "renju15", "-o", "k.json"}, []string{"Next: `tune match k.json renju15 --rule renju --size 15` measures them.\n"}},
		{"export as a table", []string{"export", "renju15", "--format", "csv", "-o", "k.csv"}, []string{"Next: `tune import k.csv -o k-2.json --rule renju --size 15` makes"}},
		{"export as a table, where the weights file is there", []string{"export", "k.json", "--format", "csv", "-o", "k.csv"}, []string{"Next: `tune import k.csv -o k-2.json --rule renju --size 15` makes"}},
		{"import over a file", []string{"import", "k.csv", "-o", "z.json", "--rule", "renju"}, []string{"imported was written to z.json; the file before it is now ", "z.json.bak.\n"}},
		{"diff", []string{"diff", "huang", "k.json"}, []string{"huang (A) and k.json (B) differ in ", "Next: `tune match huang k.json --rule renju --size 15` plays them against each other.\n"}},
		{"diff of two rules", []string{"diff", "w.json", "k.json"}, []string{"Next: `tune export w.json --format markdown` lists"}},
		{"diff of equals", []string{"diff", "huang", "huang"}, []string{"huang and huang have the same weights.\n", "Next: `tune export huang --format markdown` lists"}},
		{"config", []string{"config", "--seed", "7", "--start", "huang"}, []string{"values, of which 2 are set and the others defaults.\n", "Next: `tune run --seed 7 --start huang` begins a run with them.\n"}},
		{"config of one", []string{"config", "--seed", "7"}, []string{"values, of which 1 is set and the others defaults.\n"}},
		{"openings", []string{"openings", "--count", "2", "--size", "9", "--nodes", "500", "--out", "o.txt"}, []string{"2 openings written to o.txt.\n", "--openings o.txt --pairs 2 --rule freestyle --size 9` plays them"}},
		{"run without a gate", quick("run", "--budget", "100games", "--no-gate", "--name", "r", "--out", "n.json"), []string{"unproven: n.json written", "Next: `tune match n.json default --rule freestyle --size 9` measures it.\n"}},
		{"run", quick("run", "--budget", "100games", "--start", "huang", "--name", "s", "--out", "p.json"), []string{"Next: `tune report s -o s.html` shows all curves and figures.\n"}},
		{"report", []string{"report", "r"}, []string{"Next: `tune export r --format csv -o r.csv`"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := done(t, test.args...)
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if strings.Contains(text, "accept H") || strings.Count(text, "Next: ") != 1 {
				t.Errorf("the words are\n%s", text)
			}
			if test.args[0] == "run" {
				return // typed twice it would be another run
			}
			if out := done(t, append(test.args, "--json")...); strings.Contains(out, "Next: ") {
				t.Errorf("with --json:\n%s", out)
			}
		})
	}
}
