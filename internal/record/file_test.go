package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintune/pattern"
)

func TestReadFile(t *testing.T) {
	const psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,5\nA.zip\nB.zip\n0\n"
	for _, test := range []struct {
		name, file, text string
		rule             pattern.Rule
		want             string // of the error, "": none
	}{
		{"psq of a rule", "1_renju.psq", psq, pattern.Renju, ""},
		{"psq without a rule", "1.psq", psq, pattern.Standard, ""},
		{"plain moves", "game.txt", "h8i9\n", pattern.Standard, ""},
		{"bad moves", "game.txt", "h8h8\n", 0, "game.txt: moves: "},
		{"a weights file", "best.json", "{\n  \"format\": \"quintune.weights/1\",\n  \"schema\": \"\"\n}\n", 0, "best.json: this is a weights file, not a record of games"},
		{"values without a format", "best.json", `{"values": {"depth": 1}}`, 0, "best.json: this is a values file, not a record of games"},
		{"puzzles", "p.jsonl", "{\"format\":\"quintune.puzzle/1\"}\n{}\n", 0, "p.jsonl: this is a file of puzzles, not a record of games"},
		{"a page", "report.html", "<!doctype html>\n", 0, "report.html is not psq, sgf, jsonl or offsets; as moves: line 1: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), test.file)
			if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			games, err := ReadFile(path, Conditions{Size: 15, Rule: pattern.Standard})
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got error %v, want one with %q", err, test.want)
				}
				return
			}
			if err != nil || len(games) != 1 || games[0].Rule != test.rule || len(games[0].Moves) != 2 {
				t.Errorf("got %+v (%v)", games, err)
			}
		})
	}
	if _, err := ReadFile(t.TempDir(), DefaultConditions()); err == nil || !strings.Contains(err.Error(), "is a folder: name one of its files") {
		t.Errorf("a folder: got error %v", err)
	}
}
