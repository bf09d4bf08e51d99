package text

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestForeignText(t *testing.T) {
	for _, test := range []struct {
		name, got, want string
	}{
		{"letters of any script are printable", Printable("Žižka 黒 é"), "Žižka 黒 é"},
		{"escape sequences and line ends are not", Printable("a\x1b[31mb\nc\td"), "a?[31mb?c?d"},
		{"marks of direction and bytes that are not UTF-8 are not", Printable("a\u202eb\xffc"), "a?b?c"},
		{"a short text stays", Short("name", 10), "name"},
		{"a long text is cut between runes", Short("ééééé", 9), "ééé..."},
		{"one line", Line("  two\r\nlines\x00\u202e\there \xff ", 80), "two  lines here ?"},
		{"a line is cut between runes", Line("éé é", 4), "éé"},
		{"a cut line ends in no blank", Line("ab cd", 3), "ab"},
		{"line feeds stay", Lines("one\r\ntwo\rthree\n\rfour\tfive\x07", 80), "one\ntwo\nthree\nfour five"},
		{"lines are cut", Lines(strings.Repeat("ab\n", 10), 5), "ab\nab"},
		{"ASCII alone", ASCII("a\té\x1b~\xff", 80), "a ??~?"},
		{"ASCII is cut", ASCII("abcdef", 3), "abc"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.got != test.want {
				t.Errorf("got %q, want %q", test.got, test.want)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		name, got, want string
	}{
		{"no thousand", Thousands(999), "999"},
		{"a thousand", Thousands(1000), "1,000"},
		{"millions", Thousands(int64(12_345_678)), "12,345,678"},
		{"below zero", Thousands(-123), "-123"},
		{"thousands below zero", Thousands(-123_456), "-123,456"},
		{"gain", Signed(12.4), "+12"},
		{"loss", Signed(-12.6), "−13"},
		{"rounded to nothing", Signed(-0.4), "0"},
		{"half a point", Signed(0.5), "+1"},
		{"half a loss", Signed(-0.5), "−1"},
		{"hundredths of nothing", Hundredths(-.004), "0.00"},
		{"interval", Interval(3.2, -1.1, 7), "+3 [−1, +7]"},
		{"Elo of an even match", Elo(-1e-14, -44.4, 44.4), "+0.0 Elo [-44.4, +44.4]"},
		{"Elo", Elo(52, 30.06, -1), "+52.0 Elo [+30.1, -1.0]"},
		{"Elo in a column", EloCell(-.04, -30.06, 1), "+0.0 [-30.1, +1.0]"},
		{"one", Plural(1, "game"), "1 game"},
		{"none", Plural(int64(0), "game"), "0 games"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.got != test.want {
				t.Errorf("got %q, want %q", test.got, test.want)
			}
		})
	}
}

// A time is shown by the local clock, from whatever zone it comes.
func TestTime(t *testing.T) {
	want := time.Date(2026, 3, 1, 7, 5, 0, 0, time.Local)
	for _, zone := range []*time.Location{time.Local, time.UTC, time.FixedZone("far", 14*60*60)} {
		t.Run(zone.String(), func(t *testing.T) {
			name, _ := want.Zone()
			if got := Time(want.In(zone)); got != "2026-03-01 07:05 "+name {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestIsTerminal(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, stream := range []any{null, strings.NewReader(""), nil} {
		if IsTerminal(stream) {
			t.Errorf("%T is called a terminal", stream)
		}
	}
}
