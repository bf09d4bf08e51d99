package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/internal/tuner"
	"quintune/pattern"
)

// An interrupted sensitivity keeps its pairs. The same command continues it, with the result of an undisturbed
// one.
func TestSensitivityGoesOn(t *testing.T) {
	for name, budget := range map[string]string{"games": "1000games", "time": "5s"} {
		t.Run(name, func(t *testing.T) { sensitivityGoesOn(t, budget) })
	}
}

func sensitivityGoesOn(t *testing.T, budget string) {
	t.Helper()
	inFolder(t)
	done(t, quick("run", "--budget", "200games", "--no-gate", "--name", "r")...)
	args := []string{"sensitivity", "r", "--budget", budget, "--workers", "1", "--json"}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, kept, err := stored("runs"); err == nil && len(kept) == 1 && kept[0].Pairs > 10 {
				cancel()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	var out, log bytes.Buffer
	if err := execute(ctx, args, strings.NewReader(""), &out, &log); config.Exit(err) != config.ExitInterrupted || !strings.Contains(log.String(), "the same command goes on") {
		t.Fatalf("status %d: %s", config.Exit(err), log.String())
	}
	if text := done(t, "list"); !regexp.MustCompile(`sensitivity-[0-9a-f]{12} +\d+ of \d+  open .* sensitivity r\n`).MatchString(text) {
		t.Errorf("the list is\n%s", text)
	}
	again, rest, status := tune(t, args...)
	at := regexp.MustCompile(`continues at pair (\d+) of (\d+)`).FindStringSubmatch(rest)
	if status != config.ExitDone || at == nil || len(at[1]) < 2 {
		t.Fatalf("status %d: %s", status, rest)
	}
	pairs, err := strconv.Atoi(at[2])
	if err != nil {
		t.Fatal(err)
	}
	name := object(t, done(t, "list", "--json"))["kept"].([]any)[0].(map[string]any)["name"].(string)
	done(t, "prune", name, "--yes")
	args[3] = fmt.Sprintf("%dgames", 2*pairs)
	if whole := done(t, args...); whole != again {
		t.Errorf("undisturbed it is\n%s\nnot\n%s", whole, again)
	}
}

// When a run has gone on, its sensitivity is not shown beside the new weights.
func TestSensitivityOfARunThatWentOn(t *testing.T) {
	inFolder(t)
	shown := func(want bool) {
		t.Helper()
		done(t, "report", "r")
		for name, text := range map[string]string{"show": done(t, "show", "r"), "report": string(read(t, "report.html"))} {
			table := strings.Contains(text, "cost of setting it back") || strings.Contains(text, "Elo lost</th>")
			again := strings.Contains(strings.NewReplacer("<code>", "`", "</code>", "`").Replace(text), "`tune sensitivity r` measures it again")
			if table != want || again == want {
				t.Errorf("%s has the table: %v, names the command: %v; want %v, %v in\n%s", name, table, again, want, !want, text)
			}
		}
		if o := object(t, done(t, "show", "r", "--json")); (o["sensitivity"] != nil) != want {
			t.Errorf("show --json has the sensitivity %v", o["sensitivity"])
		}
	}
	done(t, quick("run", "--budget", "100games", "--no-gate", "--name", "r")...)
	measure := []string{"sensitivity", "r", "--budget", "100games"}
	done(t, measure...)
	shown(true)
	done(t, "resume", "r", "--budget", "200games", "--quiet")
	shown(false)
	if err := os.RemoveAll(filepath.Join("runs", "r")); err != nil { // what a run needs is in the database
		t.Fatal(err)
	}
	done(t, measure...)
	shown(true)
}

// Groups are measured first, intervals that contain 0 are marked, and the last lines say what to do.
func TestSensitivityTellsWhatIsShown(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "200games", "--no-gate", "--name", "r")...)
	text := done(t, "sensitivity", "r", "--budget", "1200games")
	for _, want := range []string{
		`(?m)^group \S+, \d+ weights? +[+-][\d.]+ \[\S+, \S+\] +\d+$`, `(?m)^\w+\.\S+ .* [+-][\d.]+ \[-\S+, \+\S+\] +\d+$`,
		`(?m)^\d+ of \d+ intervals of single weights hold 0 or rest on too few pairs: `, "(?m)^Next: `tune sensitivity r --budget 4800games` measures more of the changes",
	} {
		t.Run(want, func(t *testing.T) {
			if !regexp.MustCompile(want).MatchString(text) {
				t.Errorf("no %s in\n%s", want, text)
			}
		})
	}
	if group, weight := strings.Index(text, "\ngroup "), strings.Index(text, "\nline."); group < 0 || weight >= 0 && weight < group {
		t.Errorf("groups do not come first:\n%s", text)
	}
	if text := done(t, "sensitivity", "r", "--budget", "2400games"); !strings.Contains(text, " narrows the intervals") && !strings.Contains(text, "cannot be longer") {
		t.Errorf("all that can be measured is measured:\n%s", text)
	}
	done(t, "report", "r", "-o", "report.html")
	if html := string(read(t, "report.html")); !strings.Contains(html, "<td>the group ") || !strings.Contains(html, ", an interval that holds 0</td>") {
		t.Error("the report does not tell of the groups, or that intervals hold 0")
	}
}

