package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/ladder"
)

// three returns arguments with the players of the tests' ladders.
func three(args ...string) []string {
	return append([]string{"ladder", "flat", "huang", "baseline:random"}, quick(args...)...)
}

func TestLadderGivesTheSameForAnyNumberOfWorkers(t *testing.T) {
	inFolder(t)
	var want map[string]any
	for _, workers := range []string{"1", "3"} {
		t.Run(workers, func(t *testing.T) {
			o := object(t, done(t, three("--pairs", "4", "--workers", workers, "--runs", "w"+workers, "--json")...))
			if state := o["state"].(string); filepath.Dir(state) != "w"+workers {
				t.Errorf("the database is %s", state)
			}
			delete(o, "state")
			if want == nil {
				want = o
			}
			if !reflect.DeepEqual(o, want) {
				t.Errorf("%s workers: %v, want %v", workers, o, want)
			}
		})
	}
	players := want["players"].([]any)
	last := players[2].(map[string]any)
	if len(players) != 3 || last["player"] != "baseline:random" || want["anchor"] != "huang" || want["finished"] != 12.0 {
		t.Errorf("%v", want)
	}
	for _, p := range players {
		if p := p.(map[string]any); p["player"] == "huang" && (p["elo"] != 1000.0 || p["elo_low"] != 1000.0) {
			t.Errorf("the anchor is %v", p)
		}
	}
}

func TestLadderForms(t *testing.T) {
	inFolder(t)
	text := done(t, three("--pairs", "2", "--anchor", "flat", "--picture", "ladder.svg", "--records", "games.jsonl", "--json")...)
	if o := object(t, text); o["anchor"] != "flat" || o["picture"] != "ladder.svg" {
		t.Errorf("%v", o)
	}
	if picture := string(read(t, "ladder.svg")); !strings.Contains(picture, "<svg") || !strings.Contains(picture, "baseline:random") {
		t.Errorf("the picture is %.200s", picture)
	}
	if games := gamesIn(t, "games.jsonl"); len(games) != 12 || games[0].Players != [2]string{"flat", "huang"} {
		t.Errorf("%d games: %+v", len(games), games[0])
	}
	markdown := done(t, three("--pairs", "2", "--format", "markdown")...)
	if !strings.Contains(markdown, "| huang | 1000 | 1000 … 1000 |") {
		t.Errorf("%s", markdown)
	}
	table := done(t, three("--pairs", "2")...)
	if !strings.Contains(table, "20 a move counts nodes for huang, flat; nothing for baseline:random") && !strings.Contains(table, "20 a move counts nodes for flat, huang; nothing for baseline:random") {
		t.Errorf("no units in %s", table)
	}
	gauntlet := object(t, done(t, three("--pairs", "2", "--gauntlet", "huang", "--json")...))
	if meetings := gauntlet["pairings"].([]any); len(meetings) != 2 || gauntlet["gauntlet"] != "huang" {
		t.Errorf("%v", gauntlet)
	}
}

// An interrupted ladder prints how to continue, and the same command continues it.
func TestLadderGoesOn(t *testing.T) {
	inFolder(t)
	want := object(t, done(t, three("--pairs", "6", "--state", "whole.jsonl", "--json")...))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	done(t, three("--pairs", "2", "--state", "l.jsonl")...)
	var out, log bytes.Buffer
	whole := three("--pairs", "6", "--state", "l.jsonl", "--records", "games.sgf")
	err := execute(ctx, append(whole, "--json"), strings.NewReader(""), &out, &log)
	if config.Exit(err) != config.ExitInterrupted || !strings.Contains(log.String(), "6 of 18 pairs are kept in l.jsonl: the same command goes on") {
		t.Fatalf("%v: %s", err, log.String())
	}
	if o := object(t, out.String()); o["finished"] != 6.0 {
		t.Errorf("an interrupted ladder shows %v", o)
	}
	if _, err := os.Stat("games.sgf"); err == nil || hiddenRecords("games.sgf") != "" {
		t.Error("an interrupted ladder leaves records")
	}
	out.Reset()
	if err := execute(ctx, whole, strings.NewReader(""), &out, &log); !strings.Contains(out.String(), " --records games.sgf ") {
		t.Errorf("%v: %s", err, out.String())
	}
	got := object(t, done(t, append(whole, "--json")...))
	delete(got, "state")
	delete(want, "state")
	if !reflect.DeepEqual(got, want) {
		a, _ := json.Marshal(got)
		t.Errorf("in two parts: %s, want %v", a, want)
	}
	if games := gamesIn(t, "games.sgf"); len(games) != 36 {
		t.Errorf("%d games are in the records, want 36", len(games))
	}
}

func TestLadderRefusals(t *testing.T) {
	inFolder(t)
	done(t, three("--pairs", "1", "--state", "l.jsonl")...)
	if err := os.WriteFile("old.sgf", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("full/folder", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"ladder", "huang"}, config.ExitUsage, "requires at least 2"},
		{[]string{"ladder", "huang", "huang"}, config.ExitUsage, "huang is given twice"},
		{[]string{"ladder", "huang", "zhan"}, config.ExitUsage, "zhan"},
		{[]string{"ladder", "huang", "baseline:huang?depth=99"}, config.ExitUsage, "option depth"},
		{[]string{"ladder", "huang", "flat", "--anchor", "zhang"}, config.ExitUsage, `anchor is "zhang", not one of the players huang, flat`},
		{[]string{"ladder", "huang", "flat", "--gauntlet", "zhang"}, config.ExitUsage, `gauntlet is "zhang"`},
		{[]string{"ladder", "huang", "flat", "--picture", "a.jpg"}, config.ExitUsage, ".svg, .png"},
		{[]string{"ladder", "huang", "flat", "--picture", "no/a.png"}, config.ExitUsage, "picture: there is no folder no"},
		{three("--records", "old.sgf", "--quiet"), config.ExitUsage, "old.sgf"},
		{three("--records", "x.txt", "--quiet"), config.ExitUsage, "x.txt"},
		{three("--records", "no/x.sgf", "--quiet"), config.ExitUsage, "records: there is no folder no"},
		{three("--records", "full", "--quiet"), config.ExitUsage, "not empty"},
		{[]string{"ladder", "huang", "flat", "--time", "1ms", "--nodes", "5"}, config.ExitUsage, "nodes and time"},
		{three("--pairs", "401"), config.ExitUsage, "only 400"},
		{three("--pairs", "1", "--state", "l.jsonl", "--seed", "2"), config.ExitFailed, "begun with seed 1, not 2"},
		{three("--pairs", "1", "--state", "old.sgf", "--format", "csv"), config.ExitUsage, "csv"},
		{three("--pairs", "1", "--state", "openings.txt"), config.ExitFailed, "not a database of a ladder"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := tune(t, test.args...)
			if status != test.status || !strings.Contains(log, test.want) {
				t.Errorf("%q: status %d, want %d, with %q: %s", test.args, status, test.status, test.want, log)
			}
		})
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a refused ladder was begun")
	}
}

// More pairs need another book where none is embedded, and so begin another ladder, which is not advised.
func TestLadderOverAMadeBook(t *testing.T) {
	s := &ladder.Standing{Rungs: make([]ladder.Rung, 2)}
	o := &ladderOptions{}
	o.Size, o.Pairs = 9, 600
	if text := afterLadder(nil, o, s, nil, 1200, nil); !strings.Contains(text, "begin another ladder") || strings.Contains(text, "Next: ") {
		t.Error(text)
	}
}
