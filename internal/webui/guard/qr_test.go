package guard

import (
	"strings"
	"testing"

	"rsc.io/qr"
)

// squares parses a drawn code into rows of modules, true where they are dark.
func squares(t *testing.T, drawn string) [][]bool {
	t.Helper()
	var rows [][]bool
	for line := range strings.Lines(drawn) {
		line, begun := strings.CutPrefix(strings.TrimSuffix(line, "\x1b[0m\n"), "\x1b[97;40m")
		if !begun {
			t.Fatalf("line %q has no colours", line)
		}
		var upper, lower []bool
		for _, r := range line {
			upper, lower = append(upper, r == '▄' || r == ' '), append(lower, r == '▀' || r == ' ')
		}
		rows = append(rows, upper, lower)
	}
	return rows
}

// The code in the terminal is the QR code of the link, with a light border.
func TestCodeIsThatOfTheLink(t *testing.T) {
	site, err := Open(t.Context(), "0.0.0.0:0", goodToken, "box.lan")
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	link := site.Links()[0]
	want, err := qr.Encode(link, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	rows := squares(t, site.Code())
	if len(rows) < want.Size+2*quietZone {
		t.Fatalf("%d rows, want %d and more", len(rows), want.Size+2*quietZone)
	}
	for y, row := range rows[:want.Size+2*quietZone] {
		if len(row) != want.Size+2*quietZone {
			t.Fatalf("row %d has %d squares, want %d", y, len(row), want.Size+2*quietZone)
		}
		for x, black := range row {
			if black != want.Black(x-quietZone, y-quietZone) {
				t.Fatalf("square %d,%d of the code of %s: black is %v", x, y, link, black)
			}
		}
	}
}

// A code is shown at a terminal where other machines can reach the page and the code fits.
func TestTextHasACodeAtATerminal(t *testing.T) {
	for _, test := range []struct {
		name, address, token string
		hosts                []string
		terminal, code       bool
	}{
		{"other machines", "0.0.0.0:0", goodToken, []string{"box.lan"}, true, true},
		{"no terminal", "0.0.0.0:0", goodToken, []string{"box.lan"}, false, false},
		{"this machine alone", "127.0.0.1:0", "", nil, true, false},
		{"no name", "127.0.0.1:0", "", []string{""}, true, false},
		{"a long token", "0.0.0.0:0", strings.Repeat("x", maxToken), []string{"box.lan"}, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			site, err := Open(t.Context(), test.address, test.token, test.hosts...)
			if err != nil {
				t.Fatal(err)
			}
			defer site.Close()
			text := site.Text(test.terminal)
			if got := strings.Contains(text, "█"); got != test.code {
				t.Errorf("a code: %v, want %v, in\n%s", got, test.code, text)
			}
			if !strings.Contains(text, "The page is at "+site.URL()+"\n") || strings.Contains(text, "From other machines") != (test.token != "") {
				t.Errorf("the text is\n%s", text)
			}
		})
	}
}
