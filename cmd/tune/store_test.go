package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"quintune/internal/config"
	"quintune/internal/record"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/store"
	"quintune/weights"
)

func TestRunsAreExported(t *testing.T) {
	inFolder(t)
	done(t, quick("run", "--budget", "100games", "--name", "r", "--quiet")...)
	candidate := read(t, filepath.Join("runs", "r", "candidate.json"))
	done(t, "export", "r", "--format", "csv", "-o", "r.csv")
	done(t, "import", "r.csv", "-o", "again.json", "--size", "9")
	if text := done(t, "diff", "again.json", "r"); !strings.HasPrefix(text, "again.json and r have the same weights.\nNext: `tune export again.json --format markdown` ") {
		t.Errorf("imported weights differ: %s", text)
	}
	for _, args := range [][]string{
		{"export", "r", "--games", "sgf", "-o", "games.sgf"},
		{"export", "r", "--games", "jsonl", "-o", "games.jsonl"},
		{"export", "r", "--games", "psq", "-o", "games"},
	} {
		t.Run(args[3], func(t *testing.T) {
			o := object(t, done(t, append(args, "--json")...))
			if o["games"].(float64) < 90 {
				t.Errorf("%v: %v", args, o)
			}
		})
	}
	if text := done(t, "export", "r", "--games", "sgf"); text != string(read(t, "games.sgf")) {
		t.Error("on stdout other games than in the file")
	}
	for _, file := range []string{"games.sgf", "games.jsonl"} {
		t.Run(file, func(t *testing.T) {
			format, _ := record.FormatOf(file)
			games, err := record.Parse(read(t, file), format, record.DefaultConditions())
			if err != nil || len(games) < 90 || games[0].Size != 9 || games[0].Players[1] == "" || games[0].Event == "" {
				t.Errorf("%s: %d games, error %v", file, len(games), err)
			}
		})
	}
	entries, err := os.ReadDir("games")
	if err != nil || len(entries) < 90 {
		t.Fatalf("%d files, error %v", len(entries), err)
	}
	if games, err := record.Parse(read(t, filepath.Join("games", entries[0].Name())), record.PSQ, record.DefaultConditions()); err != nil || games[0].Size != 9 {
		t.Errorf("%s: %v", entries[0].Name(), err)
	}
	done(t, "export", "huang", "-o", "again.json")
	if kept := read(t, "again.json.bak"); !strings.Contains(string(kept), `"imported"`) {
		t.Errorf("the file that was replaced is not kept: %.200s", kept)
	}
	if _, log, status := tune(t, "export", "r", "--games", "psq", "-o", "games"); status != config.ExitUsage || !strings.Contains(log, "is not empty") {
		t.Errorf("into the same folder again: status %d: %s", status, log)
	}
	for _, test := range []struct{ format, file, want string }{
		{"sgf", "g.jsonl", "output: the ending of g.jsonl is that of jsonl, and --games is sgf"},
		{"jsonl", "g.TXT", "output: the ending of g.TXT is that of moves, and --games is jsonl"},
		{"psq", "g.sgf", "output: g.sgf has the ending of a file, and psq games go to a folder"},
		{"psq", "g.psq", "output: g.psq has the ending of a file, and psq games go to a folder"},
	} {
		t.Run(test.format+" to "+test.file, func(t *testing.T) {
			if _, log, status := tune(t, "export", "r", "--games", test.format, "-o", test.file); status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("status %d: %s, want %q", status, log, test.want)
			}
			if _, err := os.Lstat(test.file); err == nil {
				t.Errorf("%s was made", test.file)
			}
		})
	}
	reported := func(args ...string) []string {
		t.Helper()
		done(t, append(args, "-o", "report.html")...)
		return regexp.MustCompile(`of them in \d+ generations?|\d+ of \d+ weights differ`).FindAllString(string(read(t, "report.html")), -1)
	}
	told := reported("report", "r")
	for _, checkpoint := range []string{"checkpoint.json", "checkpoint"} {
		done(t, "export", "r", "--format", "json", "-o", checkpoint)
		elsewhere := "runs of " + checkpoint
		done(t, "resume", checkpoint, "--runs", elsewhere, "--out", "w.json", "--quiet")
		if !bytes.Equal(read(t, filepath.Join(elsewhere, "r", "candidate.json")), candidate) {
			t.Errorf("%s gives another candidate", checkpoint)
		}
		if got := reported("report", "r", "--runs", elsewhere); len(got) != 2 || !slices.Equal(got, told) {
			t.Errorf("the report of %s has %q, want %q", checkpoint, got, told)
		}
	}
}

