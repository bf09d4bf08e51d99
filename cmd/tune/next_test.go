package main

import (
	"strings"
	"testing"
)

// Every command ends with what happened in plain words and the next command to type; machines get none of it.
func TestCommandsEndWithTheNextOne(t *testing.T) {
	inFolder(t)
	done(t, "export", "huang", "-o", "w.json")
	for _, test := range []struct {
		name string
		args []string
		want []string
	}{
		{"match, stronger", quick("match", "w.json", "flat", "--pairs", "100"), []string{"w.json is stronger than flat: +", "Next: `play --weights w.json` plays with the stronger.\n"}},
		{"match, weaker", quick("match", "flat", "huang", "--pairs", "100"), []string{"flat is weaker than huang: -", "Next: `play --weights huang` plays"}},
		{"match, not told apart", quick("match", "huang", "huang", "--pairs", "10"), []string{
			"No difference is shown between huang and huang: +0.0 Elo [", "an interval that holds 0.", "Next: `tune match huang huang --size 9 --nodes 20 --openings openings.txt --pairs 40` narrows",
		}},
		{"match, no openings left", quick("match", "huang", "huang", "--pairs", "200"), []string{"Next: `tune openings --count 800 --rule freestyle --size 9 --out more.txt`"}},
		{"gate, passed", quick("gate", "w.json", "flat"), []string{"The test of w.json against flat is passed: +", "Next: `tune validate w.json --against flat --rule freestyle --size 9` measures"}},
		{"gate, not passed", quick("gate", "flat", "huang"), []string{"The test of flat against huang is not passed: -", "Next: `tune run --start huang "}},
		{"gate, undecided", quick("gate", "huang", "flat", "--pairs", "2"), []string{"is undecided: ", "Next: `tune gate huang flat --size 9 --nodes 20 --openings openings.txt --pairs 8`"}},
		{"sprt, passed", quick("sprt", "huang", "flat", "--nelo", "0,150"), []string{"is passed: +", "Next: `tune sprt huang flat --nelo 0,150 --size 9 --openings openings.txt --nodes 80` tests the same with more nodes"}},
		{"validate", quick("validate", "w.json", "--against", "flat", "--pairs", "50"), []string{"w.json is stronger than flat: +", "Next: `play --weights w.json`"}},
		{"ladder", quick("ladder", "huang", "flat", "--pairs", "2"), []string{"huang leads with 1000 Elo [1000, 1000] before flat with ", "Next: `tune ladder huang flat --size 9 --nodes 20 --openings openings.txt --pairs 8`"}},
		{"export", []string{"export", "zhang", "-o", "z.json"}, []string{"zhang was written to z.json.\n", "Next: `tune match z.json default` measures them.\n"}},
		{"openings", []string{"openings", "--count", "2", "--size", "9", "--nodes", "500", "--out", "o.txt"}, []string{"2 openings written to o.txt.\n", "--openings o.txt --pairs 2 --rule freestyle --size 9` plays them"}},
		{"run without a gate", quick("run", "--budget", "100games", "--no-gate", "--name", "r", "--out", "n.json"), []string{"unproven: n.json written", "Next: `tune match n.json default` measures it.\n"}},
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
				return // twice is another run
			}
			if out := done(t, append(test.args, "--json")...); strings.Contains(out, "Next: ") {
				t.Errorf("with --json:\n%s", out)
			}
		})
	}
}
