//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintune/internal/config"
)

// writeCrasher writes an engine that crashes at its first move, and returns the player argument for it.
func writeCrasher(t *testing.T) string {
	t.Helper()
	const crashes = "while read -r line; do case $line in START*|RESTART*) echo OK;; BOARD*|BEGIN*|TURN*) echo no book >&2; exit 3;; END*) exit 0;; esac; done\n"
	if err := os.WriteFile("crashes.sh", []byte(crashes), 0o600); err != nil {
		t.Fatal(err)
	}
	return "gomocup:sh crashes.sh"
}

// An engine that does not start, or that fails in every game, ends a match of any kind with its message.
func TestFailingEnginesEndMatches(t *testing.T) {
	inFolder(t)
	crasher := writeCrasher(t)
	for _, engine := range []struct{ name, player, want string }{
		{"does not start", noProgram, "no such file"},
		{"leaves at once", "gomocup:true", "it does not start: crash"},
		{"fails in every game", crasher, "no book"},
	} {
		for _, command := range [][]string{
			{"match", engine.player, "huang", "--pairs", "40"},
			{"match", "huang", engine.player, "--pairs", "2"},
			{"match", "huang", engine.player, "--sprt", "0,10", "--pairs", "40"},
			{"gate", engine.player, "huang", "--pairs", "40"},
			{"sprt", engine.player, "huang", "--pairs", "40"},
			{"ladder", "huang", "zhang", engine.player, "--pairs", "40"},
			{"validate", "w.json", "--against", engine.player, "--pairs", "4"},
		} {
			t.Run(command[0]+" "+engine.name, func(t *testing.T) {
				if command[0] == "validate" {
					done(t, "export", "huang", "-o", "w.json")
				}
				tune(t, quick(command...)...) // what failed is played anew: once more it fails as well
				_, log, status := tune(t, quick(command...)...)
				if status != config.ExitFailed || !strings.Contains(log, engine.want) || !strings.Contains(log, "cannot play") {
					t.Errorf("tune %q: status %d, want %d and %q: %s", command, status, config.ExitFailed, engine.want, log)
				}
				if text := done(t, "list"); strings.Contains(text, " 0 of ") {
					t.Errorf("a match without a pair is kept:\n%s", text)
				}
			})
		}
	}
}

