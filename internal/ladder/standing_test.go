package ladder

import (
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/journal"
	"quintune/internal/stats"
	"quintune/selfplay"
)

// finish gives the ladder pairs of one pairing with the given half points of A.
func finish(l *Ladder, pairing int, points ...int) {
	ends := [5][2]board.Outcome{
		{board.WhiteWins, board.BlackWins},
		{board.WhiteWins, board.Draw},
		{board.BlackWins, board.BlackWins},
		{board.BlackWins, board.Draw},
		{board.BlackWins, board.WhiteWins},
	}
	for pair, p := range points {
		var r selfplay.Result
		for i, end := range ends[p] {
			r.Games[i].Outcome = end
		}
		l.played[place{pairing, pair}] = &r
	}
}

// The lead of the first does not depend on who the others are measured by, as the intervals of the players do.
func TestLeadDoesNotDependOnTheAnchor(t *testing.T) {
	l := mustNew(t, testConfig(30))
	for i := range 30 {
		finish(l, 0, slices.Repeat([]int{4, 2, 3}, i/3+1)...)
		finish(l, 1, slices.Repeat([]int{4}, i+1)...)
		finish(l, 2, slices.Repeat([]int{4}, i+1)...)
	}
	var leads []stats.Estimate
	for anchor := range 3 {
		s, err := l.Standing(anchor)
		if err != nil {
			t.Fatal(err)
		}
		if want := "good leads before middling by +"; !strings.HasPrefix(s.Conclusion(), want) || strings.Contains(s.Conclusion(), "interval") {
			t.Errorf("%q, want %q", s.Conclusion(), want)
		}
		leads = append(leads, s.Lead)
	}
	for _, lead := range leads[1:] {
		if math.Abs(lead.Elo-leads[0].Elo) > 1 || math.Abs(lead.Low-leads[0].Low) > 1 || math.Abs(lead.High-leads[0].High) > 1 {
			t.Errorf("leads %v, want the same to one Elo", leads)
		}
	}
	few := mustNew(t, testConfig(4))
	finish(few, 0, 4, 4, 4, 4)
	if s, err := few.Standing(0); err != nil || !strings.Contains(s.Conclusion(), "says nothing below 20 pairs") && !strings.Contains(s.Conclusion(), "Nothing is known") {
		t.Errorf("%v %v", s.Conclusion(), err)
	}
}

func TestStandingCounts(t *testing.T) {
	l := mustNew(t, testConfig(4))
	finish(l, 0, 4, 4, 3, 2) // good against middling
	finish(l, 1, 4, 4, 4, 4) // good against poor
	finish(l, 2, 4, 0, 1)    // middling against poor
	s, err := l.Standing(1)
	if err != nil {
		t.Fatal(err)
	}
	good, middling, poor := s.Rungs[0], s.Rungs[1], s.Rungs[2]
	if good.Player != "good" || good.Wins != 14 || good.Draws != 1 || good.Losses != 1 || good.Games != 16 || good.Rank != 1 {
		t.Errorf("good: %+v, want the first, with 14 of 16 games won, one drawn, one lost", good)
	}
	if middling.Elo != AnchorElo || middling.EloLow != AnchorElo || middling.EloHigh != AnchorElo || middling.Wins != 3 || middling.Draws != 2 || middling.Losses != 9 {
		t.Errorf("middling: %+v, want %d without a width, 3 won, 2 drawn, 9 lost", middling, AnchorElo)
	}
	if poor.Games != 14 || poor.Score != (3+.5)/14 || poor.Rank != 3 {
		t.Errorf("poor: %+v, want the third, with 3.5 points of 14", poor)
	}
	if !(poor.EloLow < poor.Elo && poor.Elo < poor.EloHigh && poor.Elo < AnchorElo && good.EloLow > AnchorElo) {
		t.Errorf("ratings %v [%v, %v] and %v [%v, %v], want the anchor between them, and the second interval above it", poor.Elo, poor.EloLow, poor.EloHigh, good.Elo, good.EloLow, good.EloHigh)
	}
	if m := s.Meetings[2]; m.A != "middling" || m.B != "poor" || m.Pairs != 3 || m.Pentanomial != (stats.Pentanomial{1, 1, 0, 0, 1}) || m.Score != 5./12 {
		t.Errorf("meeting %+v, want middling against poor, 3 pairs, {1, 1, 0, 0, 1}", m)
	}
	if s.Anchor != "middling" || s.Finished != 11 || s.Pairs != 4 {
		t.Errorf("standing %+v, want 11 pairs of 4 each, held at middling", s)
	}
}

