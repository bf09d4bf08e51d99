package tui

import (
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/pattern"
)

func TestViews(t *testing.T) {
	tests := []struct {
		name    string
		size    int
		rule    pattern.Rule
		look    Look
		moves   string
		answers string
		keys    string
	}{
		{"start", 15, pattern.Freestyle, Look{}, "", "i9", ""},
		{"game", 15, pattern.Freestyle, Look{}, "", "i9 g7", "enter right down enter l"},
		{"ascii", 15, pattern.Freestyle, Look{ASCII: true}, "", "i9 g7", "enter right down enter"},
		{"hint", 15, pattern.Standard, Look{}, "h8i9", "j10", "h l"},
		{"renju", 15, pattern.Renju, Look{Notation: session.Renju}, "h8a1i8a2g9a3g10a15", "o1", "left enter"},
		{"won", 15, pattern.Freestyle, Look{}, "h8a1i8a2j8a3k8a15", "", "g l 8 enter"},
		{"undone", 15, pattern.Freestyle, Look{}, "h8i9h9h10", "", "u"},
		{"large", 22, pattern.Freestyle, Look{}, "k11l12", "", "right"},
		{"twenty", 20, pattern.Freestyle, Look{ASCII: true}, "k11l12", "", "l"},
		{"dialog", 15, pattern.Freestyle, Look{}, "h8i9", "", "n down down down right"},
		{"refused", 15, pattern.Standard, Look{}, "h8i9", "", "n down down down down right right down right right up up up up up enter"},
		{"help", 15, pattern.Renju, Look{ASCII: true}, "", "", "?"},
		{"swap2", 15, pattern.Freestyle, Look{}, "", "h8i9g7", "n down down right down right enter"},
		{"typing", 15, pattern.Freestyle, Look{}, "", "", "g k 1 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := show(t, test.size, test.rule, test.look, test.moves, strings.ReplaceAll(test.answers, " ", ""))
			s.press(test.keys)
			s.golden(test.name)
		})
	}
}

func TestSmallTerminal(t *testing.T) {
	s := show(t, 15, pattern.Freestyle, Look{}, "h8i9", "")
	s.Update(tea.WindowSizeMsg{Width: 36, Height: 18})
	s.golden("low")
	s.Update(tea.WindowSizeMsg{Width: 36, Height: 19})
	s.golden("narrow")
	for _, key := range []string{"n", "?"} {
		if s.press(key); s.dialog != nil || s.help || !strings.Contains(s.message, "columns are needed for this, not 36") {
			t.Errorf("%s without room for the panel: dialog %v, help %v, message %q", key, s.dialog != nil, s.help, s.message)
		}
	}
	s.Update(tea.WindowSizeMsg{Width: 30, Height: 18})
	s.golden("small")
}

