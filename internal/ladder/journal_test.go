package ladder

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quintune/internal/strictjson"
	"quintune/pattern"
)

// journal plays a ladder and returns its journal's path and content.
func journal(t *testing.T) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ladder.jsonl")
	standing(t, testConfig(3), path, 1)
	return path, mustRead(t, path)
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustWrite(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Wherever a crash has cut the journal, the ladder goes on behind the last whole line.
func TestTornJournalGoesOn(t *testing.T) {
	path, data := journal(t)
	want := standing(t, testConfig(3), "", 1)
	headEnd := bytes.IndexByte(data, '\n') + 1
	for _, cut := range []int{headEnd, headEnd + 1, headEnd + 100, len(data) - 1, len(data) - 30} {
		for _, tail := range []string{"", "\x00\x00\x00", "0000 {}\n\x00"} {
			mustWrite(t, path, append(bytes.Clone(data[:cut]), tail...))
			if got := standing(t, testConfig(3), path, 1); !reflect.DeepEqual(got, want) {
				t.Errorf("cut at %d, then %q: %+v, want %+v", cut, tail, got, want)
			}
			if lines, whole, err := readLines(mustRead(t, path)); err != nil || len(lines) != 10 || whole != len(data) {
				t.Errorf("cut at %d, then %q: %d lines of %d bytes (%v)", cut, tail, len(lines), whole, err)
			}
		}
	}
}

func TestJournalRefusals(t *testing.T) {
	path, data := journal(t)
	lines := bytes.SplitAfter(data, []byte("\n"))
	line := func(object any) []byte {
		text, err := formatLine(object)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	sound := [2]game{{Moves: "h8", Outcome: "draw"}, {Moves: "h8", Outcome: "draw"}}
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"another file":     {[]byte(`{"weights": 1}`), "no journal of a ladder"},
		"another format":   {line(head{Format: "quintune.ladder/9"}), "no journal of a ladder (quintune.ladder/1)"},
		"torn head":        {data[:20], "no journal of a ladder"},
		"damage":           {bytes.Replace(data, []byte(`"pair":1`), []byte(`"pair":7`), 1), "line 5 is damaged"},
		"a pair twice":     {append(bytes.Clone(data), lines[3]...), "line 11: pair 0 of pairing 2 comes twice"},
		"no such pairing":  {append(bytes.Clone(data), line(entry{Pairing: 3, Games: sound})...), "pairing 3, of which there are 3"},
		"negative pair":    {append(bytes.Clone(data), line(entry{Pair: -1, Games: sound})...), "pair -1"},
		"unknown outcome":  {append(bytes.Clone(data), line(entry{Pair: 9})...), `outcome "" is no end`},
		"unreadable moves": {append(bytes.Clone(data), line(entry{Pair: 9, Games: [2]game{{Moves: "h"}}})...), "line 11"},
		"unknown key":      {append(bytes.Clone(data), line(map[string]int{"colour": 1})...), "colour"},
	} {
		mustWrite(t, path, test.data)
		_, err := mustNew(t, testConfig(3)).Open(path)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one with the path and %q", name, err, test.want)
		}
		if !bytes.Equal(mustRead(t, path), test.data) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// A journal of another ladder is refused by what is different.
func TestOtherLaddersAreRefused(t *testing.T) {
	path, _ := journal(t)
	for want, change := range map[string]func(*Config){
		"3 players, not 2":                        func(c *Config) { c.Players = c.Players[:2] },
		`player 1 "good", not "middling"`:         func(c *Config) { c.Players[0], c.Players[1] = c.Players[1], c.Players[0] },
		`another "good": "skill 90", not "other"`: func(c *Config) { c.Players[0].Identity = "other" },
		"gauntlet , not good":                     func(c *Config) { c.Gauntlet = 0 },
		"rule freestyle, not standard":            func(c *Config) { c.Rule = pattern.Standard },
		"size 9, not 10":                          func(c *Config) { c.Size = 10 },
		"nodes 5, not 6":                          func(c *Config) { c.Nodes = 6 },
		"nodes 5, not 0":                          func(c *Config) { c.Nodes, c.TimeControl.Move = 0, 1e9 },
		"threads 1, not 2":                        func(c *Config) { c.TimeControl.Threads = 2 },
		"nodes 5, not 0: ":                        func(c *Config) { c.Nodes, c.TimeControl.Game = 0, 1e9 },
		"seed 3, not 4":                           func(c *Config) { c.Seed = 4 },
		"openings ":                               func(c *Config) { c.Book.Openings = c.Book.Openings[1:] },
		"engine signature test, not tested":       func(c *Config) { c.Engine = "tested" },
	} {
		c := testConfig(3)
		change(&c)
		if _, err := mustNew(t, c).Open(path); err == nil || !strings.Contains(err.Error(), "begun with "+want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestOneProcessPlaysALadder(t *testing.T) {
	path, _ := journal(t)
	j, err := mustNew(t, testConfig(3)).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mustNew(t, testConfig(3)).Open(path); err == nil || !strings.Contains(err.Error(), "played by another process") {
		t.Errorf("a second opening: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = mustNew(t, testConfig(3)).Open(path); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// Whatever the lines are, they are read or refused, and what is read is what a sound journal would say.
func FuzzReadLines(f *testing.F) {
	one, err := formatLine(entry{Pairing: 1, Pair: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{})
	f.Add(one)
	f.Add(append(bytes.Clone(one), one[:9]...))
	f.Add(append([]byte("00000000 \n"), one...))
	f.Fuzz(func(t *testing.T, data []byte) {
		objects, whole, err := readLines(data)
		if err != nil {
			return
		}
		var again []byte
		for _, o := range objects {
			again = append(again, checksum(o)+" "+string(o)+"\n"...)
		}
		if whole > len(data) || !bytes.Equal(again, data[:whole]) {
			t.Errorf("%q is read as %q", data, again)
		}
		var e entry
		for _, o := range objects {
			if strictjson.Decode(o, &e) == nil {
				_, _ = e.result() // must not panic
			}
		}
	})
}
