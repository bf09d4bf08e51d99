package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintune/internal/config"
)

// A command that goes on with runs or deletes them makes no folder where there are none.
func TestNoFolderIsMadeByResumeAndPrune(t *testing.T) {
	inFolder(t)
	for args, want := range map[string]string{
		"resume": "there is no run in nodir yet", "resume r": "there is no run r in nodir", "resume r --fork": "there is no run r in nodir",
		"prune r --yes": "there is no run in nodir",
	} {
		_, log, status := tune(t, append(strings.Fields(args), "--runs", "nodir")...)
		if _, err := os.Stat("nodir"); status != config.ExitFailed || !strings.Contains(log, want) || err == nil {
			t.Errorf("%s: status %d, %v: %s", args, status, err, log)
		}
	}
}

func TestPruneDeletesWhatIsMeant(t *testing.T) {
	inFolder(t)
	for _, name := range []string{"a", "b", "c"} {
		t.Run(name, func(t *testing.T) {
			done(t, quick("run", "--budget", "100games", "--name", name, "--out", name+".json", "--quiet", "--no-gate")...)
		})
	}
	for _, command := range []string{"show", "resume", "prune", "diff"} {
		t.Run(command, func(t *testing.T) {
			if text := done(t, "__complete", command, ""); !strings.Contains(text, "a\nb\nc\n") {
				t.Errorf("%s: no names of runs in %s", command, text)
			}
		})
	}
	if text := done(t, "__complete", "run", "--freeze", "line.open"); !strings.Contains(text, "line.open_two.self\n") {
		t.Errorf("no names of weights in %s", text)
	}
	names := func(o map[string]any, key string) (list []string) {
		for _, r := range o[key].([]any) {
			if s, ok := r.(string); ok {
				list = append(list, s)
			} else {
				list = append(list, r.(map[string]any)["name"].(string))
			}
		}
		return list
	}
	stored := func() string { return strings.Join(names(object(t, done(t, "list", "--json")), "runs"), " ") }
	o := object(t, done(t, "prune", "--keep", "1", "--json"))
	if got := strings.Join(names(o, "runs"), " "); got != "a b" || o["deleted"] != false || stored() != "a b c" {
		t.Errorf("without --yes: %v, stored %s", o, stored())
	}
	if o := object(t, done(t, "prune", "--older-than", "1h", "--json")); len(names(o, "runs")) != 0 {
		t.Errorf("nothing is old, but %v", o)
	}
	if o := object(t, done(t, "prune", "b", "b", "--games", "--yes", "--json")); o["deleted"] != true || stored() != "a b c" {
		t.Errorf("games alone: %v, stored %s", o, stored())
	}
	if text, log, status := tune(t, "export", "b", "--games", "jsonl"); text != "" || status != config.ExitFailed || !strings.Contains(log, "deleted") {
		t.Errorf("status %d, %.100s, games are left: %.100s", status, log, text)
	}
	if text := done(t, "show", "b"); !strings.Contains(text, "done: 1") {
		t.Errorf("the figures of b: %s", text)
	}
	if err := os.MkdirAll(filepath.Join("runs", "z"), 0o755); err != nil { // a run of an older program, which nothing prunes
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("runs", "z", "run.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	done(t, "prune", "--keep", "1", "--yes")
	if stored() != "c z" {
		t.Errorf("stored %s, want the latest run and that of an older program", stored())
	}
	if text := done(t, "list"); !strings.Contains(text, "`tune show c`") {
		t.Errorf("the list does not name the latest run that can be shown:\n%s", text)
	}
	if _, err := os.Stat(filepath.Join("runs", "a")); err == nil {
		t.Error("the folder of a is left")
	}
	for _, args := range [][]string{{"prune"}, {"prune", "c", "--keep", "1"}} {
		if _, _, status := tune(t, args...); status != config.ExitUsage {
			t.Errorf("tune %q: status %d", args, status)
		}
	}
	if _, log, status := tune(t, "prune", "absent"); status != config.ExitFailed || !strings.Contains(log, "no run absent") {
		t.Errorf("status %d: %s", status, log)
	}
}

func TestARunKeepsItsLog(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--name", "r", "--quiet", "--no-gate", "--trace", "trace")...)
	log := string(read(t, filepath.Join("runs", "r", "log")))
	for _, want := range []string{"msg=begun", "msg=evolution", "msg=ended", "time="} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(log, want) {
				t.Errorf("no %q in\n%s", want, log)
			}
		})
	}
	// Fifty pairs at most, and a few replayed by the self-check.
	if pairs := strings.Count(string(read(t, "trace")), "\n"); pairs < 40 || pairs > 60 {
		t.Errorf("%d pairs were begun", pairs)
	}
}

// A name that no run has is explained: what else has it, or which run may be meant.
func TestNameOfNoRun(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--no-gate", "--start", "huang", "--name", "night-1")...)
	done(t, quick("match", "huang", "flat", "--pairs", "1")...)
	kept, _ := filepath.Glob("runs/match-*.lock")
	if len(kept) != 1 {
		t.Fatalf("%q", kept)
	}
	match := strings.TrimSuffix(filepath.Base(kept[0]), ".lock")
	for _, command := range []string{"resume", "show", "report", "watch", "prune", "sensitivity", "puzzles", "export", "export --format csv", "export --format go", "export --games sgf"} {
		t.Run(command, func(t *testing.T) {
			name, _, _ := strings.Cut(command, " ")
			want := "tune " + name + `: there is no run nihgt-1 in runs: did you mean "night-1"?`
			if _, log, status := tune(t, append(strings.Fields(command), "nihgt-1")...); status != config.ExitFailed || !strings.HasPrefix(log, want) {
				t.Errorf("status %d: %s, want %s", status, log, want)
			}
			if _, log, status := tune(t, append(strings.Fields(command), match)...); command != "prune" && (status != config.ExitFailed || !strings.Contains(log, match+" is a match, not a run")) {
				t.Errorf("status %d: %s", status, log)
			}
		})
	}
}

// The name of a stored match or ladder is not free for a run, which is said before anything is written.
func TestTheNameOfAMatchIsTaken(t *testing.T) {
	inFolder(t)
	done(t, quick("match", "huang", "flat", "--pairs", "2")...)
	kept, _ := filepath.Glob("runs/match-*.lock")
	if len(kept) != 1 {
		t.Fatalf("%q", kept)
	}
	match := strings.TrimSuffix(filepath.Base(kept[0]), ".lock")
	_, log, status := tune(t, quick("run", "--budget", "100games", "--name", match)...)
	if want := "the name " + match + " is that of a stored match: choose another --name"; status != config.ExitFailed || !strings.Contains(log, want) {
		t.Errorf("status %d: %s, want %q", status, log, want)
	}
	if _, err := os.Stat(filepath.Join("runs", match)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder is left: %v", err)
	}
}

func TestNothingIsThereYet(t *testing.T) {
	inFolder(t)
	for _, args := range [][]string{{"show"}, {"report"}, {"resume"}} {
		_, log, status := tune(t, args...)
		if status != config.ExitFailed || !strings.Contains(log, "there is no run in runs yet: `tune run` begins one") {
			t.Errorf("tune %q: status %d: %s", args, status, log)
		}
	}
	if text := done(t, "list"); text != "" {
		t.Errorf("%s", text)
	}
}
