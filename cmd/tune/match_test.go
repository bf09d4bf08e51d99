package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/config"
	"quintune/internal/record"
	"quintune/pattern"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// gamesIn returns the games of a record file.
func gamesIn(t *testing.T, path string) []record.Game {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	format, _ := record.FormatOf(path)
	games, err := record.Parse(text, format, record.DefaultConditions())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return games
}

func TestMatchRecords(t *testing.T) {
	inFolder(t)
	for _, path := range []string{"games.sgf", "games.jsonl", "games"} {
		t.Run(path, func(t *testing.T) {
			done(t, quick("match", "huang", "flat", "--pairs", "3", "--records", path)...)
			var games []record.Game
			if path == "games" {
				files, err := filepath.Glob("games/*_freestyle.psq")
				if err != nil {
					t.Fatal(err)
				}
				for _, file := range files {
					games = append(games, gamesIn(t, file)...)
				}
			} else {
				games = gamesIn(t, path)
			}
			if len(games) != 6 {
				t.Fatalf("%s holds %d games", path, len(games))
			}
			for i, g := range games {
				if g.Size != 9 || g.Players[board.Colour(i%2)] != "huang" || len(g.Moves) == 0 {
					t.Errorf("%s, game %d: %+v", path, i+1, g)
				}
			}
			_, log, status := tune(t, quick("match", "huang", "flat", "--pairs", "1", "--records", path)...)
			if status != config.ExitUsage || !strings.Contains(log, path) {
				t.Errorf("%s is written over: status %d, %s", path, status, log)
			}
		})
	}
}

func TestMatchUnderAClock(t *testing.T) {
	inFolder(t)
	o := object(t, done(t, "match", "huang", "flat", "--pairs", "1", "--tc", "4s+1ms", "--threads", "2", "--size", "9",
		"--openings", "openings.txt", "--records", "games.sgf", "--json"))
	if o["game_ms"] != 4000.0 || o["increment_ms"] != 1.0 || o["threads"] != 2.0 || o["nodes"] != 0.0 || o["games"] != 2.0 {
		t.Errorf("%v", o)
	}
	for _, g := range gamesIn(t, "games.sgf") {
		var timed int
		for _, m := range g.Moves[g.Opening:] {
			if m.Time > 0 {
				timed++
			}
		}
		if timed == 0 {
			t.Errorf("no move of %+v has a time", g)
		}
	}
}

func TestMatchUsage(t *testing.T) {
	inFolder(t)
	if err := os.WriteFile("limits.yaml", []byte("tune:\n  nodes: 20\n  time: 5ms\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	done(t, "export", "renju15", "-o", "renju.json")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"match", "huang", "flat", "--tc", "1m", "--time", "1s"}, "time and tc"},
		{[]string{"match", "huang", "flat", "--tc", "1m", "--nodes", "10"}, "nodes and tc"},
		{[]string{"match", "huang", "flat", "--config", "limits.yaml"}, "nodes and time"},
		{[]string{"match", "huang", "flat", "--time", "1500us"}, "1.5ms: engines count whole milliseconds"},
		{[]string{"match", "huang", "flat", "--tc", "1m+1500us"}, "1.5ms: engines count whole milliseconds"},
		{[]string{"match", "huang", "flat", "--tc", "60"}, "60s+0.1s"},
		{[]string{"match", "huang", "flat", "--threads", "0"}, "threads"},
		{quick("match", "huang", "flat", "--records", "games.psq"), "games.psq"},
		{[]string{"match", "huang", "nobody"}, "nobody"},
		{[]string{"match", "huang", "gomocup:"}, "gomocup:"},
		{[]string{"match", "huang", "baseline:nobody"}, "baseline:nobody"},
		{[]string{"match", "huang", "baseline:huang", "--rule", "renju"}, "does not play renju, only"},
		{[]string{"match", "renju.json", "huang"}, "renju.json: rule is renju, not freestyle"},
		{[]string{"validate", "renju.json", "--rule", "standard"}, "renju.json: rule is renju, not standard"},
		{[]string{"run", "--start", "renju.json"}, "renju.json: rule is renju, not freestyle"},
		{[]string{"run", "--anchor", "renju.json"}, "renju.json: rule is renju, not freestyle"},
		{[]string{"sensitivity", "--budget", "0gens"}, "matches have no generations"},
		{[]string{"sensitivity", "--budget", "5x"}, `"5x", not a budget such as 10m, 400games`},
		{[]string{"run", "--start", "nobody"}, "nobody"},
		{[]string{"run", "--start", "baseline:huang"}, "has no weights"},
		{quick("run", "--budget", "100games", "--name", "../up"), "../up"},
		{[]string{"run", "--outside-time", "1500us"}, "1.5ms: engines count whole milliseconds"},
		{quick("run", "--budget", "100games", "--name", "huang"), "huang"},
		{[]string{"resume", "absent.checkpoint.json", "--name", "huang"}, "huang"},
		{quick("run", "--budget", "100games", "--name", "mine.json"), "mine.json"},
		{quick("run", "--budget", "100games", "--name", "quintune.db-journal"), "the files of the database"},
		{[]string{"openings", "--nodes", "499"}, "not in [500, 1000000000000]"},
		{[]string{"openings", "--nodes", "2000000000000"}, "not in [500, 1000000000000]"},
		{[]string{"run", "--anchor", "nobody"}, "nobody"},
		{[]string{"run", "--anchor", "baseline:finard", "--rule", "renju"}, "baseline finard does not play renju, only freestyle"},
		{[]string{"validate", "nobody"}, "nobody"},
		{[]string{"validate", "baseline:zhang"}, "name the opponent with --against"},
		{[]string{"diff", "huang", "baseline:zhang"}, "has no weights"},
		{[]string{"resume", "--fork", "--name", "a b"}, "a b"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != config.ExitUsage || !strings.Contains(log, test.want) {
				t.Errorf("tune %q: status %d: %s", test.args, status, log)
			}
		})
	}
}