// A player that always fails has faults and void pairs, and nobody has points from them; the same after reading them back.
func TestFaultsAreCountedAndVoidPairsAreNot(t *testing.T) {
	c := testConfig(2)
	c.Players = append(c.Players, contestant("broken", -1))
	path := filepath.Join(t.TempDir(), "ladder.jsonl")
	s := standing(t, c, path, 2)
	for _, r := range s.Rungs {
		wantVoid, wantGames, wantFaults := int64(2), int64(8), map[string]int64{}
		if r.Player == "broken" {
			wantVoid, wantGames, wantFaults = 6, 0, map[string]int64{"crash": 24} // three pairings, two pairs, two attempts of two games
		}
		if r.Void != wantVoid || r.Games != wantGames || !reflect.DeepEqual(r.Faults, wantFaults) {
			t.Errorf("%+v, want %d void pairs, %d games, faults %v", r, wantVoid, wantGames, wantFaults)
		}
	}
	if again := standing(t, c, path, 1); !reflect.DeepEqual(again, s) {
		t.Errorf("read back: %+v, want %+v", again, s)
	}
	if text := s.Text(); !strings.Contains(text, "24 crash, 6 void pairs") {
		t.Errorf("faults are not shown:\n%s", text)
	}
}

func TestFaultsText(t *testing.T) {
	for want, void := range map[string]int64{"1 crash, 2 timeout": 0, "1 crash, 2 timeout, 1 void pair": 1, "1 crash, 2 timeout, 2 void pairs": 2} {
		t.Run(want, func(t *testing.T) {
			if got := faultsText(map[string]int64{"timeout": 2, "crash": 1}, void); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestTexts(t *testing.T) {
	c := testConfig(2)
	c.Players[0].Name, c.Players[2].Unit = "go|od", ""
	l := mustNew(t, c)
	finish(l, 0, 4, 4)
	finish(l, 1, 4, 2)
	s, err := l.Standing(1)
	if err != nil {
		t.Fatal(err)
	}
	text, markdown := s.Text(), s.Markdown()
	for _, want := range []string{
		"go|od", "1000 … 1000", "87.5 %", "round robin, 4 of 6 pairs of games, freestyle, 9×9", "middling held at 1000",
		"a limit of 5 a move counts cells for go|od, middling; nothing for poor", "seed 3",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("the text lacks %q:\n%s", want, text)
			}
		})
	}
	for _, want := range []string{`| go\|od |`, "|--:|---|", "| good | middling | 4 | 0 | 0 | 100.0 % |", "A limit of 5 a move", "| middling | poor | 0 | 0 | 0 | 0.0 % |"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(markdown, want) {
				t.Errorf("the document lacks %q:\n%s", want, markdown)
			}
		})
	}
	s.Nodes, s.TimeMS, s.Gauntlet = 0, 100, "poor"
	if got := strings.Join(s.Conditions(), "\n"); !strings.Contains(got, "gauntlet of poor") || !strings.Contains(got, "100ms a move") || strings.Contains(got, "cells") {
		t.Errorf("under time: %s, want a gauntlet of poor, 100ms a move, no cells", got)
	}
	s.Limits = journal.Limits{GameMS: 60_000, IncrementMS: 100, Threads: 2}
	if got := strings.Join(s.Conditions(), "\n"); !strings.Contains(got, "1m0s a game and 100ms more") || !strings.Contains(got, "2 threads") {
		t.Errorf("under a clock: %s, want 1m0s a game and 100ms more, 2 threads", got)
	}
	s.Limits = journal.Limits{TimeMS: 100}
	if got := s.Title(); got != "gauntlet of poor, freestyle 9×9, 100ms a move" {
		t.Errorf("title %q, want the gauntlet, the board and the time", got)
	}
}
