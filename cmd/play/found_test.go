package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/pattern"
)

// An end that is expected without a proof is told in words, for people and for programs.
func TestExpectedEndsAreNamed(t *testing.T) {
	b, err := board.New(15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	const beyond = 1 << 27 // more than any sum of weights, less than a claim
	j := newJudgement(b, analysis.Report{Lines: []analysis.Line{
		{Score: beyond, Depth: 3, PV: []board.Cell{board.At(7, 7)}},
		{Score: 12, Depth: 3, PV: []board.Cell{board.At(8, 7)}},
		{Score: -beyond, Depth: 3, PV: []board.Cell{board.At(9, 7)}},
	}}, time.Second)
	if text := j.text(b); !strings.Contains(text, "score  win expected, not proven\n") || !strings.Contains(text, "3      loss expected, not proven  j8\n") {
		t.Errorf("%s", text)
	}
	data, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); strings.Count(text, `"expected"`) != 3 || !strings.Contains(text, `"win":null,"expected":"win"`) {
		t.Errorf("%s", text)
	}
}