// A limit that is typed turns off a limit of another kind in the file or a variable.
func TestATypedLimitCountsAlone(t *testing.T) {
	for _, test := range []struct {
		name, file, variable string // the variable is QUINTUNE_TIME
		typed                []string
		nodes, time, game    float64 // ms
	}{
		{"time", "nodes: 2000\n", "", []string{"--time", "2ms"}, 0, 2, 0},
		{"clock", "nodes: 2000\ntime: 1m\n", "", []string{"--tc", "4s"}, 0, 0, 4000},
		{"nodes", "tc: 1m\n", "1m", []string{"--nodes", "20"}, 20, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			inFolder(t)
			if err := os.WriteFile(config.DefaultFile, []byte("size: 9\nopenings: openings.txt\n"+test.file), 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("QUINTUNE_TIME", test.variable)
			o := object(t, done(t, append([]string{"match", "huang", "flat", "--pairs", "1", "--json"}, test.typed...)...))
			if o["nodes"] != test.nodes || o["time_ms"] != test.time || o["game_ms"] != test.game {
				t.Errorf("%v nodes, %v ms a move, %v ms a game; want %v, %v, %v", o["nodes"], o["time_ms"], o["game_ms"], test.nodes, test.time, test.game)
			}
		})
	}
}

// The shell completes players where a command takes them.
func TestPlayerCompletion(t *testing.T) {
	for _, args := range [][]string{
		{"match", ""}, {"match", "huang", ""}, {"gate", ""}, {"validate", ""}, {"ladder", ""}, {"diff", ""}, {"run", "--start", ""}, {"validate", "--against", ""},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			text := done(t, append([]string{"__complete"}, args...)...)
			for _, name := range []string{"default\n", "huang\n", "baseline:huang\n", "gomocup:\n"} {
				if !strings.Contains(text, name) {
					t.Errorf("%q: no %q in %s", args, name, text)
				}
			}
		})
	}
	if text := done(t, "__complete", "match", "baseline:h"); strings.Contains(text, "default") || !strings.Contains(text, "baseline:huang\n") {
		t.Errorf("%s", text)
	}
}

// The shell completes files for --config, and nothing for commands without arguments.
func TestFileCompletion(t *testing.T) {
	for _, test := range []struct {
		name, want string
		args       []string
	}{
		{"settings", "yaml\nyml\njson\n:8\n", []string{"run", "--config", ""}},
		{"no arguments", ":4\n", []string{"config", ""}},
		{"files", ":0\n", []string{"export", "--output", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if text := done(t, append([]string{"__complete"}, test.args...)...); text != test.want {
				t.Errorf("offered is %q, want %q", text, test.want)
			}
		})
	}
}