// A command that goes on with a checkpoint can be repeated when it was refused or interrupted: then the stored run goes on.
func TestACheckpointGoesOnAgain(t *testing.T) {
	inFolder(t)
	interrupted(t, "r", "--runs", "elsewhere")
	done(t, "export", "r", "--runs", "elsewhere", "-o", "c.json")
	for _, args := range [][]string{{"resume", "c.json"}, {"resume", "c.json", "--fork"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			args = append(args, "--runs", "runs "+args[len(args)-1])
			refused := map[string][]string{
				"there is no folder nodir": {"--out", "nodir/x.json"},
				"stay: there is no page":   {"--stay"},
				"needs a token":            {"--listen", "0.0.0.0:0"},
				"run r tunes weights":      {"--engine", "engine.yaml"},
			}
			if !slices.Contains(args, "--fork") {
				refused["not above the run's own"] = []string{"--budget", "100games"}
			}
			for want, more := range refused {
				if _, log, status := tune(t, append(slices.Clone(args), more...)...); status != config.ExitUsage || !strings.Contains(log, want) {
					t.Errorf("%v: status %d: %s", more, status, log)
				}
			}
			if listed := done(t, "list", "--runs", args[len(args)-1]); listed != "" {
				t.Errorf("a refused command has stored a run: %s", listed)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var log bytes.Buffer
			watch := &watcher{"msg=", 1, cancel}
			if err := execute(ctx, args, strings.NewReader(""), &bytes.Buffer{}, io.MultiWriter(watch, &log)); config.Exit(err) != config.ExitInterrupted {
				t.Fatalf("%v: %s", err, log.String())
			}
			if o := object(t, done(t, append(args, "--json")...)); o["verdict"] != verdictNone {
				t.Errorf("%v", o)
			}
		})
	}
	done(t, quick("run", "--budget", "100games", "--name", "r", "--no-gate", "--quiet")...)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"resume", "c.json"}, "choose another --name, or go on with `tune resume r --budget MORE`"},
		{[]string{"resume", "c.json", "--fork"}, "the stored run r is another than that of the checkpoint, or not as far: file already exists: choose another --runs"},
	} {
		t.Run(test.want, func(t *testing.T) {
			if _, log, status := tune(t, test.args...); status != config.ExitFailed || !strings.Contains(log, test.want) {
				t.Errorf("status %d: %s", status, log)
			}
		})
	}
}

// A checkpoint may come from anybody: it starts no program, and names no file outside the working directory.
func TestAHostileCheckpoint(t *testing.T) {
	inFolder(t)
	interrupted(t, "r", "--runs", "elsewhere")
	done(t, "export", "r", "--runs", "elsewhere", "-o", "c.json")
	checkpoint, err := runfolder.ReadCheckpoint(read(t, "c.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		change   func(*run.Record)
		want     string
		replaced bool // a fork has its own in its place
	}{
		{"another folder", func(r *run.Record) { r.Out = "../x.json" }, "name the file with --out", false},
		{"hidden", func(r *run.Record) { r.Out = ".json" }, "name the file with --out", false},
		{"no weights", func(r *run.Record) { r.Out = "Makefile" }, "name the file with --out", false},
		{"an anchor", func(r *run.Record) { r.Spec.Anchors[0] = run.Anchor{Name: "x", Player: "gomocup:x"} }, "--allow-commands", false},
		{"the shipped set", func(r *run.Record) { r.Spec.Shipped = &run.Anchor{Name: "x", Player: "gomocup:x"} }, "not weights", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			changed := *checkpoint
			changed.Record.Spec.Anchors = slices.Clone(changed.Record.Spec.Anchors)
			test.change(&changed.Record)
			dir := t.TempDir()
			runs, err := runfolder.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			f, s, err := runs.Import(&changed, "r")
			if err != nil {
				t.Fatal(err)
			}
			file, err := runs.Checkpoint(s)
			if err = errors.Join(err, f.Release(), runs.Close()); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("hostile.json", file, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, more := range []string{"--quiet", "--fork"} {
				_, log, status := tune(t, "resume", "hostile.json", more, "--runs", filepath.Join(dir, more))
				if more == "--fork" && test.replaced && status == config.ExitDone {
					continue
				}
				if status == config.ExitDone || !strings.Contains(log, test.want) {
					t.Errorf("%s: status %d: %s", more, status, log)
				}
			}
		})
	}
}

// Neither export nor import replaces the file that it reads by another form of it.
func TestExportAndImportKeepTheirSource(t *testing.T) {
	inFolder(t)
	done(t, "export", "huang", "--format", "json", "-o", "h.json")
	done(t, "export", "huang", "--format", "csv", "-o", "h.csv")
	for _, args := range [][]string{
		{"export", "h.json", "--format", "csv", "-o", "./h.json"},
		{"export", "h.json", "--format", "markdown", "-o", "h.json"},
		{"import", "h.csv", "-o", "./h.csv"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			before := read(t, args[1])
			if _, log, status := tune(t, args...); status != config.ExitUsage || !strings.Contains(log, args[1]) {
				t.Errorf("status %d: %s", status, log)
			}
			if !bytes.Equal(before, read(t, args[1])) {
				t.Errorf("%s was replaced", args[1])
			}
		})
	}
	done(t, "export", "h.json", "--format", "json", "-o", "h.json")
	if text := done(t, "import", "h.csv", "-o", "h.txt"); strings.Contains(text, "Next:") {
		t.Errorf("a command is named that does not take h.txt: %s", text)
	}
}

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

