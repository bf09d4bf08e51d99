package book

import (
	"strings"
	"testing"
)

func TestBlock(t *testing.T) {
	b := numbered(t, 60)
	first, err := b.Block(7, 3, 20, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := b.Block(7, 3, 20, nil)
	if keysOf(first) != keysOf(again) {
		t.Error("equal seeds and generations give different blocks")
	}
	for name, other := range map[string]struct {
		seed       uint64
		generation int
	}{"generation": {7, 4}, "seed": {8, 3}} {
		t.Run(name, func(t *testing.T) {
			block, err := b.Block(other.seed, other.generation, 20, nil)
			if err != nil || keysOf(block) == keysOf(first) {
				t.Errorf("another %s gives the same block (error %v)", name, err)
			}
		})
	}
	all, err := b.Block(7, 3, 60, nil)
	if err != nil {
		t.Fatal(err)
	}
	if distinct := (&Book{Openings: all}).Keys(map[uint64]bool{}); len(distinct) != 60 {
		t.Errorf("a block of 60 has only %d different openings", len(distinct))
	}
	if keysOf(all[:20]) != keysOf(first) {
		t.Error("a greater block does not begin as a smaller one")
	}
}

func TestBlockPassesOverRetired(t *testing.T) {
	b := numbered(t, 30)
	before, err := b.Block(1, 1, 30, nil)
	if err != nil {
		t.Fatal(err)
	}
	var retired Retirement
	for range 100 {
		retired.Add(before[4].Key, true)
	}
	after, err := b.Block(1, 1, 29, &retired)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := keysOf(after), keysOf(append(append([]Opening{}, before[:4]...), before[5:]...)); got != want {
		t.Errorf("openings %s, want %s", got, want)
	}
	if _, err := b.Block(1, 1, 30, &retired); err == nil {
		t.Error("30 of 29 openings are given")
	}
}

func TestSeries(t *testing.T) {
	b := numbered(t, 40)
	all, err := b.Series(5, "gate 1", 40)
	if err != nil {
		t.Fatal(err)
	}
	if distinct := (&Book{Openings: all}).Keys(map[uint64]bool{}); len(distinct) != 40 {
		t.Errorf("a series of 40 has only %d different openings", len(distinct))
	}
	part, _ := b.Series(5, "gate 1", 10)
	if keysOf(part) != keysOf(all[:10]) {
		t.Error("a shorter series is not the beginning of a longer one")
	}
	other, _ := b.Series(5, "gate 2", 10)
	if keysOf(part) == keysOf(other) {
		t.Error("the purpose changes nothing")
	}
	_, err = b.Series(5, "gate 1", 41)
	if err == nil || !strings.Contains(err.Error(), "41") || !strings.Contains(err.Error(), "40") {
		t.Errorf("error %v, want one that names 41 and 40", err)
	}
	if _, err = b.Series(5, "gate 1", -1); err == nil {
		t.Error("-1 pairs are given")
	}
}