// `tune config` distinguishes keys that have an effect from those of other commands.
func TestConfigTellsUnusedKeys(t *testing.T) {
	inFolder(t)
	if err := os.WriteFile(config.DefaultFile, []byte("seed: 3\nlevel: 4\nsprt: 0,5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	text := done(t, "config")
	for _, want := range []string{"level          4                    file quintune.yaml, not used by tune run\n", "sprt           0,5 ", "seed           3                    file quintune.yaml\n"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		})
	}
	if unused := object(t, done(t, "config", "--json"))["unused"].([]any); len(unused) != 2 {
		t.Errorf("%v", unused)
	}
}

// A server or an engine that is typed turns off what does not go with it in the file.
func TestATypedFlagTurnsOffWhatItExcludes(t *testing.T) {
	inFolder(t)
	settings := "nats: a:1\n  creds: a.creds\n  listen-cluster: b:2\n  cluster-dir: b\n  first-nodes: 20\n  warm-start: 0.5\n"
	if err := os.WriteFile(config.DefaultFile, []byte("tune:\n  "+settings), 0o600); err != nil {
		t.Fatal(err)
	}
	for flag, off := range map[string][]any{
		"--nats": {"listen-cluster", "cluster-dir"}, "--listen-cluster": {"nats", "creds"}, "--engine": {"first-nodes", "warm-start"},
	} {
		t.Run(flag, func(t *testing.T) {
			var got []any
			for _, e := range object(t, done(t, "config", flag, "c:3", "--json"))["unused"].([]any) {
				got = append(got, e.(map[string]any)["name"])
			}
			if !slices.Equal(got, off) {
				t.Errorf("not used are %v, want %v", got, off)
			}
		})
	}
}