// A ratio wants one sign, and is 0 where B is.
func TestRatios(t *testing.T) {
	for _, test := range []struct {
		a, b float64
		want string // of the ratio; "": none
	}{{20, 82, "4.1"}, {-5, 0, "0"}, {5, 0, "0"}, {0, 5, ""}, {1e-200, -1e-200, ""}, {-1e-200, -2e-200, "2"}} {
		got := ""
		if r := differenceOf("x", test.a, test.b).Ratio; r != nil {
			got = fmt.Sprint(*r)
		}
		if got != test.want {
			t.Errorf("%v and %v: ratio %q, want %q", test.a, test.b, got, test.want)
		}
	}
}

// What reads weights files reads values files of an engine too, and never compares one with the other.
func TestDiffAndExportOfValues(t *testing.T) {
	inFolder(t)
	for name, content := range map[string]string{
		"a.json": `{"values":{"attack":20,"reach":0.5}}`, "b.json": `{"format":"quintune.values/1","name":"tuned","engine":"e","values":{"reach":-2,"attack":82}}`,
		"c.json": `{"values":{"attack":20}}`, "broken.json": `{"format":"quintune.values/1","values":{"attack":"many"}}`,
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ args, want string }{
		{"diff a.json b.json", "value     A   B  B / A\nattack   20  82   4.10\nreach   0.5  -2      -\na.json (A) and b.json (B) differ in 2 values.\nNext: `tune export a.json --format markdown` lists the values.\n"},
		{"diff a.json a.json", "a.json and a.json have the same values.\n"},
		{"export b.json --format csv", "name,value\nreach,-2\nattack,82\n"},
		{"export a.json --format markdown", "# a.json\n"},
	} {
		if text := done(t, strings.Fields(test.args)...); !strings.Contains(text, test.want) {
			t.Errorf("%s:\n%s", test.args, text)
		}
	}
	for _, test := range []struct {
		args, want string
		status     int
	}{
		{"diff huang b.json", "of huang and b.json one has weights and the other the values of an engine", config.ExitUsage},
		{"diff a.json c.json", "c.json has no value reach, which a.json has", config.ExitFailed},
		{"diff c.json a.json", "c.json has no value reach, which a.json has", config.ExitFailed},
		{"diff a.json broken.json", `broken.json: `, config.ExitFailed},
		{"export a.json --format go", "format: go is for weights, and a.json has the values of an engine", config.ExitUsage},
	} {
		if _, log, status := tune(t, strings.Fields(test.args)...); status != test.status || !strings.Contains(log, test.want) {
			t.Errorf("%s: status %d: %s", test.args, status, log)
		}
	}
}

