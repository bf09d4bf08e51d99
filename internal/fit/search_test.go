package fit

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// searchable is a labeller with positions of two games.
func searchable(t *testing.T) (*Labeller, []Played, []Scored) {
	t.Helper()
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	games := []Played{
		{Moves: boardtest.Moves(t, "h8i9j9h9h10g11i11g9f9j12"), Opening: 3},
		{Moves: boardtest.Moves(t, "h8i9a1o15c3m13a15o1e5k11"), Opening: 3},
	}
	var chosen []Scored
	for g := range games {
		for ply := 4; ply < 10; ply++ {
			chosen = append(chosen, Scored{Game: g, Ply: ply})
		}
	}
	return &Labeller{Set: set, Size: 15, Rule: pattern.Freestyle, Nodes: 2000}, games, chosen
}

func searched(t *testing.T, path string, workers int) []Scored {
	t.Helper()
	l, games, chosen := searchable(t)
	var kept *Kept
	if path != "" {
		var err error
		if kept, err = l.Keep(path, games, chosen); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Search(t.Context(), selfplay.NewPool(workers), games, chosen, kept, func() {}); err != nil {
		t.Fatal(err)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	return chosen
}

func TestSearchDoesNotDependOnWorkers(t *testing.T) {
	want := searched(t, "", 1)
	for _, workers := range []int{2, 3, 8} {
		if got := searched(t, "", workers); !slices.Equal(got, want) {
			t.Errorf("%d workers find %+v, want %+v", workers, got, want)
		}
	}
}

// A process that is killed at any byte of the file leaves what is whole, and the labels come out the same.
func TestKeptLabelsSurviveAnyStop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels")
	want := searched(t, path, 2)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l, games, chosen := searchable(t)
	for _, length := range []int{0, 10, len(whole) / 3, len(whole) / 2, len(whole) - 1, len(whole)} {
		if err := os.WriteFile(path, whole[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		kept, err := l.Keep(path, games, chosen)
		if err != nil {
			t.Fatal(err)
		}
		if n, lines := kept.Len(), max(0, bytes.Count(whole[:length], []byte("\n"))-1); n != lines {
			t.Errorf("%d bytes hold %d positions, %d are whole", length, n, lines)
		}
		if err := kept.Close(); err != nil {
			t.Fatal(err)
		}
		if got := searched(t, path, 2); !slices.Equal(got, want) {
			t.Errorf("after %d bytes other labels", length)
		}
	}
}

func TestKeptLabelsOfAnotherKindAreDropped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels")
	searched(t, path, 2)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change func(l *Labeller, chosen *[]Scored, file []byte)
		most   int // positions that may be taken over
	}{
		"other nodes":   {func(l *Labeller, _ *[]Scored, _ []byte) { l.Nodes++ }, 0},
		"fewer":         {func(_ *Labeller, chosen *[]Scored, _ []byte) { *chosen = (*chosen)[1:] }, 0},
		"damaged":       {func(_ *Labeller, _ *[]Scored, file []byte) { file[len(file)/2] ^= 1 }, 11},
		"another title": {func(_ *Labeller, _ *[]Scored, file []byte) { file[10] ^= 1 }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			l, games, chosen := searchable(t)
			file := bytes.Clone(whole)
			test.change(l, &chosen, file)
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			kept, err := l.Keep(path, games, chosen)
			if err != nil {
				t.Fatal(err)
			}
			if n := kept.Len(); n > test.most {
				t.Errorf("%d positions are taken over, at most %d are the same", n, test.most)
			}
			if err := kept.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestSearchStops(t *testing.T) {
	l, games, chosen := searchable(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := l.Search(ctx, selfplay.NewPool(1), games, chosen, nil, func() {}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestSearchEndsWhereLabelsCannotBeKept(t *testing.T) {
	l, games, chosen := searchable(t)
	kept, err := l.Keep(filepath.Join(t.TempDir(), "labels"), games, chosen)
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	labelled := 0
	err = l.Search(t.Context(), selfplay.NewPool(2), games, chosen, kept, func() { labelled++ })
	if !errors.Is(err, os.ErrClosed) || strings.Count(err.Error(), "fit: labels:") != 1 || labelled > 0 {
		t.Errorf("%d positions are labelled, error %v; want none, and the first failure alone", labelled, err)
	}
}