// Without options `tune validate` repeats the validation that the file reports, on the same openings.
func TestThePublishedValidationIsRepeated(t *testing.T) {
	t.Chdir(t.TempDir())
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	set.Provenance = &weights.Provenance{Run: "0123456789abcdef", Start: "flat", Optimizer: "ga", Engine: "1-00000000", Commit: "unknown", Nodes: 30}
	weightstest.Save(t, "w.json", set)
	published := object(t, done(t, "validate", "w.json", "--pairs", "5", "--nodes", "30", "--seed", "7", "--json"))
	v := &weights.Validation{Opponent: "flat", Nodes: 30, Pairs: 5, Games: 10, Seed: 7, Openings: published["openings"].(string)}
	for i, n := range published["pentanomial"].([]any) {
		v.Pentanomial[i] = int64(n.(float64))
	}
	set.Provenance.Validation = v
	weightstest.Save(t, "w.json", set)
	if repeated := object(t, done(t, "validate", "w.json", "--runs", "again", "--json")); !reflect.DeepEqual(repeated, published) {
		t.Errorf("%v, published is %v", repeated, published)
	}
	text, log, _ := tune(t, "validate", "w.json", "--runs", "again")
	if !strings.Contains(text, "The pairs by points are the published ones.") || !strings.Contains(log, "not the engine of the published validation") {
		t.Errorf("of a repeated validation it tells %s%s", text, log)
	}
	v.Pentanomial[0]++ // as if another engine had played
	v.Pairs, v.Games = 6, 12
	weightstest.Save(t, "other.json", set)
	if text := done(t, "validate", "other.json"); !strings.Contains(text, "are not the published ones, ["+strconv.FormatInt(v.Pentanomial[0], 10)) {
		t.Errorf("of a validation with other pairs by points it tells %s", text)
	}
	if err := os.WriteFile(config.DefaultFile, []byte("tune:\n  seed: 8\n  rule: renju\n  time: 1ms\n  openings: absent.txt\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if repeated := object(t, done(t, "validate", "w.json", "--runs", "configured", "--json")); !reflect.DeepEqual(repeated, published) {
		t.Errorf("with a configuration %v, published is %v", repeated, published)
	}
	if err := os.Remove(config.DefaultFile); err != nil {
		t.Fatal(err)
	}
	if other := object(t, done(t, "validate", "w.json", "--pairs", "3", "--nodes", "30", "--json")); other["pairs"] != 3.0 {
		t.Errorf("with an option of its own it played %v pairs", other["pairs"])
	}
}

// The board of a validation is that of the weights, unless another is typed.
func TestTheBoardOfAValidation(t *testing.T) {
	t.Chdir(t.TempDir())
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	set.Rule, set.Size = pattern.Renju, 15
	set.Provenance = &weights.Provenance{Run: "0123456789abcdef", Start: "flat", Optimizer: "ga", Engine: "1-00000000", Commit: "unknown", Nodes: 30}
	weightstest.Save(t, "w.json", set)
	if err := os.WriteFile(config.DefaultFile, []byte("tune:\n  rule: freestyle\n  size: 20\n  nodes: 20\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		rule string
		size float64
	}{
		{"one option", []string{"w.json"}, "renju", 15},
		{"opponent", []string{"w.json", "--against", "huang"}, "renju", 15},
		{"typed", []string{"freestyle20", "--size", "15"}, "freestyle", 15},
		{"no weights", []string{"baseline:random", "--against", "huang"}, "freestyle", 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := object(t, done(t, append([]string{"validate", "--pairs", "1", "--json"}, test.args...)...))
			if o["rule"] != test.rule || o["size"] != test.size {
				t.Errorf("%v on %v, want %s on %v", o["rule"], o["size"], test.rule, test.size)
			}
		})
	}
}

// Where the start is a file that the run replaced, the error says how it plays.
func TestValidationAgainstTheReplacedFile(t *testing.T) {
	inFolder(t)
	set := weightstest.Preset(t, "zhang")
	set.Provenance = &weights.Provenance{Run: "0123456789abcdef", Start: "huang@1234", Optimizer: "ga", Engine: "1-00000000", Commit: "unknown", Nodes: 30}
	weightstest.Save(t, "w.json", set)
	weightstest.Save(t, "w.json.bak", set)
	_, log, status := tune(t, "validate", "w.json")
	if want := "name the opponent with --against; what w.json replaced is w.json.bak, which plays as a copy whose name ends in .json"; status != config.ExitUsage || !strings.Contains(log, want) {
		t.Errorf("status %d: %s, want %s", status, log, want)
	}
}

// Without --pairs no command asks for more of them than there are openings.
func TestUnsetPairsAreThoseOfTheOpenings(t *testing.T) {
	inFolder(t)
	lines := strings.Split(string(read(t, "openings.txt")), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "#") })
	few := strings.Join(lines[:6], "\n")
	if err := os.WriteFile("few.txt", []byte(few), 0o600); err != nil {
		t.Fatal(err)
	}
	done(t, "export", "huang", "-o", "w.json")
	limits := []string{"--size", "9", "--nodes", "20", "--openings", "few.txt", "--json"}
	for _, test := range [][]string{
		{"match", "huang", "flat"},
		{"match", "huang", "flat", "--sprt", "0,5"},
		{"gate", "huang", "flat"},
		{"sprt", "huang", "flat"},
		{"validate", "w.json", "--against", "flat"},
		{"ladder", "huang", "flat"},
	} {
		t.Run(strings.Join(test, " "), func(t *testing.T) {
			o := object(t, done(t, append(test, limits...)...))
			pairs, test := o["cap"] // of a sequential test
			if !test {
				pairs = o["pairs"]
			}
			if pairs != 6.0 {
				t.Errorf("%v pairs: %v", pairs, o)
			}
		})
	}
}

// A test with too few pairs to be passed is told, but not where equal players make it without a game.
func TestTestsThatCannotBePassed(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		args []string
		told bool
	}{
		{[]string{"gate", "huang", "flat"}, true},
		{[]string{"sprt", "huang", "flat"}, true},
		{[]string{"match", "huang", "flat", "--sprt", "0,10"}, true},
		{[]string{"gate", "huang", "huang", "--sprt=-10,0"}, false},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := tune(t, quick(append(test.args, "--pairs", "1")...)...)
			if told := strings.Contains(log, "cannot be passed"); status != config.ExitDone || told != test.told {
				t.Errorf("status %d: %s", status, log)
			}
		})
	}
}
