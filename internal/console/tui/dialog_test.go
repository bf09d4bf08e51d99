package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/weights"
)

// A terminal that becomes too narrow for the dialog closes it, and the engine that waited for its end goes on.
func TestNarrowedDialogLetsTheEngineGoOn(t *testing.T) {
	s := show(t, 15, pattern.Freestyle, Look{}, "", "h9")
	s.Update(tea.KeyPressMsg{Code: tea.KeyEnter}) // the engine thinks for as long as nobody runs its command
	s.Update(tea.KeyPressMsg{Code: 'n', Text: "n"})
	if s.dialog == nil || s.thinking != nil {
		t.Fatalf("dialog %v, thinking %v, want the dialog alone", s.dialog, s.thinking)
	}
	_, cmd := s.Update(tea.WindowSizeMsg{Width: 36, Height: 24})
	s.run(cmd)
	if got := s.moves(); s.dialog != nil || got != "h8h9" {
		t.Errorf("dialog %v after %s, want none after h8h9", s.dialog, got)
	}
}

func TestNewGame(t *testing.T) {
	s := show(t, 15, pattern.Freestyle, Look{}, "", "a1b1")
	s.press("enter n right down left left down down down right down right down right enter")
	b := s.Game.Board()
	seat := s.Game.Seats[board.White]
	if b.Rule() != pattern.Standard || b.Size() != 13 || seat.Player.Name != "baseline:random" {
		t.Errorf("%v, size %d, %s", b.Rule(), b.Size(), seat.Player.Name)
	}
	if seat.Strength.Nodes != 100000 || seat.Strength.Level != 0 {
		t.Errorf("strength is %+v", seat.Strength)
	}
	if len(s.saves) != 1 || s.saves[0] != "h8a1" {
		t.Errorf("saved are %q", s.saves)
	}
}

// The embedded set of a board gives way to that of the board that the dialog turns to; other weights stay.
func TestDialogFollowsTheBoard(t *testing.T) {
	names := []string{"default", "freestyle20", "standard15", "renju15", "huang"}
	for _, test := range []struct {
		name, weights, rule, size, want string
	}{
		{"another rule", "default", "freestyle", "15", "standard15"},
		{"weights that were chosen", "huang", "freestyle", "15", "huang"},
		{"a set that is not the board's", "renju15", "freestyle", "15", "renju15"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := &dialog{at: fieldRule}
			d.fields[fieldRule] = newField("rule", []string{"freestyle", "standard", "renju"}, test.rule)
			d.fields[fieldSize] = newField("size", []string{"15", "20"}, test.size)
			d.fields[fieldOpponent] = newField("weights", names, test.weights)
			d.turn(1)
			if got := d.fields[fieldOpponent].chosen(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// Hints are by the weights of the board that is played.
func TestAdviserFollowsTheBoard(t *testing.T) {
	set, err := weights.Preset("huang") // freestyle 15×15
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		own  *player.Player
		want string // on renju 15×15
		back string // on freestyle 15×15 again
	}{
		{"the embedded set", player.Of("default", set), "renju15", "default"},
		{"a file", player.OfFile("own.json", set), "renju15", "own.json"},
		{"a preset", player.Of("huang", set), "huang", "huang"},
	} {
		t.Run(test.name, func(t *testing.T) {
			free, renju := newBoard(t, pattern.Freestyle), newBoard(t, pattern.Renju)
			there, err := adviserOn(test.own, free, renju)
			if err != nil || there.Name != test.want {
				t.Fatalf("got %v, want %s (%v)", there, test.want, err)
			}
			if back, err := adviserOn(there, renju, free); err != nil || back.Name != test.back {
				t.Errorf("back again it is %v, want %s (%v)", back, test.back, err)
			}
		})
	}
}

func newBoard(t *testing.T, rule pattern.Rule) *board.Board {
	t.Helper()
	b, err := board.New(15, rule)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
