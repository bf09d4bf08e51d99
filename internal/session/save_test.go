package session

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quintune/pattern"
)

func TestSaver(t *testing.T) {
	tests := []struct {
		name string // --record
		rule pattern.Rule
		want []string // of two games
	}{
		{"", pattern.Freestyle, []string{"game-1.sgf", "game-2.sgf"}},
		{"mine.psq", pattern.Freestyle, []string{"mine.psq", "mine-2.psq"}},
		{"mine.psq", pattern.Renju, []string{"mine_renju.psq", "mine-2_renju.psq"}},
		{"mine_renju.psq", pattern.Renju, []string{"mine_renju.psq", "mine_renju-2_renju.psq"}},
		{"mine_renju.psq", pattern.Freestyle, []string{"mine_renju_freestyle.psq", "mine_renju-2.psq"}},
		{"mine.txt", pattern.Standard, []string{"mine.txt", "mine-2.txt"}},
		{".sgf", pattern.Freestyle, []string{".sgf", "-2.sgf"}},
		{"none", pattern.Freestyle, []string{"", ""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			s, err := NewSaver(test.name)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for id := range uint64(2) {
				g, err := New(id, 15, test.rule)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // a game has one file, however often it is saved
					if err := g.Play(g.Board().AllEmpty(nil)[7]); err != nil {
						t.Fatal(err)
					}
					if _, err := s.Save(g); err != nil {
						t.Fatal(err)
					}
				}
				names = append(names, s.files[id])
			}
			if !slices.Equal(names, test.want) {
				t.Errorf("%q: %q, want %q", test.name, names, test.want)
			}
			files, err := filepath.Glob("*")
			if err != nil {
				t.Fatal(err)
			}
			if wrote := strings.Join(files, "") != ""; wrote != (test.want[0] != "") || len(files) > 2 {
				t.Errorf("%q wrote %q", test.name, files)
			}
		})
	}
	for name, want := range map[string]string{
		"game.exe": "the ending is none of", "game": "the ending is none of", "game.rec": "the ending is none of",
		"nowhere/game.psq": "record: there is no folder nowhere",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := NewSaver(name); !Misnamed(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("got error %v, want %q", err, want)
			}
		})
	}
}
