package play

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"quintune/internal/baseline"
	"quintune/internal/session"
	"quintune/weights"
)

// Uploaded weights for another board neither play nor analyse. The embedded set of the board takes their place,
// and the page says so.
func TestUploadForAnotherBoard(t *testing.T) {
	s := open(t)
	set, err := weights.Preset("zhang") // freestyle 15×15
	if err != nil {
		t.Fatal(err)
	}
	set.Name = "mine"
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	var p playerView
	_, body := s.do("POST", "/api/weights", "application/octet-stream", bytes.NewReader(data))
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ rule, name, instead string }{
		{"freestyle", "mine", ""},
		{"renju", "renju15 in place of mine", "mine is for freestyle 15×15: the embedded set renju15 plays here"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			g := s.game(newRequest{Rule: test.rule, Moves: "h8", Seats: [2]seatRequest{{}, engine(p.ID)}})
			if g.Seats[1].Name != test.name || g.Seats[1].Player != p.ID {
				t.Errorf("the seat is %+v, want %s", g.Seats[1], test.name)
			}
			_, answer := s.do("POST", "/api/games/"+g.ID+"/analyze", "application/json",
				strings.NewReader(`{"ply":1,"weights":"`+p.ID+`","lines":1,"nodes":200}`))
			if got := lines[analysisView](t, answer)[0].Instead; got != test.instead {
				t.Errorf("the analysis says %q, want %q", got, test.instead)
			}
		})
	}
}

func TestUpload(t *testing.T) {
	s := open(t)
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	set.Name = `<img src=x onerror=alert(1)> "mine" & yours`
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	var v, again playerView
	for _, into := range []*playerView{&v, &again} {
		status, body := s.do("POST", "/api/weights", "application/octet-stream", bytes.NewReader(data))
		if err := json.Unmarshal(body, into); err != nil || status != 200 {
			t.Fatalf("status %d, %s (%v)", status, body, err)
		}
	}
	if v != again || v.Label != set.Name || !strings.HasPrefix(v.ID, uploadPrefix) {
		t.Errorf("%+v and %+v", v, again)
	}
	g := s.game(newRequest{Seats: [2]seatRequest{engine(v.ID), {}}})
	var thought thinkView
	if status := s.post("/api/games/"+g.ID+"/think", thinkRequest{0}, &thought); status != 200 || thought.Game.Ply != 1 {
		t.Errorf("status %d, %+v", status, thought)
	}
}

func TestRosterHasEverything(t *testing.T) {
	s := open(t)
	_, body := s.do("GET", "/api/setup", "", nil)
	var v setupView
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	if want := len(weights.PresetNames()) + len(baseline.Names()); len(v.Players) != want || v.Default != "huang" || len(v.Rules) == 0 {
		t.Errorf("%d players, want %d: %+v", len(v.Players), want, v)
	}
	for _, p := range v.Players {
		seat := session.Seat{}
		l, err := s.server.roster.find(p.ID)
		if err != nil {
			t.Errorf("%s: %v", p.ID, err)
			continue
		}
		seat.Player = l.player
		if _, err := seat.OnBoard(15, 0); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}
	}
}