func TestCommands(t *testing.T) {
	tests := []struct {
		name  string
		moves string
		keys  string
		want  string // on the board
		says  string // status line
	}{
		{"play", "", "enter", "h8a1", "huang plays a1"},
		{"play with space and arrows", "", "left up space", "g7a1", ""},
		{"occupied", "h8a1", "enter", "h8a1", "h8: the cell is occupied"},
		{"undo", "h8a1", "u", "", ""},
		{"undo of nothing", "", "u", "", "no move of yours"},
		{"redo", "h8a1", "u r", "h8a1", ""},
		{"redo of nothing", "", "r", "", "No move is undone"},
		{"look back", "h8a1i9b1", "[", "h8a1i9", "Move 3 of 4"},
		{"look back and forth", "h8a1i9b1", "[ [ ]", "h8a1i9", "Move 3 of 4"},
		{"go on from the past", "h8a1i9b1", "[ p", "h8a1i9b1", "huang plays b1"},
		{"the engine waits in the past", "h8a1i9b1", "[ enter", "h8a1i9", "not your turn"},
		{"swap", "h8a1", "x", "h8a1b1", "huang plays b1"},
		{"hint moves the cursor", "h8a1", "h enter", "h8a1b1c1", ""},
		{"type a move", "", "g J 1 0 enter", "j10a1", ""},
		{"type nonsense", "", "g 1 0 enter", "", "not a cell"},
		{"type beyond the board", "", "g p 1 enter", "", "outside"},
		{"type and correct", "", "g j 1 0 backspace enter", "j1a1", ""},
		{"type and leave", "", "g j esc enter", "h8a1", ""},
		{"win", "h8a1i8a2j8a3k8a4", "g l 8 enter", "h8a1i8a2j8a3k8a4l8", "Black wins"},
		{"over", "h8a1i8a2j8a3k8a4l8", "g a 9 enter", "h8a1i8a2j8a3k8a4l8", "over"},
		{"no hint when over", "h8a1i8a2j8a3k8a4l8", "h", "h8a1i8a2j8a3k8a4l8", "over"},
		{"undo of a win", "h8a1i8a2j8a3k8a4l8", "u", "h8a1i8a2j8a3k8a4", ""},
		{"save", "h8a1", "u enter s", "h8a1", "Saved as game-1.sgf"},
		{"nothing to save", "", "s", "", "nothing to save"},
		{"a key that means nothing", "", "z", "", ""},
		{"new game as white", "h8i9", "n down down down right enter", "a1", "huang plays a1"},
		{"swap2 as opener", "", "n down down right enter enter left enter left enter", "h8g8f8a1", "huang takes White and plays a1"},
		{"swap2 as responder who takes Black", "", "n down down right down right enter b", "a1b1c1d1", "huang plays d1"},
		{"swap2 as responder who takes White", "", "n down down right down right enter w enter", "a1b1c1h8d1", "huang plays d1"},
		{"swap2 with two stones", "", "n down down right down right enter 2 enter left enter", "a1b1c1h8g8d1", "huang takes White and plays d1"},
		{"swap2 without a choice", "", "n down down right enter b", "", "there is nothing to choose"},
		{"swap2 with a choice to make", "", "n down down right down right enter enter", "a1b1c1", "a side is to be chosen"},
		{"swap2 swapped within a step", "", "n down down right enter enter x", "h8", "the stones of this step"},
		{"swap2 swapped between steps", "", "n down down right down right enter x", "a1b1c1d1", "huang takes White"},
		{"swap2 looked back at", "", "n down down right down right enter w enter [ [ [ [ p enter", "a1", "cannot be played anew"},
		{"swap2 taken back", "", "n down down right enter enter left enter u", "h8", ""},
		{"new game left", "h8i9", "n down right esc", "h8i9", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := show(t, 15, pattern.Freestyle, Look{}, test.moves, "a1b1c1d1")
			s.press(test.keys)
			if got := s.moves(); got != test.want {
				t.Errorf("the moves are %s, want %s (%s)", got, test.want, s.message)
			}
			if !strings.Contains(s.message, test.says) {
				t.Errorf("the status is %q, want %q", s.message, test.says)
			}
			if s.quitting {
				t.Error("the program ends")
			}
		})
	}
}

func TestMouse(t *testing.T) {
	s := show(t, 15, pattern.Freestyle, Look{}, "", "a1b1")
	s.click(labelWidth+cellWidth*7+1, 8) // h8
	if s.moves() != "h8a1" {
		t.Fatalf("the moves are %s", s.moves())
	}
	s.click(s.panelLeft()+s.panelWidth()/2, commandsRow) // undo
	if s.moves() != "" {
		t.Errorf("the moves are %s after undo", s.moves())
	}
	s.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if s.moves() != "h8" {
		t.Errorf("the moves are %s after the wheel", s.moves())
	}
	s.click(0, 0)
	s.click(labelWidth+cellWidth*15+3, 3)
	s.Update(tea.MouseReleaseMsg{X: 10, Y: 10})
	if s.moves() != "h8" || s.dialog != nil {
		t.Errorf("a click beside everything does something: %s", s.moves())
	}
	s.click(s.panelLeft(), commandsRow+3) // new game
	if s.dialog == nil {
		t.Fatal("there is no dialog")
	}
	s.click(s.panelLeft()+20, dialogTop+1) // size, forth
	s.click(s.panelLeft()+4, dialogTop)    // rule, back
	s.click(s.panelLeft()+2, dialogTop+len(s.dialog.rows())-1)
	if b := s.Game.Board(); b.Size() != 16 || b.Rule() != pattern.Rule(pattern.NumRules-1) {
		t.Errorf("size %d, %v", b.Size(), b.Rule())
	}
}

