package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintune/internal/match"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/selfplay"
	"quintune/weights"
)

// Without a dashboard there is a line for every half minute of generations, and one for every gate and
// validation. With JSON logs, which programs read, there is a line for every closed step.
func TestLinesOfARun(t *testing.T) {
	for _, test := range []struct {
		name   string
		people bool
		lines  int
	}{{"text", true, 3 + 2}, {"JSON", false, 80 + 2}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				d := &display{log: slog.New(slog.NewTextHandler(&log, nil)), people: test.people, told: map[run.Stage]time.Time{}}
				for k := range 80 {
					d.event(run.Event{Stage: run.StageEvolution, Closed: true, Generation: k + 1})
					time.Sleep(time.Second)
				}
				d.event(run.Event{Stage: run.StageGate, Closed: true})
				d.event(run.Event{Stage: run.StageValidation, Closed: true})
				if n := strings.Count(log.String(), "\n"); n != test.lines || !strings.Contains(log.String(), "msg=gate") {
					t.Errorf("%d lines, want %d:\n%s", n, test.lines, log.String())
				}
			})
		})
	}
}

// Of the weights of a start that were moved, their number and the three greatest moves are logged; the games a second of a run
// that was just resumed are not known and left out.
func TestShortLines(t *testing.T) {
	var log bytes.Buffer
	d := &display{log: slog.New(slog.NewTextHandler(&log, nil))}
	d.start(&weights.Projection{Moved: []weights.Move{
		{Name: "a", Scaled: 1, To: 2}, {Name: "b", Scaled: 9, To: 4}, {Name: "c", Scaled: 0, To: 2}, {Name: "d", Scaled: 0, To: 7},
	}})
	d.event(run.Event{Stage: run.StageEvolution, Closed: true})
	if got := log.String(); !strings.Contains(got, `weights=4 greatest="d 0→7, b 9→4, c 0→2"`) || !strings.Contains(got, "msg=evolution") || strings.Contains(got, "left=") {
		t.Errorf("got\n%s", got)
	}
}

// The first fault of each kind is logged, with what comes of it.
func TestFaultsOfAMatch(t *testing.T) {
	for kind, want := range map[string]string{
		selfplay.FaultForbidden: "a forbidden move loses the game",
		"timeout":               "a pair in which a player fails is played once more, then it is void",
	} {
		t.Run(kind, func(t *testing.T) {
			var log bytes.Buffer
			d := &display{log: slog.New(slog.NewTextHandler(&log, nil))}
			faults := d.faults(&match.Match{A: match.Side{Name: "a"}, B: match.Side{Name: "b"}})
			for range 2 {
				faults(&match.Tally{FirstB: map[string]string{kind: "what happened"}})
			}
			if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, want+`" player=b fault="what happened"`) {
				t.Errorf("got %q, want one line with %q", got, want)
			}
		})
	}
}

// The interval of a strength reaches farther on one side than on the other.
func TestLinesHaveTheInterval(t *testing.T) {
	var log bytes.Buffer
	d := &display{log: slog.New(slog.NewTextHandler(&log, nil))}
	won := stats.Pentanomial{0, 0, 0, 0, 40}
	d.event(run.Event{Stage: run.StageEvolution, Closed: true, Against: won.Elo(), AgainstPairs: won.Pairs()})
	if want := `recent_champions_elo="+1199.8 [+449.4, +1199.8]"`; !strings.Contains(log.String(), want) {
		t.Errorf("no %s in\n%s", want, log.String())
	}
}

func TestHold(t *testing.T) {
	var out bytes.Buffer
	h := &logBuffer{to: &out}
	fmt.Fprintln(h, "before")
	h.begin()
	fmt.Fprintln(h, "meanwhile")
	if out.String() != "before\n" {
		t.Errorf("written while holding: %q", out.String())
	}
	h.end()
	fmt.Fprintln(h, "after")
	if out.String() != "before\nmeanwhile\nafter\n" {
		t.Errorf("written: %q", out.String())
	}
	out.Reset()
	h.begin()
	line := strings.Repeat("x", 1000)
	for k := range 200 {
		fmt.Fprintln(h, k, line)
	}
	h.end()
	if n := out.Len(); n > mostHeld+1100 || n < mostHeld-1100 || !strings.HasSuffix(out.String(), "199 "+line+"\n") {
		t.Errorf("%d bytes were held back, want the last %d", n, mostHeld)
	}
}
