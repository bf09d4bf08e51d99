package tui

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/analysis"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/internal/swap2"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

var update = flag.Bool("update", false, "write the golden files anew")

// scripted plays the moves of a list, wherever they are legal; its hints are the first of them.
type scripted struct {
	moves []board.Cell
	err   error
}

func (s *scripted) next(b *board.Board) board.Cell {
	for _, c := range s.moves {
		if b.Legal(c) == nil {
			return c
		}
	}
	return b.AllEmpty(nil)[0]
}

// Answer plays the next move; in an opening it proposes the first three moves, or takes White with the next one.
func (s *scripted) Answer(_ context.Context, q session.Question) (session.Answer, error) {
	c := s.next(q.Position)
	switch {
	case q.Opening && q.Position.Stones() == 0:
		return session.Answer{Opening: true, Choice: swap2.Choice{Moves: s.moves[:3]}}, s.err
	case q.Opening:
		return session.Answer{Opening: true, Choice: swap2.Choice{Moves: []board.Cell{c}}}, s.err
	}
	return session.Answer{Thought: session.Thought{
		Move: c, Scored: true, Score: 1200, Depth: 7, PV: []board.Cell{c, board.At(0, 0), board.At(1, 0)}, Elapsed: time.Second,
	}}, s.err
}

func (s *scripted) Lines(_ context.Context, task session.Task, _ int, _ func(analysis.Report)) (analysis.Report, error) {
	pv := []board.Cell{s.next(task.Position), board.At(5, 5), board.At(6, 6)}
	return analysis.Report{Lines: []analysis.Line{{Score: 3000, Depth: 9, PV: pv}}}, s.err
}

// screen is a model with what it would have done.
type screen struct {
	*model
	t        *testing.T
	quitting bool
	saves    []string // moves of the saved games
}

// show returns a screen of 80 by 24: a game against a scripted engine after the moves.
func show(t *testing.T, size int, rule pattern.Rule, look Look, moves, answers string) *screen {
	t.Helper()
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	game, err := session.New(1, size, rule)
	if err != nil {
		t.Fatal(err)
	}
	engine := player.Of("huang", set)
	game.Seats[board.White] = session.Seat{Player: engine, Strength: session.Strength{Level: 3}}
	if err := game.Load(boardtest.Moves(t, moves)); err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t}
	robot := &scripted{moves: boardtest.Moves(t, answers)}
	random, err := player.Parse("baseline:random")
	if err != nil {
		t.Fatal(err)
	}
	zhang, err := player.Parse("baseline:zhang")
	if err != nil {
		t.Fatal(err)
	}
	look.Plain = true
	s.model = newModel(context.Background(), Config{
		Game: game, Opponent: robot, Adviser: robot, Own: player.Of("huang", set), Look: look,
		Choices: []Choice{{"huang", engine}, {"baseline:random", random}, {"baseline:zhang", zhang}},
		Save: func(g *session.Game) (string, error) {
			s.saves = append(s.saves, board.FormatMoves(g.Board().Moves()))
			return "game-1.sgf", nil
		},
	})
	s.rhythm = time.Nanosecond
	s.run(s.Init())
	return s
}

// run does what a command says, and everything that follows from it.
func (s *screen) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	case tea.QuitMsg:
		s.quitting = true
	case beatMsg: // would go on for as long as somebody thinks
	default:
		_, next := s.Update(msg)
		s.run(next)
	}
}

// named are the keys that are not letters.
var named = map[string]rune{
	"enter": tea.KeyEnter, "space": tea.KeySpace, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "tab": tea.KeyTab,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
}

// press presses keys, with blanks between.
func (s *screen) press(keys string) {
	for key := range strings.FieldsSeq(keys) {
		msg := tea.KeyPressMsg{Code: []rune(key)[0], Text: key}
		if code, ok := named[key]; ok {
			msg = tea.KeyPressMsg{Code: code}
		} else if key == "ctrl+c" {
			msg = tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
		}
		_, cmd := s.Update(msg)
		s.run(cmd)
	}
}

// click clicks a place of the screen.
func (s *screen) click(x, y int) {
	_, cmd := s.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.run(cmd)
}

func (s *screen) moves() string { return board.FormatMoves(s.Game.Board().Moves()) }

// golden compares the screen with a file.
func (s *screen) golden(name string) {
	s.t.Helper()
	got := s.screen() + "\n"
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			s.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	if got != string(want) {
		s.t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
	}
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) > s.height {
		s.t.Errorf("%s has %d lines, the terminal %d", name, len(lines), s.height)
	}
	for _, line := range lines {
		if n := len([]rune(line)); n > s.width {
			s.t.Errorf("%s: %q has %d columns, the terminal %d", name, line, n, s.width)
		}
	}
}

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

// A search that was stopped has no effect if its result still arrives.
func TestLateThoughts(t *testing.T) {
	s := show(t, 15, pattern.Freestyle, Look{}, "", "a1")
	_, cmd := s.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	if s.thinking == nil || !strings.Contains(s.status(), "huang thinks") {
		t.Fatalf("nobody thinks: %s", s.status())
	}
	s.press("h")
	if s.message != "Wait for the move, or undo." {
		t.Errorf("the status is %q", s.message)
	}
	s.press("u")
	if s.thinking != nil || s.moves() != "" {
		t.Errorf("undo leaves %s", s.moves())
	}
	s.run(cmd)
	if s.moves() != "" || s.quitting {
		t.Errorf("the late thought plays: %s", s.moves())
	}
}

// Looking back at stones of an opening that stay on the board does not stop the engine's choice.
func TestLookingBackInAnOpening(t *testing.T) {
	s := show(t, 15, pattern.Freestyle, Look{}, "", "a1b1c1d1")
	s.press("n down down right enter enter left enter left")
	_, choose := s.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	s.press("[")
	if s.thinking == nil || !strings.Contains(s.message, "outside") {
		t.Errorf("nobody thinks, the status is %q", s.message)
	}
	s.run(choose)
	if got := s.moves(); got != "h8g8f8a1" {
		t.Errorf("the moves are %s, want h8g8f8a1 (%s)", got, s.message)
	}
}

func TestEngineFails(t *testing.T) {
	s := show(t, 15, pattern.Freestyle, Look{}, "", "a1")
	s.Opponent = &scripted{err: errors.New("crash: it fell over")}
	s.press("enter")
	if !s.quitting || s.failure == nil || !strings.Contains(s.failure.Error(), "fell over") {
		t.Errorf("quitting %v, %v", s.quitting, s.failure)
	}
	s = show(t, 15, pattern.Freestyle, Look{}, "h8a1", "a1")
	s.Adviser = &scripted{err: errors.New("no weights")}
	s.press("h")
	if s.quitting || s.message != "no weights" {
		t.Errorf("a hint that fails says %q", s.message)
	}
}

// With real engines but without a terminal, the program ends with its context, saves the game, and leaves no
// search running.
func TestRunEndsWithItsContext(t *testing.T) {
	s := show(t, 15, pattern.Freestyle, Look{}, "", "a1")
	ctx, cancel := context.WithCancel(context.Background())
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer feed.Close()
	out, err := os.Create(filepath.Join(t.TempDir(), "screen"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	c := s.Config
	c.Opponent = session.NewThinker(search.Options{})
	c.Game.Seats[board.Black] = c.Game.Seats[board.White] // two engines, so that one thinks
	c.Game.Seats[board.Black].Strength = session.Strength{Time: time.Hour}
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, _, err := Run(ctx, c, in, out); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
