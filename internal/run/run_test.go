package run

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"quintune/ga"
	"quintune/internal/strictjson"
	"quintune/weights"
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
		t.Errorf("state %+v, want 2 generations of 36 games, one extension, one check, 3 faults, the opening h8i9", s)
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

func TestResultsMeetTheEmbeddedSet(t *testing.T) {
	for _, test := range []struct {
		name, start string
		spec        Spec
		want        string // "": none
	}{
		{"another start", "huang", Spec{Rule: "freestyle", Size: 15}, "default"},
		{"another board", "default", Spec{Rule: "renju", Size: 15}, "renju15"},
		{"its own start", "standard15", Spec{Rule: "standard", Size: 13, Shipped: &Anchor{Name: "older"}}, ""},
		{"no gate", "huang", Spec{Rule: "freestyle", Size: 15, NoGate: true}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			start, err := weights.Preset(test.start)
			if err != nil {
				t.Fatal(err)
			}
			s, got := test.spec, ""
			if err := s.MeetShipped(start); err != nil {
				t.Fatal(err)
			}
			if s.Shipped != nil {
				set, err := weights.Unmarshal(s.Shipped.Weights)
				if err != nil || set.Rule.String() != s.Rule || set.Size != s.Size {
					t.Errorf("%.200s is not for %s on %d (%v)", s.Shipped.Weights, s.Rule, s.Size, err)
				}
				got = s.Shipped.Name
			}
			if got != test.want {
				t.Errorf("meets %q, want %q", got, test.want)
			}
		})
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

// A run of a method that is gone is refused with its name; a fork is a run of ga. The id of a stored run stays what it is.
func TestRunsOfFormerMethods(t *testing.T) {
	for _, test := range []struct {
		name, spec, want string
		width            float64
	}{
		{"ga with fixed widths", `{"shares":{"peers":0.6,"champions":0.25,"anchors":0.15},"optimizer":"ga","polish":0.9,"settings":{"sigma_from":0.1,"sigma_to":0.05,"founders":0.1,"perturb":0.1,"rate":0.01}}`, "optimizer ga with fixed widths", .04},
		{"cmaes", `{"optimizer":"cmaes"}`, "optimizer cmaes", .04},
		{"cmaes, numbers of the search", `{"optimizer":"cmaes","groups":["search"]}`, "optimizer cmaes", searchWidth},
		{"ga", `{"shares":{"peers":0.6,"champions":0.25,"anchors":0.15},"optimizer":"ga","polish":0.9,"settings":{"adapt":true,"width":0.04,"sigma_from":0.1,"sigma_to":0.05,"founders":0.1,"perturb":0.1,"rate":0.01}}`, "", .04},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s Spec
			if err := json.Unmarshal([]byte(test.spec), &s); err != nil {
				t.Fatal(err)
			}
			s.Engine, s.Schema, s.Methods = "engine", weights.Fingerprint(), ga.Version
			stored, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{`"peers":0.6`, `"polish":0.9`, `"sigma_from":0.1`} {
				if strings.Contains(test.spec, part) && !strings.Contains(string(stored), part) {
					t.Errorf("%s is lost in %s", part, stored)
				}
			}
			err = s.CheckProgram("engine")
			var other *Mismatch
			if test.want != "" && (!errors.As(err, &other) || !strings.Contains(err.Error(), test.want)) || test.want == "" && err != nil {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
			s.Adopt("engine")
			if err := s.CheckProgram("engine"); err != nil || s.Optimizer != ga.MethodGA || s.Settings.Width != test.width || !s.Settings.Kin || s.Shares != nil {
				t.Errorf("a fork has optimizer %s, settings %+v, error %v", s.Optimizer, s.Settings, err)
			}
		})
	}
}