func TestDiffShowsRatios(t *testing.T) {
	inFolder(t)
	table := done(t, "export", "huang", "--format", "csv")
	const key = "line.open_two.self,"
	at := strings.Index(table, key) + len(key)
	value := table[at : at+strings.Index(table[at:], "\n")]
	if err := os.WriteFile("h.csv", []byte(strings.Replace(table, key+value, key+"1"+value, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	done(t, "import", "h.csv", "-o", "h.json", "--name", "changed")
	text := done(t, "diff", "huang", "h.json")
	if !strings.Contains(text, "line.open_two.self") || !strings.Contains(text, "\nhuang (A) and h.json (B) differ in 1 weight.\nNext: `tune match huang h.json` plays") || strings.Count(text, "\n") != 4 {
		t.Errorf("%s", text)
	}
	o := object(t, done(t, "diff", "huang", "h.json", "--json"))["differences"].([]any)[0].(map[string]any)
	if o["ratio"].(float64) != o["b"].(float64)/o["a"].(float64) {
		t.Errorf("%v", o)
	}
	lines := strings.Count(table, "\n") + 1
	for _, test := range []struct{ name, table, want string }{
		{"missing", strings.Replace(table, key+value+"\n", "", 1), "line.open_two.self is missing"},
		{"twice", table + key + value + "\n", "line.open_two.self comes twice"},
		{"unknown", table + "line.open_five.self,3\n", "line.open_five.self"},
		{"text", strings.Replace(table, key+value, key+"many", 1), `"many", not a whole number`},
		{"range", strings.Replace(table, key+value, key+"99999999999", 1), "99999999999"},
		{"columns", table + "line.open_two.self\n", fmt.Sprintf("line %d is not a name and a whole number with one comma", lines)},
		{"semicolons", strings.ReplaceAll(table, ",", ";"), "line 1 is not a name and a whole number with one comma"},
		{"an empty row", table + ",\n", fmt.Sprintf("line %d: the name is empty", lines)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile("bad.csv", []byte(test.table), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, log, status := tune(t, "import", "bad.csv", "-o", "never.json"); status != config.ExitFailed || !strings.Contains(log, test.want) || !strings.Contains(log, "bad.csv") {
				t.Errorf("%s: status %d: %s", test.name, status, log)
			}
		})
	}
	if _, err := os.Stat("never.json"); err == nil {
		t.Error("a bad table was imported")
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

// interrupted begins a run and interrupts it in its first generation.
func interrupted(t *testing.T, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	args = append(quick("run", "--budget", "200games", "--seed", "3", "--workers", "2", "--name", name), args...)
	err := execute(ctx, args, strings.NewReader(""), &bytes.Buffer{}, &watcher{"msg=evolution", 1, cancel})
	if config.Exit(err) != config.ExitInterrupted {
		t.Fatal(err)
	}
}

func TestForkOfAnInterruptedRun(t *testing.T) {
	inFolder(t)
	interrupted(t, "r")
	if _, log, status := tune(t, "resume", "r", "--fork", "--engine", "engine.yaml"); status != config.ExitUsage || !strings.Contains(log, "engine: run r tunes weights") {
		t.Errorf("status %d: %s", status, log)
	}
	o := object(t, done(t, "resume", "r", "--fork", "--budget", "120games", "--json"))
	if o["name"] != "r-fork" || o["verdict"] == verdictInterrupted {
		t.Errorf("%v", o)
	}
	text := done(t, "show", "r-fork")
	if !strings.Contains(text, "forked from run r ") || !strings.Contains(text, "from r-generation-1,") {
		t.Errorf("%s", text)
	}
	if text := done(t, "show", "r"); !strings.Contains(text, "unfinished: ") {
		t.Errorf("%s", text)
	}
	if text := done(t, "list"); !strings.Contains(text, "forked from r ") || !strings.Contains(text, runfolder.StatusOpen) {
		t.Errorf("%s", text)
	}
	// An unfinished run is resumed although a finished one is later.
	if o := object(t, done(t, "resume", "--json")); o["name"] != "r" {
		t.Errorf("resumed %v", o["name"])
	}
	if _, log, status := tune(t, "resume"); status != config.ExitFailed || !strings.Contains(log, "are done") {
		t.Errorf("status %d: %s", status, log)
	}
}

// A fork with a budget in time has as many games as a new run with it: its stages of nodes are those of this budget, not of the games that
// the old run has left. Games are too slow for the speed to matter.
func TestForkPaysForItsStages(t *testing.T) {
	inFolder(t)
	begun := func(args ...string) float64 {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := execute(ctx, append(args, "--workers", "1"), strings.NewReader(""), &bytes.Buffer{}, &watcher{"msg=evolution", 1, cancel})
		if config.Exit(err) != config.ExitInterrupted {
			t.Fatal(err)
		}
		return object(t, done(t, "show", "--json"))["budget"].(float64)
	}
	stages := []string{"--size", "9", "--openings", "openings.txt", "--nodes", "10000", "--first-nodes", "2500", "--no-gate", "--warm-start", "0"}
	want := begun(append([]string{"run", "--budget", "1s"}, stages...)...)
	begun(append([]string{"run", "--budget", "400games", "--name", "r"}, stages...)...)
	if got := begun("resume", "r", "--fork", "--budget", "1s"); got != want {
		t.Errorf("the fork has %v games, a new run %v", got, want)
	}
}

func TestRunsOfAnotherEngineAreRefused(t *testing.T) {
	inFolder(t)
	interrupted(t, "r")
	runs, err := runfolder.Open("runs")
	if err != nil {
		t.Fatal(err)
	}
	f, stored, err := runs.Hold("r")
	if err != nil {
		t.Fatal(err)
	}
	stored.Record.Spec.Engine = "another"
	if err := f.Resume(runs, stored.Record); err != nil {
		t.Fatal(err)
	}
	if err := f.Release(); err != nil {
		t.Fatal(err)
	}
	if err := runs.Close(); err != nil {
		t.Fatal(err)
	}
	_, log, status := tune(t, "resume", "r")
	if status != config.ExitFailed || !strings.Contains(log, "engine another, this program has") || !strings.Contains(log, "tune resume r --fork") {
		t.Errorf("status %d: %s", status, log)
	}
	if o := object(t, done(t, "resume", "r", "--fork", "--name", "anew", "--json")); o["name"] != "anew" {
		t.Errorf("%v", o)
	}
	if set, err := weights.Load(filepath.Join("runs", "anew", "candidate.json")); err != nil || set.Provenance.Engine == "another" {
		t.Errorf("%v", err)
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

func TestADamagedDatabaseIsRefused(t *testing.T) {
	inFolder(t)
	interrupted(t, "r")
	path := filepath.Join("runs", store.FileName)
	good := read(t, path)
	half := len(good) / 2
	for name, bad := range map[string][]byte{
		"header": append(bytes.Repeat([]byte("x"), 4096), good[4096:]...),
		"cut":    good[:half/4096*4096],
		"pages":  append(good[:half:half], bytes.Repeat([]byte{0x5a}, len(good)-half)...),
		"empty":  nil,
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			_, log, status := tune(t, "resume", "r")
			if status != config.ExitFailed || !strings.Contains(log, "damaged") || !strings.Contains(log, path) {
				t.Errorf("%s: status %d: %s", name, status, log)
			}
		})
	}
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := object(t, done(t, "resume", "--json")); o["name"] != "r" || o["verdict"] == verdictInterrupted {
		t.Errorf("%v", o)
	}
}

// A game of the open step whose result was changed in the database is refused with the name of its pair.
func TestADamagedPairIsRefused(t *testing.T) {
	inFolder(t)
	interrupt := func(pairs int, args ...string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			for ; lines("trace") < pairs && ctx.Err() == nil; time.Sleep(time.Millisecond) {
			}
			cancel()
		}()
		if err := execute(ctx, append(args, "--trace", "trace"), strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}); config.Exit(err) != config.ExitInterrupted {
			t.Fatal(err)
		}
	}
	interrupt(8, quick("run", "--budget", "200games", "--seed", "3", "--workers", "2", "--name", "r")...)
	path := filepath.Join("runs", store.FileName)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// An interrupt between two steps may leave no pair of an open step, so try until one does.
	for open := 0; ; interrupt(lines("trace")+3, "resume", "r") {
		err := db.QueryRow(`SELECT COUNT(*) FROM pairs JOIN batches ON batches.id = batch JOIN runs ON runs.id = run WHERE step = steps`).Scan(&open)
		if err != nil {
			t.Fatal(err)
		}
		if open > 0 {
			break
		}
	}
	flip := func() {
		t.Helper()
		changed, err := db.Exec(`UPDATE games SET result = CASE result WHEN 'B' THEN 'W' WHEN 'W' THEN 'B' WHEN 'D' THEN '-' ELSE 'D' END
			WHERE game = 0 AND (batch, pair) =
			(SELECT batch, pair FROM pairs JOIN batches ON batches.id = batch JOIN runs ON runs.id = run WHERE step = steps ORDER BY pair DESC LIMIT 1)`)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := changed.RowsAffected(); err != nil || n != 1 {
			t.Fatalf("%d games of the open step were changed, error %v", n, err)
		}
	}
	flip()
	for _, args := range [][]string{{"resume", "r", "--quiet"}, {"export", "r", "--games", "jsonl", "-o", "games.jsonl"}} {
		_, log, status := tune(t, args...)
		if status != config.ExitFailed || !strings.Contains(log, ": pair ") || !strings.Contains(log, "(generation ") || !strings.Contains(log, "): it is damaged") || !strings.Contains(log, path) {
			t.Errorf("tune %v: status %d: %s", args, status, log)
		}
	}
	if _, err := os.Stat("games.jsonl"); err == nil {
		t.Error("the games were exported")
	}
	flip()
	if o := object(t, done(t, "resume", "--json")); o["name"] != "r" || o["verdict"] == verdictInterrupted {
		t.Errorf("%v", o)
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
