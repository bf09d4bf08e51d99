package tui

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/analysis"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/internal/swap2"
	"quintune/pattern"
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
