package run

import (
	"encoding/json"
	"strings"
	"testing"

	"quintune/internal/strictjson"
)

// The members of a state that was stored before Outcome was a type of its own are those of State.
func TestStoredStatesAreRead(t *testing.T) {
	const stored = `{"generations":2,"games":40,"evolution":36,"void":1,"optimizer":{"a":1},"checks":[{"games":36,"pairs":[1,0,2,0,1],"genes":[0.5]}],
		"gates":[],"validation":null,"further":null,"openings":["h8i9"],"ended":0,"extended":1,"done":false,"audited":2,"played_out":1,"overturned":0,
		"dropped":["worker 1"],"faults":[{"player":"p","kind":"timeout","count":3,"first":"late"}],"retired":null}`
	var s State
	if err := strictjson.Decode([]byte(stored), &s); err != nil {
		t.Fatal(err)
	}
	if s.Generations != 2 || s.Evolution != 36 || s.Extended != 1 || len(s.Checks) != 1 || s.Faults[0].Count != 3 || s.Openings[0] != "h8i9" {
		t.Errorf("state %+v", s)
	}
	if against := s.Against(); against.Pairs() != 4 {
		t.Errorf("%d pairs against the start, want 4", against.Pairs())
	}
	again, err := json.Marshal(&s)
	if err != nil {
		t.Fatal(err)
	}
	var was, is map[string]json.RawMessage
	if err := json.Unmarshal([]byte(stored), &was); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again, &is); err != nil {
		t.Fatal(err)
	}
	for key := range was {
		if _, ok := is[key]; !ok {
			t.Errorf("%s is not stored any more", key)
		}
	}
	if len(is) != len(was) {
		t.Errorf("%d members are stored, want %d", len(is), len(was))
	}
}

func TestGameMovesAreText(t *testing.T) {
	data, err := json.Marshal(Game{Number: 3, Moves: Moves{}})
	if err != nil || !strings.Contains(string(data), `"moves":""`) {
		t.Errorf("a game without moves is %s, error %v", data, err)
	}
	var g Game
	if err := json.Unmarshal([]byte(`{"moves":"h8i9"}`), &g); err != nil || len(g.Moves) != 2 {
		t.Fatalf("moves %v, error %v", g.Moves, err)
	}
	if data, err = json.Marshal(&g); err != nil || !strings.Contains(string(data), `"moves":"h8i9"`) {
		t.Errorf("the game is %s, error %v", data, err)
	}
	if err := json.Unmarshal([]byte(`{"moves":"z99"}`), &g); err == nil {
		t.Error("a move outside of the board is read")
	}
}

func TestSharesBounds(t *testing.T) {
	for _, test := range []struct {
		name   string
		shares Shares
		want   string // of the error, "" for none
	}{
		{"default", DefaultShares(), ""},
		{"peers alone", Shares{Peers: 1}, ""},
		{"no peers", Shares{Champions: .5, Anchors: .5}, "peers is 0"},
		{"negative", Shares{Peers: .5, Champions: -1}, "champions is -1"},
		{"above 1", Shares{Peers: .5, Anchors: 1.5}, "anchors is 1.5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.shares.Check()
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
}
