package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
)

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
