package config

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite quintune.example.yaml")

const examplePath = "../../quintune.example.yaml"

const exampleHead = `# Every setting of tune and play that a file can hold, with its default. Copy this file to quintune.yaml in the folder
# that you work in, or name it with --config, and take the # away from the lines that you change.
#
# A setting counts for every command that has it, of both programs. Where commands have different defaults each of these
# has a line of its own: set one of them, and all of these commands have its value.
# The file is read strictly: unknown and doubled keys, and values out of their bounds, are refused by name.
#
# A flag (--nodes 2000) goes before a variable (QUINTUNE_NODES=2000), that before this file, and the file before the
# default. ` + "`tune config`" + ` shows what counts in a run, and where it comes from.
#
# "" is nothing. Times have units (250ms, 10s, 2h). What may be repeated as a flag is a list here: [zhang, "baseline:finard"].
#
# This file is generated from the options' declaration in internal/config by ` + "`go test ./internal/config -update`" + `;
# a test fails when it is stale.
`

// chapters are the settings in the order in which a user meets them.
var chapters = []struct {
	title string
	keys  []string
}{
	{"A run: how long, from where, to where", []string{"budget", "deadline", "evolution", "start", "out", "name", "runs", "seed", "workers"}},
	{"The game, and how far players think", []string{"rule", "size", "nodes", "time", "tc", "threads"}},
	{"What is tuned, and how", []string{"only", "freeze", "optimizer", "polish", "warm-start"}},
	{"Whom a run's candidates play", []string{"peers", "champions", "anchors", "anchor", "outside-time", "allow-commands"}},
	{"Proof: gates and matches", []string{"no-gate", "pairs", "sprt", "gauntlet"}},
	{"Openings", []string{"openings", "gate-openings", "count", "window"}},
	{"Many machines", []string{"listen-cluster", "nats", "cluster-dir", "creds", "jobs", "task-time", "task-deadline", "audit"}},
	{"Playing, and engines for tournaments", []string{"weights", "against", "level", "color", "engine", "ascii", "notation"}},
	{"What is told", []string{"json", "quiet", "log-format"}},
}

// example returns the text of the example file.
func example() []byte {
	var b bytes.Buffer
	b.WriteString(exampleHead)
	for _, c := range chapters {
		fmt.Fprintf(&b, "\n\n# %s\n# %s\n", c.title, strings.Repeat("-", len(c.title)))
		for _, key := range c.keys {
			b.WriteString("\n")
			writeSetting(&b, key)
		}
	}
	return b.Bytes()
}

// forCommands begins the line of comment that names the commands of the setting below it.
const forCommands = "# for "

// writeSetting writes one key: for each of its declarations what it means, the commands that have it, and the
// default; declarations that say the same together.
func writeSetting(b *bytes.Buffer, key string) {
	type saying struct{ help, setting string }
	var said []saying
	commands := map[saying][]string{}
	for _, o := range shared() {
		if o.Name != key {
			continue
		}
		s := saying{"# " + o.usage() + values(o) + "\n", fmt.Sprintf("#%s: %s\n", key, scalar(o))}
		if commands[s] == nil {
			said = append(said, s)
		}
		commands[s] = append(commands[s], o.Commands...)
	}
	for _, s := range said {
		names := strings.ReplaceAll(strings.Join(commands[s], ", "), anyCommand, everyCommand)
		fmt.Fprintf(b, "%s%s%s\n%s", s.help, forCommands, names, s.setting)
	}
}

// everyCommand is how the file says that all commands have a setting.
const everyCommand = "all commands"

// values says in brackets what a setting's value looks like, and its default where that depends on the machine.
func values(o Option) string {
	switch {
	case o.Kind.placeholder == "":
		return " (true|false)"
	case o.Varies != "":
		return " (" + o.Kind.placeholder + "); without it " + o.Varies
	}
	return " (" + o.Kind.placeholder + ")"
}

// scalar returns the default as YAML has it. Where it depends on the machine it is what one of four processors has.
func scalar(o Option) string {
	switch {
	case o.Varies != "":
		return "4"
	case o.Default == "" || strings.Contains(o.Default, ": "):
		return strconv.Quote(o.Default)
	}
	return o.Default
}

// TestExampleIsFresh regenerates quintune.example.yaml.
func TestExampleIsFresh(t *testing.T) {
	want := example()
	if *update {
		if err := os.WriteFile(examplePath, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(examplePath)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale: go test ./internal/config -update", examplePath)
	}
}

// Every key that a file can hold stands in one chapter, and nothing else.
func TestExampleHasEveryKey(t *testing.T) {
	var told, known []string
	for _, c := range chapters {
		told = append(told, c.keys...)
	}
	for _, o := range shared() {
		known = append(known, o.Name)
	}
	slices.Sort(told)
	slices.Sort(known)
	if known = slices.Compact(known); !slices.Equal(told, known) {
		t.Errorf("the example tells of\n%v, the options are\n%v", told, known)
	}
}

// commandNames returns the names of all commands that take options of their own.
func commandNames() []string {
	var names []string
	for _, o := range Options() {
		names = append(names, o.Commands...)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(n string) bool { return n == anyCommand })
}

// uncommented returns the example with the settings of one command in force.
func uncommented(text, command string) string {
	var b strings.Builder
	inForce := false
	for line := range strings.Lines(text) {
		if inForce {
			line = strings.TrimPrefix(line, "#")
		}
		names, found := strings.CutPrefix(strings.TrimSpace(line), forCommands)
		list := strings.Split(names, ", ")
		inForce = found && (slices.Contains(list, command) || slices.Contains(list, everyCommand))
		b.WriteString(line)
	}
	return b.String()
}

// As it stands the file changes nothing for any command of either program; with a command's settings in force each of
// them has its default, from the file.
func TestExampleLoadsTheDefaults(t *testing.T) {
	data, err := os.ReadFile(examplePath)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range commandNames() {
		defaults, err := loadWith(t, command, nil)
		if err != nil {
			t.Fatal(err)
		}
		asItStands, err := loadWith(t, command, map[string]string{DefaultFile: string(data)})
		if err != nil || !slices.Equal(asItStands.Entries(), defaults.Entries()) {
			t.Errorf("%s: as it stands the example sets %v (%v)", command, asItStands, err)
		}
		inForce, err := loadWith(t, command, map[string]string{DefaultFile: uncommented(string(data), command)})
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		checkInForce(t, command, inForce)
	}
}

// checkInForce fails the test unless the file sets every option of the command that it can, to the default.
func checkInForce(t *testing.T, command string, v *Values) {
	t.Helper()
	for _, o := range optionsOf(command) {
		want := Entry{o.Name, o.Default, "file " + DefaultFile}
		switch {
		case o.FlagOnly:
			want.Origin = originDefault
		case o.Varies != "":
			want.Value = scalar(o)
		}
		if got := v.value(o.Name).entry; got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
	if unused := v.Unused(); len(unused) > 0 {
		t.Errorf("%s does not take %v", command, unused)
	}
}
