package book

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"quintune/board"
	"quintune/pattern"
)

func TestParse(t *testing.T) {
	text := "# header\r\n\nh8i9g7\r\n  h8 h9 \n#h8i9\na1o15"
	b, err := Parse(strings.NewReader(text), "x.txt", pattern.Freestyle, 15)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range b.Openings {
		got = append(got, board.FormatMoves(o.Moves))
		if want := board.CanonicalKey(o.Moves, 15); o.Key != want {
			t.Errorf("key %x, want %x", o.Key, want)
		}
	}
	if want := []string{"h8i9g7", "h8h9", "a1o15"}; !slices.Equal(got, want) {
		t.Errorf("openings %v, want %v", got, want)
	}
}

// The longest line is read, with any end, and so is a file that begins with a byte-order mark.
func TestParseAtTheBounds(t *testing.T) {
	longest := "#" + strings.Repeat("x", MaxLine-1)
	for name, text := range map[string]string{
		"LF": longest + "\nh8", "CR LF": longest + "\r\nh8\r\n", "no end": "h8\n" + longest,
		"mark": "\ufeff# header\r\nh8\r\n", "mark and opening": "\ufeffh8", "mark and longest": "\ufeff" + longest[:MaxLine-3] + "\r\nh8",
	} {
		t.Run(name, func(t *testing.T) {
			if b, err := Parse(strings.NewReader(text), "b.txt", pattern.Freestyle, 15); err != nil || len(b.Openings) != 1 {
				t.Errorf("%+v, %v; want one opening", b, err)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	row := "a1a2b1b2c1c2d1d2e1" // Black has five
	tests := []struct {
		name string
		text string
		want []string
	}{
		{"no cell", "h8\nh8x99", []string{"b.txt line 2", "x99"}},
		{"no book", "\x00\xff", []string{"b.txt line 1"}},
		{"capital", "H8", []string{"b.txt line 1", "H8"}},
		{"off the board", "h8\n\n# c\na1p3", []string{"b.txt line 4", "move 2", "p3", "15×15"}},
		{"below the board", "a16", []string{"b.txt line 1", "a16", "outside"}},
		{"occupied", "h8i9h8", []string{"b.txt line 1", "move 3", "h8", "occupied"}},
		{"finished", "h8\n" + row, []string{"b.txt line 2", "black wins"}},
		{"beyond the end", row + "h8", []string{"b.txt line 1", "move 10", "over"}},
		{"duplicate", "h8i9\na1\nh8i9", []string{"b.txt line 3", "line 1"}},
		{"image", "h8i9g7\ng8\nh8i7g9", []string{"b.txt line 3", "line 1"}},
		{"other order", "h8i9g7\ng7i9h8", []string{"b.txt line 2", "line 1"}},
		{"empty", "", []string{"b.txt", "no openings"}},
		{"comments", "# h8\n\n", []string{"b.txt", "no openings"}},
		{"long line", "h8\n#" + strings.Repeat("x", MaxLine), []string{"b.txt line 2", "longer than 4096"}},
		{"longer line", "h8\n#" + strings.Repeat("x", 2*MaxLine), []string{"b.txt line 2", "longer than 4096"}},
		{"mark inside", "h8\n\ufeffa1", []string{"b.txt line 2", "a1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, err := Parse(strings.NewReader(test.text), "b.txt", pattern.Freestyle, 15)
			if err == nil {
				t.Errorf("%s: %d openings and no error", test.name, len(b.Openings))
				return
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: error %q does not say %q", test.name, err, want)
				}
			}
		})
	}
	broken := errors.New("broken")
	if _, err := Parse(iotest.ErrReader(broken), "b.txt", pattern.Freestyle, 15); !errors.Is(err, broken) {
		t.Errorf("error %v, want the reader's", err)
	}
	if _, err := Parse(strings.NewReader("h8"), "b.txt", pattern.Freestyle, 4); err == nil {
		t.Error("a 4×4 board is accepted")
	}
}

// Six in a row win in freestyle only.
func TestParseKnowsTheRule(t *testing.T) {
	six := "a1a2b1b2c1c2e1e2f1f2d1"
	if _, err := Parse(strings.NewReader(six), "b", pattern.Freestyle, 15); err == nil {
		t.Error("freestyle: six in a row do not end the game")
	}
	if _, err := Parse(strings.NewReader(six), "b", pattern.Standard, 15); err != nil {
		t.Errorf("standard: %v", err)
	}
}

func TestWriteIsReadBack(t *testing.T) {
	b := numbered(t, 50)
	var out bytes.Buffer
	if err := b.Write(&out, "fifty openings\nfor a test"); err != nil {
		t.Fatal(err)
	}
	if want := "# fifty openings\n# for a test\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("header %.40q, want %q", out.String(), want)
	}
	again, err := Parse(&out, "written", b.Rule, b.Size)
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash() != b.Hash() {
		t.Error("the book that is read back is another one")
	}
	if err := b.Write(full{}, ""); !errors.Is(err, errFull) {
		t.Errorf("error %v, want the writer's", err)
	}
}

var errFull = errors.New("full")

// full is a writer that has no room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestLoad(t *testing.T) {
	if _, err := Load(t.TempDir(), pattern.Freestyle, 15); err == nil || !strings.Contains(err.Error(), "is a folder: name one of its files") {
		t.Errorf("a folder: got error %v", err)
	}
	path := filepath.Join(t.TempDir(), "own.txt")
	if _, err := Load(path, pattern.Freestyle, 15); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that says that %s does not exist", err, path)
	}
	if err := os.WriteFile(path, []byte("h8i9\nh8h8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path, pattern.Freestyle, 15); err == nil || !strings.Contains(err.Error(), path+" line 2") {
		t.Errorf("error %v, want one that names %s line 2", err, path)
	}
	if err := os.WriteFile(path, []byte("h8i9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := Load(path, pattern.Freestyle, 15)
	if err != nil || b.Hash() != mustParse(t, "h8i9").Hash() {
		t.Errorf("book %v, error %v, want the one opening", b, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"h8i9g7\nh8h9\n", "# only\n\r\n a1 b2 ", "h8h8", "a1a2b1b2c1c2d1d2e1", "v22", "h08", "h8\nh8"} {
		f.Add(text, uint8(15), uint8(0))
		f.Add(text, uint8(22), uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, size, rule uint8) {
		b, err := Parse(strings.NewReader(text), "fuzz", pattern.Rule(rule), int(size))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := b.Write(&out, ""); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(&out, "again", b.Rule, b.Size)
		if err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
		if again.Hash() != b.Hash() {
			t.Fatal("what was written is another book")
		}
	})
}