// The greatest cost is named where it is shown beside the number of costs that it is the greatest of.
func TestGreatestOfSeveralCosts(t *testing.T) {
	cost := func(name string, p stats.Pentanomial) run.WeightChange {
		r := (&match.Match{B: match.Side{Name: name}}).Report(match.Tally{Pairs: p})
		return run.WeightChange{Tuned: 1, Cost: &r}
	}
	little, much, nothing := stats.Pentanomial{25, 0, 100, 0, 42}, stats.Pentanomial{20, 0, 100, 0, 60}, stats.Pentanomial{30, 0, 100, 0, 30}
	for _, test := range []struct {
		name    string
		changes []run.WeightChange
		want    string
	}{
		{"one", []run.WeightChange{cost("without a", little)}, "The greatest cost that is shown is that of a: +35"},
		{"the best of two", []run.WeightChange{cost("without a", little), cost("without b", nothing)}, "No single change is shown to be worth anything: one of 2 intervals may miss 0 by chance.\n1 of 2 "},
		{"much", []run.WeightChange{cost("without a", little), cost("without b", much)}, "The greatest cost that is shown is that of b: +78"},
		{"nothing", []run.WeightChange{cost("without b", nothing)}, "No single change is shown to be worth anything.\n1 of 1 "},
	} {
		t.Run(test.name, func(t *testing.T) {
			if text := sensitivityEnd(nil, &sensitivityOptions{}, nil, "r", &run.Sensitivity{Changes: test.changes, UsedUp: true}); !strings.HasPrefix(text, test.want) {
				t.Errorf("%q, want %q", text, test.want)
			}
		})
	}
}

// A run may have no openings but those of its evolution. Its sensitivity is refused before the speed is measured.
func TestSensitivityWithoutOpenings(t *testing.T) {
	inFolder(t)
	list, err := book.Load("openings.txt", pattern.Freestyle, 9)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("openings.txt", []byte(strings.Join(tuner.Lines(list.Part(book.Train)), "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	done(t, quick("run", "--budget", "100games", "--no-gate", "--name", "r")...)
	_, log, status := tune(t, "sensitivity", "r", "--budget", "5s")
	if status != config.ExitFailed || !strings.Contains(log, "no openings that its evolution has not used") || strings.Contains(log, "measuring the speed") {
		t.Errorf("status %d: %s", status, log)
	}
	if _, kept, err := stored("runs"); err != nil || len(kept) > 0 {
		t.Errorf("kept are %+v, error %v", kept, err)
	}
}

// A sensitivity of a run without a changed weight plays nothing, and nothing of it is stored.
func TestSensitivityWithoutAMatch(t *testing.T) {
	inFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	run := quick("run", "--budget", "200games", "--no-gate", "--name", "r")
	if err := execute(ctx, run, strings.NewReader(""), &bytes.Buffer{}, &watcher{"msg=run", 1, cancel}); config.Exit(err) != config.ExitInterrupted {
		t.Fatal(err)
	}
	if text := done(t, "sensitivity", "r"); !strings.Contains(text, "No match was played: no weight has changed yet") {
		t.Errorf("%s", text)
	}
	if _, kept, err := stored("runs"); err != nil || len(kept) > 0 {
		t.Errorf("kept are %+v, error %v", kept, err)
	}
}