func TestLeaving(t *testing.T) {
	for _, keys := range []string{"q", "ctrl+c", "n ctrl+c", "g ctrl+c", "? ctrl+c"} {
		t.Run(keys, func(t *testing.T) {
			s := show(t, 15, pattern.Freestyle, Look{}, "", "a1")
			s.press("enter " + keys)
			if !s.quitting || s.interrupted != strings.Contains(keys, "ctrl") {
				t.Errorf("%s: quitting %v, interrupted %v", keys, s.quitting, s.interrupted)
			}
			if err := s.save(); err != nil || s.saved != "game-1.sgf" {
				t.Errorf("%s: saved as %q (%v)", keys, s.saved, err)
			}
		})
	}
}

// What is taken back, played again or changed after a save is saved too.
func TestSaveAfterASave(t *testing.T) {
	for _, test := range []struct{ keys, want string }{{"u", "h8a1"}, {"u s r", "h8a1i9b1"}, {"x", "h8a1i9b1c1"}} {
		t.Run(test.keys, func(t *testing.T) {
			s := show(t, 15, pattern.Freestyle, Look{}, "h8a1i9b1", "a1b1c1")
			s.press("s " + test.keys + " q")
			if err := s.save(); err != nil || s.saves[len(s.saves)-1] != test.want {
				t.Errorf("saved are %q, want %s at last (%v)", s.saves, test.want, err)
			}
		})
	}
}

// The file of an earlier game is not said to hold a new one, and --record none is named.
func TestSaveSaysWhatIsSaved(t *testing.T) {
	s := show(t, 15, pattern.Freestyle, Look{}, "h8a1", "")
	s.press("s n enter s")
	if s.Game.Length() != 0 || s.message != "There is nothing to save yet." {
		t.Errorf("after %d moves of a new game the status is %q", s.Game.Length(), s.message)
	}
	s = show(t, 15, pattern.Freestyle, Look{}, "h8a1", "")
	s.Save = func(*session.Game) (string, error) { return "", nil }
	s.press("s")
	if s.message != "Games are not saved: --record is none." {
		t.Errorf("with --record none the status is %q", s.message)
	}
}

// Names and errors of engines cannot control the terminal.
func TestHostileStrings(t *testing.T) {
	const evil = "evil\x1b[2J\x07\r\u202e\u009b31m\x00name"
	s := show(t, 15, pattern.Freestyle, Look{}, "h8a1", "b1")
	seat := &s.Game.Seats[board.White]
	seat.Player = &player.Player{Name: evil, Weights: seat.Player.Weights}
	s.Choices = append(s.Choices, Choice{evil, seat.Player})
	check := func(when string) {
		t.Helper()
		screen := s.screen()
		for _, r := range strings.ReplaceAll(screen, "\n", "") {
			if !unicode.IsPrint(r) {
				t.Fatalf("%s: %U is on the screen: %q", when, r, screen)
			}
		}
		if !strings.Contains(screen, "evil") {
			t.Errorf("%s: the name is not there", when)
		}
	}
	check("panel")
	_, think := s.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	s.press("left enter")
	check("not thinking")
	s.run(think)
	check("thinking")
	s.say(evil)
	check("status")
	s.press("n")
	s.dialog.wrong = evil + strings.Repeat(evil, 10)
	check("dialog")
}
