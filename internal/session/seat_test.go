package session_test

import (
	"strings"
	"testing"
	"time"

	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

func TestStrength(t *testing.T) {
	tests := []struct {
		strength session.Strength
		text     string
		limits   search.Limits
	}{
		{session.Strength{}, "1s a move", search.Limits{Time: time.Second}},
		{session.Strength{Level: search.MaxLevel}, "1s a move", search.Limits{Time: time.Second}},
		{session.Strength{Level: 3}, "level 3", search.Limits{Time: time.Second}},
		{session.Strength{Nodes: 5000}, "5000 nodes", search.Limits{Nodes: 5000}},
		{session.Strength{Level: 2, Nodes: 9, Time: time.Minute}, "level 2, 9 nodes, 1m0s a move", search.Limits{Nodes: 9, Time: time.Minute}},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			if got := test.strength.String(); got != test.text || test.strength.Limits() != test.limits || test.strength.Check() != nil {
				t.Errorf("%+v is %q with %+v", test.strength, got, test.strength.Limits())
			}
		})
	}
	for text, s := range map[string]session.Strength{
		"level is 11, outside [1, 10]": {Level: 11}, "nodes are -1": {Nodes: -1}, "time a move is 2h0m0s": {Time: 2 * time.Hour},
	} {
		t.Run(text, func(t *testing.T) {
			if err := s.Check(); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%+v: %v", s, err)
			}
		})
	}
}

func TestSeatOnBoard(t *testing.T) {
	tests := []struct {
		name string
		s    session.Strength
		rule pattern.Rule
		want string // part of the error
	}{
		{"huang", session.Strength{Level: 4}, pattern.Renju, ""},
		{"baseline:zhang", session.Strength{}, pattern.Freestyle, ""},
		{"baseline:zhang", session.Strength{}, pattern.Standard, "zhang does not play standard"},
		{"baseline:zhang", session.Strength{Level: 4}, pattern.Freestyle, "baseline:zhang has no levels"},
		{"huang", session.Strength{Level: 12}, pattern.Freestyle, "level is 12"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := seat(t, test.name, test.s).OnBoard(15, test.rule)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %+v: %v", test.name, test.s, err)
			}
		})
	}
}

func TestLabel(t *testing.T) {
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	set.Name = "champion"
	for name, want := range map[string]string{"champion": "champion", "weights.json": "champion (weights.json)"} {
		t.Run(name, func(t *testing.T) {
			if got := session.Label(player.Of(name, set)); got != want {
				t.Errorf("%s is %s", name, got)
			}
		})
	}
	if got := (session.Seat{}).Name(); got != "a person" {
		t.Errorf("nobody is %s", got)
	}
}