// Commands in files are not started, unless the user types them or allows them.
func TestCommandsOfConfigurationsAreRefused(t *testing.T) {
	inFolder(t)
	crasher := writeCrasher(t)
	if err := os.WriteFile("quintune.yaml", []byte("anchor:\n  - huang\n  - "+crasher+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := quick("run", "--budget", "100games", "--start", "zhang")
	_, log, status := tune(t, args...)
	if status != config.ExitUsage || !strings.Contains(log, crasher) || !strings.Contains(log, "--allow-commands") {
		t.Fatalf("status %d: %s", status, log)
	}
	out, log, status := tune(t, append(args, "--against", crasher, "--allow-commands", "--name", "allowed", "--json")...)
	o := object(t, out)
	faults := o["faults"].([]any)
	if status != config.ExitDone || o["reproducible"] != false || len(faults) != 1 || !strings.Contains(log, "failed") {
		t.Fatalf("status %d, %v: %s", status, o, log)
	}
	if fault := faults[0].(map[string]any); fault["player"] != crasher || fault["kind"] != "crash" {
		t.Errorf("fault %v", fault)
	}
	_, log, status = tune(t, "resume", "allowed")
	if status != config.ExitUsage || !strings.Contains(log, "--allow-commands") {
		t.Errorf("a stored command would have been started: status %d: %s", status, log)
	}
	done(t, "resume", "allowed", "--allow-commands")
}

func TestTypedCommandsAreStarted(t *testing.T) {
	inFolder(t)
	o := object(t, done(t, quick("run", "--budget", "100games", "--against", writeCrasher(t), "--against", "baseline:random", "--json")...))
	if o["reproducible"] != false || len(o["faults"].([]any)) != 1 {
		t.Errorf("%v", o)
	}
	o = object(t, done(t, quick("run", "--budget", "100games", "--anchor", "baseline:random", "--json")...))
	if o["reproducible"] != true || o["faults"] != nil {
		t.Errorf("%v", o)
	}
}

// An engine that does not start ends a run before its first game.
func TestRunsNameTheEngineThatDoesNotStart(t *testing.T) {
	inFolder(t)
	_, log, status := tune(t, quick("run", "--budget", "100games", "--anchor", noProgram)...)
	if status != config.ExitFailed || !strings.Contains(log, noProgram+" does not start") {
		t.Errorf("status %d: %s", status, log)
	}
}

// An engine that starts and then fails in every game, at its start values too, ends its run before it is stored, whatever limits its
// moves and whoever else plays.
func TestRunOfAnEngineThatNeverPlaysEnds(t *testing.T) {
	for _, test := range []struct {
		name, limit string
		more        []string
	}{
		{"nodes", "nodes", nil},
		{"time", "50ms", nil},
		{"opponent from outside", "nodes", []string{"--against", "gomocup:sh crashes.sh"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inFolder(t)
			writeCrasher(t)
			file := "command: sh crashes.sh\npass: argument\nlimit: " + test.limit + "\nparameters:\n  - {name: bold, kind: int, start: 5, min: 0, max: 9}\n"
			if err := os.WriteFile("params.yaml", []byte(file), 0o600); err != nil {
				t.Fatal(err)
			}
			_, log, status := tune(t, append(quick("run", "--engine", "params.yaml", "--budget", "100games", "--name", "stored"), test.more...)...)
			if want := "crashes cannot play at the start values: crash"; status != config.ExitFailed || !strings.Contains(log, want) || !strings.Contains(log, "no book") {
				t.Errorf("status %d, want %d and %q: %s", status, config.ExitFailed, want, log)
			}
			if _, err := os.Stat(filepath.Join("runs", "stored")); err == nil {
				t.Error("a run of an engine that cannot play is stored")
			}
		})
	}
}

// A forbidden move loses its game, and the engine plays all the same. The engine of the test makes six in a row as Black.
func TestCheckOfAnEngineThatPlaysForbiddenMoves(t *testing.T) {
	inFolder(t)
	const engine = `move() {
	if [ $((stones%2)) = 0 ]; then set -- 0,0 1,0 2,0 4,0 5,0 3,0; else set -- 0,14 2,14 4,14 6,14 8,14 10,14; fi
	shift $made; made=$((made+1)); stones=$((stones+2)); echo $1
}
while read -r line; do
	case $line in
	START*|RESTART*) made=0 stones=0; echo OK;;
	BOARD*) stones=0; while read -r line && [ "$line" != DONE ]; do stones=$((stones+1)); done; move;;
	TURN*) [ $made = 0 ] && stones=1; move;;
	BEGIN*) move;;
	END*) exit 0;;
	esac
done
`
	const file = "command: sh six.sh\npass: argument\nparameters:\n  - {name: bold, kind: int, start: 5, min: 0, max: 9}\n"
	if err := errors.Join(os.WriteFile("six.sh", []byte(engine), 0o600), os.WriteFile("params.yaml", []byte(file), 0o600)); err != nil {
		t.Fatal(err)
	}
	out, log, _ := tune(t, "engine", "check", "params.yaml", "--rule", "renju", "--for", "1s")
	if !strings.Contains(out, "start values: a fault, d1: the cell is forbidden for black (overline)") || !strings.Contains(out, "games a minute") {
		t.Errorf("%s%s", out, log)
	}
}

// The check of an engine that knows none of its parameters quotes it and fails.
func TestCheckOfAnEngineThatKnowsNoParameterFails(t *testing.T) {
	inFolder(t)
	const engine = `move() {
	i=0
	while :; do
		cell=$((i%15)),$((i/15))
		case $taken in *" $cell "*) i=$((i+1));; *) break;; esac
	done
	taken="$taken $cell "
	echo $cell
}
while read -r line; do
	case $line in
	START*|RESTART*) taken=; echo OK;;
	BOARD*) taken=; while read -r line && [ "$line" != DONE ]; do taken="$taken ${line%,*} "; done; move;;
	TURN*) taken="$taken ${line#* } "; move;;
	BEGIN*) move;;
	INFO\ bold*) echo UNKNOWN bold;;
	END*) exit 0;;
	esac
done
`
	const file = "command: sh deaf.sh\npass: info\nparameters:\n  - {name: bold, kind: int, start: 5, min: 0, max: 9}\n"
	if err := errors.Join(os.WriteFile("deaf.sh", []byte(engine), 0o600), os.WriteFile("params.yaml", []byte(file), 0o600)); err != nil {
		t.Fatal(err)
	}
	out, log, status := tune(t, "engine", "check", "params.yaml", "--for", "1s")
	if status != config.ExitFailed || !strings.Contains(log, "nothing to tune") || !strings.Contains(out, `it answered "UNKNOWN bold"`) {
		t.Errorf("status %d: %s%s", status, out, log)
	}
}
