package config

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// parser returns how a kind reads a text.
func parser[T any](k Kind[T]) func(string) (any, error) {
	return func(text string) (any, error) { return k.parse(text) }
}

func TestKinds(t *testing.T) {
	tests := []struct {
		parse   func(string) (any, error)
		text    string
		want    any
		refused bool
	}{
		{parser(Spending(100, 1_000_000)), "8h", Budget{Time: 8 * time.Hour}, false},
		{parser(Spending(100, 1_000_000)), "400games", Budget{Games: 400}, false},
		{parser(Spending(100, 1_000_000)), "40gens", Budget{Generations: 40}, false},
		{parser(Spending(100, 1_000_000)), "100games", Budget{Games: 100}, false},
		{parser(Spending(100, 1_000_000)), "99games", nil, true},
		{parser(Spending(100, 1_000_000)), "1000001games", nil, true},
		{parser(Spending(100, 1_000_000)), "1000001gens", nil, true},
		{parser(Spending(100, 1_000_000)), "1.5games", nil, true},
		{parser(Spending(100, 1_000_000)), "400 games", nil, true},
		{parser(Spending(100, 1_000_000)), "", nil, true},
		{parser(Optional(Spending(100, 1_000_000))), "", Budget{}, false},
		{parser(GamesOrTime(100, 1_000_000)), "400games", Budget{Games: 400}, false},
		{parser(GamesOrTime(100, 1_000_000)), "40gens", nil, true},
		{parser(Label()), "a-1.b_C", "a-1.b_C", false},
		{parser(Label()), "", "", false},
		{parser(Label()), "../up", nil, true},
		{parser(Label()), "-x", nil, true},
		{parser(Label()), strings.Repeat("a", maxLabel+1), nil, true},
		{parser(Clock()), "60s+0.1s", GameClock{time.Minute, 100 * time.Millisecond}, false},
		{parser(Clock()), "2m", GameClock{Game: 2 * time.Minute}, false},
		{parser(Clock()), "60", nil, true},
		{parser(Clock()), "60s+", nil, true},
		{parser(Clock()), "60s+-1s", nil, true},
		{parser(Clock()), "1ms", nil, true},
		{parser(Clock()), "25h", nil, true},
		{parser(NEloBounds()), "0,5", Bounds{0, 5}, false},
		{parser(NEloBounds()), "5,0", nil, true},
		{parser(NEloBounds()), "0", nil, true},
		{parser(NEloBounds()), "NaN,5", nil, true},
		{parser(NEloBounds()), "-9999,5", nil, true},
		{parser(Span(time.Millisecond, time.Second)), "250ms", 250 * time.Millisecond, false},
		{parser(Span(time.Millisecond, time.Second)), "250", nil, true},
		{parser(Span(time.Millisecond, time.Second)), "2s", nil, true},
		{parser(Number(0, 1)), "0.5", 0.5, false},
		{parser(Number(0, 1)), "Inf", nil, true},
		{parser(Some("a", "b")), "b,a", []string{"b", "a"}, false},
		{parser(Some("a", "b")), "a,a", nil, true},
		{parser(Some("a", "b")), "a,", nil, true},
		{parser(Text("T")), strings.Repeat("x", maxText+1), nil, true},
		{parser(Folder()), "runs", "runs", false},
		{parser(Folder()), "", nil, true},
		{parser(Whole(1, 5)), "007", nil, true},
		{parser(Whole(1, 5)), "3", 3, false},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			got, err := test.parse(test.text)
			if (err != nil) != test.refused {
				t.Errorf("%.40q: error is %v", test.text, err)
			} else if !test.refused && fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("%.40q: %v, want %v", test.text, got, test.want)
			}
		})
	}
}

func TestBudgetString(t *testing.T) {
	for _, text := range []string{"400games", "40gens", "1h30m0s"} {
		t.Run(text, func(t *testing.T) {
			b, err := Spending(100, 1_000_000).parse(text)
			if err != nil || b.String() != text {
				t.Errorf("%s becomes %v (%v)", text, b, err)
			}
		})
	}
}

// A program with an invalid default in its declaration does not start.
func TestVarPanicsForARefusedDefault(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Var(&Declaration{}, new(int), "size", "99", Size(), "cells on a side")
}
